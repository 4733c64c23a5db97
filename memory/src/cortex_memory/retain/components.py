"""Connected components: who, or which names, belong together."""

from collections.abc import Hashable, Iterable
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def components(nodes: Iterable[Node], edges: Iterable[tuple[Node, Node]]) -> list[frozenset[Node]]:
    """The connected components of an undirected graph; edges to other nodes are left out."""
    parent = {node: node for node in nodes}
    for first, second in edges:
        if first in parent and second in parent:
            parent[_root(parent, first)] = _root(parent, second)
    members: dict[Node, set[Node]] = {}
    for node in parent:
        members.setdefault(_root(parent, node), set()).add(node)
    return [frozenset(group) for group in members.values()]


def _root(parent: dict[Node, Node], node: Node) -> Node:
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = parent[node]
    return node
