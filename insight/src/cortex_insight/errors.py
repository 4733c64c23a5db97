"""Every error of insight that it raises itself.

InsightError
├── ParserConflict       two parsers claim one source
├── StoreUnavailable     the database cannot be reached
└── StoreRefused         the database refuses what it was given
"""


class InsightError(Exception):
    """Insight cannot go on."""


class ParserConflict(InsightError):
    """Two parsers claim one source."""


class StoreUnavailable(InsightError):
    """The database cannot be reached."""


class StoreRefused(InsightError):
    """The database refuses what it was given."""
