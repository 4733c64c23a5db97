"""What can go wrong between a client and the broker.

ClientError
├── BrokerUnavailable     nothing answers, or the credentials are refused
│   └── NoDurable         nobody serves the durable that was pulled from
├── PermissionViolation   the broker refuses the subject to this user
├── NotAcknowledged       the stream did not confirm a message in time
│   └── StreamFull        it has no room until what it holds is taken in
└── NoAnswer              nobody answered a request in time
"""

from roxabi_contracts.errors import ContractError


class ClientError(ContractError):
    """The broker could not be used."""


class BrokerUnavailable(ClientError):
    """The broker cannot be reached."""


class NoDurable(BrokerUnavailable):
    """Nobody serves the durable that was pulled from: it is not there, or not yet."""


class PermissionViolation(ClientError):
    """The broker refuses the subject to this user."""

    def __init__(self, action: str, subject: str) -> None:
        super().__init__(f"the broker does not let this user {action} to {subject}")
        self.subject = subject


class NotAcknowledged(ClientError):
    """The stream did not confirm the message; it may still have been stored."""


class StreamFull(NotAcknowledged):
    """The stream has no room until what it holds is taken in; the message was not stored."""


class NoAnswer(ClientError):
    """Nobody answered the request in time."""
