"""What an earlier sanitiser let out is found, and called back without saying it again."""

from dataclasses import replace

from cortex_insight.interpret import Interpreted, Presence, interpret, made_by
from cortex_insight.leaks import clean_record, find_leaks, record_of, withdraw
from cortex_insight.parser import Draft, Neighbours, ParseContext, Parsed, Reject
from cortex_insight.sanitise import SANITISER, VERSION, Sanitiser
from roxabi_contracts import Observation, RawEvent, codec

from tests.lines_source import CONFIG, RECEIVED, LinesParser, draft, line_event
from tests.secrets_of_kinds import SECRETS

TOKEN = SECRETS["github_token"]
BLIND = Sanitiser(VERSION - 1, ())


class OneDraft(LinesParser):
    """Says one thing of every event."""

    def __init__(self, said: Draft) -> None:
        super().__init__()
        object.__setattr__(self, "said", said)

    def parse(
        self, event: RawEvent, neighbours: Neighbours, context: ParseContext
    ) -> Parsed | Reject:
        return Parsed((self.said,))  # type: ignore[attr-defined]  # set in the constructor


def observe(said: Draft, sanitiser: Sanitiser) -> Observation:
    config = replace(CONFIG, parser=OneDraft(said), sanitiser=sanitiser)
    answer = interpret(line_event("x"), Presence(), config, RECEIVED)
    assert isinstance(answer, Interpreted)
    return answer.observations[0]


def test_what_is_clean_is_no_leak() -> None:
    said = observe(draft("I live in Lyon"), BLIND)
    assert find_leaks([said], lambda _: SANITISER).by_record == {}


def test_a_leak_is_found_under_the_record_that_is_said_now() -> None:
    leaky = draft(f"I use {TOKEN}", source_ref=f"note {TOKEN}")
    before, now = observe(leaky, BLIND), observe(leaky, SANITISER)
    assert TOKEN not in codec.encode(now).decode()
    leaks = find_leaks([before, now], lambda _: SANITISER)
    assert leaks.ids(record_of(now)) == (before.id,)
    assert clean_record(before, SANITISER) == record_of(now)


def test_a_withdrawal_calls_back_and_says_no_secret() -> None:
    before = observe(draft(f"I use {TOKEN}"), BLIND)
    leaks = find_leaks([before], lambda _: SANITISER)
    taken_back = withdraw(before, made_by(CONFIG, Presence()), SANITISER, leaks)
    assert taken_back.deleted
    assert taken_back.erases == (before.id,)
    assert TOKEN not in codec.encode(taken_back).decode()


def test_what_is_erased_is_no_part_of_what_is_said() -> None:
    said = observe(draft("hello"), SANITISER)
    told = said.model_copy(update={"erases": ("x",)})
    assert told.id == said.id
    assert told.message_id != said.message_id


def test_names_with_secrets_stay_different_names() -> None:
    first, second = (SANITISER.reference(f"note {TOKEN}{end}") for end in "ab")
    assert first != second
    assert TOKEN not in first + second
    assert SANITISER.reference(first) == first
    assert SANITISER.reference("note 1") == "note 1"
