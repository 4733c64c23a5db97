"""The links that observations state: which keys are of one actor, by which rule."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeAlias

from roxabi_contracts.actor import ActorKind, ActorRef
from roxabi_contracts.observation import Observation, Origin

from cortex_memory.model import (
    Identifier,
    IdentifierId,
    IdentityLink,
    JournalId,
    LinkRelation,
    LinkStatus,
    ProjectId,
)
from cortex_memory.retain.mailboxes import github_account, is_shared
from cortex_memory.retain.resolve_actors import GITHUB, identifiers_of, is_strong, strong_identifier
from cortex_memory.retain.values import keyed_digest

CONFIGURED_RULE: Final = "configured_owner"
RECORD_RULE: Final = "one_record"
ADDRESS_RULE: Final = "github_address"
DECLARED_RULE: Final = "self_declared"
ACCOUNTS_RULE: Final = "owner_accounts"
"""What the owner has configured for all sources, by a person's own command."""

_RULE_VERSION: Final = 1
_PERSONS: Final = {LinkStatus.CONFIRMED, LinkStatus.REJECTED, LinkStatus.REVOKED}
_JOINING: Final = {LinkStatus.AUTOMATIC, LinkStatus.CONFIRMED}

Pair: TypeAlias = tuple[IdentifierId, IdentifierId]
"""Two identifiers, the smaller first."""


def links_of(observation: Observation, project_key: bytes) -> tuple[IdentityLink, ...]:
    """What an observation says of its actors' keys.

    A trusted record that states several keys of a person joins them; what anybody else states is
    for a person to judge. An address that GitHub gives out states the account that it stands for.
    """
    project = observation.project_id
    links: list[IdentityLink] = []
    for index, actor in enumerate(observation.actors):
        known = [key for key in identifiers_of(actor, observation, project_key) if is_strong(key)]
        is_owner = index == observation.subject
        rule = _rule_for(actor, observation.origin, is_owner=is_owner)
        if rule is not None:
            links += _star(project, known[: len(actor.identifiers)], rule, project_key)
        links += _github_links(project, known, project_key)
    return tuple(links)


def _rule_for(actor: ActorRef, origin: Origin, *, is_owner: bool) -> str | None:
    match origin:
        case Origin.TRUSTED if is_owner:
            return CONFIGURED_RULE
        case Origin.TRUSTED if actor.kind is ActorKind.PERSON:
            return RECORD_RULE
        case Origin.SEMI_TRUSTED | Origin.THIRD_PARTY if actor.kind is ActorKind.PERSON:
            return DECLARED_RULE
        case _:
            return None


def _star(
    project: str, known: Iterable[Identifier], rule: str, project_key: bytes
) -> Iterator[IdentityLink]:
    """The first key with each other one; what several people use says nothing of one of them."""
    own = [
        key
        for key in known
        if rule == CONFIGURED_RULE or key.scheme != "email" or not is_shared(key.value)
    ]
    for other in own[1:]:
        if other.id != own[0].id:
            yield stated_link(project, own[0], other, rule, project_key)


def _github_links(
    project: str, known: Iterable[Identifier], project_key: bytes
) -> Iterator[IdentityLink]:
    for key in known:
        account = github_account(key.value) if key.scheme == "email" else None
        if account is not None:
            other = strong_identifier(project, GITHUB, account, project_key)
            yield stated_link(project, key, other, ADDRESS_RULE, project_key)


def stated_link(
    project: str, first: Identifier, second: Identifier, rule: str, project_key: bytes
) -> IdentityLink:
    """The link that every observation which states it makes alike."""
    return IdentityLink(
        id=JournalId(keyed_digest(project_key, first.id, second.id, rule, _RULE_VERSION)),
        at=0,
        project=ProjectId(project),
        first=first.id,
        second=second.id,
        relation=LinkRelation.SAME,
        status=LinkStatus.CANDIDATE if rule == DECLARED_RULE else LinkStatus.AUTOMATIC,
        rule=rule,
        rule_version=_RULE_VERSION,
    )


def standing_links(links: Iterable[IdentityLink]) -> Mapping[Pair, IdentityLink]:
    """The link that holds for each pair.

    A person's comes before an automatic one, and this before a candidate; then the latest.
    """
    latest: dict[Pair, IdentityLink] = {}
    for link in sorted(links, key=_rank):
        latest[pair_of(link.first, link.second)] = link
    return latest


def pair_of(first: IdentifierId, second: IdentifierId) -> Pair:
    """Two identifiers in their one order."""
    return (first, second) if first < second else (second, first)


def joins(link: IdentityLink) -> bool:
    """Whether the link makes its two identifiers one entity, unless their component is refused."""
    return link.relation is LinkRelation.SAME and link.status in _JOINING


def is_sure(link: IdentityLink) -> bool:
    """Whether a person or the owner's configuration stands behind the link."""
    return link.status is LinkStatus.CONFIRMED or (
        link.status is LinkStatus.AUTOMATIC and link.rule == CONFIGURED_RULE
    )


def parts(link: IdentityLink) -> bool:
    """Whether the link says that its two identifiers are of two people."""
    return link.relation is LinkRelation.DISTINCT and link.status is LinkStatus.CONFIRMED


def _rank(link: IdentityLink) -> tuple[bool, bool, int, bool, str]:
    return (
        link.status in _PERSONS,
        link.status is LinkStatus.AUTOMATIC,
        link.at,
        link.rule == CONFIGURED_RULE,
        link.id,
    )
