"""The extractor that needs no model: a payload's own claims."""

from collections.abc import Sequence

from roxabi_contracts.observation import Observation

from cortex_memory.retain.extract import (
    CLAIMS_EXTRACTOR,
    CLAIMS_VERSION,
    Extraction,
    extract_claims,
)


class ClaimsExtractor:
    """Takes the claims that observations state, and the status of decisions."""

    name = CLAIMS_EXTRACTOR
    version = CLAIMS_VERSION

    async def extract(self, observations: Sequence[Observation]) -> list[Extraction]:
        """The valid claims of each observation, in the order given."""
        return [extract_claims(observation) for observation in observations]
