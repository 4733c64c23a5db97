"""How sources are read, and which model is asked about them, as the settings have it."""

from dataclasses import dataclass

from roxabi_contracts import Catalogues, Origin, catalogues_with

from cortex_insight.ask_model import AskParts, ModelAsker
from cortex_insight.clock import now
from cortex_insight.enrich.rules import RuleEnricher
from cortex_insight.errors import UnknownSource
from cortex_insight.interpret import SourceConfig
from cortex_insight.model.openai import ModelEndpoint, OpenaiModel, read_prompt
from cortex_insight.parsers import load_parsers
from cortex_insight.record_readings import ReadingRecorder
from cortex_insight.settings import ModelSettings, ReadingSettings
from cortex_insight.store.db import Database
from cortex_insight.store.model_usage import ModelMeter, Terms


def source_configs(settings: ReadingSettings) -> dict[str, SourceConfig]:
    """How every known source is read.

    Raises:
        UnknownSource: an enricher is configured for a source that nobody reads.
        CatalogueInvalid: the file of one's own predicates cannot be used.
    """
    parsers, prompt = load_parsers(), ModelSettings().version
    catalogues = catalogues_with(settings.predicates)
    if unknown := sorted(settings.enrichers.keys() - parsers.keys()):
        raise UnknownSource(
            f"CORTEX_INSIGHT_ENRICHERS names {', '.join(unknown)}, which nobody reads; "
            f"there are: {', '.join(sorted(parsers))}"
        )
    rules = RuleEnricher()
    return {
        source: SourceConfig(
            parser,
            settings.origins.get(source, Origin.SEMI_TRUSTED),
            None if settings.enricher_of(source) == "none" else rules,
            prompt if settings.enricher_of(source) == "openai" else None,
            catalogues,
        )
        for source, parser in parsers.items()
    }


@dataclass(frozen=True)
class AskedModel:
    """The model that is asked about some of the sources."""

    model: OpenaiModel
    meter: ModelMeter
    catalogues: Catalogues
    sources: frozenset[str]
    settings: ModelSettings

    def asker(self, database: Database, recorder: ReadingRecorder) -> ModelAsker:
        """What asks it about what the lake holds."""
        parts = AskParts(
            database,
            recorder,
            self.model,
            self.meter,
            self.catalogues,
            self.sources,
            self.settings.at_once,
            self.settings.timeout,
        )
        return ModelAsker(parts)


def configured_model() -> AskedModel | None:
    """The model, if any source is to be read by one.

    Raises:
        ModelMisconfigured: it cannot be asked.
    """
    reading, settings = ReadingSettings(), ModelSettings()
    sources = {name for name in load_parsers() if reading.enricher_of(name) == "openai"}
    if not sources:
        return None
    endpoint = ModelEndpoint(settings.model, settings.url, settings.structured, settings.timeout)
    model = OpenaiModel(endpoint, read_prompt(settings.prompt), settings.version, now)
    terms = Terms(
        settings.model, settings.daily_tokens, settings.input_price, settings.output_price
    )
    catalogues = catalogues_with(reading.predicates)
    return AskedModel(model, ModelMeter(terms, now), catalogues, frozenset(sources), settings)
