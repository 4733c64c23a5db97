"""What works on a lake, in the test's own process, with the source made for tests."""

from cortex_insight.dead_letters import DeadLetters
from cortex_insight.ingest import Ingest
from cortex_insight.interpret import SourceConfig
from cortex_insight.reader import Reader
from cortex_insight.record_readings import ReadingRecorder
from cortex_insight.replay import Replay
from cortex_insight.store.db import Database
from cortex_insight.store.dead_letters import DeadLetterStore
from cortex_insight.store.lake import open_lake
from cortex_insight.store.replay import PAGE, ReplayStore
from linked_source import SOURCE, config


def recorder(source: SourceConfig | None = None) -> ReadingRecorder:
    """What reads the source, as configured."""
    return ReadingRecorder(Reader({SOURCE: source or config()}))


def ingest_on(database: Database, source: SourceConfig | None = None) -> Ingest:
    """The way into the lake."""
    return Ingest(open_lake(database), recorder(source))


def replay_on(database: Database, source: SourceConfig | None = None, page: int = PAGE) -> Replay:
    """The way through the lake once more."""
    return Replay(open_lake(database), ReplayStore(database, page), recorder(source))


def dead_letters_on(database: Database, source: SourceConfig | None = None) -> DeadLetters:
    """What answers for what the lake refused."""
    ingest, replay = ingest_on(database, source), replay_on(database, source)
    return DeadLetters(DeadLetterStore(database), ingest, replay)
