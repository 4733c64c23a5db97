"""Vocabularies, written as texts."""


def words(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


def phrases(text: str) -> frozenset[str]:
    """What stands between the commas of a text, as a set."""
    return frozenset(phrase.strip() for phrase in text.split(","))
