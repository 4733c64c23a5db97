"""What the environment decides."""

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict
from roxabi_contracts import Origin

LogLevel = Literal["debug", "info", "warning", "error"]
EnricherName = Literal["rules", "none"]


class LogSettings(BaseSettings):
    """How much is logged."""

    model_config = SettingsConfigDict(env_prefix="CORTEX_")

    log_level: LogLevel = "info"


class StoreSettings(BaseSettings):
    """Where the lake keeps its data."""

    model_config = SettingsConfigDict(env_prefix="CORTEX_INSIGHT_")

    database_url: SecretStr = Field(default=...)
    """`postgresql://role:password@host/database`."""


class ReadingSettings(BaseSettings):
    """How sources are read."""

    model_config = SettingsConfigDict(env_prefix="CORTEX_INSIGHT_")

    origins: dict[str, Origin] = Field(
        default={"claude-code-jsonl": Origin.TRUSTED, "message": Origin.TRUSTED}
    )
    """How far each source is trusted, as JSON; any other is `semi_trusted`."""
    enricher: EnricherName = "rules"
    """Which claims are read from a person's own words, where the source has none of its own."""


class ServiceBrokerSettings(BaseSettings):
    """How the service reaches the broker."""

    nats_url: str = Field(default="nats://127.0.0.1:4222", validation_alias="CORTEX_NATS_URL")
    nats_seed_file: Path | None = Field(
        default=None, validation_alias="CORTEX_INSIGHT_NATS_SEED_FILE"
    )


class ClientBrokerSettings(BaseSettings):
    """How the commands that act as a client reach the broker."""

    model_config = SettingsConfigDict(env_prefix="CORTEX_")

    nats_url: str = "nats://127.0.0.1:4222"
    nats_seed_file: Path | None = None
    nats_inbox_prefix: str | None = None
