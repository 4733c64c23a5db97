"""Settings of the warehouse, from the environment."""

from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import BeforeValidator, Field, Json, PrivateAttr, SecretStr
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from cortex_memory.faults import Step

AnySettings = TypeVar("AnySettings", bound=BaseSettings)

Embedder = Literal["bundled", "fastembed", "openai", "none"]
LogLevel = Annotated[Literal["debug", "info", "warning", "error"], BeforeValidator(str.lower)]


class StoreSettings(BaseSettings):
    """Where the database is, and by which names facts are kept in it."""

    model_config = SettingsConfigDict(frozen=True, extra="ignore", env_ignore_empty=True)

    database_url: SecretStr = Field(validation_alias="CORTEX_MEMORY_DATABASE_URL")
    digest_key: SecretStr | None = Field(default=None, validation_alias="CORTEX_MEMORY_DIGEST_KEY")
    """From which the keys of new projects derive; null: each gets a random one."""
    predicates: Path | None = Field(default=None, validation_alias="CORTEX_PREDICATES")
    """A file that extends the catalogue of predicates, for all projects or for some."""
    log_level: LogLevel = Field(default="info", validation_alias="CORTEX_LOG_LEVEL")
    fault: Step | None = Field(default=None, validation_alias="CORTEX_FAULT")
    stops: Annotated[Json[tuple[Step, ...]], NoDecode] = Field(
        default=(), validate_default=False, validation_alias="CORTEX_STOPS"
    )


class RetainSettings(StoreSettings):
    """What retaining needs: the store, and the model that is asked what names mean."""

    embedder: Embedder = Field(default="bundled", validation_alias="CORTEX_MEMORY_EMBEDDER")
    embedder_model: str | None = Field(
        default=None, validation_alias="CORTEX_MEMORY_EMBEDDER_MODEL"
    )
    embedder_path: Path | None = Field(default=None, validation_alias="CORTEX_MEMORY_EMBEDDER_PATH")


class ExtractorSettings(BaseSettings):
    """Which model is asked for what payloads do not claim themselves, if any."""

    model_config = SettingsConfigDict(frozen=True, extra="ignore", env_ignore_empty=True)

    kind: Literal["claims", "openai"] = Field(
        default="claims", validation_alias="CORTEX_MEMORY_EXTRACTOR"
    )
    sources: Annotated[Json[frozenset[str]] | None, NoDecode] = Field(
        default=None, validation_alias="CORTEX_MEMORY_EXTRACTOR_SOURCES"
    )
    """About which sources, as JSON; null: about all that no model of the lake reads."""
    model: str = Field(default="gpt-5-mini", validation_alias="CORTEX_MEMORY_EXTRACTOR_MODEL")
    url: str | None = Field(default=None, validation_alias="CORTEX_MEMORY_EXTRACTOR_URL")
    """Null: `OPENAI_BASE_URL`, else the public one. The key is read from `OPENAI_API_KEY`."""
    structured: bool = Field(default=True, validation_alias="CORTEX_MEMORY_EXTRACTOR_STRUCTURED")
    """Whether the endpoint understands a JSON schema."""
    prompt: Path | None = Field(default=None, validation_alias="CORTEX_MEMORY_EXTRACTOR_PROMPT")
    version: int = Field(default=1, ge=1, validation_alias="CORTEX_MEMORY_EXTRACTOR_VERSION")
    """To be raised with a new model or prompt: answers are recorded under it."""
    timeout: float = Field(
        default=60.0, gt=0, le=600, validation_alias="CORTEX_MEMORY_EXTRACTOR_TIMEOUT"
    )
    """Seconds that an answer may take."""
    at_once: int = Field(default=4, ge=1, le=64, validation_alias="CORTEX_MEMORY_EXTRACTOR_AT_ONCE")
    """How many memories' observations are asked about at once."""
    daily_tokens: int | None = Field(
        default=None, ge=1, validation_alias="CORTEX_MEMORY_EXTRACTOR_DAILY_TOKENS"
    )
    """What a project may spend in a day of UTC; null: there is no bound."""
    input_price: float | None = Field(
        default=None, ge=0, validation_alias="CORTEX_MEMORY_EXTRACTOR_INPUT_PRICE"
    )
    """Of a million tokens; null: not known."""
    output_price: float | None = Field(
        default=None, ge=0, validation_alias="CORTEX_MEMORY_EXTRACTOR_OUTPUT_PRICE"
    )


class Settings(RetainSettings):
    """All that the service needs."""

    nats_url: str = Field(validation_alias="CORTEX_NATS_URL")
    nats_seed_file: Path | None = Field(
        default=None, validation_alias="CORTEX_MEMORY_NATS_SEED_FILE"
    )
    show_contested: str = Field(default="", validation_alias="CORTEX_MEMORY_SHOW_CONTESTED")
    """Projects, by commas, that are served facts of open conflicts with a flag."""
    show_expired: str = Field(default="", validation_alias="CORTEX_MEMORY_SHOW_EXPIRED")
    """Projects, by commas, that are served facts nobody confirmed for long with a flag."""
    profile: Literal["default", "seed"] = Field(
        default="default", validation_alias="CORTEX_MEMORY_PROFILE"
    )
    """How candidates are scored."""
    relevance_floor: float | None = Field(
        default=None, ge=-1, le=1, validation_alias="CORTEX_MEMORY_RELEVANCE_FLOOR"
    )
    """The least cosine similarity of what is served, as measured for the model; null: no gate."""
    workers: int = Field(default=2, ge=1, le=16, validation_alias="CORTEX_MEMORY_WORKERS")
    # A field would be read from a variable of its own name, which may be somebody else's.
    _extractor: ExtractorSettings = PrivateAttr(default_factory=ExtractorSettings)

    @property
    def extractor(self) -> ExtractorSettings:
        """Which model is asked, if any."""
        return self._extractor


def from_environment(kind: type[AnySettings]) -> AnySettings:
    """Read settings from the environment.

    Raises:
        ValidationError: one is missing or wrong; it names the variable.
    """
    return kind()
