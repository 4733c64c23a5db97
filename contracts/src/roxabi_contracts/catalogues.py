"""The catalogue of each project: the shipped one, extended for all projects, then for one."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

from roxabi_contracts.errors import CatalogueInvalid
from roxabi_contracts.predicates import CatalogueLayer, PredicateCatalogue, bundled_catalogue
from roxabi_contracts.subjects import check_project

PROJECTS: Final = "projects"
"""The table of a file in which every project has a table of its own predicates."""


@dataclass(frozen=True)
class Catalogues:
    """Which catalogue holds in which project.

    Args:
        common: Holds in every project that has none of its own; by default the shipped one.
        own: By project.
    """

    common: PredicateCatalogue = field(default_factory=bundled_catalogue)
    own: Mapping[str, PredicateCatalogue] = field(default_factory=dict[str, PredicateCatalogue])

    @classmethod
    def from_toml(cls, text: str) -> "Catalogues":
        """Extend the shipped catalogue by `[name]` and `[projects.<project>.<name>]` tables.

        Raises:
            ValueError: a table breaks the schema, or takes a name of another predicate; the
                message names it, and its project.
        """
        tables = tomllib.loads(text)
        by_project = tables.pop(PROJECTS) if _is_by_project(tables.get(PROJECTS)) else {}
        common = bundled_catalogue().extended(tables, CatalogueLayer.INSTALLATION)
        return cls(common, {name: _own(name, common, own) for name, own in by_project.items()})

    def for_project(self, project: str) -> PredicateCatalogue:
        """The catalogue that holds in a project."""
        return self.own.get(project, self.common)


def _is_by_project(table: object) -> bool:
    """Whether the table holds tables alone: a predicate may have this name, too."""
    return isinstance(table, dict) and all(isinstance(each, dict) for each in table.values())


def _own(
    project: str, common: PredicateCatalogue, tables: Mapping[str, object]
) -> PredicateCatalogue:
    check_project(project)
    try:
        return common.extended(tables, CatalogueLayer.PROJECT)
    except ValueError as error:
        raise ValueError(f"project {project}: {error}") from error


@cache
def catalogues_with(path: Path | None) -> Catalogues:
    """The shipped catalogue, with a file of one's own predicates; null: there is none.

    Raises:
        CatalogueInvalid: the file cannot be read, or breaks the schema; the message says where.
    """
    if path is None:
        return Catalogues()
    try:
        return Catalogues.from_toml(path.read_text("utf-8"))
    except OSError as error:
        raise CatalogueInvalid(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise CatalogueInvalid(f"{path}: {error}") from error
