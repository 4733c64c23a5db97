"""The typed contract of Cortex: what crosses the broker, and nothing else.

Importing this package loads no transport; the clients are in `roxabi_contracts.client`.
"""

from roxabi_contracts.actor import ActorKind, ActorRef, ActorRole, Identifier
from roxabi_contracts.base import CONTRACT_VERSION, Contract, JsonObject, Part
from roxabi_contracts.catalogues import Catalogues, catalogues_with
from roxabi_contracts.context import ContextPacket, ContextRequest, ContextTrace
from roxabi_contracts.errors import ContractError, DecodeError, ErrorCode, ErrorReply
from roxabi_contracts.event import BinaryBody, JsonBody, RawEvent, TextBody
from roxabi_contracts.observation import Correlation, MadeBy, Observation, Origin
from roxabi_contracts.payloads import (
    Artifact,
    Category,
    Claim,
    Decision,
    Finding,
    Interaction,
    Payload,
    Statement,
    TimeNote,
)
from roxabi_contracts.predicates import Predicate, PredicateCatalogue, bundled_catalogue

__all__ = [
    "CONTRACT_VERSION",
    "ActorKind",
    "ActorRef",
    "ActorRole",
    "Artifact",
    "BinaryBody",
    "Catalogues",
    "Category",
    "Claim",
    "ContextPacket",
    "ContextRequest",
    "ContextTrace",
    "Contract",
    "ContractError",
    "Correlation",
    "Decision",
    "DecodeError",
    "ErrorCode",
    "ErrorReply",
    "Finding",
    "Identifier",
    "Interaction",
    "JsonBody",
    "JsonObject",
    "MadeBy",
    "Observation",
    "Origin",
    "Part",
    "Payload",
    "Predicate",
    "PredicateCatalogue",
    "RawEvent",
    "Statement",
    "TextBody",
    "TimeNote",
    "bundled_catalogue",
    "catalogues_with",
]
