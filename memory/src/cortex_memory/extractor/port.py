"""What the warehouse asks of an extractor."""

from collections.abc import Sequence
from typing import Protocol

from roxabi_contracts.observation import Observation

from cortex_memory.retain.extract import Extraction


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
