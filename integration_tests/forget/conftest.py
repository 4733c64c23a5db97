"""A stack for each test, with what its operator asks to be forgotten."""

import pytest
from forget.operator import Operator
from stack import Stack


@pytest.fixture
def operator(stack: Stack) -> Operator:
    """Who asks for things to be forgotten."""
    return Operator(stack)
