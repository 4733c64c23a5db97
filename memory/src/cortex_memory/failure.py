"""Why a job failed, in words that can be kept."""

import traceback

from pydantic import ValidationError

from cortex_memory.errors import Undecided


def reason_of(error: Exception) -> str:
    """What went wrong, without content: messages of libraries may quote what was said."""
    kind = type(error).__name__
    if isinstance(error, ValidationError):
        problems = error.errors(include_url=False, include_input=False, include_context=False)
        places = (f"{'.'.join(map(str, each['loc']))}: {each['type']}" for each in problems)
        return f"{kind}: {'; '.join(places)}"
    if isinstance(error, Undecided):
        return str(error)
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{kind} in {frame.name}"
