"""The one place where the command reads the clock."""

from datetime import UTC, datetime


def now() -> datetime:
    """The moment at which the user says something."""
    return datetime.now(UTC)
