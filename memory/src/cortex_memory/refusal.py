"""Why a request was not carried out, in the contract's terms."""

from roxabi_contracts.errors import ErrorCode

from cortex_memory.errors import WarehouseError


class Refused(WarehouseError):
    """The request cannot be carried out as it is; asking again would not help."""

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code
