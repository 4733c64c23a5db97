"""Texts to vectors: one port, and the models behind it."""
