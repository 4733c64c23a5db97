"""The commands that `cortex` offers, one module per purpose."""
