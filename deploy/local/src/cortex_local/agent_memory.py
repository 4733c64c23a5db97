"""What an agent may do with one person's memory, in words that a model reads.

Project and subject are fixed when it is made: nothing an agent says can move it to another memory.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from roxabi_contracts.actor import ActorKind, ActorRef, ActorRole, Identifier
from roxabi_contracts.client import Connection, MemoryClient, ProducerClient
from roxabi_contracts.context import ContextRequest, ContextTrace, TraceRequest
from roxabi_contracts.decisions import DecisionRequest
from roxabi_contracts.errors import ErrorCode, RequestRefused
from roxabi_contracts.event import JsonBody, RawEvent
from roxabi_contracts.ids import content_id
from roxabi_contracts.operations import DecisionAction, FactRecord, FactsReply, FactsRequest
from roxabi_contracts.render import render_block, render_packet, render_value, why_empty
from roxabi_contracts.upkeep import ForgetMode, ForgetReceipt, ForgetRequest, ForgetScope

from cortex_local.accounts import TOLD

SaidBy = Literal["user", "assistant"]
Correction = Literal["keep", "dispute", "disable", "enable"]
_ACTIONS = {
    "keep": DecisionAction.RESOLVE,
    "dispute": DecisionAction.DISPUTE,
    "disable": DecisionAction.DISABLE,
    "enable": DecisionAction.ENABLE,
}


@dataclass(frozen=True)
class AgentScope:
    """Whose memory an agent works on, and under which name it decides.

    `conversation` is that of everything it remembers.
    """

    project: str
    subject: Identifier
    acting: str
    conversation: str

    @property
    def reference(self) -> str:
        """The subject as requests name it."""
        return str(self.subject)


class AgentMemory:
    """One person's memory over an open connection.

    Args:
        scope: Whose memory it is.
        connection: May do what is called here.
        now: Tells when something is said or decided.
    """

    def __init__(
        self, scope: AgentScope, connection: Connection, now: Callable[[], datetime]
    ) -> None:
        self._scope = scope
        self._memory = MemoryClient(connection)
        self._producer = ProducerClient(connection)
        self._now = now

    async def context(
        self, query: str, budget_tokens: int, goal: str | None, as_of: datetime | None
    ) -> tuple[str, str | None]:
        """What bears on the query, ready for a prompt, and the id of its trace, if there is one.

        Raises:
            RequestRefused: the request itself is wrong.
        """
        request = ContextRequest(
            project=self._scope.project,
            subjects=(self._scope.reference,),
            query=query,
            budget_tokens=budget_tokens,
            goal=goal,
            as_of=as_of,
        )
        try:
            packet = await self._memory.context(request)
        except RequestRefused as error:
            return self._new_memory(error), None
        rendered = render_packet(packet)
        if not rendered:
            rendered = "\n".join([why_empty(packet), *map(_warning, packet.warnings)])
        return rendered, packet.trace_id

    def _new_memory(self, refusal: RequestRefused) -> str:
        """What to say where nothing was ever said yet; any other refusal is raised again."""
        if refusal.reply.code is not ErrorCode.UNKNOWN_SUBJECT:
            raise refusal
        return f"Nothing is known of {self._scope.reference} yet."

    async def explain(self, trace_id: str) -> str:
        """Every candidate of a request, and why it was served or not.

        Raises:
            ClientError, RequestRefused: as every request.
        """
        asked = TraceRequest(project=self._scope.project, trace_id=trace_id)
        return _decisions(await self._memory.trace(asked))

    async def remember(self, text: str, said_by: SaidBy) -> str:
        """Publish what was said; memory works it in by itself.

        Raises:
            ClientError: it could not be published.
        """
        said_at = self._now().isoformat()
        name = content_id(self._scope.conversation, said_at, said_by, text)
        content = {
            "id": name,
            "text": text,
            "at": said_at,
            "author": "owner" if said_by == "user" else "assistant",
            "conversation": self._scope.conversation,
        }
        await self._producer.publish(
            RawEvent(
                project=self._scope.project,
                source=TOLD,
                source_ref=f"{self._scope.conversation}/{name}",
                media_type="application/json",
                body=JsonBody(content=dict(content)),
                owner=ActorRef(
                    kind=ActorKind.PERSON,
                    role=ActorRole.OWNER,
                    identifiers=(self._scope.subject,),
                ),
            )
        )
        return "Stored. What it says is known in a moment."

    async def inspect(self, fact_id: str | None, *, history: bool) -> str:
        """The facts with their ids, or all that is behind one of them.

        Raises:
            ClientError, RequestRefused: as every request.
        """
        request = FactsRequest(
            project=self._scope.project,
            subject=self._scope.reference,
            history=history,
            why=fact_id,
        )
        try:
            return _listing(await self._memory.facts(request))
        except RequestRefused as error:
            return self._new_memory(error)

    async def correct(self, fact_id: str, action: Correction, reason: str | None) -> str:
        """Decide on a fact; what it and its rivals are now.

        Raises:
            ClientError, RequestRefused: as every request.
        """
        reply = await self._memory.decide(
            DecisionRequest(
                project=self._scope.project,
                subject=self._scope.reference,
                action=_ACTIONS[action],
                fact_id=fact_id,
                decided_by=self._scope.acting,
                decided_at=self._now(),
                reason=reason,
            )
        )
        return render_block(map(_fact_line, reply.facts))

    async def forget(self, fact_id: str, *, erase: bool) -> str:
        """Hide a fact, or erase it for good.

        Raises:
            ClientError, RequestRefused: as every request.
        """
        receipt = await self._memory.forget(
            ForgetRequest(
                project=self._scope.project,
                subject=self._scope.reference,
                scope=ForgetScope.FACT,
                target=fact_id,
                mode=ForgetMode.ERASE if erase else ForgetMode.DISABLE,
                requested_by=self._scope.acting,
                requested_at=self._now(),
            )
        )
        return _receipt(receipt)


def _listing(reply: FactsReply) -> str:
    lines = [_fact_line(fact) for fact in reply.facts]
    if reply.explanation is not None:
        lines += [
            f"said {said.said_at.date()} in {said.source} {said.source_ref}: "
            f"{said.evidence or '(erased)'}"
            for said in reply.explanation.assertions
        ]
        lines += [
            f"{one.action} by {one.decided_by} on {one.decided_at.date()}: {one.reason or '-'}"
            for one in reply.explanation.decisions
        ]
    if reply.truncated:
        lines.append(f"There are more than these {len(reply.facts)}.")
    return render_block(lines) if lines else "No facts yet."


def _fact_line(fact: FactRecord) -> str:
    value = "(erased)" if fact.value is None else render_value(fact.value)
    about = fact.about_name or fact.about
    contested = ", contested" if fact.conflict_id else ""
    since = "" if fact.valid_from is None else f", since {fact.valid_from.date()}"
    outside = ", said by a third party" if fact.from_outside else ""
    name = fact.predicate.replace("_", " ")
    return f"{fact.id} [{fact.status}{contested}{since}{outside}] {about}: {name}: {value}"


def _decisions(trace: ContextTrace) -> str:
    lines = [
        f"{one.decision} ({one.reason}"
        f"{'' if one.score is None else f', score {one.score:.3f}'}) {one.kind} {one.id}:"
        f" {one.text or ''}"
        for one in trace.candidates
    ]
    return render_block(lines) if lines else "Nothing was considered."


def _receipt(receipt: ForgetReceipt) -> str:
    removed = ", ".join(f"{what.replace('_', ' ')}: {n}" for what, n in receipt.removed.items())
    state = "Done" if receipt.finished else "Memory has forgotten; the lake follows by itself"
    return f"{state}. Removed: {removed or 'nothing'}. Receipt {receipt.forget_id}."


def _warning(warning: str) -> str:
    return f"Warning: {warning}"
