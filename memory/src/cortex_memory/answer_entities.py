"""Answers who is known, by which keys, and who may be whom."""

import asyncio
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from roxabi_contracts.actor import Identifier
from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.errors import ErrorCode
from roxabi_contracts.identities import (
    CandidateRecord,
    EntitiesReply,
    EntitiesRequest,
    EntitiesView,
    EntityRecord,
    KeyRecord,
    LinkRecord,
)

from cortex_memory.model import IdentifierId, IdentityLink
from cortex_memory.refusal import Refused
from cortex_memory.retain.assertions import EntityOf
from cortex_memory.retain.key_spelling import is_local_number
from cortex_memory.retain.link_identities import standing_links
from cortex_memory.retain.propose_links import propose
from cortex_memory.retain.resolve_actors import strong_identifier
from cortex_memory.store.db import Connection, Pool, snapshot
from cortex_memory.store.entities import (
    KeyRow,
    attendances,
    find_entities,
    ids_beginning,
    keys_of,
    links_of,
)
from cortex_memory.store.identities import entities_by_identifier
from cortex_memory.store.projects import project_keys

MOST_KEYS: Final = 50_000
"""Of a project with more, those that are named least are compared with nobody."""
_ID: Final = re.compile(r"[0-9a-f]{4,32}")


class EntityAnswerer:
    """Answers what a person could say of who is who."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def entities(self, request: EntitiesRequest) -> EntitiesReply:
        """Who is known, or who may be whom.

        Raises:
            Refused: nobody is known by what is asked for.
            StoreUnavailable: the database does not answer.
        """
        async with snapshot(self._pool) as transaction:
            match request.view:
                case EntitiesView.FIND:
                    return await _find(transaction, request)
                case EntitiesView.SHOW:
                    return await _show(transaction, request)
                case EntitiesView.CANDIDATES:
                    return await _candidates(transaction, request)


async def _find(transaction: Connection, request: EntitiesRequest) -> EntitiesReply:
    found = await find_entities(transaction, request.project, request.text or "", request.limit + 1)
    shown = found[: request.limit]
    keys = await keys_of(transaction, request.project, shown, MOST_KEYS)
    by_id = {record.id: record for record in entity_records(keys)}
    return EntitiesReply(
        project=request.project,
        entities=tuple(by_id[entity] for entity in shown),
        truncated=len(found) > request.limit,
    )


async def _show(transaction: Connection, request: EntitiesRequest) -> EntitiesReply:
    entity = await _entity_meant(transaction, request)
    keys = await keys_of(transaction, request.project, [entity], MOST_KEYS)
    links = await links_of(transaction, request.project, [key.id for key in keys])
    others = [(request.project, end) for link in links for end in (link.first, link.second)]
    lookup = await entities_by_identifier(transaction, others)
    around = {lookup.within(request.project)(end) for _, end in others}
    known = await keys_of(transaction, request.project, around, MOST_KEYS)
    shown: dict[str, str] = {key.id: f"{key.scheme}:{key.value}" for key in known}
    return EntitiesReply(
        project=request.project,
        entities=tuple(entity_records(keys)),
        links=tuple(
            _link_record(link, shown, lookup.within(request.project))
            for _, link in sorted(standing_links(links).items())
        ),
    )


async def _candidates(transaction: Connection, request: EntitiesRequest) -> EntitiesReply:
    keys = await keys_of(transaction, request.project, None, MOST_KEYS + 1)
    links = await links_of(transaction, request.project)
    wanted = None if request.text is None else await _entity_meant(transaction, request)
    attending = await attendances(transaction, request.project)
    own_key = (await project_keys(transaction, [request.project])).get(request.project, b"")
    known = [key.known() for key in keys[:MOST_KEYS]]
    # A second of work in a large project, which other questions need not wait for.
    proposals = await asyncio.to_thread(propose, known, links, attending, own_key)
    records = {key.id: _key_record(key) for key in keys}
    entity_of = {key.id: key.entity for key in keys}
    found = [
        CandidateRecord(
            first=records[proposal.first],
            second=records[proposal.second],
            rule=proposal.rule,
            score=proposal.score,
            evidence=proposal.evidence,
        )
        for proposal in proposals
        if wanted in (None, entity_of[proposal.first], entity_of[proposal.second])
    ]
    return EntitiesReply(
        project=request.project,
        candidates=tuple(found[: request.limit]),
        compared=MOST_KEYS if len(keys) > MOST_KEYS else None,
        truncated=len(found) > request.limit,
    )


async def _entity_meant(transaction: Connection, request: EntitiesRequest) -> str:
    keys = await project_keys(transaction, [request.project])
    if request.text is None or request.project not in keys:
        raise Refused(ErrorCode.NOT_FOUND, f"nobody is known as {request.text!r}")
    key = keys[request.project]
    meant = await key_meant(transaction, request.project, request.text, key)
    lookup = await entities_by_identifier(transaction, [(request.project, meant)])
    entity = lookup.within(request.project)(meant)
    if not await keys_of(transaction, request.project, [entity], 1):
        raise Refused(ErrorCode.NOT_FOUND, f"nobody is known as {request.text!r}")
    return entity


async def key_meant(
    transaction: Connection, project: str, reference: str, project_key: bytes
) -> IdentifierId:
    """The identifier that is meant: by a key, which nobody need have named, or by its id.

    Raises:
        Refused: it is neither, or several ids begin so.
    """
    try:
        parsed = Identifier.parse(reference)
    except ValueError:
        if not _ID.fullmatch(reference):
            message = f"{reference!r} is neither an e-mail address nor scheme:value, nor an id"
            raise Refused(ErrorCode.INVALID_REQUEST, message) from None
        found = await ids_beginning(transaction, project, reference)
        if len(found) != 1:
            many = "several ids begin" if found else "no id begins"
            raise Refused(ErrorCode.NOT_FOUND, f"{many} with {reference!r}") from None
        return IdentifierId(found[0])
    meant = strong_identifier(project, parsed.scheme, parsed.value, project_key).id
    is_local = is_local_number(parsed.scheme, parsed.value)
    if is_local and not await ids_beginning(transaction, project, meant):
        message = f"{reference!r} states no country: give it as phone:+47..., or give its id"
        raise Refused(ErrorCode.INVALID_REQUEST, message)
    return meant


def entity_records(keys: Iterable[KeyRow]) -> list[EntityRecord]:
    """Entities by their keys, those that are named most first."""
    by_entity: defaultdict[str, list[KeyRow]] = defaultdict(list)
    for key in keys:
        by_entity[key.entity].append(key)
    return [_entity_record(entity, rows) for entity, rows in by_entity.items()]


def _entity_record(entity: str, keys: Sequence[KeyRow]) -> EntityRecord:
    names = [name for key in keys for name in key.names or ()]
    kinds = [kind for key in keys for kind in key.kinds or ()]
    return EntityRecord(
        id=entity,
        name=names[0] if names else keys[0].value,
        kind=kinds[0] if kinds else None,
        owns_memory=any(key.memories > 0 for key in keys),
        keys=tuple(map(_key_record, keys)),
    )


def _key_record(key: KeyRow) -> KeyRecord:
    return KeyRecord(
        id=key.id,
        scheme=key.scheme,
        value=key.value,
        observations=key.observations,
        names=tuple(dict.fromkeys(key.names or ())),
    )


def _link_record(link: IdentityLink, shown: Mapping[str, str], entity_of: EntityOf) -> LinkRecord:
    said: dict[str, str] = {} if link.evidence is None else json.loads(link.evidence)
    return LinkRecord(
        first=shown.get(link.first, link.first),
        second=shown.get(link.second, link.second),
        relation=link.relation.value,
        status=link.status.value,
        rule=link.rule,
        rule_version=link.rule_version,
        joins=entity_of(link.first) == entity_of(link.second),
        decided_by=said.get("decided_by"),
        decided_at=from_epoch_ms(link.at) if link.evidence is not None else None,
        reason=said.get("reason"),
    )
