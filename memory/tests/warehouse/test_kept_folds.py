"""What is kept of large groups: bounded, and believed under the mark it was left with alone."""

import tracemalloc
from dataclasses import replace

import pytest
from cortex_memory.kept_folds import MOST, KeptFolds
from cortex_memory.model import EntityId, ProjectId
from cortex_memory.retain.group_fold import GroupFold
from cortex_memory.retain.placing import GroupKey, growing_fold
from retain.building import said
from retain.observing import CATALOGUE


def key(predicate: str) -> GroupKey:
    return GroupKey(ProjectId("garden"), EntityId("ann"), EntityId("ann"), predicate)


def fold(size: int) -> GroupFold:
    return growing_fold(key("mood"), [said("calm", at) for at in range(1, size + 1)], CATALOGUE, 50)


def test_a_fold_is_taken_once_and_under_its_mark_alone() -> None:
    folds, kept = KeptFolds(), fold(1)
    folds.keep(key("mood"), "7", kept)
    folds.keep(key("likes"), "7", fold(1))

    assert folds.take(key("mood"), "7") is kept
    assert folds.take(key("mood"), "7") is None
    assert folds.take(key("likes"), "8") is None
    assert not folds.names_of(key("likes"))


def test_what_was_left_longest_ago_makes_room() -> None:
    folds = KeptFolds(most=10)
    for predicate in ["first", "second", "third"]:
        folds.keep(key(predicate), "7", fold(4))

    assert not folds.names_of(key("first"))
    assert folds.names_of(key("second"))
    assert folds.names_of(key("third"))


def test_what_is_larger_than_all_that_may_be_kept_is_not() -> None:
    folds = KeptFolds(most=3)
    folds.keep(key("mood"), "7", fold(4))

    assert not folds.names_of(key("mood"))


def test_nothing_is_kept_of_a_store_that_went_away() -> None:
    folds = KeptFolds()
    folds.keep(key("mood"), "7", fold(1))

    folds.forget()

    assert not folds.names_of(key("mood"))


@pytest.mark.parametrize("sayings", [1, 4, 1_000], ids=lambda count: f"{count} to a slot")
def test_what_is_kept_takes_some_40_megabytes_at_the_worst(sayings: int) -> None:
    tracemalloc.start()
    try:
        likes = [replace(said(f"V{at // sayings}", at), predicate="likes") for at in range(1_000)]
        kept = growing_fold(key("likes"), likes, CATALOGUE, 5_000)
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert taken / kept.size * MOST < 50e6
