"""What is kept of an observation whose content was erased: who and when, and no word."""

import pytest
from cortex_memory.retain.assertions import observation_key
from cortex_memory.retain.current import precedence
from cortex_memory.retain.episode_text import episode_text
from cortex_memory.retain.erasure import residue
from cortex_memory.retain.resolve_actors import identifiers_of
from retain.observing import KEY, actor, observe
from roxabi_contracts.observation import Observation
from roxabi_contracts.payloads import (
    Artifact,
    Attachment,
    Decision,
    DecisionStatus,
    Finding,
    Interaction,
    Payload,
    Statement,
    TimeNote,
    TimePrecision,
    TimeSource,
)

WORD = "Zzyzxville"
NOTE = TimeNote(precision=TimePrecision.DAY, source=TimeSource.RECORD, local=WORD)
PAYLOADS = [
    Statement(text=WORD, time=NOTE),
    Interaction(text=WORD, time=NOTE, channel=WORD, attachments=(Attachment(name=WORD),)),
    Finding(text=WORD, time=NOTE, evidence=WORD, remediation=WORD),
    Decision(text=WORD, time=NOTE, decision=WORD, status=DecisionStatus.ACCEPTED, rationale=WORD),
    Artifact(text=WORD, time=NOTE, kind=WORD, uri=WORD, title=WORD, action="created"),
]


def said(payload: Payload) -> Observation:
    before = observe(at=5, ref="a", actors=[actor("ann@garden.org", name=WORD)])
    return Observation.of(
        payload,
        topic=(WORD,),
        sentiment=WORD,
        project_id=before.project_id,
        source=before.source,
        source_ref=before.source_ref,
        timestamp=before.timestamp,
        actors=before.actors,
        subject=0,
        origin=before.origin,
        made_by=before.made_by,
        correlation=before.correlation.model_copy(update={"attributes": {"title": WORD}}),
    )


@pytest.mark.parametrize("payload", PAYLOADS, ids=lambda payload: type(payload).__name__)
def test_no_word_is_left_and_its_place_stays(payload: Payload) -> None:
    before = said(payload)
    after = residue(before)

    assert WORD in before.model_dump_json()
    assert WORD not in after.model_dump_json()
    assert WORD not in episode_text(after.payload)
    assert (after.id, after.timestamp, after.category) == (
        before.id,
        before.timestamp,
        before.category,
    )
    assert observation_key(after, KEY) == observation_key(before, KEY)
    assert precedence(after)[:-1] == precedence(before)[:-1]
    assert identifiers_of(after.actors[0], after, KEY) == identifiers_of(
        before.actors[0], before, KEY
    )
    assert residue(after) == after


def test_a_bare_name_stays_since_it_alone_tells_who_is_meant() -> None:
    named = observe(at=5, ref="a", actors=[actor("ann@garden.org"), actor(name="Bob")])

    assert [each.name for each in residue(named).actors] == [None, "Bob"]
