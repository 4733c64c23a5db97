"""The package by itself: what it exports, and what it must not load."""

import subprocess
import sys

import roxabi_contracts
from roxabi_contracts import client


def test_what_is_exported_exists_once() -> None:
    for module in (roxabi_contracts, client):
        assert len(module.__all__) == len(set(module.__all__))
        assert all(hasattr(module, name) for name in module.__all__)


def test_importing_the_package_loads_no_transport() -> None:
    code = "import sys, roxabi_contracts; print(*sorted({m.split('.')[0] for m in sys.modules}))"
    loaded = subprocess.run(
        [sys.executable, "-I", "-c", code], check=True, capture_output=True, text=True
    ).stdout.split()

    assert "roxabi_contracts" in loaded
    assert not {"nats", "psycopg", "openai", "cortex_insight", "cortex_memory"} & set(loaded)
