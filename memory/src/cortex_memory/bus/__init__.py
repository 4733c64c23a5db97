"""The broker's side of the warehouse: the only place that speaks NATS."""
