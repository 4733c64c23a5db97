"""A handle is renamed and given to others: what was said under it stays with who said it."""

from itertools import permutations

import pytest
from cortex_memory.model import EntityId
from cortex_memory.retain.journal import JournalState
from cortex_memory.retain.resolve_actors import identifiers_of
from retain.observing import KEY, OWNER, actor, claim, content, journal, memory, observe
from roxabi_contracts.actor import ActorRef
from roxabi_contracts.observation import Observation, Origin

PLATFORMS = ["slack", "telegram", "github"]


def writes(who: ActorRef, town: str, at: int) -> Observation:
    """Somebody says in Ann's memory where they live."""
    return observe(
        claim("lives_in", town, about=0), at=at, ref=f"{at}", actors=[who, OWNER], subject=1
    )


def key(who: ActorRef) -> EntityId:
    """Who they are by their first key alone."""
    return EntityId(identifiers_of(who, observe(at=1, ref="a"), KEY)[0].id)


def lives(state: JournalState) -> dict[str, EntityId]:
    """Of whom each town is said."""
    return {str(content(fact)): fact.slot.about for fact in state.facts}


@pytest.mark.parametrize("platform", PLATFORMS)
def test_who_takes_another_handle_stays_who_they_were(platform: str) -> None:
    account = f"account:{platform}:1"
    before = writes(actor("slug:ann", account), "Oslo", 1)
    after = writes(actor("slug:bee", account), "Rome", 2)

    for order in permutations([before, after]):
        assert lives(memory(journal(*order))).keys() == {"Oslo", "Rome"}
        assert len(set(lives(memory(journal(*order))).values())) == 1


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_handle_that_changes_its_owner_leaves_what_was_said(platform: str) -> None:
    first = actor("slug:ann", f"account:{platform}:1")
    second = actor("slug:ann", f"account:{platform}:2")
    said = [writes(first, "Oslo", 1), writes(second, "Rome", 2), writes(first, "Bern", 3)]

    for order in permutations(said):
        found = lives(memory(journal(*order)))
        assert found["Oslo"] == found["Bern"] == key(actor(f"account:{platform}:1"))
        assert found["Rome"] == key(actor(f"account:{platform}:2"))


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("origin", [Origin.TRUSTED, Origin.THIRD_PARTY])
def test_a_handle_alone_joins_no_two_accounts(platform: str, origin: Origin) -> None:
    here, there = actor("slug:ann", f"account:{platform}:1"), actor("slug:ann", "account:forge:1")
    state = memory(
        journal(
            observe(at=1, ref="a", actors=[here, OWNER], subject=1, origin=origin),
            observe(at=2, ref="b", actors=[there, OWNER], subject=1, origin=Origin.THIRD_PARTY),
        )
    )

    both: set[str] = {key(here), key(there)}
    assert not any(both <= set(entity.members) for entity in state.entities)


def test_what_is_said_under_a_handle_alone_is_nobody_s_account() -> None:
    """Once it has had two owners, nothing tells which of them it was."""
    accounts = [actor("slug:ann", f"account:chat:{number}") for number in (1, 2)]
    known = [
        writes(who, town, at) for at, (who, town) in enumerate(zip(accounts, "AB", strict=True))
    ]
    unknown = writes(actor("slug:ann"), "Lima", 9)
    found = lives(memory(journal(*known, unknown)))

    assert found["Lima"] == key(actor("slug:ann"))
    assert len(set(found.values())) == 3


def test_the_login_in_an_address_of_github_is_a_handle() -> None:
    login = "ann@users.noreply.github.com"
    first, second = actor(login, "account:github:1"), actor(login, "account:github:2")
    found = lives(memory(journal(writes(first, "Oslo", 1), writes(second, "Rome", 2))))
    assert found == {"Oslo": key(actor("account:github:1")), "Rome": key(actor("account:github:2"))}

    numbered = [f"{number}+ann@users.noreply.github.com" for number in (1, 2)]
    accounts = [writes(actor(address), address, at) for at, address in enumerate(numbered)]
    assert len(set(lives(memory(journal(*accounts))).values())) == 2
    renamed = writes(actor("1+bee@users.noreply.github.com"), "Lima", 5)
    found = lives(memory(journal(*accounts, renamed)))
    assert found["Lima"] == found[numbered[0]]
