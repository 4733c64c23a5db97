"""The messages of a conversation as a tree: what is above each, and what the user left."""

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from cortex_insight.parsers.records import as_object, as_text, milliseconds

Fields = dict[str, JsonValue]


@dataclass(frozen=True)
class Above:
    """What stands above a message, which no later export changes."""

    depth: int = 0
    parent: str | None = None
    """The nearest one that says something."""
    turn: str | None = None
    """The nearest one by the user, or the message itself."""
    time: JsonValue = None
    """The last one that is stated."""


class Tree:
    """The nodes of a conversation by their ids, hanging together by their parents.

    Args:
        mapping: By id, each node with the id of its `parent` and its `message`.
        time: Where a message says when it was written.
    """

    def __init__(self, mapping: Mapping[str, JsonValue], time: str) -> None:
        self._time = time
        self.nodes: dict[str, Fields] = {
            key: node for key, value in mapping.items() if (node := as_object(value))
        }
        self._parents = {key: self._parent(key) for key in self.nodes}

    def _parent(self, key: str) -> str | None:
        parent = as_text(self.nodes[key].get("parent"))
        return parent if parent in self.nodes and parent != key else None

    def message(self, key: str) -> Fields:
        """What stands at a node; empty: nothing, as at the root."""
        return as_object(self.nodes[key].get("message"))

    def _line(self, key: str, known: Container[str] = ()) -> tuple[list[str], str | None]:
        """A node and those above it, up to the first known one; of a circle each once."""
        found: dict[str, None] = {}
        at: str | None = key
        while at is not None and at not in found and at not in known:
            found[at] = None
            at = self._parents[at]
        return list(found), at

    def places(
        self, speaks: Callable[[str, Fields], bool], asks: Callable[[str, Fields], bool]
    ) -> dict[str, Above]:
        """What stands above each node.

        Args:
            speaks: Whether the message of a node says something.
            asks: Whether it is by the user.
        """
        places: dict[str, Above] = {}
        for key in self.nodes:
            unplaced, _ = self._line(key, places)
            for one in reversed(unplaced):
                places[one] = self._place(one, places, speaks, asks)
        return places

    def _place(
        self, key: str, places: Mapping[str, Above], speaks: Callable[[str, Fields], bool],
        asks: Callable[[str, Fields], bool],
    ) -> Above:  # fmt: skip
        message = self.message(key)
        turn = key if asks(key, message) else None
        parent = self._parents[key]
        if parent is None or parent not in places:
            return Above(turn=turn)
        above, spoken = places[parent], self.message(parent)
        stated = spoken.get(self._time)
        return Above(
            depth=above.depth + 1,
            parent=parent if speaks(parent, spoken) else above.parent,
            turn=turn or above.turn,
            time=stated if milliseconds(stated) else above.time,
        )

    def left(self, current: str | None) -> list[str]:
        """The nodes of branches that the user left.

        What hangs together with the current line by no node is no branch of it: it stays.

        Args:
            current: The node at the end of the current line; where there is none such, the line
                of the newest message counts.
        """
        end = current if current in self.nodes else self._newest()
        if end is None:
            return []
        kept = {*self._line(end)[0], *self._only_way_on(end)}
        left: set[str] = set()
        for key in self.nodes:
            branch, above = self._line(key, kept | left)
            if above in kept or above in left:
                left.update(branch)
        return sorted(left)

    def _newest(self) -> str | None:
        inner = set(self._parents.values())
        ends = [key for key in self.nodes if key not in inner and self.message(key)]
        order = {key: place for place, key in enumerate(self.nodes)}
        return max(
            ends,
            key=lambda key: (milliseconds(self.message(key).get(self._time)), order[key]),
            default=None,
        )

    def _only_way_on(self, end: str) -> list[str]:
        """What comes below the end of the line, as far as there is nothing to choose."""
        below: dict[str, list[str]] = {}
        for key, parent in self._parents.items():
            if parent is not None:
                below.setdefault(parent, []).append(key)
        found: dict[str, None] = {}
        at = end
        while len(below.get(at, [])) == 1 and at not in found:
            found[at] = None
            at = below[at][0]
        return [*found, at]
