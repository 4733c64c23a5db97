"""Hypothesis strategies for messages of the contract."""

from hypothesis import strategies as st
from roxabi_contracts import (
    ActorKind,
    ActorRef,
    ActorRole,
    Claim,
    Identifier,
    MadeBy,
    Observation,
    Origin,
    Statement,
    TimeNote,
)
from roxabi_contracts.payloads import TimePrecision, TimeSource

texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=60)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts,
    lambda children: st.lists(children, max_size=3) | st.dictionaries(texts, children, max_size=3),
    max_leaves=6,
)
json_objects = st.dictionaries(texts, json_values, max_size=3)
identifiers = st.builds(
    Identifier,
    scheme=st.sampled_from(["email", "phone", "slug", "uri", "account:github"]),
    value=texts.filter(bool),
)
actors = st.builds(
    ActorRef,
    kind=st.sampled_from(ActorKind),
    role=st.sampled_from(ActorRole),
    name=st.none() | texts,
    identifiers=st.lists(identifiers, min_size=1, max_size=3).map(tuple),
)
claims = st.builds(
    Claim,
    about=st.none() | st.just(0) | texts.filter(bool),
    predicate=st.from_regex(r"[a-z][a-z0-9_]{0,20}", fullmatch=True),
    value=json_objects,
    qualifiers=json_objects,
    confidence=st.floats(0, 1),
    evidence=texts.filter(bool),
)
statements = st.builds(
    Statement,
    text=texts,
    time=st.builds(
        TimeNote, precision=st.sampled_from(TimePrecision), source=st.sampled_from(TimeSource)
    ),
    claims=st.lists(claims, max_size=2).map(tuple),
)


@st.composite
def observations(draw: st.DrawFn) -> Observation:
    return Observation.of(
        draw(statements),
        project_id="personal",
        source="message",
        source_ref=draw(texts.filter(bool)),
        timestamp=draw(st.integers(0, 253_402_300_799_999)),
        actors=(draw(actors),),
        subject=0,
        origin=draw(st.sampled_from(Origin)),
        made_by=MadeBy(parser=draw(st.integers(0, 9))),
        revision=draw(st.integers(0, 9)),
    )
