"""One request, one reply: typed, with every failure told apart."""

from typing import TypeVar

from nats.errors import Error as NatsError
from nats.errors import NoRespondersError
from nats.errors import TimeoutError as NatsTimeoutError

from roxabi_contracts import codec
from roxabi_contracts.base import Contract
from roxabi_contracts.client.connection import Connection
from roxabi_contracts.client.errors import BrokerUnavailable, NoAnswer
from roxabi_contracts.errors import (
    DecodeError,
    ErrorCode,
    ErrorReply,
    RequestRefused,
    TooLarge,
)

Reply = TypeVar("Reply", bound=Contract)


async def request(
    connection: Connection, subject: str, message: Contract, expected: type[Reply], deadline: float
) -> Reply:
    """Ask and read the answer.

    Args:
        connection: An open connection.
        subject: Where to ask.
        message: What to ask.
        expected: The type of the reply.
        deadline: Seconds to wait.

    Raises:
        RequestRefused: the service answered with a typed error, or the message cannot be sent.
        PermissionViolation: the broker refuses this subject to this user.
        NoAnswer: nobody serves the subject, or nobody answered in time.
        BrokerUnavailable: the connection is down.
        DecodeError: the reply is not of the expected type.
    """
    headers = codec.headers_of(message)
    try:
        data = codec.encode(message, headers)
    except (DecodeError, TooLarge) as error:
        wrong = f"it cannot be sent: {error}"
        raise RequestRefused(ErrorReply(code=ErrorCode.INVALID_REQUEST, message=wrong)) from error
    try:
        reply = await connection.ask(subject, data, deadline, headers)
    except NoRespondersError as error:
        raise NoAnswer(f"nobody serves {subject}") from error
    except (NatsTimeoutError, TimeoutError) as error:
        raise NoAnswer(f"no answer from {subject} within {deadline} s") from error
    except NatsError as error:
        raise BrokerUnavailable(f"the broker cannot be reached: {error!r}") from error
    if (reply.headers or {}).get("Schema", "").startswith("ErrorReply/"):
        raise RequestRefused(codec.decode(reply.data, ErrorReply))
    return codec.decode(reply.data, expected)
