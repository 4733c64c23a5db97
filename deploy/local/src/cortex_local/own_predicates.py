"""The file of predicates of one's own: told to be wrong before a service stumbles over it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from roxabi_contracts.catalogues import Catalogues, catalogues_with
from roxabi_contracts.errors import CatalogueInvalid

from cortex_local.errors import WrongUsage

PREDICATES: Final = "CORTEX_PREDICATES"


def with_whole_path(environment: Mapping[str, str]) -> Mapping[str, str]:
    """The same with the file by its whole path: services do not start where the command does.

    Raises WrongUsage when the file cannot be used.
    """
    path = _path(environment)
    if path is None:
        return environment
    own_predicates(environment)
    return {**environment, PREDICATES: str(path)}


def own_predicates(environment: Mapping[str, str]) -> Catalogues:
    """The catalogue of each project. Raises WrongUsage when the file cannot be used."""
    try:
        return catalogues_with(_path(environment))
    except CatalogueInvalid as error:
        hint = f"Correct the file that {PREDICATES} names, or unset the variable."
        raise WrongUsage(f"{error}.", hint) from error


def _path(environment: Mapping[str, str]) -> Path | None:
    named = environment.get(PREDICATES)
    return Path(named).expanduser().absolute() if named else None
