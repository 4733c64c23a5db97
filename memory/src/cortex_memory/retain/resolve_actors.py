"""The identifiers of actors: by which keys, or else which name, an observation speaks of them."""

from functools import lru_cache
from typing import Final

from roxabi_contracts.actor import ActorRef
from roxabi_contracts.actor import Identifier as Key
from roxabi_contracts.observation import Observation

from cortex_memory.model import Identifier, IdentifierId
from cortex_memory.retain.key_spelling import folded, is_local_number, spelling
from cortex_memory.retain.mailboxes import github_account, is_github_login
from cortex_memory.retain.person_names import behind_list, spoken_name
from cortex_memory.retain.values import keyed_digest

NAME_SCHEME: Final = "name"
SOURCE_SCHEME: Final = "source"
GITHUB: Final = "account:github"
_PASSED_ON: Final = frozenset({"phone", "uri", "slug"})


def identifiers_of(
    actor: ActorRef, observation: Observation, project_key: bytes
) -> tuple[Identifier, ...]:
    """The keys of an actor as listed, else its name, which counts inside its trace.

    A telephone number without its country counts inside its trace too, but for who owns the
    memory: elsewhere it is another's.
    Those that may be passed on come last: what somebody said stays theirs when another person
    takes over their handle. Then come accounts that addresses stand for. Under the address of a
    mailing list speaks whom its name tells of ("Ann via garden-list").
    """
    project = observation.project_id
    writer = None if actor.name is None else behind_list(actor.name)
    strong = tuple(
        _local_number(key.value, observation, project_key)
        if is_local_number(key.scheme, key.value) and not _is_owner(actor, observation)
        else strong_identifier(project, key.scheme, key.value, project_key)
        for key in sorted(actor.identifiers, key=_comes_last)
        if writer is None or key.scheme != "email"
    )
    accounts = tuple(
        strong_identifier(project, GITHUB, account, project_key)
        for key in strong
        if key.scheme == "email" and (account := github_account(key.value)) is not None
    )
    return (*strong, *accounts) or (
        named(writer or actor.name or actor.kind.value, observation, project_key),
    )


def is_passed_on(scheme: str, value: str) -> bool:
    """Whether a family or an office may share the key, or hand it on to somebody else."""
    return scheme in _PASSED_ON or (scheme == "email" and is_github_login(value))


def _comes_last(key: Key) -> bool:
    return is_passed_on(key.scheme, key.value)


def first_identifier(actor: ActorRef, observation: Observation, project_key: bytes) -> IdentifierId:
    """The id of the first of `identifiers_of`."""
    if not actor.identifiers:
        return identifiers_of(actor, observation, project_key)[0].id
    key = min(actor.identifiers, key=_comes_last)
    return _strong_id(observation.project_id, key.scheme, key.value, project_key)


def named(name: str, observation: Observation, project_key: bytes) -> Identifier:
    """The identifier of a bare name; without a trace it counts inside its observation."""
    trace = observation.correlation.trace_id
    scope, place = ("trace", trace) if trace is not None else ("ref", observation.source_ref)
    project, source = observation.project_id, observation.source
    found = _named_id(project, source, scope, place, name, project_key)
    return Identifier(id=found, scheme=NAME_SCHEME, value=name)


def named_in_trace(
    project: str, source: str, trace: str, name: str, project_key: bytes
) -> IdentifierId:
    """The id that a bare name has in a trace."""
    return _named_id(project, source, "trace", trace, name, project_key)


def _named_id(
    project: str, source: str, scope: str, place: str, name: str, project_key: bytes
) -> IdentifierId:
    spoken = folded(spoken_name(name))
    digest = keyed_digest(project_key, project, NAME_SCHEME, source, scope, place, spoken)
    return IdentifierId(digest)


def _is_owner(actor: ActorRef, observation: Observation) -> bool:
    return actor.identifiers == observation.actors[observation.subject].identifiers


def _local_number(number: str, observation: Observation, project_key: bytes) -> Identifier:
    """The identifier of a number without its country, which counts where a bare name does."""
    found = named(f"phone {spelling('phone', number)}", observation, project_key)
    return Identifier(id=found.id, scheme="phone", value=number)


def source_of(observation: Observation, project_key: bytes) -> Identifier:
    """The identifier of a source that speaks by itself."""
    source = observation.source
    digest = keyed_digest(project_key, observation.project_id, SOURCE_SCHEME, source)
    return Identifier(id=IdentifierId(digest), scheme=SOURCE_SCHEME, value=source)


def is_strong(identifier: Identifier) -> bool:
    """Whether the identifier names the same actor wherever it occurs."""
    return identifier.scheme not in (NAME_SCHEME, SOURCE_SCHEME) and not is_local_number(
        identifier.scheme, identifier.value
    )


def strong_identifier(project: str, scheme: str, value: str, project_key: bytes) -> Identifier:
    """The identifier of a strong key, however it is spelled."""
    return Identifier(_strong_id(project, scheme, value, project_key), scheme, value)


@lru_cache(maxsize=4096)  # an observation's actors are looked at again and again
def _strong_id(project: str, scheme: str, value: str, project_key: bytes) -> IdentifierId:
    return IdentifierId(keyed_digest(project_key, project, scheme, spelling(scheme, value)))
