"""What a model is asked about a text, and what of its answer can be used: pure."""
