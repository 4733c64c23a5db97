"""Each package as a stranger gets it: a wheel, installed where no checkout is."""

import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest
from checkout import PACKAGES, ROOT, Package

COMMANDS = {
    "cortex_insight": "cortex-insight",
    "cortex_memory": "cortex-memory",
    "cortex_local": "cortex",
}


def uv(*arguments: str | Path) -> None:
    """Run uv, the one of the path or the one that the Makefile fetched."""
    program = shutil.which("uv") or ROOT / ".tools" / "bin" / "uv"
    subprocess.run([program, *arguments, "--quiet"], check=True, cwd="/")


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The wheel of each package by its module."""
    folder = tmp_path_factory.mktemp("wheels")
    for package in PACKAGES:
        uv("build", "--wheel", "--out-dir", folder / package.module, package.path)
    return {package.module: next((folder / package.module).glob("*.whl")) for package in PACKAGES}


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.module)
def test_the_wheel_holds_every_file_of_the_source(
    package: Package, wheels: dict[str, Path]
) -> None:
    source = {
        str(path.relative_to(package.source.parent))
        for path in package.source.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    packed = set(zipfile.ZipFile(wheels[package.module]).namelist())
    assert f"{package.module}/py.typed" in packed
    assert source - packed == set()


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.module)
def test_the_wheel_imports_in_a_fresh_environment(
    package: Package, wheels: dict[str, Path], tmp_path: Path
) -> None:
    environment = tmp_path / "venv"
    uv("venv", environment, "--python", package.interpreter)
    uv(
        "pip",
        "install",
        "--python",
        environment,
        *({wheels[package.module], wheels["roxabi_contracts"]}),
    )
    code = f"import {package.module}; print({package.module}.__file__)"
    imported = subprocess.run(
        [environment / "bin" / "python", "-I", "-c", code],
        check=True,
        capture_output=True,
        text=True,
        cwd="/",
    )
    assert Path(imported.stdout.strip()).is_relative_to(environment)
    if command := COMMANDS.get(package.module):
        helped = subprocess.run(
            [environment / "bin" / command, "--help"],
            check=False,
            capture_output=True,
            text=True,
            env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
            cwd="/",
        )
        assert helped.returncode == 0, helped.stderr
