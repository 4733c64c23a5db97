"""House rules that no linter knows: one home for each literal, schema, driver and query."""

import ast
import re
import sys
import tomllib
from collections import defaultdict
from importlib.metadata import packages_distributions
from itertools import chain

import pytest
from checkout import CONTRACTS, PACKAGES, ROOT, SERVICES, Package, imported_modules, text_literals
from roxabi_contracts import base, subjects

LONGEST_FILE = 400
FOLDERS = (*(package.path for package in PACKAGES), ROOT / "integration_tests")
SUBJECTS_HOME = CONTRACTS.source / "subjects.py"
COMES_WITH = {"nkeys": "nats-py", "psycopg-pool": "psycopg", "pydantic-core": "pydantic"}
"""Distributions that an extra of another brings, or that belong to it."""
BROKER_NAMES = {
    str(value) for name, value in vars(subjects).items() if name.startswith(("STREAM_", "DURABLE_"))
}


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.module)
def test_subjects_streams_and_durables_are_spelled_in_one_file_only(package: Package) -> None:
    spelled = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path, tree in package.sources()
        if path != SUBJECTS_HOME
        for line, text in text_literals(tree)
        if "roxabi." in text or text in BROKER_NAMES
    ]
    assert spelled == []


def test_the_names_that_are_searched_for_are_there() -> None:
    assert {"INSIGHT_EVENTS", "MEMORY_CHANGES", "insight-ingest", "memory-inbox"} <= BROKER_NAMES
    assert "roxabi." in SUBJECTS_HOME.read_text("utf-8")


@pytest.mark.parametrize("package", PACKAGES[1:], ids=lambda package: package.module)
def test_wire_schemas_are_defined_in_contracts_only(package: Package) -> None:
    wire_bases = {base.Contract.__name__, base.Part.__name__}
    defined = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {node.name}"
        for path, tree in package.sources()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        and wire_bases & {ast.unparse(parent).rpartition(".")[2] for parent in node.bases}
    ]
    assert defined == []


@pytest.mark.parametrize("service", SERVICES, ids=lambda package: package.module)
@pytest.mark.parametrize(("driver", "home"), [("psycopg", "store"), ("nats", "bus")])
def test_each_driver_is_imported_in_one_folder_only(
    service: Package, driver: str, home: str
) -> None:
    users = {
        path.relative_to(service.source)
        for path, tree in service.sources()
        if driver in imported_modules(tree)
    }
    assert users, f"nothing in {service.module} imports {driver}: is the rule still about it?"
    assert [str(path) for path in users if path.parts[0] != home] == []


@pytest.mark.parametrize("service", SERVICES, ids=lambda package: package.module)
def test_sql_files_lie_in_the_store_only(service: Package) -> None:
    files = [path.relative_to(service.source) for path in service.source.rglob("*.sql")]
    assert files
    assert [str(path) for path in files if path.parts[0] != "store"] == []


def test_no_file_of_code_is_longer_than_the_limit() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for folder in FOLDERS
        for path in folder.rglob("*.py")
        if ".venv" not in path.parts
        and (lines := len(path.read_text("utf-8").splitlines())) > LONGEST_FILE
    }
    assert long == {}


def test_packages_share_one_version_of_every_dependency() -> None:
    """A lock may hold two versions of a package, for two versions of Python."""
    locked: dict[str, dict[frozenset[str], list[str]]] = defaultdict(lambda: defaultdict(list))
    for folder in FOLDERS:
        versions: dict[str, set[str]] = defaultdict(set)
        for package in tomllib.loads((folder / "uv.lock").read_text("utf-8"))["package"]:
            versions[package["name"]].add(package.get("version", ""))
        for name, found in versions.items():
            locked[name][frozenset(found)].append(folder.name)
    assert {name: dict(found) for name, found in locked.items() if len(found) > 1} == {}


def spelled(name: str) -> str:
    """The name of a distribution in the spelling that all tools agree on."""
    return re.sub(r"[-_.]+", "-", re.split(r"[\[<>=]", name)[0]).lower()


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.module)
def test_a_package_depends_on_what_it_imports_and_on_nothing_else(package: Package) -> None:
    project = tomllib.loads((package.path / "pyproject.toml").read_text("utf-8"))["project"]
    optional = project.get("optional-dependencies", {})
    required = {*map(spelled, project["dependencies"])}
    declared = required | {*map(spelled, chain.from_iterable(optional.values()))}
    trees = [tree for _, tree in package.sources()]
    imported = set[str]().union(*map(imported_modules, trees))
    named = {text for tree in trees for _, text in text_literals(tree)}
    providing = packages_distributions()

    def providers(modules: set[str]) -> set[str]:
        found = {spelled(one) for name in modules for one in providing.get(name, [name])}
        return {COMES_WITH.get(one, one) for one in found}

    outside = imported - sys.stdlib_module_names - {package.module, "_typeshed"}
    assert providers(outside) - declared == set()
    assert required - providers(outside | named) == set()
