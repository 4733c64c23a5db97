"""Settings of the warehouse, from the environment."""

from pathlib import Path
from typing import Literal, TypeVar

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from cortex_memory.faults import Step

AnySettings = TypeVar("AnySettings", bound=BaseSettings)

Embedder = Literal["bundled", "fastembed", "openai", "none"]


class StoreSettings(BaseSettings):
    """Where the database is."""

    model_config = SettingsConfigDict(frozen=True, extra="ignore")

    database_url: SecretStr = Field(validation_alias="CORTEX_MEMORY_DATABASE_URL")
    digest_key: SecretStr | None = Field(default=None, validation_alias="CORTEX_MEMORY_DIGEST_KEY")
    """From which the keys of new projects derive; null: each gets a random one."""
    log_level: str = Field(default="INFO", validation_alias="CORTEX_LOG_LEVEL")


class Settings(StoreSettings):
    """All that the service needs."""

    nats_url: str = Field(validation_alias="CORTEX_NATS_URL")
    nats_seed_file: Path | None = Field(
        default=None, validation_alias="CORTEX_MEMORY_NATS_SEED_FILE"
    )
    embedder: Embedder = Field(default="bundled", validation_alias="CORTEX_MEMORY_EMBEDDER")
    embedder_model: str | None = Field(
        default=None, validation_alias="CORTEX_MEMORY_EMBEDDER_MODEL"
    )
    embedder_path: Path | None = Field(default=None, validation_alias="CORTEX_MEMORY_EMBEDDER_PATH")
    workers: int = Field(default=2, ge=1, le=16, validation_alias="CORTEX_MEMORY_WORKERS")
    fault: Step | None = Field(default=None, validation_alias="CORTEX_FAULT")


def from_environment(kind: type[AnySettings]) -> AnySettings:
    """Read settings from the environment.

    Raises:
        ValidationError: one is missing or wrong; it names the variable.
    """
    return kind()
