"""Asking a model."""
