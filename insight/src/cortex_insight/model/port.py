"""What the lake asks of a model."""

from dataclasses import dataclass
from typing import Protocol

from roxabi_contracts import PredicateCatalogue

from cortex_insight.enrich.model.proposals import Proposals
from cortex_insight.enrich.model.question import Question
from cortex_insight.errors import InsightError


class ProviderBusy(InsightError):
    """The provider wants to be left alone for a while: no fault of any question.

    Args:
        message: What it said.
        retry_after: Seconds to wait; null: it did not say.
    """

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class ProviderFailed(InsightError):
    """The provider is away or answers nothing of use; the message holds nothing that was said."""


class AnswerUnusable(ProviderFailed):
    """The answer was cut, malformed, or a refusal; its tokens are spent all the same."""

    def __init__(self, reason: str, input_tokens: int, output_tokens: int) -> None:
        super().__init__(reason)
        self.input_tokens = input_tokens
        self.output_tokens = output_tokens


@dataclass(frozen=True)
class Answer:
    """What a model found, and the tokens that it took; 0 where the endpoint does not count."""

    proposals: Proposals
    input_tokens: int
    output_tokens: int


class Model(Protocol):
    """Reads a text; it is asked outside of any lock and transaction."""

    @property
    def version(self) -> int:
        """Under which its answers are recorded; raised with a new model or prompt."""
        ...

    async def ask(self, question: Question, catalogue: PredicateCatalogue) -> Answer:
        """What the text claims, in the words of a project's catalogue.

        Raises:
            ProviderBusy: the provider asks us to wait.
            ProviderFailed: there is no answer that can be used this time.
        """
        ...
