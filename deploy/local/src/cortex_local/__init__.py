"""The local stack of Cortex: embedded PostgreSQL and NATS, supervision, and the cortex command."""
