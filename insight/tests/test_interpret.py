"""From an event to observations: redacted, enriched, named by what they say."""

from dataclasses import dataclass, replace

import pytest
from cortex_insight.enrich.draft import ModelAnswer
from cortex_insight.enrich.model.question import question_about
from cortex_insight.enrich.port import SpeechContext
from cortex_insight.interpret import Interpreted, Presence, interpret, made_by
from cortex_insight.leaks import Leaks, withdraw
from cortex_insight.parser import Draft, Neighbours, ParseContext, Parsed, Reject
from cortex_insight.sanitise import SANITISER, VERSION
from roxabi_contracts import (
    ActorRef,
    Catalogues,
    Claim,
    Interaction,
    MadeBy,
    Observation,
    Origin,
    RawEvent,
    Statement,
    codec,
)
from roxabi_contracts.payloads import ClaimKind, SpeechAct

from tests.lines_source import CONFIG, OWNER, RECEIVED, TIME, LinesParser, draft, line_event

EVENT = line_event("hello")


@dataclass(frozen=True)
class FixedParser(LinesParser):
    """Says the same of every event."""

    drafts: tuple[Draft, ...] = ()

    def parse(
        self, event: RawEvent, neighbours: Neighbours, context: ParseContext
    ) -> Parsed | Reject:
        return Parsed(self.drafts)


@dataclass(frozen=True)
class FixedEnricher:
    """Finds one claim of a kind in every text, and remembers nothing."""

    kind: ClaimKind = ClaimKind.ATTRIBUTE
    version: int = 7

    def claims(self, text: str, author: ActorRef, context: SpeechContext) -> tuple[Claim, ...]:
        assert context.said_at.year == 1970
        return (Claim(predicate="says", value={"value": text}, kind=self.kind, evidence=text),)


def observed(
    *drafts: Draft, kind: ClaimKind | None = None, origin: Origin = Origin.TRUSTED
) -> tuple[Observation, ...]:
    enricher = None if kind is None else FixedEnricher(kind)
    config = replace(CONFIG, parser=FixedParser(drafts=drafts), enricher=enricher, origin=origin)
    answer = interpret(EVENT, Presence(), config, RECEIVED)
    assert isinstance(answer, Interpreted)
    read_back = tuple(codec.decode(m.payload, Observation) for m in answer.messages)
    assert read_back == answer.observations
    return answer.observations


def test_an_observation_says_who_made_it_and_for_whom() -> None:
    (said,) = observed(draft("hello"))
    assert (said.project_id, said.source, said.timestamp) == ("p", "lines", 1_000)
    assert said.made_by == MadeBy(parser=3, sanitiser=VERSION)
    assert said.payload == Statement(text="hello", time=TIME)


def test_text_is_redacted_before_it_is_enriched() -> None:
    (said,) = observed(draft("password=hunter2"), kind=ClaimKind.ATTRIBUTE)
    assert "hunter2" not in codec.encode(said).decode()
    assert said.payload.claims[0].evidence == "password=[redacted:password]"
    assert said.made_by.enricher == 7


def test_only_a_persons_own_words_are_enriched() -> None:
    (said,) = observed(draft("tool output", speaker=None), kind=ClaimKind.ATTRIBUTE)
    assert said.payload.claims == ()


def test_claims_of_the_source_come_before_those_of_the_enricher() -> None:
    stated = Claim(predicate="knows", value={"value": 1}, evidence="hello")
    payload = Statement(text="hello", time=TIME, claims=(stated,))
    (said,) = observed(draft("hello", payload=payload), kind=ClaimKind.ATTRIBUTE)
    assert [claim.predicate for claim in said.payload.claims] == ["knows", "says"]


@pytest.mark.parametrize(("value", "said"), [("Hello", ["greeting"]), ("hi", ["greeting", "says"])])
def test_what_the_source_states_is_not_said_again_under_another_name(
    value: str, said: list[str]
) -> None:
    stated = Claim(about=0, predicate="greeting", value={"value": value}, evidence="hello")
    spoken = draft("hello", payload=Statement(text="hello", time=TIME, claims=(stated,)))
    (observation,) = observed(spoken, kind=ClaimKind.ATTRIBUTE)
    assert [claim.predicate for claim in observation.payload.claims] == said


@pytest.mark.parametrize(
    ("project", "said"), [("p", ["editor"]), ("another", ["editor", "chosen_tool"])]
)
def test_a_model_contradicts_no_claim_by_the_catalogue_of_the_project(
    project: str, said: list[str]
) -> None:
    stated = Claim(about=0, predicate="editor", value={"value": "vim"}, evidence="hello")
    spoken = draft("hello", payload=Statement(text="hello", time=TIME, claims=(stated,)))
    question = question_about(spoken)
    assert question is not None
    proposed = Claim(about=0, predicate="chosen_tool", value={"value": "ed"}, evidence="hello")
    presence = Presence(answers={question.digest: ModelAnswer(1, (proposed,))})
    own = Catalogues.from_toml(f'[projects.{project}.editor]\nalso = ["chosen_tool"]')
    config = replace(CONFIG, parser=FixedParser(drafts=(spoken,)), prompt=1, catalogues=own)

    answer = interpret(EVENT, presence, config, RECEIVED)

    assert isinstance(answer, Interpreted)
    (observation,) = answer.observations
    assert [claim.predicate for claim in observation.payload.claims] == said


@pytest.mark.parametrize(
    ("kind", "act"),
    [
        (ClaimKind.ATTRIBUTE, SpeechAct.ASSERTION),
        (ClaimKind.PREFERENCE, SpeechAct.PREFERENCE),
        (ClaimKind.INSTRUCTION, SpeechAct.INSTRUCTION),
    ],
)
def test_a_statement_does_what_its_claims_do(kind: ClaimKind, act: SpeechAct) -> None:
    (said,) = observed(draft("hello"), kind=kind)
    assert isinstance(said.payload, Statement)
    assert said.payload.speech_act is act


@dataclass(frozen=True)
class Promising:
    """Finds these promises and claims in every text."""

    predicates: tuple[str, ...]
    version: int = 1

    def claims(self, text: str, author: ActorRef, context: SpeechContext) -> tuple[Claim, ...]:
        return tuple(
            Claim(predicate=name, value={"value": text}, evidence=text) for name in self.predicates
        )


@pytest.mark.parametrize(
    ("predicates", "act"),
    [(("commitment",), SpeechAct.COMMITMENT), (("commitment", "uses"), SpeechAct.ASSERTION)],
)
def test_a_promise_is_a_commitment(predicates: tuple[str, ...], act: SpeechAct) -> None:
    parser = FixedParser(drafts=(draft("hello"),))
    config = replace(CONFIG, parser=parser, enricher=Promising(predicates))
    answer = interpret(EVENT, Presence(), config, RECEIVED)
    assert isinstance(answer, Interpreted)
    (said,) = answer.observations
    assert isinstance(said.payload, Statement)
    assert said.payload.speech_act is act


def test_what_the_source_states_of_the_speech_act_stands() -> None:
    payload = Statement(text="hello", time=TIME, speech_act=SpeechAct.COMMITMENT)
    (said,) = observed(draft("hello", payload=payload), kind=ClaimKind.PREFERENCE)
    assert isinstance(said.payload, Statement)
    assert said.payload.speech_act is SpeechAct.COMMITMENT


@pytest.mark.parametrize("drafted", [None, *Origin])
@pytest.mark.parametrize("configured", [*Origin])
def test_the_less_trusted_origin_counts(configured: Origin, drafted: Origin | None) -> None:
    (said,) = observed(draft("hello", origin=drafted), origin=configured)
    order = [*Origin]
    assert said.origin is order[max(order.index(configured), order.index(drafted or configured))]


def test_two_drafts_that_say_the_same_are_one_observation() -> None:
    assert len(observed(draft("hello"), draft("hello"), draft("other"))) == 2


def test_a_media_type_that_the_parser_does_not_read_is_rejected() -> None:
    answer = interpret(
        EVENT.model_copy(update={"media_type": "image/png"}), Presence(), CONFIG, RECEIVED
    )
    assert isinstance(answer, Reject)
    assert answer.code == "unknown_media_type"


@pytest.mark.parametrize("text", ["\0", "x" * 9_000_000])
def test_what_cannot_be_sent_is_rejected(text: str) -> None:
    config = replace(CONFIG, parser=FixedParser(drafts=(draft(text, speaker=None),)))
    answer = interpret(EVENT, Presence(), config, RECEIVED)
    assert isinstance(answer, Reject)
    assert answer.code == "observation_not_sendable"
    assert text not in answer.reason


def test_a_withdrawal_is_about_the_same_record_and_outranks_what_it_withdraws() -> None:
    payload = Interaction(text="hello", time=TIME, thread="t")
    (said,) = observed(draft("hello", payload=payload, sequence=4, revision=2))
    withdrawn = withdraw(said, made_by(CONFIG, Presence(count=1)), SANITISER, Leaks())
    assert withdrawn.deleted
    assert withdrawn.id != said.id
    assert withdrawn.made_by.neighbours > said.made_by.neighbours
    changed = {"id", "made_by", "deleted"}
    assert withdrawn.model_dump(exclude=changed) == said.model_dump(exclude=changed)
    assert said.actors[said.subject] == OWNER
