"""The terms of facts and episodes, as they are stored: one text, separated by spaces."""

from typing import Final

from roxabi_contracts.operations import FactStatus

from cortex_memory.lexical.terms import terms_of

_LIVE: Final = {FactStatus.ACTIVE, FactStatus.SCHEDULED}


def terms_of_fact(text: str, status: FactStatus, *, in_conflict: bool) -> str:
    """The terms by which a fact is found; none unless it may be served, or is hidden by rules."""
    is_live = status in _LIVE or (status is FactStatus.CANDIDATE and in_conflict)
    return " ".join(terms_of(text)) if is_live else ""


def terms_of_episode(author_name: str | None, text: str) -> str:
    """The terms by which an episode is found: of who said it, and of what was said."""
    return " ".join([*terms_of(author_name or ""), *terms_of(text)])
