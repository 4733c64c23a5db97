"""Which assertions an erasure covers."""

from dataclasses import replace

from cortex_memory.model import Assertion, Erasure, Pairs
from cortex_memory.retain.values import blank


def covers(erasure: Erasure, assertion: Assertion) -> bool:
    """Whether the content of an assertion about the same goes, whenever it arrives."""
    return (
        assertion.said <= erasure.at
        and assertion.predicate in erasure.predicates
        and is_within(assertion.value.pairs, erasure)
    )


def is_within(pairs: Pairs, erasure: Erasure) -> bool:
    """Whether every part of a value was part of the erased fact."""
    return erasure.pairs.issuperset(pairs)


def without_content(assertion: Assertion) -> Assertion:
    """The assertion as it is kept after an erasure: what compares stays, what can be read goes."""
    return replace(
        assertion,
        value=blank(assertion.value),
        qualifiers=blank(assertion.qualifiers),
        evidence=None,
    )
