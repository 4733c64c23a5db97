"""The packages of this checkout: where they lie, what they import, how they are run."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Package:
    """One distribution, with its folder below the root and the name it is imported by."""

    folder: str
    module: str

    @property
    def path(self) -> Path:
        return ROOT / self.folder

    @property
    def source(self) -> Path:
        return self.path / "src" / self.module

    @property
    def interpreter(self) -> Path:
        return self.path / ".venv" / "bin" / "python"

    def sources(self) -> Iterator[tuple[Path, ast.Module]]:
        """Every module of the package, with its syntax tree."""
        for path in sorted(self.source.rglob("*.py")):
            yield path, ast.parse(path.read_bytes(), str(path))


CONTRACTS: Final = Package("contracts", "roxabi_contracts")
INSIGHT: Final = Package("insight", "cortex_insight")
MEMORY: Final = Package("memory", "cortex_memory")
LOCAL: Final = Package("deploy/local", "cortex_local")
PACKAGES: Final = (CONTRACTS, INSIGHT, MEMORY, LOCAL)
SERVICES: Final = (INSIGHT, MEMORY)


def imported_modules(tree: ast.Module) -> set[str]:
    """The first name of everything the module imports from outside its package."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.partition(".")[0])
    return found


def text_literals(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Every string in the code with its line, docstrings included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
