"""Finds where what is said is folded, as people and names are known now."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from roxabi_contracts.catalogues import Catalogues

from cortex_memory.judge_names import NameJudge
from cortex_memory.kept_folds import KeptFolds
from cortex_memory.model import Assertion
from cortex_memory.retain.assertions import weighed
from cortex_memory.retain.families import NameFamilies
from cortex_memory.retain.group import Scope
from cortex_memory.retain.placing import (
    Arrangement,
    GroupKey,
    arrange,
    key_in,
    scope_of,
    within_reach,
    within_reach_of,
)
from cortex_memory.store.db import Connection
from cortex_memory.store.evidence import stored_assertions
from cortex_memory.store.identities import EntityLookup, entities_by_identifier
from cortex_memory.store.verdicts import name_families


@dataclass(frozen=True, slots=True)
class Arrivals:
    """What comes to be said in each scope, and what is known of where it belongs.

    `stored` is what is said in the groups touched; `strays` was, and belongs to other scopes.
    """

    newly: Mapping[Scope, list[Assertion]]
    touched: Collection[GroupKey]
    stored: Mapping[GroupKey, list[Assertion]]
    strays: Mapping[GroupKey, list[Assertion]]
    families: Mapping[str, NameFamilies]

    def growing(self, folds: KeptFolds) -> dict[GroupKey, list[Assertion]]:
        """What is newly said under names that a kept fold knows, in groups not touched."""
        touched = within_reach({}, self.touched, self.families)
        found: dict[GroupKey, list[Assertion]] = {}
        for scope, said in self.newly.items():
            for places, members in self._by_family(scope, said).items():
                names = {each.predicate for each in members}
                for key in (key_in(scope, place) for place in places):
                    if key not in touched and names <= folds.names_of(key):
                        found[key] = members
        return found

    def without(self, growing: Mapping[GroupKey, Sequence[Assertion]]) -> "Arrivals":
        """The same but for what kept folds go on with."""
        gone = {(scope_of(key), each.id) for key, said in growing.items() for each in said}
        newly = {
            scope: [each for each in said if (scope, each.id) not in gone]
            for scope, said in self.newly.items()
        }
        return replace(self, newly={scope: said for scope, said in newly.items() if said})

    def _by_family(
        self, scope: Scope, said: Iterable[Assertion]
    ) -> dict[frozenset[str], list[Assertion]]:
        found: dict[frozenset[str], list[Assertion]] = {}
        for each in said:
            places = self.families[scope.project].places_of(each.predicate)
            found.setdefault(places, []).append(each)
        return found


@dataclass(frozen=True, slots=True)
class Placed:
    """Where everything belongs, and the groups whose names nobody was there to judge."""

    arrangement: Arrangement
    unjudged: Collection[GroupKey]


class PlaceJob:
    """Places what is said inside a transaction that holds the locks of its memories."""

    def __init__(
        self, transaction: Connection, catalogues: Catalogues, judge: NameJudge | None
    ) -> None:
        self._transaction = transaction
        self._catalogues = catalogues
        self._judge = judge

    async def arrivals(
        self, touched: Collection[GroupKey], said: Sequence[Assertion], *, may_stray: bool
    ) -> Arrivals:
        """Load the groups touched, and find the scopes of what is newly said.

        `may_stray`: whether what is stored may be in the memory of, or about, others by now.
        """
        projects = {key.project for key in touched} | {each.key.project for each in said}
        families = await name_families(self._transaction, projects, self._catalogues)
        stored: dict[GroupKey, list[Assertion]] = {key: [] for key in touched}
        stored |= await stored_assertions(self._transaction, touched)
        strays = await self._take_strays(stored) if may_stray else {}
        newly = await self._by_scope([*said, *chain.from_iterable(strays.values())])
        return Arrivals(newly, touched, stored, strays, families)

    async def placed(self, arrivals: Arrivals, *, recheck: bool) -> Placed:
        """Load whatever may be folded with what arrives, and put each where it belongs.

        `recheck`: whether names that are there already may not have been judged.

        Raises:
            NamesUnjudged: names meet on which nobody has decided.
        """
        stored = await self._within_reach(arrivals)
        arriving = _arriving_names(arrivals, stored, recheck=recheck)
        if self._judge is not None and arriving:
            await self._judge.check(self._transaction, arriving)
        arranged = arrange(stored, arrivals.newly, arrivals.families)
        leaving = dict(arranged.leaving)
        for key, said in arrivals.strays.items():
            leaving[key] = [*leaving.get(key, ()), *said]
        unjudged = (
            [] if self._judge else [key for key in arranged.groups if scope_of(key) in arriving]
        )
        return Placed(replace(arranged, leaving=leaving), unjudged)

    async def _within_reach(self, arrivals: Arrivals) -> dict[GroupKey, list[Assertion]]:
        """What is said in all groups that names join by now, or joined when they were folded."""
        stored = dict(arrivals.stored)
        known = set(stored)
        reach = within_reach(arrivals.newly, arrivals.touched, arrivals.families)
        reach |= within_reach_of(stored, arrivals.families)
        while missing := reach - known:
            found = await stored_assertions(self._transaction, missing)
            known |= missing
            stored |= found
            reach = within_reach_of(found, arrivals.families)
        return stored

    async def _take_strays(
        self, stored: dict[GroupKey, list[Assertion]]
    ) -> dict[GroupKey, list[Assertion]]:
        """Take out what is in the memory of, or about, others by now."""
        entities = await entities_in(self._transaction, chain.from_iterable(stored.values()))
        strays: dict[GroupKey, list[Assertion]] = {}
        for key, assertions in stored.items():
            stays = [_scope(each, entities) == scope_of(key) for each in assertions]
            strays[key] = [
                each for each, at_home in zip(assertions, stays, strict=True) if not at_home
            ]
            stored[key] = [each for each, at_home in zip(assertions, stays, strict=True) if at_home]
        return {key: said for key, said in strays.items() if said}

    async def _by_scope(self, said: Sequence[Assertion]) -> dict[Scope, list[Assertion]]:
        entities = await entities_in(self._transaction, said)
        found: dict[Scope, list[Assertion]] = {}
        for each in said:
            found.setdefault(_scope(each, entities), []).append(each)
        return found


async def weigh(
    transaction: Connection, groups: Mapping[GroupKey, Sequence[Assertion]]
) -> dict[GroupKey, list[Assertion]]:
    """The same assertions, weighed by identity as now known."""
    entities = await entities_in(transaction, chain.from_iterable(groups.values()))
    return {
        key: [weighed(each, entities.within(key.project)) for each in assertions]
        for key, assertions in groups.items()
    }


async def entities_in(transaction: Connection, assertions: Iterable[Assertion]) -> EntityLookup:
    """Who is meant by everybody that these assertions name."""
    identifiers = {
        (each.key.project, identifier)
        for each in assertions
        for identifier in (each.key.subject, each.about, each.author)
    }
    return await entities_by_identifier(transaction, identifiers)


def _scope(assertion: Assertion, entities: EntityLookup) -> Scope:
    entity_of = entities.within(assertion.key.project)
    return Scope(
        assertion.key.project, entity_of(assertion.key.subject), entity_of(assertion.about)
    )


def _arriving_names(
    arrivals: Arrivals, stored: Mapping[GroupKey, Iterable[Assertion]], *, recheck: bool
) -> dict[Scope, set[str]]:
    """The names that come to be said in each scope where they were not."""
    known: dict[Scope, set[str]] = {}
    for key, said in stored.items():
        known.setdefault(scope_of(key), set()).update(each.predicate for each in said)
    found = {
        scope: {each.predicate for each in said} - known.get(scope, set())
        for scope, said in arrivals.newly.items()
    }
    if recheck:
        for key in arrivals.touched:
            names = {each.predicate for each in stored[key]}
            found.setdefault(scope_of(key), set()).update(names)
    return {scope: names for scope, names in found.items() if names}
