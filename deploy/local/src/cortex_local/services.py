"""The two services as processes: their commands and their environments."""

import os
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from cortex_local import accounts
from cortex_local.errors import StackError
from cortex_local.keys import seed_file
from cortex_local.state import Endpoints

INSIGHT: Final = "insight"
MEMORY: Final = "memory"
SERVICES: Final = (INSIGHT, MEMORY)
CHECKOUT: Final = Path(__file__).resolve().parents[4]
_DIGEST_KEY: Final = "_DIGEST_KEY"
_SECRET_VARIABLES: Final = (
    "_POSTGRES_URL",
    "_DATABASE_URL",
    "_PASSWORD",
    "_SEED_DIR",
    "_SEED_FILE",
    _DIGEST_KEY,
)


def service_command(service: str, environment: Mapping[str, str], *arguments: str) -> list[str]:
    """The command line of a service. Raises StackError when its environment was not set up.

    CORTEX_INSIGHT_COMMAND and CORTEX_MEMORY_COMMAND stand in for the commands of the checkout.
    """
    variable = f"CORTEX_{service.upper()}_COMMAND"
    if chosen := environment.get(variable):
        return [*shlex.split(chosen), *arguments]
    program = CHECKOUT / service / ".venv" / "bin" / f"cortex-{service}"
    if not os.access(program, os.X_OK):
        raise StackError(
            f"The program of {service} is not at {program}.",
            f"Run `make setup` in {CHECKOUT}, or set {variable}.",
        )
    return [str(program), *arguments]


def service_environment(
    service: str, endpoints: Endpoints, environment: Mapping[str, str]
) -> dict[str, str]:
    """The environment of a service: its own database and key, and none of the other's."""
    databases = {INSIGHT: endpoints.insight, MEMORY: endpoints.memory}
    prefix = f"CORTEX_{service.upper()}"
    own_key = f"{prefix}{_DIGEST_KEY}"
    return {
        **_without_secrets(environment),
        **({own_key: environment[own_key]} if own_key in environment else {}),
        "CORTEX_NATS_URL": endpoints.broker,
        f"{prefix}_DATABASE_URL": databases[service],
        f"{prefix}_NATS_SEED_FILE": str(seed_file(endpoints.seeds, service)),
    }


def client_environment(
    endpoints: Endpoints, environment: Mapping[str, str], user: str = accounts.OPERATOR
) -> dict[str, str]:
    """The environment of a command that speaks to the services as a user of the broker."""
    return {
        **_without_secrets(environment),
        "CORTEX_NATS_URL": endpoints.broker,
        "CORTEX_NATS_SEED_FILE": str(seed_file(endpoints.seeds, user)),
        "CORTEX_NATS_INBOX_PREFIX": accounts.inbox_prefix(user),
    }


def _without_secrets(environment: Mapping[str, str]) -> dict[str, str]:
    return {
        name: value
        for name, value in environment.items()
        if not (name.startswith("CORTEX_") and name.endswith(_SECRET_VARIABLES))
    }
