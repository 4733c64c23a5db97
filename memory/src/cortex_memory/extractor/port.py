"""What the warehouse asks of an extractor."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from roxabi_contracts.observation import Observation

from cortex_memory.errors import WarehouseError
from cortex_memory.retain.extract import Extraction
from cortex_memory.retain.question import Question


class ExtractionStopped(WarehouseError):
    """A model did not answer for every observation; the message holds nothing that was said.

    Args:
        message: What went wrong.
        answered: What was found before, for the first observations in the order given.
    """

    def __init__(self, message: str, answered: Sequence[Extraction] = ()) -> None:
        super().__init__(message)
        self.answered = answered


class ProviderBusy(ExtractionStopped):
    """The provider wants to be left alone for a while: no fault of any observation.

    Args:
        message: What it said.
        retry_after: Seconds to wait; null: it did not say.
        answered: As of `ExtractionStopped`.
    """

    def __init__(
        self,
        message: str,
        retry_after: float | None = None,
        answered: Sequence[Extraction] = (),
    ) -> None:
        super().__init__(message, answered)
        self.retry_after = retry_after


class ProviderFailed(ExtractionStopped):
    """The provider is away or answers nothing of use."""


class AnswerUnusable(ProviderFailed):
    """The answer was cut, malformed, or a refusal; its tokens are spent all the same."""

    def __init__(self, reason: str, input_tokens: int, output_tokens: int) -> None:
        super().__init__(reason)
        self.input_tokens = input_tokens
        self.output_tokens = output_tokens


class Extractor(Protocol):
    """Finds candidates in observations; it is asked outside of any lock and transaction."""

    @property
    def name(self) -> str:
        """Under which its candidates are recorded."""
        ...

    @property
    def version(self) -> int:
        """Of several versions' candidates the highest count."""
        ...

    async def extract(self, observations: Sequence[Observation]) -> list[Extraction]:
        """What each observation holds, in the order given.

        Raises:
            ProviderBusy: ask for the rest after a while.
            ProviderFailed: the rest may be tried again.
        """
        ...


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
