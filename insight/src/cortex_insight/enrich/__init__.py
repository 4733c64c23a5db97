"""Enrichment: claims that a text makes and its source does not state."""
