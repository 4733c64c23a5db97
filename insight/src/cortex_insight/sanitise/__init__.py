"""Redaction of secrets, before anything leaves the lake."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from pydantic import JsonValue
from roxabi_contracts import ActorRef, Correlation, Payload

from cortex_insight.parser import Draft
from cortex_insight.sanitise.named import NAMED
from cortex_insight.sanitise.rule import Rule, WordFinder
from cortex_insight.sanitise.scanner import SCANNED
from cortex_insight.sanitise.tokens import TOKENS

VERSION: Final = 4
RULES: Final = (*TOKENS, *SCANNED, *NAMED)

_NAME_LENGTH: Final = 512
_REFERENCE_LENGTH: Final = 480
_MARK: Final = re.compile(rb"\[redacted:(\w+)\]")


class _RuleFinder:
    """Finds the rules that may find something; most texts need no look at most of them."""

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        self._rules = rules
        self._always = [place for place, rule in enumerate(rules) if not rule.words]
        self._by_words = [
            (words, place) for place, rule in enumerate(rules) for words in rule.words
        ]
        self._words = WordFinder({word for words, _ in self._by_words for word in words})
        self._suspect = WordFinder({max(words, key=len) for words, _ in self._by_words})

    def concerned(self, text: str) -> list[Rule]:
        """The rules that may find something in the text."""
        lowered = text.casefold()
        if not self._suspect.any_in(lowered):
            always = [self._rules[place] for place in self._always]
            return [rule for rule in always if rule.pattern.search(text)]
        found = self._words.all_in(lowered)
        places = {place for words, place in self._by_words if words <= found}
        return [self._rules[place] for place in sorted(places.union(self._always))]


@dataclass(frozen=True)
class Sanitiser:
    """Takes secrets out, always in the same way; what it has cleaned stays as it is."""

    version: int
    """Raised whenever another text may come out."""
    rules: tuple[Rule, ...]
    _finder: _RuleFinder = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_finder", _RuleFinder(self.rules))

    def redact(self, text: str) -> str:
        """The text with each secret replaced by a mark that names its kind."""
        while (rules := self._finder.concerned(text)) and (cleaner := _look(text, rules)) != text:
            text = cleaner
        return text

    def reference(self, name: str) -> str:
        """A name by which others refer to something, so that different ones stay different."""
        clean = self.redact(name)
        return name if clean == name else f"{clean[:_REFERENCE_LENGTH]}#{_slow_digest(name)}"

    def sanitise(self, draft: Draft) -> Draft:
        """The draft without secrets in anything that a source can write."""
        return replace(
            draft,
            payload=self._payload(draft.payload),
            source_ref=self.reference(draft.source_ref),
            actors=tuple(self._actor(actor) for actor in draft.actors),
            topic=None if draft.topic is None else tuple(map(self.redact, draft.topic)),
            correlation=self._correlation(draft.correlation),
        )

    def _payload(self, payload: Payload) -> Payload:
        if not self._finder.concerned(payload.model_dump_json()):
            return payload
        return type(payload).model_validate(self._value(payload.model_dump(mode="json")))

    def _value(self, value: JsonValue) -> JsonValue:
        if isinstance(value, str):
            return self.redact(value)
        if isinstance(value, list):
            return [self._value(item) for item in value]
        if isinstance(value, dict):
            return {self.redact(key): self._value(item) for key, item in value.items()}
        return value

    def _actor(self, actor: ActorRef) -> ActorRef:
        name = None if actor.name is None else self.redact(actor.name)[:_NAME_LENGTH]
        identifiers = tuple(
            key.model_copy(update={"value": self.reference(key.value)}) for key in actor.identifiers
        )
        return actor.model_copy(update={"name": name, "identifiers": identifiers})

    def _correlation(self, correlation: Correlation) -> Correlation:
        references = {
            place: None if name is None else self.reference(name)
            for place, name in (
                ("trace_id", correlation.trace_id),
                ("parent_ref", correlation.parent_ref),
                ("episode_id", correlation.episode_id),
            )
        }
        clean = {key: self.redact(value) for key, value in correlation.attributes.items()}
        return correlation.model_copy(update={**references, "attributes": clean})


SANITISER: Final = Sanitiser(VERSION, RULES)


def marks_in(messages: Iterable[bytes]) -> Counter[str]:
    """How many secrets of each kind were taken out of what messages say."""
    found = (kind.decode() for message in messages for kind in _MARK.findall(message))
    return Counter(found)


def _look(text: str, rules: Iterable[Rule]) -> str:
    """One look; a mark that it sets may lay bare what stood directly beside a secret."""
    for rule in rules:
        text = rule.redact(text)
    return text


@lru_cache(maxsize=4096)
def _slow_digest(name: str) -> str:
    """Tells names apart, and costs too much to try all passwords that may have stood in one."""
    return hashlib.scrypt(name.encode(), salt=b"reference", n=4096, r=8, p=1, dklen=8).hex()
