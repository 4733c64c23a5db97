"""How often the process looks for objects that only refer to each other."""

import gc
from typing import Final

NEW_OBJECTS: Final = 50_000
"""So many more objects than before make it look: a batch makes that many, and drops them all."""


def collect_rarely() -> None:
    """Keep what is there now out of every search, and search after much more has come up.

    To be called once everything is open. By default the whole heap is searched again and again
    while large folds grow, which makes a large memory cost more by the observation than small ones.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, 10, 10)
