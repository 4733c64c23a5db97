"""What can go wrong in the warehouse.

WarehouseError
├── StoreUnavailable       the database cannot be reached, or gave up on us for a while
├── Overloaded             too many requests wait to be answered
├── Unstorable             a value is outside of what the database can hold
├── InvariantBroken        the database refused a write that no correct path makes
│   ├── TwoActiveFacts     a slot would hold two active facts
│   ├── TwoOpenConflicts   a slot would hold two open conflict sets
│   └── InvalidFact        a status, interval or confidence that cannot be
├── Undecided              what a decision needs is not there yet
│   └── NamesUnjudged      whether two names are one
├── EmbedderUnavailable    the embedding model cannot be opened
├── EmbeddingFailed        the embedding model could not embed a text this time
├── ExtractionStopped      a model did not answer about an observation
│   ├── ProviderBusy       it wants to be left alone for a while
│   └── ProviderFailed     it is away or answers nothing of use
│       └── AnswerUnusable the answer was cut, malformed, or a refusal
├── ModelMisconfigured     what the settings say of a model cannot be
├── Refused                a request cannot be carried out as it is
├── MigrationChanged       a migration differs from the one that was applied
└── StoreIsNewer           the database was migrated by a later version
"""


class WarehouseError(Exception):
    """Something went wrong in the warehouse."""


class StoreUnavailable(WarehouseError):
    """The database cannot be reached, or refused the transaction for reasons that pass."""


class Overloaded(WarehouseError):
    """Too many requests wait to be answered: one more would wait longer than its caller."""


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


class Undecided(WarehouseError):
    """What a decision needs is not there yet; the message says what, and quotes no content."""


class ModelMisconfigured(WarehouseError):
    """What the settings say of a model cannot be; the message names the setting."""


class MigrationChanged(WarehouseError):
    """A migration differs from the one of the same number that was applied."""


class StoreIsNewer(WarehouseError):
    """The database was migrated by a later version of this service."""
