"""Extractors: from an observation to the candidates that it holds."""
