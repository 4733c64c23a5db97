"""Where in its session a record stands: what the records above it tell, and no later one."""

import re
from collections import Counter
from typing import Final

from pydantic import JsonValue
from roxabi_contracts.base import epoch_ms

from cortex_insight.parsers.codex.record import (
    ROLLED_BACK,
    SESSION,
    TURN,
    Fields,
    Record,
    essence_of,
)
from cortex_insight.parsers.codex.speech import Said, human_speech, said_in
from cortex_insight.parsers.records import as_object, as_text, read_time

_UUID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
_BY_TIME: Final = "7"
"""The version of ids that begin with the moment when they were made."""

_REMEMBERED: Final = 64
"""Messages of one side, while the other says nothing."""
_TURN_BEGINS: Final = ("task_started", "turn_started")

SESSION_ID: Final = "session"
ROOT: Final = "root"
SUB_AGENT: Final = "sub_agent"
CWD: Final = "cwd"
BRANCH: Final = "git_branch"
VERSION: Final = "version"
MODEL: Final = "model"
TURN_ID: Final = "turn"
PROMPT: Final = "prompt"
SEQUENCE: Final = "sequence"
ECHO: Final = "echo"
UNDONE: Final = "undone"


class Session:
    """A session as far as it was read."""

    def __init__(self) -> None:
        self._own: Fields | None = None
        self._shown: Fields = {}
        """The session whose records are being read: of a fork first those that it repeats."""
        self._is_repeating = False
        self._root: str | None = None
        self._turn: Fields = {}
        self._turn_id: str | None = None
        self._prompts: list[str] = []
        self._echoes = Echoes()
        self._seen: Counter[str] = Counter()
        self._records = 0

    def place(self, record: Record) -> tuple[str, Fields]:
        """The natural id of the next record, and what its place tells of it."""
        self._enter(record)
        session = as_text(self._shown.get("id")) or "unknown"
        scope = self._turn_id if self._turn_id and _UUID.fullmatch(self._turn_id) else session
        ref = f"{scope[:200]}/{essence_of(record)}"
        self._seen[ref] += 1
        ref = ref if self._seen[ref] == 1 else f"{ref}/{self._seen[ref]}"
        told = self._told(record, ref, session)
        self._records += 1
        return ref, {name: value for name, value in told.items() if value is not None}

    def _enter(self, record: Record) -> None:
        """Take over what the record says of all that follow it."""
        if record.kind == SESSION:
            self._meet(record)
        if record.kind == TURN:
            self._turn = record.payload
        if record.turn_id and (record.kind == TURN or record.type in _TURN_BEGINS):
            if self._is_repeating and self._is_new(record.turn_id):
                self._is_repeating = False
                self._shown = self._own or {}
            self._turn_id = record.turn_id

    def _meet(self, record: Record) -> None:
        """A session begins: the file's own, or one that it repeats because it goes on with it."""
        started = record.payload.get("timestamp") or record.time
        meta: Fields = {**record.payload, "timestamp": started}
        origin = _parent_of(meta)
        if self._own is None:
            self._own = meta
            self._is_repeating = as_text(meta.get("forked_from_id")) is not None
            self._root = origin or as_text(meta.get("id"))
        elif self._is_repeating:
            self._root = origin or as_text(meta.get("id")) or self._root
        self._shown = meta

    def _is_new(self, turn_id: str) -> bool:
        """Whether a turn began after the fork; one of unknown age did."""
        began = read_time((self._own or {}).get("timestamp"))
        found = _UUID.fullmatch(turn_id)
        if found is None or found[1] != _BY_TIME or began is None or began.moment is None:
            return True
        return int(turn_id.replace("-", "")[:12], 16) >= epoch_ms(began.moment)

    def _told(self, record: Record, ref: str, session: str) -> Fields:
        git = as_object(self._shown.get("git"))
        said = said_in(record)
        echo = said is not None and self._echoes.is_echo(record, said)
        undone: JsonValue = None
        if said and said.by_user and not echo and human_speech(said):
            self._prompts.append(ref)
        if record.type == ROLLED_BACK:
            undone = [*self._rolled_back(record)]
        turn = self._turn_id or (self._prompts[-1] if self._prompts else None)
        return {
            SESSION_ID: session,
            ROOT: self._root if self._root != session else None,
            SUB_AGENT: _is_sub_agent(self._shown) or None,
            CWD: as_text(self._turn.get("cwd")) or as_text(self._shown.get("cwd")),
            BRANCH: as_text(git.get("branch")),
            VERSION: as_text(self._shown.get("cli_version")),
            MODEL: as_text(self._turn.get("model")),
            TURN_ID: turn,
            PROMPT: self._prompts[-1] if self._prompts else None,
            SEQUENCE: self._records,
            ECHO: echo or None,
            UNDONE: undone,
        }

    def _rolled_back(self, record: Record) -> list[str]:
        """The prompts of the turns that are taken back."""
        stated = record.payload.get("num_turns")
        count = stated if isinstance(stated, int) and stated > 0 else 0
        kept = max(len(self._prompts) - count, 0)
        undone, self._prompts = self._prompts[kept:], self._prompts[:kept]
        return undone


class Echoes:
    """Finds messages that one way of telling repeats from another.

    Some versions write each message twice, others once, each in its own way. A repetition comes
    before the other side speaks: words that return after that are said again.
    """

    def __init__(self) -> None:
        self._by_user: dict[str, list[set[str]]] = {}
        self._by_agent: dict[str, list[set[str]]] = {}

    def is_echo(self, record: Record, said: Said) -> bool:
        """Whether the message was told just now in another way."""
        speech = human_speech(said) if said.by_user else None
        if said.by_user and speech is None:
            return False
        key = " ".join((speech.text if speech else said.text).split())
        told, other = self._by_user, self._by_agent
        if not said.by_user:
            told, other = other, told
        way = f"{record.kind}:{record.type}"
        for ways in told.get(key, []):
            if way not in ways:
                ways.add(way)
                return True
        other.clear()
        told.setdefault(key, []).append({way})
        if len(told) > _REMEMBERED:
            del told[next(iter(told))]
        return False


def _is_sub_agent(meta: Fields) -> bool:
    """Whether an agent, not a person, stands as the user."""
    source = meta.get("source")
    return meta.get("thread_source") == "subagent" or "subagent" in as_object(source)


def _sub_agent_of(meta: Fields) -> Fields:
    return as_object(as_object(meta.get("source")).get("subagent"))


def _parent_of(meta: Fields) -> str | None:
    """The session that this one goes on with, or that it works for."""
    spawned = as_object(_sub_agent_of(meta).get("thread_spawn"))
    named = ("forked_from_id", "parent_thread_id")
    stated = [*(meta.get(name) for name in named), spawned.get("parent_thread_id")]
    return next((text for one in stated if (text := as_text(one))), None)
