"""The warehouse: consolidates Observations into an entity graph and facts, and answers context requests."""
