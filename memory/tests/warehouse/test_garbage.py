"""What was there at the start is not searched for garbage again."""

import gc
from collections.abc import Generator

import pytest
from cortex_memory.garbage import NEW_OBJECTS, collect_rarely


@pytest.fixture
def restored() -> Generator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


@pytest.mark.usefixtures("restored")
def test_the_heap_of_the_start_is_left_out_and_batches_are_not_searched() -> None:
    collect_rarely()

    assert gc.get_freeze_count() > NEW_OBJECTS
    assert gc.get_threshold()[0] == NEW_OBJECTS
