"""The files for Docker: they parse, agree with each other, and keep the services apart."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from cortex_local.__main__ import main
from cortex_local.nats import check_configuration
from cortex_local.services import CHECKOUT
from roxabi_contracts import bundled_catalogue, catalogues_with

FOLDER = CHECKOUT / "deploy" / "compose"
TEXT = (FOLDER / "compose.yaml").read_text()
STACK: dict[str, Any] = yaml.safe_load(TEXT)
SERVICES: dict[str, dict[str, Any]] = STACK["services"]


def test_services_are_the_parts_of_the_stack() -> None:
    assert set(SERVICES) == {
        "postgres",
        "nats",
        "broker-config",
        "provision",
        "insight",
        "memory",
    }


def test_every_variable_has_an_example() -> None:
    examples = dict(
        line.split("=", 1)
        for line in (FOLDER / ".env.example").read_text().splitlines()
        if line and not line.startswith("#")
    )
    assert set(re.findall(r"\$\{(\w+)\}", TEXT)) == set(examples)
    assert all(examples.values())


@pytest.mark.parametrize("name", SERVICES)
def test_what_a_service_names_exists(name: str) -> None:
    service = SERVICES[name]
    assert ("image" in service) != ("build" in service)
    assert set(service.get("depends_on", ())) <= set(SERVICES)
    assert set(service.get("secrets", ())) <= set(STACK["secrets"])
    for mount in service.get("volumes", ()):
        source = mount.split(":")[0]
        assert source.startswith("./keys") or source in STACK["volumes"]
    if build := service.get("build"):
        assert (FOLDER / build["context"]).resolve() == CHECKOUT
        assert (CHECKOUT / build["dockerfile"]).is_file()
        assert (CHECKOUT / build["args"]["PACKAGE"] / "uv.lock").is_file()


@pytest.mark.parametrize(("name", "other"), [("insight", "memory"), ("memory", "insight")])
def test_a_service_gets_nothing_of_the_other(name: str, other: str) -> None:
    service = SERVICES[name]
    assert other not in str(service)
    assert "POSTGRES_PASSWORD" not in str(service)
    assert service["secrets"] == [f"{name}_seed"]
    assert "volumes" not in service
    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]


def test_no_image_of_ours_runs_as_root() -> None:
    users = re.findall(r"^USER (\w+)$", (FOLDER / "Dockerfile").read_text(), re.MULTILINE)
    assert users == ["nobody"]
    for service in SERVICES.values():
        assert "build" not in service or service["user"] == "${CORTEX_UID}:${CORTEX_GID}"


def test_no_port_is_open_beyond_the_machine() -> None:
    ports = [port for service in SERVICES.values() for port in service.get("ports", ())]
    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_both_services_read_one_file_of_predicates() -> None:
    own = FOLDER / STACK["configs"]["predicates"]["file"]
    assert catalogues_with(own).common.digest == bundled_catalogue().digest
    for name in ("insight", "memory"):
        (config,) = SERVICES[name]["configs"]
        assert config["source"] == "predicates"
        assert SERVICES[name]["environment"]["CORTEX_PREDICATES"] == config["target"]


def test_broker_configuration_is_accepted_by_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = [str(tmp_path) if word == "/keys" else word for word in broker_config_arguments()]
    with pytest.raises(SystemExit) as ended:
        main([*command[:-1], str(tmp_path / "store")])
    assert ended.value.code == 0
    check_configuration(tmp_path / "nats.conf")
    for secret in STACK["secrets"].values():
        assert (tmp_path / Path(secret["file"]).relative_to("keys")).is_file()


def broker_config_arguments() -> list[str]:
    command: list[str] = SERVICES["broker-config"]["command"]
    assert command[0] == "cortex"
    assert command[-2:] == ["--store", "/data"]
    return command[1:]
