"""In which domain somebody prefers something: the same name for it in both languages."""

from cortex_insight.enrich.rules import values
from cortex_insight.enrich.rules.lexicon.choices import DOMAIN_NAMES, DOMAINS, NO_DOMAINS


def domain(value: str, named: str | None, other: str | None) -> str | None:
    """The domain as named, else that of either choice, else the pair of them; null: none."""
    if named is not None:
        return _canonical(named, value)
    known = DOMAINS.get(value.lower())
    if known or other is None:
        return known
    rejected = next(iter(values.choice(other)), None)
    if rejected is None:
        return None
    return DOMAINS.get(rejected.lower()) or " or ".join(sorted((value.lower(), rejected.lower())))


def _canonical(named: str, value: str) -> str | None:
    said = next(iter(values.possession(named)), "").lower()
    if not said or said.split()[-1] in NO_DOMAINS or said.split()[0] in NO_DOMAINS:
        return None
    if said in ("language", "langage"):
        return DOMAINS.get(value.lower(), "language")
    return DOMAIN_NAMES.get(said, said)
