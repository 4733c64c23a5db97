"""What can go wrong in the warehouse.

WarehouseError
├── StoreUnavailable       the database cannot be reached, or gave up on us for a while
├── Unstorable             a value is outside of what the database can hold
├── InvariantBroken        the database refused a write that no correct path makes
│   ├── TwoActiveFacts     a slot would hold two active facts
│   ├── TwoOpenConflicts   a slot would hold two open conflict sets
│   └── InvalidFact        a status, interval or confidence that cannot be
├── EmbedderUnavailable    the embedding model cannot be opened
├── EmbeddingFailed        the embedding model could not embed a text this time
├── ModelFailed            an extracting model gave no answer that can be used
│   ├── ModelBusy          the provider asks us to wait
│   ├── ModelUnavailable   the endpoint failed, refused us, or took too long
│   └── AnswerUnusable     the answer was cut, malformed, or a refusal
├── ModelMisconfigured     what the settings say of a model cannot be
├── Refused                a request cannot be carried out as it is
├── MigrationChanged       a migration differs from the one that was applied
└── StoreIsNewer           the database was migrated by a later version
"""


class WarehouseError(Exception):
    """Something went wrong in the warehouse."""


class StoreUnavailable(WarehouseError):
    """The database cannot be reached, or refused the transaction for reasons that pass."""


class Unstorable(WarehouseError):
    """A value is outside of what the database can hold; it will never be stored."""


class InvariantBroken(WarehouseError):
    """The database refused a write that no correct path makes."""


class TwoActiveFacts(InvariantBroken):
    """A slot would hold two active facts: a path has forgotten the lock."""


class TwoOpenConflicts(InvariantBroken):
    """A slot would hold two open conflict sets: a path has forgotten the lock."""


class InvalidFact(InvariantBroken):
    """A fact has a status, an interval or a confidence that cannot be."""


class ModelFailed(WarehouseError):
    """An extracting model gave no answer that can be used; the message holds no content."""


class ModelBusy(ModelFailed):
    """The provider asks us to wait, `retry_after` seconds if it says how long; not our failure."""

    def __init__(self, retry_after: float | None) -> None:
        super().__init__("the provider asks us to wait")
        self.retry_after = retry_after


class ModelUnavailable(ModelFailed):
    """The endpoint failed, refused us, or took too long."""


class AnswerUnusable(ModelFailed):
    """The answer was cut, malformed, or a refusal; its tokens are spent all the same."""

    def __init__(self, reason: str, input_tokens: int, output_tokens: int) -> None:
        super().__init__(reason)
        self.input_tokens = input_tokens
        self.output_tokens = output_tokens


class ModelMisconfigured(WarehouseError):
    """What the settings say of a model cannot be; the message names the setting."""


class MigrationChanged(WarehouseError):
    """A migration differs from the one of the same number that was applied."""


class StoreIsNewer(WarehouseError):
    """The database was migrated by a later version of this service."""
