"""What a person says of two keys, or of a rule, as links for the journal."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from roxabi_contracts.base import epoch_ms
from roxabi_contracts.identities import LinkAction, LinkRequest
from roxabi_contracts.ids import canonical_json

from cortex_memory.model import (
    IdentifierId,
    IdentityLink,
    JournalId,
    LinkRelation,
    LinkStatus,
    ProjectId,
)
from cortex_memory.retain.assertions import EntityOf
from cortex_memory.retain.link_identities import ACCOUNTS_RULE, Pair, joins, pair_of, parts
from cortex_memory.retain.values import keyed_digest

PERSON_RULE: Final = "person"
_TAKEN_BACK: Final = (LinkStatus.REJECTED, LinkStatus.REVOKED)


class UnfitLink(Exception):
    """What is said cannot stand beside what is known."""


@dataclass(frozen=True, slots=True)
class Reason:
    """The rule under which a link stands, and its version."""

    rule: str
    version: int = 1


@dataclass(frozen=True, slots=True)
class _Saying:
    relation: LinkRelation
    status: LinkStatus
    reason: Reason


def judge_pair(
    request: LinkRequest,
    pair: Pair,
    known: IdentityLink | None,
    proposed: Reason,
    project_key: bytes,
) -> list[IdentityLink]:
    """What the request says of two keys; nothing if that is what stands already.

    Args:
        request: What a person says.
        pair: The two keys.
        known: What stands between them.
        proposed: Why they may be one, if somebody had to ask.
        project_key: The key of the project's digests.

    Raises:
        UnfitLink: both are one key, or nothing stands between them that could be taken back.
    """
    if pair[0] == pair[1]:
        raise UnfitLink("both are one key, however they are spelled")
    if request.action is LinkAction.UNLINK:
        return _unlinked(request, known, project_key)
    saying = _saying_of(request.action, proposed)
    is_known = known is not None and (known.relation, known.status) == (
        saying.relation,
        saying.status,
    )
    return [] if is_known else [_said(request, pair, saying, project_key)]


def _saying_of(action: LinkAction, proposed: Reason) -> _Saying:
    match action:
        case LinkAction.LINK:
            return _Saying(LinkRelation.SAME, LinkStatus.CONFIRMED, proposed)
        case LinkAction.REJECT:
            return _Saying(LinkRelation.SAME, LinkStatus.REJECTED, proposed)
        case LinkAction.DISTINCT:
            return _Saying(LinkRelation.DISTINCT, LinkStatus.CONFIRMED, Reason(PERSON_RULE))
        case LinkAction.UNLINK | LinkAction.UNDO_RULE | LinkAction.ACCOUNTS:
            raise UnfitLink("that says nothing new of two keys")
        case _:
            assert_never(action)


def _unlinked(
    request: LinkRequest, known: IdentityLink | None, project_key: bytes
) -> list[IdentityLink]:
    if known is None:
        raise UnfitLink("nothing stands between the two that could be taken back")
    return [] if known.status in _TAKEN_BACK else [_taken_back(request, known, project_key)]


def judge_rule(
    request: LinkRequest, standing: Mapping[Pair, IdentityLink], project_key: bytes
) -> list[IdentityLink]:
    """Take back every link that joins under the rule now.

    Raises:
        UnfitLink: nothing was ever said under it.
    """
    of_rule = [
        link
        for _, link in sorted(standing.items())
        if link.rule == request.rule and request.rule_version in (None, link.rule_version)
    ]
    if not of_rule:
        raise UnfitLink(f"no link stands under the rule {request.rule!r}")
    return [_taken_back(request, link, project_key) for link in of_rule if joins(link)]


def judge_accounts(
    request: LinkRequest,
    people: Iterable[Sequence[IdentifierId]],
    standing: Mapping[Pair, IdentityLink],
    project_key: bytes,
) -> list[IdentityLink]:
    """What the owners' accounts add to what was configured before, and what they take back.

    The first key of each person stands for them.
    """
    wanted = {
        pair_of(first, other) for first, *others in people for other in others if other != first
    }
    configured = {
        pair: link
        for pair, link in standing.items()
        if link.rule == ACCOUNTS_RULE and link.status is LinkStatus.CONFIRMED
    }
    saying = _Saying(LinkRelation.SAME, LinkStatus.CONFIRMED, Reason(ACCOUNTS_RULE))
    added = [_said(request, pair, saying, project_key) for pair in wanted - configured.keys()]
    gone = [
        _taken_back(request, configured[pair], project_key) for pair in configured.keys() - wanted
    ]
    return sorted(added + gone, key=lambda link: link.id)


def check_judged(
    action: LinkAction, pair: Pair, links: Iterable[IdentityLink], entity_of: EntityOf
) -> None:
    """Refuse what contradicts other words of persons, now that it has been heard.

    Args:
        action: What was said.
        pair: Of which two keys.
        links: The links that stand around them.
        entity_of: Who is who if it is taken in.

    Raises:
        UnfitLink: with what stands against it.
    """
    first, second = map(entity_of, pair)
    if action is LinkAction.DISTINCT and first == second:
        raise UnfitLink(
            "persons have confirmed that the two are one, through other keys: unlink these first"
        )
    if action is LinkAction.REJECT and first == second:
        raise UnfitLink("the two are one: unlink them, or say that they are distinct")
    if action not in (LinkAction.LINK, LinkAction.ACCOUNTS):
        return
    for link in links:
        if parts(link) and entity_of(link.first) == entity_of(link.second) == first:
            raise UnfitLink(
                "a person has said that two of their keys are distinct people's: "
                f"unlink {link.first} and {link.second} first"
            )


def _taken_back(request: LinkRequest, link: IdentityLink, project_key: bytes) -> IdentityLink:
    saying = _Saying(link.relation, LinkStatus.REVOKED, Reason(link.rule, link.rule_version))
    return _said(request, pair_of(link.first, link.second), saying, project_key)


def _said(request: LinkRequest, pair: Pair, saying: _Saying, project_key: bytes) -> IdentityLink:
    first, second = pair
    at = epoch_ms(request.decided_at)
    reason = saying.reason
    what = (saying.relation.value, saying.status.value, reason.rule, reason.version)
    identity = keyed_digest(project_key, "link", first, second, *what, at, request.decided_by)
    evidence = {"decided_by": request.decided_by, "reason": request.reason}
    return IdentityLink(
        id=JournalId(identity),
        at=at,
        project=ProjectId(request.project),
        first=first,
        second=second,
        relation=saying.relation,
        status=saying.status,
        rule=reason.rule,
        rule_version=reason.version,
        evidence=canonical_json({key: said for key, said in evidence.items() if said}).decode(),
    )
