"""The lake's side of the broker: the only place that speaks NATS."""
