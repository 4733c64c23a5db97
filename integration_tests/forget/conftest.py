"""A stack for each test, with what its operator asks to be forgotten."""

import pytest
import pytest_asyncio
from forget.operator import Operator
from forget.three_memories import SAID_LATER, Forgotten, fill, outcome, requests
from roxabi_contracts.upkeep import ForgetReceipt, ForgetScope
from stack import Stack


@pytest.fixture
def operator(stack: Stack) -> Operator:
    """Who asks for things to be forgotten."""
    return Operator(stack)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def calm(shared_stack: Stack) -> Forgotten:
    """What comes out when three memories are forgotten of and nothing dies."""
    await fill(shared_stack)
    operator = Operator(shared_stack)
    receipts: dict[ForgetScope, ForgetReceipt] = {}
    for scope, request in (await requests(operator)).items():
        receipts[scope] = await operator.forget(request)
    await shared_stack.publish(SAID_LATER)
    found = await outcome(shared_stack, receipts)
    shared_stack.stop()  # the tests take its place on the broker
    return found
