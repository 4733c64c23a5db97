"""Entities, links and candidates as people read them."""

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from roxabi_contracts.identities import CandidateRecord, EntityRecord, KeyRecord, LinkRecord
from roxabi_contracts.render import one_line

from cortex_local.cli.rendering import SHORT_ID


def entities_view(entities: Iterable[EntityRecord]) -> RenderableType:
    """One line per entity: who, and every key."""
    table = _table("id", "name", "kind", "memory", "keys")
    for entity in entities:
        table.add_row(
            _text(entity.id[:SHORT_ID], "dim"),
            _text(entity.name),
            entity.kind or "-",
            "yes" if entity.owns_memory else "-",
            _text(", ".join(map(shown_key, entity.keys))),
        )
    return table


def links_view(links: Iterable[LinkRecord]) -> RenderableType:
    """One line per link: what stands between which keys, and who says so."""
    table = _table("first", "second", "says", "rule", "joined", "by")
    for link in links:
        by = link.decided_by or "-"
        when = "" if link.decided_at is None else f" on {link.decided_at.date().isoformat()}"
        because = "" if link.reason is None else f": {link.reason}"
        table.add_row(
            _text(link.first),
            _text(link.second),
            _text(f"{link.relation}, {link.status}"),
            f"{link.rule} {link.rule_version}",
            "yes" if link.joins else "no",
            _text(f"{by}{when}{because}"),
        )
    return Group(Text("\nLinks", style="bold"), table)


def candidates_view(candidates: Iterable[CandidateRecord]) -> RenderableType:
    """One line per pair: the score, the rule, both keys, and what speaks for it."""
    table = _table("score", "rule", "first", "second", "evidence")
    for candidate in candidates:
        table.add_row(
            f"{candidate.score:.2f}",
            candidate.rule,
            _text(_called(candidate.first)),
            _text(_called(candidate.second)),
            _text("; ".join(candidate.evidence)),
        )
    return table


def shown_key(key: KeyRecord) -> str:
    """The key as commands take it; a bare name by the id that it has in its trace."""
    if key.scheme in ("name", "source"):
        return f'"{key.value}" ({key.id[:SHORT_ID]})'
    return f"{key.scheme}:{key.value}"


def _called(key: KeyRecord) -> str:
    return f"{shown_key(key)} ({key.names[0]})" if key.names else shown_key(key)


def _table(*titles: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for title in titles:
        table.add_column(title, overflow="fold")
    return table


def _text(text: str, style: str = "") -> Text:
    return Text(one_line(text), style=style)
