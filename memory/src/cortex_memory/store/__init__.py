"""The warehouse's store: the only place that speaks SQL."""
