"""Takes into the journal what persons say of who is who, and lets facts follow."""

from collections.abc import Mapping, Sequence
from typing import Final

from roxabi_contracts.base import epoch_ms
from roxabi_contracts.catalogues import Catalogues
from roxabi_contracts.errors import ErrorCode
from roxabi_contracts.identities import LinkAction, LinkReply, LinkRequest

from cortex_memory.answer_entities import entity_records, key_meant
from cortex_memory.clock import Clock, now_ms
from cortex_memory.model import IdentifierId, IdentityLink
from cortex_memory.refold_job import RefoldJob, Rules
from cortex_memory.refusal import Refused
from cortex_memory.retain.judge_links import (
    PERSON_RULE,
    Reason,
    UnfitLink,
    check_judged,
    judge_accounts,
    judge_pair,
    judge_rule,
)
from cortex_memory.retain.link_identities import (
    ACCOUNTS_RULE,
    Pair,
    pair_of,
    standing_links,
)
from cortex_memory.retain.propose_links import KnownKey, propose
from cortex_memory.retain.resolve_actors import NAME_SCHEME
from cortex_memory.store.apply import move_memories
from cortex_memory.store.db import Connection, Pool, connection
from cortex_memory.store.entities import (
    KeyRow,
    add_links,
    attendances,
    keys_of,
    links_of,
    links_of_rule,
)
from cortex_memory.store.erase_content import erase_content
from cortex_memory.store.evidence import groups_of_moved
from cortex_memory.store.identities import (
    EntityLookup,
    Moved,
    entities_by_identifier,
    settle_entities,
)
from cortex_memory.store.locks import lock_projects
from cortex_memory.store.projects import ProjectKeys

MOST_KEYS: Final = 1000
"""How many keys of two entities are looked at for the reason to take them for one."""


class LinkObeyer:
    """Obeys what persons say of who is who."""

    def __init__(self, pool: Pool, clock: Clock, catalogues: Catalogues, keys: ProjectKeys) -> None:
        self._pool = pool
        self._clock = clock
        self._catalogues = catalogues
        self._keys = keys

    async def link(self, request: LinkRequest) -> LinkReply:
        """Journal what is said, and let who is who and the facts follow at once.

        Raises:
            Refused: a key is not known, or what is said contradicts what persons said before.
            StoreUnavailable: nothing was changed.
        """
        now = now_ms(self._clock)
        if epoch_ms(request.decided_at) > now:
            raise Refused(ErrorCode.INVALID_REQUEST, "it is said to be decided in the future")
        async with connection(self._pool) as transaction:
            keys = await self._keys.of(transaction, {request.project})
            await lock_projects(transaction, [request.project], owned=True)
            try:
                reply = await self._obey(transaction, request, Rules(keys, self._catalogues, now))
            except UnfitLink as error:
                raise Refused(ErrorCode.INVALID_REQUEST, str(error)) from error
        self._keys.remember(keys)
        return reply

    async def record(
        self, transaction: Connection, links: Sequence[IdentityLink], rules: Rules
    ) -> int:
        """Append links to the journal and let all follow; how many were new.

        They may speak of keys that nobody has named yet: they bite as soon as somebody does. The
        project is owned.
        """
        added, ends = await add_links(transaction, links)
        await _follow(transaction, await settle_entities(transaction, ends), rules)
        return added

    async def _obey(self, transaction: Connection, request: LinkRequest, rules: Rules) -> LinkReply:
        key = rules.keys[request.project]
        if request.action is LinkAction.UNDO_RULE:
            assert request.rule is not None  # the contract sees to it
            standing = await _under_rule(
                transaction, request.project, request.rule, request.rule_version
            )
            links = judge_rule(request, standing, key)
            added = await self.record(transaction, links, rules)
            return LinkReply(project=request.project, links=added, entities=())
        if request.action is LinkAction.ACCOUNTS:
            people = [await _keys_meant(transaction, request, one, key) for one in request.accounts]
            standing = await _under_rule(transaction, request.project, ACCOUNTS_RULE)
            pairs = [pair_of(first, other) for first, *others in people for other in others]
            links = judge_accounts(request, people, standing, key)
        else:
            pairs = [await _pair_meant(transaction, request, key)]
            links = await _judge(transaction, request, pairs[0], key)
        added, ends = await add_links(transaction, links)
        moved = await settle_entities(transaction, ends)
        found = await _entities_meant(transaction, request.project, pairs)
        await _check(transaction, request, pairs, found)
        await _follow(transaction, moved, rules)
        records = tuple(entity_records(found))
        return LinkReply(project=request.project, links=added, entities=records)


async def _under_rule(
    transaction: Connection, project: str, rule: str, version: int | None = None
) -> Mapping[Pair, IdentityLink]:
    """What stands between all pairs of which the rule ever said something."""
    return standing_links(await links_of_rule(transaction, project, rule, version))


async def _pair_meant(transaction: Connection, request: LinkRequest, project_key: bytes) -> Pair:
    named = [key for key in (request.first, request.second) if key is not None]
    first, second = await _keys_meant(transaction, request, named, project_key)
    return pair_of(first, second)


async def _keys_meant(
    transaction: Connection, request: LinkRequest, named: Sequence[str], project_key: bytes
) -> list[IdentifierId]:
    return [await key_meant(transaction, request.project, one, project_key) for one in named]


async def _judge(
    transaction: Connection, request: LinkRequest, pair: Pair, project_key: bytes
) -> list[IdentityLink]:
    """The links to journal, under the rule for which the two are candidates, if they are."""
    keys = await _entities_meant(transaction, request.project, [pair])
    known = await links_of(transaction, request.project, {*pair, *(key.id for key in keys)})
    is_bare = any(key.scheme == NAME_SCHEME for key in keys)
    attending = await attendances(transaction, request.project) if is_bare else ()
    proposals = propose(_known(keys), known, attending, project_key)
    reason = next(
        (Reason(found.rule, found.rule_version) for found in proposals), Reason(PERSON_RULE)
    )
    return judge_pair(request, pair, standing_links(known).get(pair), reason, project_key)


async def _check(
    transaction: Connection, request: LinkRequest, pairs: Sequence[Pair], keys: Sequence[KeyRow]
) -> None:
    entities = EntityLookup({(request.project, key.id): key.entity for key in keys})
    links = await links_of(transaction, request.project, [key.id for key in keys])
    standing = standing_links(links).values()
    for pair in pairs:
        check_judged(request.action, pair, standing, entities.within(request.project))


async def _entities_meant(
    transaction: Connection, project: str, pairs: Sequence[Pair]
) -> list[KeyRow]:
    """All keys of the entities of these keys."""
    keys = [(project, one) for pair in pairs for one in pair]
    lookup = await entities_by_identifier(transaction, keys)
    entities = {lookup.within(project)(one) for _, one in keys}
    return await keys_of(transaction, project, entities, MOST_KEYS)


def _known(keys: Sequence[KeyRow]) -> list[KnownKey]:
    return [key.known() for key in keys]


async def _follow(transaction: Connection, moved: Sequence[Moved], rules: Rules) -> None:
    """Let memories, and what is said in or about them, follow who is who."""
    if not moved:
        return
    touched = await groups_of_moved(transaction, moved)
    await move_memories(transaction, moved)
    refold = RefoldJob(transaction, rules)
    await refold.refold(touched, replace=True)
    await erase_content(transaction, refold.covered, rules.keys)
