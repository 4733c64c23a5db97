"""The lake's own database: the only place that speaks SQL."""
