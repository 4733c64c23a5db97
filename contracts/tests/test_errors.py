"""Errors explain themselves and carry what to do next."""

from roxabi_contracts.client.errors import ClientError
from roxabi_contracts.errors import ContractError, ErrorCode, ErrorReply, RequestRefused


def _tree(root: type[Exception]) -> list[type[Exception]]:
    return [root, *(leaf for child in root.__subclasses__() for leaf in _tree(child))]


def test_every_error_says_what_it_means() -> None:
    errors = _tree(ContractError)

    assert ClientError in errors
    assert all(error.__doc__ for error in errors if error is not RequestRefused)


def test_a_refusal_keeps_the_reply() -> None:
    reply = ErrorReply(code=ErrorCode.OVERLOADED, message="try again", retryable=True)

    refused = RequestRefused(reply)

    assert refused.reply.retryable
    assert str(refused) == "overloaded: try again"
