"""What the environment decides."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, Json, SecretStr
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict
from roxabi_contracts import Origin
from roxabi_contracts.codec import MAXIMUM_EVENT

LogLevel = Annotated[Literal["debug", "info", "warning", "error"], BeforeValidator(str.lower)]
EnricherName = Literal["rules", "openai", "none"]


class _Settings(BaseSettings):
    """Read from the environment, by the full names of its variables; an empty one counts as none.

    What is wrong is a `ValidationError` that names the variable.
    """

    model_config = SettingsConfigDict(env_ignore_empty=True)


class LogSettings(_Settings):
    """How much is logged."""

    log_level: LogLevel = Field(default="info", validation_alias="CORTEX_LOG_LEVEL")


class StoreSettings(_Settings):
    """Where the lake keeps its data."""

    database_url: SecretStr = Field(default=..., validation_alias="CORTEX_INSIGHT_DATABASE_URL")
    """`postgresql://role:password@host/database`."""


class ReadingSettings(_Settings):
    """How sources are read."""

    origins: Annotated[Json[dict[str, Origin]], NoDecode] = Field(
        default={"claude-code-jsonl": Origin.TRUSTED, "message": Origin.TRUSTED},
        validate_default=False,
        validation_alias="CORTEX_INSIGHT_ORIGINS",
    )
    """How far each source is trusted, as JSON; any other is `semi_trusted`."""
    enricher: EnricherName = Field(default="rules", validation_alias="CORTEX_INSIGHT_ENRICHER")
    """Which claims are read from a person's own words; `openai`: by rules, and by a model."""
    enrichers: Annotated[Json[dict[str, EnricherName]], NoDecode] = Field(
        default_factory=dict[str, EnricherName],
        validate_default=False,
        validation_alias="CORTEX_INSIGHT_ENRICHERS",
    )
    """Otherwise for these sources, as JSON."""
    predicates: Path | None = Field(default=None, validation_alias="CORTEX_PREDICATES")
    """A file that extends the catalogue of predicates, as memory's does."""

    def enricher_of(self, source: str) -> EnricherName:
        """How the words of a source are read."""
        return self.enrichers.get(source, self.enricher)


class EventSettings(_Settings):
    """How large events are taken in."""

    maximum_event_bytes: int = Field(
        default=MAXIMUM_EVENT,
        ge=1,
        le=MAXIMUM_EVENT,
        validation_alias="CORTEX_INSIGHT_MAXIMUM_EVENT_BYTES",
    )
    """A larger event is a dead letter."""
    orphan_seconds: float = Field(
        default=3600.0, gt=0, validation_alias="CORTEX_INSIGHT_ORPHAN_SECONDS"
    )
    """How long a large event may wait for the message that stands for it."""


class ModelSettings(_Settings):
    """Which model reads the sources whose enricher is `openai`."""

    model: str = Field(default="gpt-5-mini", validation_alias="CORTEX_INSIGHT_ENRICHER_MODEL")
    url: str | None = Field(default=None, validation_alias="CORTEX_INSIGHT_ENRICHER_URL")
    """Null: `OPENAI_BASE_URL`, else the public one. The key is read from `OPENAI_API_KEY`."""
    structured: bool = Field(default=True, validation_alias="CORTEX_INSIGHT_ENRICHER_STRUCTURED")
    """Whether the endpoint understands a JSON schema."""
    prompt: Path | None = Field(default=None, validation_alias="CORTEX_INSIGHT_ENRICHER_PROMPT")
    version: int = Field(
        default=1, ge=1, le=1_000_000, validation_alias="CORTEX_INSIGHT_ENRICHER_VERSION"
    )
    """To be raised with a new model or prompt: answers are recorded under it."""
    timeout: float = Field(
        default=60.0, gt=0, le=600, validation_alias="CORTEX_INSIGHT_ENRICHER_TIMEOUT"
    )
    """Seconds that an answer may take."""
    at_once: int = Field(default=4, ge=1, le=64, validation_alias="CORTEX_INSIGHT_ENRICHER_AT_ONCE")
    """How many questions are asked at once."""
    daily_tokens: int | None = Field(
        default=None, ge=1, validation_alias="CORTEX_INSIGHT_ENRICHER_DAILY_TOKENS"
    )
    """What a project may spend in a day of UTC; null: there is no bound."""
    input_price: float | None = Field(
        default=None, ge=0, validation_alias="CORTEX_INSIGHT_ENRICHER_INPUT_PRICE"
    )
    """Of a million tokens; null: not known."""
    output_price: float | None = Field(
        default=None, ge=0, validation_alias="CORTEX_INSIGHT_ENRICHER_OUTPUT_PRICE"
    )


class ServiceBrokerSettings(_Settings):
    """How the service reaches the broker."""

    nats_url: str = Field(default="nats://127.0.0.1:4222", validation_alias="CORTEX_NATS_URL")
    nats_seed_file: Path | None = Field(
        default=None, validation_alias="CORTEX_INSIGHT_NATS_SEED_FILE"
    )


class ClientBrokerSettings(_Settings):
    """How the commands that act as a client reach the broker."""

    nats_url: str = Field(default="nats://127.0.0.1:4222", validation_alias="CORTEX_NATS_URL")
    nats_seed_file: Path | None = Field(default=None, validation_alias="CORTEX_NATS_SEED_FILE")
    nats_inbox_prefix: str | None = Field(default=None, validation_alias="CORTEX_NATS_INBOX_PREFIX")
