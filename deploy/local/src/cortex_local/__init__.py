"""The local stack: embedded PostgreSQL and NATS, supervised, and the cortex command."""
