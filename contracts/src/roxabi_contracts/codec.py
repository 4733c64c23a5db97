"""Bytes to messages and back: bounded in size and depth, and strict about versions."""

import re
from typing import Final, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails, PydanticSerializationError, from_json

from roxabi_contracts.base import CONTRACT_VERSION, Contract
from roxabi_contracts.errors import (
    ForbiddenText,
    InvalidMessage,
    InvalidToken,
    NewerVersion,
    TooDeep,
    TooLarge,
    Undecodable,
)

MAXIMUM_PAYLOAD: Final = 8 * 1024 * 1024
"""The broker's limit on a message, in bytes."""
MAXIMUM_MESSAGE: Final = MAXIMUM_PAYLOAD - 1024
"""Ours, headers included: a message at the broker's own limit costs the connection."""
MAXIMUM_EVENT: Final = 64 * 1024 * 1024
"""Of an event, which goes in parts where it is larger than a message."""
MAXIMUM_DEPTH: Final = 64

_FORBIDDEN: Final = re.compile("[\0\ud800-\udfff]")
_REPLACEMENT: Final = "\ufffd".encode()

AnyContract = TypeVar("AnyContract", bound=Contract)


def encode(
    message: Contract, headers: dict[str, str] | None = None, largest: int = MAXIMUM_MESSAGE
) -> bytes:
    """The bytes of a message.

    Raises:
        TooLarge: with its headers it is larger than the largest, else what the broker takes.
        TooDeep: it is nested deeper than any message of the contract.
        ForbiddenText: it holds text that cannot be kept.
    """
    try:
        payload = message.model_dump_json().encode()
    except (PydanticSerializationError, UnicodeEncodeError) as error:
        raise ForbiddenText("a text holds a lone surrogate; send it as base64") from error
    check_size(len(payload), headers, largest)
    if _is_suspicious(payload):
        _check_values(_from_json(payload))
    if _REPLACEMENT in payload:  # as which a lone surrogate in a key is written, without a word
        _check_values(message.model_dump())
    return payload


def check_size(
    payload_size: int, headers: dict[str, str] | None = None, largest: int = MAXIMUM_MESSAGE
) -> None:
    """Refuse a message that is too large.

    Raises:
        TooLarge: payload and headers together are larger than the largest.
    """
    size = payload_size + headers_size(headers or {})
    if size > largest:
        raise TooLarge(f"{size} bytes with headers, at most {largest} can be sent")


def headers_size(headers: dict[str, str]) -> int:
    """The bytes that headers take on the wire."""
    if not headers:
        return 0
    lines = sum(len(name.encode()) + len(value.encode()) + 4 for name, value in headers.items())
    return len("NATS/1.0\r\n") + lines + 2


def headers_of(message: Contract, message_id: str | None = None) -> dict[str, str]:
    """The headers of every message: its schema, and its deduplication key if it has one."""
    headers = {"Schema": f"{type(message).__name__}/{message.contract_version}"}
    if message_id is not None:
        headers["Nats-Msg-Id"] = message_id
    return headers


def decode(data: bytes, expected: type[AnyContract], largest: int = MAXIMUM_PAYLOAD) -> AnyContract:
    """Read a message; fields that this version does not know are ignored.

    Raises:
        DecodeError: the bytes are no such message; the subclass says why.
    """
    if len(data) > largest:
        raise Undecodable(f"{len(data)} bytes, at most {largest} are read")
    message = _from_json(data)
    if not isinstance(message, dict):
        raise Undecodable(f"a JSON {type(message).__name__}, not an object")
    version = message.get("contract_version", CONTRACT_VERSION)
    if isinstance(version, int) and version > CONTRACT_VERSION:
        raise NewerVersion(f"version {version}; this reader knows up to {CONTRACT_VERSION}")
    if _is_suspicious(data):
        _check_values(message)
    try:
        return expected.model_validate(message, extra="ignore")
    except ValidationError as error:
        raise InvalidMessage(_describe(error)) from error


def _from_json(data: bytes) -> object:
    try:
        return from_json(data, allow_inf_nan=False)
    except ValueError as error:
        raise Undecodable(f"not JSON: {error}") from error


def _is_suspicious(data: bytes) -> bool:
    """Whether JSON may hold NUL or be too deep, told from its bytes without walking it."""
    return b"\\u0000" in data or data.count(b"{") + data.count(b"[") > MAXIMUM_DEPTH


def _check_values(message: object) -> None:
    """Refuse what is too deep, or text with NUL, without recursion."""
    pending: list[tuple[object, int]] = [(message, 1)]
    while pending:
        value, depth = pending.pop()
        if depth > MAXIMUM_DEPTH:
            raise TooDeep(f"nested deeper than {MAXIMUM_DEPTH}")
        if isinstance(value, str):
            _check_text(value)
        elif isinstance(value, dict):
            for key, child in value.items():
                _check_text(key)
                pending.append((child, depth + 1))
        elif isinstance(value, list | tuple):
            pending.extend((child, depth + 1) for child in value)


def _check_text(text: str) -> None:
    if _FORBIDDEN.search(text):
        raise ForbiddenText("a text holds NUL or a lone surrogate; send the record as base64")


def _describe(error: ValidationError) -> str:
    """Where and why, without the input: it may hold what no log should."""
    places = [
        f"{'.'.join(str(part) for part in item['loc']) or 'message'}: {_reason(item)}"
        for item in error.errors(include_url=False, include_input=False)
    ]
    return "; ".join(places[:5])


def _reason(item: ErrorDetails) -> str:
    """Why, in words of ours where the exception quotes what it was given."""
    raised = item.get("ctx", {}).get("error")
    return raised.rule if isinstance(raised, InvalidToken) else item["msg"]
