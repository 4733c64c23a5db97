"""What the owner chose when the agent asked them."""

from typing import Final

from pydantic import JsonValue
from roxabi_contracts import Decision
from roxabi_contracts.payloads import DecisionStatus

from cortex_insight.parser import Draft
from cortex_insight.parsers.codex.frame import Frame
from cortex_insight.parsers.codex.record import Record
from cortex_insight.parsers.codex.results import arguments_of, output_of, tool_of
from cortex_insight.parsers.records import as_object, as_text, capped, read_json

_ASKS_USER: Final = "request_user_input"


def decision_draft(frame: Frame, call: Record) -> Draft | None:
    """The choice that the answer to a question is; null: the call asked nobody, or in vain."""
    if tool_of(call) != _ASKS_USER or frame.by_sub_agent:
        return None
    asked = [as_object(one) for one in _listed(arguments_of(call).get("questions"))]
    answers = _answers(output_of(frame.record).text)
    told = [
        (as_text(one.get("question")) or "", answer)
        for one in asked
        if (answer := answers.get(as_text(one.get("id")) or ""))
    ]
    if not told:
        return None
    text, cut = capped("\n".join(f"{question} {answer}".strip() for question, answer in told))
    given = {answer for _, answer in told}
    options = (
        as_text(as_object(option).get("label"))
        for one in asked
        for option in _listed(one.get("options"))
    )
    payload = Decision(
        text=text,
        time=frame.time,
        decision="; ".join(answer for _, answer in told)[:1_000],
        status=DecisionStatus.ACCEPTED,
        alternatives=tuple(dict.fromkeys(one for one in options if one and one not in given)),
        decided_by=0,
    )
    return frame.by_owner(payload, frame.of_call(call) | cut, prose=False)


def _answers(output: str) -> dict[str, str]:
    """Answers by their question, each with all that was chosen."""
    try:
        stated = as_object(as_object(read_json(output.encode())).get("answers"))
    except ValueError:
        return {}
    found: dict[str, str] = {}
    for name, value in stated.items():
        chosen = (as_text(one) for one in _listed(as_object(value).get("answers", value)))
        text = ", ".join(one for one in chosen if one)
        if text:
            found[name] = text
    return found


def _listed(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else [value]
