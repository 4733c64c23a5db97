"""Every error of insight that it raises itself.

InsightError
├── LakeSilent           the lake does not answer an import
├── ParserConflict       two parsers claim one source
├── FileRefused          what was found cannot be read
│   ├── ArchiveRefused   an archive, or a file in it, is damaged or harmful
│   └── RepositoryRefused  git cannot read a repository
├── UnknownSource        the settings name a source that nobody reads
├── ModelMisconfigured   the model that was configured cannot be asked
├── ProviderBusy         a model's provider wants to be left alone for a while
├── ProviderFailed       it is away or answers nothing of use
│   └── AnswerUnusable   the answer was cut, malformed, or a refusal
├── BusUnavailable       the broker does not do its part
├── StoreUnavailable     the database cannot be reached
└── StoreRefused         the database refuses what it was given
"""


class InsightError(Exception):
    """Insight cannot go on."""


class LakeSilent(InsightError):
    """The lake does not answer, or has stopped reading."""


class ParserConflict(InsightError):
    """Two parsers claim one source."""


class FileRefused(InsightError):
    """What was found cannot be read."""


class ArchiveRefused(FileRefused):
    """An archive, or a file in it, is damaged or harmful."""


class RepositoryRefused(FileRefused):
    """Git cannot read a repository, or is not there."""


class UnknownSource(InsightError):
    """The settings name a source that nobody reads."""


class ModelMisconfigured(InsightError):
    """The model that was configured cannot be asked."""


class BusUnavailable(InsightError):
    """The broker is not there, or a stream did not confirm what it was sent."""


class StoreUnavailable(InsightError):
    """The database cannot be reached."""


class StoreRefused(InsightError):
    """The database refuses what it was given."""
