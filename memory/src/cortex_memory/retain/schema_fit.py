"""How well an observation fits what a subject's memory already knows, in [0, 1]."""

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log

SAMPLE_SIZE = 256
"""How many observations of a subject are compared with: those of the lowest `sample_rank`."""

EMPTY_CORPUS_FIT = 0.5

_TAG_WEIGHT, _CONTENT_WEIGHT = 0.6, 0.4
_TAG_GAIN = 2.0
_FEWEST_MATCHES, _MATCHING_SHARE = 5, 0.1
_SHARED_TOKENS = 0.2
_TOKEN = re.compile(r"\w{4,}")


@dataclass(frozen=True, slots=True)
class Corpus:
    """What a subject's memory holds, as counters and a sample that no order of arrival changes.

    `frequencies` counts the observations that carry each tag; `samples` are the tokens of the
    sampled observations.
    """

    observations: int = 0
    frequencies: Mapping[str, int] = field(default_factory=dict[str, int])
    samples: Sequence[frozenset[str]] = ()


def schema_fit(tags: Collection[str], text: str, corpus: Corpus) -> float:
    """0.6 of how well the tags are known, 0.4 of how often the content was met before."""
    if corpus.observations == 0:
        return EMPTY_CORPUS_FIT
    tag_fit = _tag_fit(tags, corpus)
    return _TAG_WEIGHT * tag_fit + _CONTENT_WEIGHT * _content_fit(tokens(text), corpus.samples)


def tokens(text: str) -> frozenset[str]:
    """The words of a text that have more than three characters, without case."""
    return frozenset(_TOKEN.findall(text.casefold()))


def sample_rank(observation_id: str) -> str:
    """The place of an observation in the sample's order, at random but the same everywhere."""
    return hashlib.blake2b(observation_id.encode(), digest_size=16).hexdigest()


def _tag_fit(tags: Collection[str], corpus: Corpus) -> float:
    """Rare tags that are known say more than frequent ones; no tags fit nothing."""
    distinct = set(tags)
    if not distinct:
        return 0.0
    known = [corpus.frequencies[tag] for tag in distinct if corpus.frequencies.get(tag)]
    weight = sum(log(corpus.observations / count) + 1 for count in known)
    highest = len(distinct) * (log(corpus.observations + 1) + 1)
    return min(1.0, _TAG_GAIN * weight / highest)


def _content_fit(new: frozenset[str], samples: Iterable[frozenset[str]]) -> float:
    known = list(samples)
    if not new:
        return 0.0
    matches = sum(len(new & old) > _SHARED_TOKENS * len(new) for old in known)
    return min(1.0, matches / max(_FEWEST_MATCHES, _MATCHING_SHARE * len(known)))
