"""What the warehouse asks of an extractor."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from roxabi_contracts.observation import Observation

from cortex_memory.retain.extract import Extraction
from cortex_memory.retain.question import Question


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
        """What each observation holds, in the order given."""
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
            ModelBusy: the provider asks us to wait.
            ModelFailed: there is no answer that can be used this time.
        """
        ...
