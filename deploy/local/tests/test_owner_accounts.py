"""The file of the owners' accounts."""

from collections.abc import Callable

import pytest
from cortex_local.errors import StackError
from cortex_local.owner_accounts import (
    accounts_of,
    check_key,
    read_owners,
    with_keys,
    without_key,
)

TEXT = """\
# The family
Ann Bee <ann@garden.org> Ann <ann.bee@gmail.com> <account:github:17>  # work, too

Bob <bob@garden.org>
"""


def keys(text: str) -> list[tuple[str, ...]]:
    return [owner.keys for owner in read_owners(text)]


def test_each_line_is_one_person_with_every_key_in_brackets() -> None:
    assert keys(TEXT) == [
        ("ann@garden.org", "ann.bee@gmail.com", "account:github:17"),
        ("bob@garden.org",),
    ]
    assert accounts_of(read_owners(TEXT)) == (keys(TEXT)[0],)


def test_a_mailmap_of_git_is_read_as_it_is() -> None:
    mailmap = "Joe R. D. <joe@example.com> Joe <joe@laptop.(none)>\nJane <jane@example.com>\n"
    assert keys(mailmap) == [("joe@example.com", "joe@laptop.(none)"), ("jane@example.com",)]


def test_a_key_joins_the_line_of_whoever_has_one_of_them() -> None:
    added = with_keys(TEXT, ["bob@garden.org", "phone:+4722334455"])
    assert keys(added)[1] == ("bob@garden.org", "phone:+4722334455")
    assert with_keys(added, ["phone:+4722334455"]) == added
    beside_a_remark = with_keys(TEXT, ["ann@garden.org", "phone:+4722334455"])
    assert keys(beside_a_remark)[0][-1] == "phone:+4722334455"
    assert "# work, too" in beside_a_remark
    assert keys(with_keys("", ["a@b.org", "c@d.org"])) == [("a@b.org", "c@d.org")]


def test_a_key_that_is_taken_out_leaves_the_others() -> None:
    without = without_key(TEXT, "ann.bee@gmail.com")
    assert keys(without)[0] == ("ann@garden.org", "account:github:17")
    assert keys(without_key(without, "account:github:17")) == [("bob@garden.org",)]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: read_owners("Ann Bee"),
        lambda: read_owners("Ann <17>"),
        lambda: check_key("17"),
        lambda: with_keys(TEXT, ["ann@garden.org", "bob@garden.org"]),
        lambda: without_key(TEXT, "eve@garden.org"),
    ],
)
def test_what_is_wrong_is_said_with_what_to_do(wrong: Callable[[], object]) -> None:
    with pytest.raises(StackError) as refused:
        wrong()
    assert refused.value.message
    assert refused.value.hint
