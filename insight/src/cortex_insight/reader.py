"""Reads events with today's parsers; a parser's fault is a rejection, never a crash."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

import structlog
from structlog.typing import FilteringBoundLogger

from cortex_insight.admit import Admitted
from cortex_insight.interpret import Presence, SourceConfig, interpret, made_by
from cortex_insight.log import place_of
from cortex_insight.parser import Reject
from cortex_insight.reading import (
    EventKey,
    Links,
    Reading,
    Versions,
    link_digest,
    versions_of,
)
from cortex_insight.sanitise import SANITISER, Sanitiser

NEIGHBOURS_PER_KEY: Final = 64
"""Of a key that very many events provide, this many are handed over: those of lowest id."""

Answer = TypeVar("Answer")


class Reader:
    """Every source with its parser.

    Args:
        sources: How each source is read, by its token.
    """

    def __init__(self, sources: Mapping[str, SourceConfig]) -> None:
        self._sources = sources
        self._log: FilteringBoundLogger = structlog.get_logger()

    def links(self, admitted: Admitted) -> Links:
        """The keys of an event; a parser that fails at them gives none."""
        config = self._sources.get(admitted.event.source)
        if config is None:
            return Links()
        parser = config.parser

        def ask() -> Links:
            needs = {link_digest(key): key for key in parser.needs(admitted.event)}
            provides = frozenset(map(link_digest, parser.provides(admitted.event)))
            return Links(provides, needs)

        answer = self._shielded(admitted, ask)
        return Links() if isinstance(answer, Reject) else answer

    def versions(self, source: str, *, had_model: bool = False) -> Versions:
        """With which versions events of the source are read now.

        Args:
            source: Its token.
            had_model: Whether a model was to read the event before.
        """
        config, presence = self._sources.get(source), Presence(had_model=had_model)
        return versions_of(None if config is None else made_by(config, presence))

    def sanitiser_of(self, source: str) -> Sanitiser:
        """How what a source says is cleaned."""
        config = self._sources.get(source)
        return SANITISER if config is None else config.sanitiser

    def asks_about(self, source: str) -> bool:
        """Whether a model reads the source, too."""
        config = self._sources.get(source)
        return config is not None and config.prompt is not None

    def read(self, admitted: Admitted, presence: Presence) -> Reading:
        """What an event says, given its neighbours."""
        config = self._sources.get(admitted.event.source)
        if config is None:
            reject = Reject("unknown_source", f"nobody reads {admitted.event.source!r} here")
            return Reading(admitted, None, reject=reject)
        event, received_at = admitted.event, admitted.receipt.received_at
        answer = self._shielded(admitted, lambda: interpret(event, presence, config, received_at))
        versions = made_by(config, presence)
        if isinstance(answer, Reject):
            return Reading(admitted, versions, reject=answer)
        return Reading(
            admitted,
            versions,
            answer.observations,
            answer.messages,
            answer.unknown_types,
            answer.redactions,
            questions=answer.questions,
        )

    def _shielded(self, admitted: Admitted, ask: Callable[[], Answer]) -> Answer | Reject:
        try:
            return ask()
        except Exception as error:  # noqa: BLE001 - parsers are plug-ins: one fault, one event
            fault = type(error).__name__
            self._log.error(
                "parser_failed",
                project=admitted.event.project,
                source=admitted.event.source,
                event_id=admitted.event_id,
                fault=fault,
                place=place_of(error),
            )
            return Reject("parser_failed", f"the parser failed with {fault}")


def presence_of(
    key: EventKey,
    links: Links,
    providers: Mapping[bytes, Sequence[str]],
    events: Mapping[EventKey, Admitted],
) -> Presence:
    """The neighbours of an event.

    Args:
        key: The event.
        links: What it asks for.
        providers: By digest, who provides it, in the order of their ids.
        events: At least the first `NEIGHBOURS_PER_KEY` providers of each.
    """
    found = {
        links.needs[digest]: tuple(
            events[EventKey(key.project, name)].event for name in names[:NEIGHBOURS_PER_KEY]
        )
        for digest, names in providers.items()
        if digest in links.needs
    }
    return Presence(found, len({name for names in providers.values() for name in names}))
