"""What an address says by itself."""

import pytest
from cortex_memory.retain.mailboxes import (
    github_account,
    is_shared,
    mailbox_behind,
    own_domain,
)

SHARED = [
    "info@garden.org",
    "Support+42@garden.org",
    "no-reply@garden.org",
    "orders-noreply@garden.org",
    "ne_pas_repondre@garden.org",
    "SRS0=ab=cd=garden.org=ann@relay.org",
    "prvs=123=ann@garden.org",
    "bounces+7@garden.org",
    "reply+abc@reply.github.com",
    "garden-request@list.org",
    "dev@lists.garden.org",
    "c_17@resource.calendar.google.com",
]
OF_SEVERAL = [
    "jane.and.john@garden.org",
    "Jane_AND_John@garden.org",
    "jane-et-jean@garden.org",
    "j.und.k.dahl@garden.org",
    "jane&john@garden.org",
    "jane.&.john@garden.org",
    "jane.dahl.und.john.dahl+news@garden.org",
    "familie.müller@garden.org",
    "muller-familie@garden.org",
    "familiemuller@garden.org",
    "famille.martin7@garden.org",
    "martinfamille@garden.org",
    "family_dahl@garden.org",
    "the.dahl.family@garden.org",
    "dahlfamily2020@garden.org",
    "fam.dahl@garden.org",
    "the.smiths@garden.org",
    "the-garcias@garden.org",
    "thesmiths@garden.org",
    "thejoneses@garden.org",
]
OWN = [
    "ann@garden.org",
    "info.ann@garden.org",
    "renoreplya@garden.org",
    "teamann@garden.org",
    "17+ann@users.noreply.github.com",
    "listiana@garden.org",
    "andrea.andersen@garden.org",
    "sandra.und@garden.org",
    "et.dahl@garden.org",
    "&jane@garden.org",
    "alexandria@garden.org",
    "bernadette@garden.org",
    "familyman@garden.org",
    "famke.dahl@garden.org",
    "theodores@garden.org",
    "theresa@garden.org",
    "theophanes.dahl@garden.org",
    "themelis@garden.org",
    "themistokles@garden.org",
    "thelonious@garden.org",
    "theis@garden.org",
    "thea.hansens@garden.org",
    "17+the-smiths@users.noreply.github.com",
]
BEHIND = [
    ("ann.bee+news@gmail.com", "annbee@gmail.com"),
    ("AnnBee@googlemail.com", "annbee@gmail.com"),
    ("ann.bee+x@outlook.com", "ann.bee@outlook.com"),
    ("ann@me.com", "ann@icloud.com"),
    ("ann-news@yahoo.com", "ann@yahoo.com"),
    ("ann-bee@gmail.com", "ann-bee@gmail.com"),
    ("+@gmail.com", "+@gmail.com"),
    ("ann+news@garden.org", None),
    ("a.nn@garden.org", None),
]


@pytest.mark.parametrize("address", SHARED)
def test_a_role_a_list_or_a_machine_is_no_person(address: str) -> None:
    assert is_shared(address)


@pytest.mark.parametrize("address", OF_SEVERAL)
def test_a_couple_or_a_family_is_no_person(address: str) -> None:
    assert is_shared(address)


@pytest.mark.parametrize("address", OWN)
def test_a_mailbox_that_only_looks_like_one_is_somebodys(address: str) -> None:
    assert not is_shared(address)


@pytest.mark.parametrize(("address", "mailbox"), BEHIND)
def test_what_is_delivered_where_only_a_known_provider_says(
    address: str, mailbox: str | None
) -> None:
    assert mailbox_behind(address) == mailbox


def test_an_address_that_github_gives_out_states_its_account() -> None:
    assert github_account("4711+ann-bee@users.noreply.github.com") == "4711"
    assert github_account("ann-bee@users.noreply.github.com") is None
    assert github_account("4711+dependabot[bot]@users.noreply.github.com") is None
    assert github_account("4711+ann@garden.org") is None


def test_a_public_domain_says_nothing_of_who_has_a_mailbox_there() -> None:
    assert own_domain("ann@Garden.org") == "garden.org"
    assert own_domain("ann@gmail.com") is None
    assert own_domain("ann@free.fr") is None
    assert own_domain("ann") is None
