"""Every error of the contract, as exceptions here and as typed replies on the wire.

ContractError
├── DecodeError          bytes that are no message of the expected type
│   ├── Undecodable      not JSON, or JSON that is no object
│   ├── NewerVersion     written by a later version of the contract
│   ├── TooDeep          nested beyond the limit
│   ├── ForbiddenText    text that PostgreSQL or UTF-8 cannot hold
│   └── InvalidMessage   fields that break the schema
├── TooLarge             a message that the broker would refuse
├── CatalogueInvalid     a file of predicates that breaks the schema
├── InvalidToken         an id that cannot be a token of a subject
│   └── ReservedProject  a project that nobody may have
└── RequestRefused       a typed error reply, raised by the client
"""

from enum import StrEnum

from roxabi_contracts.base import Contract


class ErrorCode(StrEnum):
    """What went wrong with a request, stable for programs."""

    UNDECODABLE = "undecodable"
    NEWER_VERSION = "newer_version"
    INVALID_REQUEST = "invalid_request"
    PROJECT_MISMATCH = "project_mismatch"
    BUDGET_EXCEEDED = "budget_exceeded"
    EMPTY_QUERY = "empty_query"
    UNKNOWN_SUBJECT = "unknown_subject"
    NOT_FOUND = "not_found"
    NOT_PERMITTED = "not_permitted"
    OVERLOADED = "overloaded"
    UNAVAILABLE = "unavailable"
    INTERNAL = "internal"


class ErrorReply(Contract):
    """The reply to a request that was not carried out."""

    code: ErrorCode
    message: str
    retryable: bool = False


class ContractError(Exception):
    """The contract was broken."""


class DecodeError(ContractError):
    """The bytes are no message of the expected type."""

    code = ErrorCode.INVALID_REQUEST


class Undecodable(DecodeError):
    """The bytes are not a JSON object in UTF-8."""

    code = ErrorCode.UNDECODABLE


class NewerVersion(DecodeError):
    """The message was written by a later version of the contract than this reader knows."""

    code = ErrorCode.NEWER_VERSION


class TooDeep(DecodeError):
    """The message is nested more deeply than any message of the contract."""


class ForbiddenText(DecodeError):
    """A text holds NUL or a lone surrogate, which neither UTF-8 nor PostgreSQL can keep."""


class InvalidMessage(DecodeError):
    """The message breaks the schema of its type."""


class TooLarge(ContractError):
    """The message, with its headers, is larger than the broker accepts."""


class CatalogueInvalid(ContractError):
    """A file of predicates cannot be read or breaks the schema; the message says where."""


class InvalidToken(ContractError, ValueError):
    """The id cannot be a token of a subject."""

    rule = "it has to be 1 to 64 letters, digits, '_' or '-'"


class ReservedProject(InvalidToken):
    """Nobody may have this project."""

    rule = "that project is kept for messages that name none"


class RequestRefused(ContractError):
    """The service answered with a typed error."""

    def __init__(self, reply: ErrorReply) -> None:
        super().__init__(f"{reply.code}: {reply.message}")
        self.reply = reply
