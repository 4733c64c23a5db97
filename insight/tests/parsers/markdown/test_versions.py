"""An edited section is a revision, one taken out a deletion, whatever version came first."""

from itertools import permutations

from cortex_insight.testing import readings_of
from cortex_insight.testing.samples import MODIFIED
from roxabi_contracts.base import epoch_ms

from .notes import LATER, PARSER, events, read

FIRST = "# A\n\n## Home\n\nParis\n\n## Work\n\nMarea\n\n## Gone\n\nx\n\nDecision: stay\n"
SECOND = "# A\n\n## Home\n\nPorto\n\n## Work\n\nMarea\n"


def test_an_edit_is_a_revision_and_what_was_taken_out_is_deleted() -> None:
    found = {
        one.source_ref.partition("#")[2]: one
        for one in read(events(FIRST), events(SECOND, at=LATER))
    }
    home, work, gone = (found[f"A > {name}"] for name in ("Home", "Work", "Gone"))
    assert (home.payload.text, home.revision) == ("Home\nPorto", epoch_ms(LATER))
    assert home.timestamp == epoch_ms(LATER)
    assert gone.deleted
    assert gone.revision == epoch_ms(LATER)
    assert [one.deleted for ref, one in found.items() if "/decision/" in ref] == [True]
    assert not work.deleted
    assert work.timestamp == epoch_ms(MODIFIED)


def test_the_order_of_versions_is_invisible() -> None:
    versions = [events(FIRST), events(SECOND, at=LATER), events(FIRST, at=LATER.replace(day=20))]
    said = {
        tuple(sorted(one.message_id for one in read(*order))) for order in permutations(versions)
    }
    assert len(said) == 1
    assert not any(one.deleted for one in read(*versions))


def test_what_comes_back_is_said_anew() -> None:
    back = read(events(FIRST), events(SECOND, at=LATER), events(FIRST, at=LATER.replace(day=20)))
    home = next(one for one in back if one.source_ref.endswith("Home"))
    assert (home.payload.text, home.timestamp) == ("Home\nParis", epoch_ms(LATER.replace(day=20)))


def test_another_note_of_the_same_name_takes_nothing_out() -> None:
    other = events("# B\n\n## Plan\n\nx\n", at=LATER)
    assert not any(one.deleted for one in read(events(FIRST), other))


def test_notes_of_two_memories_have_nothing_to_do_with_each_other() -> None:
    (mine,) = events(FIRST)
    assert mine.owner is not None
    other = mine.owner.model_copy(
        update={"identifiers": (mine.owner.identifiers[0].model_copy(update={"value": "t@x.org"}),)}
    )
    theirs = events(SECOND, at=LATER, owner=other)
    readings = readings_of(PARSER, [mine, *theirs])
    assert not any(one.deleted for reading in readings for one in reading.observations)


def test_a_version_says_of_itself_which_it_is() -> None:
    stated = "---\nupdated: 2026-03-05T10:00:00Z\n---\n# A\n\nx\n"
    revisions = {one.revision for at in (MODIFIED, LATER) for one in read(events(stated, at=at))}
    assert revisions == {1772704800000}
    dated = "---\nupdated: 2026-03-05\n---\nx\n"
    assert [one.revision for one in read(events(dated))] == [epoch_ms(MODIFIED)]
