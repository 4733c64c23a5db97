"""Dense journals: one owner, three values, few authors, edits, links, verdicts, erasures."""

from collections.abc import Callable
from dataclasses import replace

from cortex_memory.model import (
    Assertion,
    Decision,
    Disable,
    Enable,
    Erasure,
    FactReference,
    IdentityLink,
    JournalId,
    LinkRelation,
    LinkStatus,
    PredicateVerdict,
    ProjectId,
    Release,
    Resolve,
    Withdrawal,
)
from cortex_memory.retain.assertions import assertions_of, observation_key
from cortex_memory.retain.extract import extract_claims
from cortex_memory.retain.journal import Journal
from cortex_memory.retain.link_identities import CONFIGURED_RULE, RECORD_RULE
from cortex_memory.retain.rebind import reference_to
from cortex_memory.retain.resolve_actors import identifiers_of
from cortex_memory.retain.withdrawal import key_digest
from hypothesis import strategies as st
from retain.observing import (
    ANN,
    BOB,
    CATALOGUE,
    KEY,
    OWNER,
    actor,
    alone,
    candidates,
    claim,
    observe,
)
from roxabi_contracts.observation import Observation, Origin
from roxabi_contracts.payloads import Cardinality, Claim, ClaimAction

PROJECT = ProjectId("garden")
HOME = actor("ann@home.org")
AUTHORS = [ANN, HOME, BOB, actor("cat@garden.org")]
NAMES = ["lives_in", "residence", "pet", "animal", "likes"]
MOMENTS = st.integers(1, 9)
ON_ONE_FACT: list[Callable[[JournalId, int, FactReference], Decision]] = [Release, Disable, Enable]


@st.composite
def claims(draw: st.DrawFn) -> Claim:
    """A claim about the owner."""
    said = claim(
        draw(st.sampled_from(NAMES)),
        draw(st.sampled_from(["red", "green", "blue"])),
        action=draw(st.sampled_from([ClaimAction.CREATE, *ClaimAction])),
        confidence=draw(st.sampled_from([1.0, 1.0, 0.4])),
        replaces=None,
    )
    many = draw(st.integers(0, 9)) == 0
    return said.model_copy(update={"cardinality": Cardinality.MANY}) if many else said


@st.composite
def observations(draw: st.DrawFn) -> list[Observation]:
    """Messages about the owner, some of them edited."""
    seen: list[Observation] = []
    for number in range(draw(st.integers(1, 6))):
        at = draw(MOMENTS)
        author = draw(st.sampled_from(AUTHORS))
        origin = draw(st.sampled_from([Origin.THIRD_PARTY, Origin.TRUSTED, Origin.UNTRUSTED]))
        for revision in range(draw(st.sampled_from([1, 1, 2]))):
            seen.append(
                observe(
                    *draw(st.lists(claims(), min_size=1, max_size=2)),
                    at=at,
                    ref=f"ref-{number}",
                    actors=[OWNER, author],
                    origin=origin,
                    revision=revision,
                )
            )
    return seen


def asserted(seen: list[Observation]) -> list[Assertion]:
    """All that any revision ever asserted."""
    return [
        assertion
        for observation in seen
        for assertion in assertions_of(
            observation,
            extract_claims(observation).facts,
            project_key=KEY,
            catalogue=CATALOGUE,
            entity_of=alone,
        )
    ]


@st.composite
def decisions(draw: st.DrawFn, known: list[Assertion], number: int) -> Decision:
    """A decision on what one or two assertions say."""
    some = st.lists(st.sampled_from(known), min_size=1, max_size=2)
    one, other = (
        FactReference(frozenset(reference_to(assertion) for assertion in draw(some)))
        for _ in range(2)
    )
    name, at = JournalId(f"decision-{number}"), draw(MOMENTS)
    if draw(st.booleans()):
        return Resolve(name, at, one, (other,))
    return draw(st.sampled_from(ON_ONE_FACT))(name, at, one)


@st.composite
def erasures(draw: st.DrawFn, known: list[Assertion], number: int) -> Erasure:
    """The erasure of what an assertion says."""
    said = draw(st.sampled_from(known))
    return Erasure(
        id=JournalId(f"erasure-{number}"),
        at=draw(MOMENTS),
        project=PROJECT,
        subject=said.key.subject,
        about=said.about,
        predicates=frozenset({said.predicate}),
        pairs=frozenset(said.value.pairs),
    )


@st.composite
def withdrawals(draw: st.DrawFn, seen: list[Observation], number: int) -> Withdrawal:
    """The withdrawal of a message, or its return."""
    key = observation_key(draw(st.sampled_from(seen)), KEY)
    gone = draw(st.booleans())
    return Withdrawal(JournalId(f"w-{number}"), draw(MOMENTS), key_digest(key, KEY), gone)


@st.composite
def links(draw: st.DrawFn, number: int) -> IdentityLink:
    """A link between two of the authors."""
    first, second = (
        identifiers_of(draw(st.sampled_from(AUTHORS)), observe(at=1, ref="x"), KEY)[0].id
        for _ in range(2)
    )
    return IdentityLink(
        id=JournalId(f"link-{number}"),
        at=draw(MOMENTS),
        project=PROJECT,
        first=first,
        second=second,
        relation=draw(st.sampled_from([LinkRelation.SAME, *LinkRelation])),
        status=draw(st.sampled_from(LinkStatus)),
        rule=draw(st.sampled_from([CONFIGURED_RULE, RECORD_RULE])),
        rule_version=1,
    )


@st.composite
def verdicts(draw: st.DrawFn, number: int) -> PredicateVerdict:
    """A verdict on two names."""
    return PredicateVerdict(
        id=JournalId(f"verdict-{number}"),
        at=draw(MOMENTS),
        project=PROJECT,
        first=draw(st.sampled_from(NAMES)),
        second=draw(st.sampled_from(NAMES)),
        same=draw(st.booleans()),
        model=draw(st.sampled_from([None, "minilm"])),
    )


@st.composite
def journals(draw: st.DrawFn) -> Journal:
    """A journal of up to six messages and all else that may be journaled."""
    seen = draw(observations())
    known = asserted(seen)
    some = st.integers(0, 2)
    return Journal(
        observations=tuple(seen),
        candidates=candidates(*seen),
        verdicts=tuple(draw(verdicts(number)) for number in range(draw(some))),
        links=tuple(draw(links(number)) for number in range(draw(some))),
        decisions=tuple(draw(decisions(known, number)) for number in range(draw(some))),
        erasures=(
            *(draw(erasures(known, number)) for number in range(draw(st.integers(0, 1)))),
            *(draw(withdrawals(seen, number)) for number in range(draw(st.integers(0, 1)))),
        ),
    )


@st.composite
def shuffled(draw: st.DrawFn, journal: Journal) -> Journal:
    """The same journal, in another order and with repetitions."""
    return replace(
        journal,
        observations=tuple(draw(st.permutations([*journal.observations, *journal.observations]))),
        candidates=tuple(draw(st.permutations([*journal.candidates, *journal.candidates[:1]]))),
        verdicts=tuple(draw(st.permutations([*journal.verdicts, *journal.verdicts]))),
        links=tuple(draw(st.permutations([*journal.links, *journal.links]))),
        decisions=tuple(draw(st.permutations([*journal.decisions, *journal.decisions]))),
        erasures=tuple(draw(st.permutations([*journal.erasures, *journal.erasures]))),
    )
