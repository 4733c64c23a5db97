"""What the warehouse asks of a model that finds candidates."""

from dataclasses import dataclass
from typing import Protocol

from cortex_memory.errors import WarehouseError
from cortex_memory.retain.extract import Extraction
from cortex_memory.retain.question import Question


class ExtractionStopped(WarehouseError):
    """A model did not answer; the message holds nothing that was said."""


class ProviderBusy(ExtractionStopped):
    """The provider wants to be left alone for a while: no fault of any observation.

    Args:
        message: What it said.
        retry_after: Seconds to wait; null: it did not say.
    """

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class ProviderFailed(ExtractionStopped):
    """The provider is away or answers nothing of use."""


class AnswerUnusable(ProviderFailed):
    """The answer was cut, malformed, or a refusal; its tokens are spent all the same."""

    def __init__(self, reason: str, input_tokens: int, output_tokens: int) -> None:
        super().__init__(reason)
        self.input_tokens = input_tokens
        self.output_tokens = output_tokens


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model found, and the tokens that it took; 0 where the endpoint does not count."""

    extraction: Extraction
    input_tokens: int
    output_tokens: int


class ModelExtractor(Protocol):
    """Asks a model, once an observation, outside of any lock and transaction."""

    @property
    def version(self) -> int:
        """Under which its answers are recorded; raised with a new model or prompt."""
        ...

    async def ask(self, question: Question) -> Answer:
        """What the model proposes and may propose.

        Raises:
            ProviderBusy: the provider asks us to wait.
            ProviderFailed: there is no answer that can be used this time.
        """
        ...
