"""Values that are things: what is liked, used, owned, eaten, feared."""

import re
from typing import Final

from cortex_insight.enrich.rules.lexicon.choices import DOMAINS
from cortex_insight.enrich.rules.lexicon.life import CITIES
from cortex_insight.enrich.rules.lexicon.words import words
from cortex_insight.enrich.rules.values.phrases import (
    cut,
    is_calendar,
    is_whole,
    listed,
    plain,
    points_elsewhere,
    without_article,
)

_SPEAKERS: Final = words(
    "i you he she we they it je tu il elle on nous vous ils elles me us him her"
)
_GATHERED: Final = words(
    "data information feedback metrics logs payments evidence parcels statistics"
)
_AT_TIMES: Final = re.compile(
    r"\s(?:after|before|during|when|while|on|in\s+the|at\s+(?:night|work|lunch|dinner|home|noon)|"
    r"l'après-midi|le\s+(?:soir|matin|midi)|la\s+nuit|après|avant|pendant|quand|à\s+(?:midi|jeun))\b",
    re.IGNORECASE,
)
_EMPTY_DOING: Final = words(
    "spending having being getting seeing doing making creating taking finding working going "
    "trying knowing hearing talking coming looking keeping giving using thinking passer avoir être "
    "faire voir travailler aller prendre"
)
"""What is done in so many ways that the first words of it say little."""
_GENERAL: Final = words("people things stuff everybody folks gens choses trucs")
_DOING: Final = re.compile(r"(?!flying|dying|drowning|driving)\w+(?:ing|er|ir)(?!\w)")


def things(said: str) -> tuple[str, ...]:
    """Things of a list, each short and none of them a pointing word."""
    found: list[str] = []
    for index, item in enumerate(listed(cut(said))):
        value = plain(item, longest=4 if index == 0 else 2)
        if not value or is_calendar(value[0]):
            break
        found.extend(value)
        if " " in item and _DOING.match(item):
            break
    return tuple(found)


def thing(said: str) -> tuple[str, ...]:
    """The first thing of a list."""
    return things(said)[:1]


def tastes(said: str) -> tuple[str, ...]:
    """Things of a list that somebody may like or not, whoever is there."""
    return tuple(value for value in things(said) if _is_taste(value))


def choice(said: str) -> tuple[str, ...]:
    """What a French sentence likes or prefers, without its article."""
    value = plain(listed(cut(without_article(said)))[0], longest=4)
    return () if value and is_calendar(value[0]) else value


def taste(said: str) -> tuple[str, ...]:
    """What a French sentence likes or does not, whoever is there."""
    return tuple(value for value in choice(said) if _is_taste(value))


def fear(said: str) -> tuple[str, ...]:
    """What somebody is afraid of, and not what they fear may come of a deed."""
    value = plain(cut(without_article(said)), longest=2)
    return value if value and not _DOING.match(value[0]) and not points_elsewhere(said) else ()


def collection(said: str) -> tuple[str, ...]:
    """What somebody collects for pleasure."""
    return tuple(value for value in tastes(said) if not _GATHERED & set(value.lower().split()))


def foods(said: str) -> tuple[str, ...]:
    """Foods of a list, without their articles."""
    return tuple(
        value for item in listed(said) for value in plain(cut(without_article(item)), longest=3)
    )


def foods_never(said: str) -> tuple[str, ...]:
    """Foods of a list, if it is not only at times that they are not taken."""
    return () if _AT_TIMES.search(said) else foods(said)


def products(said: str) -> tuple[str, ...]:
    """Products of a list: known ones, capitalised ones, or a single plain word."""
    return tuple(value for item in listed(cut(said)) for value in _product(item))


def product(said: str) -> tuple[str, ...]:
    """The first product of a list."""
    return products(said)[:1]


def listed_product(said: str) -> tuple[str, ...]:
    """The first product of a list, if the lexicon has it."""
    return tuple(value for value in product(said) if value.lower() in DOMAINS)


def listed_products(said: str) -> tuple[str, ...]:
    """Products of a list, as far as the lexicon has them."""
    return tuple(value for value in products(said) if value.lower() in DOMAINS)


def system(said: str) -> tuple[str, ...]:
    """An operating system, with its version."""
    value = " ".join(cut(said).split(",")[0].split()).strip(" .!")
    name, _, version = value.partition(" ")
    whole = value.lower() if value.lower() in DOMAINS else name.lower()
    is_one = DOMAINS.get(whole) == "operating system" and len(version.split()) <= 1
    fits = whole == value.lower() or version[-1:].isdecimal() or version[:1].isupper()
    return (value,) if is_one and fits else ()


def products_alone(said: str) -> tuple[str, ...]:
    """Products of a list, if nothing but the list is said."""
    return products(said) if is_whole(said) else ()


def known_product(said: str) -> tuple[str, ...]:
    """The first product of a list, if it is a known one."""
    return known_products(said)[:1]


def known_products(said: str) -> tuple[str, ...]:
    """Products that the lexicon knows or that are written with a capital."""
    return tuple(value for value in products(said) if is_distinctive(value))


def possession(said: str) -> tuple[str, ...]:
    """A thing that is owned, without its article."""
    return plain(cut(without_article(said)).split(",")[0], longest=4)


def is_distinctive(value: str) -> bool:
    """Whether a value is a known product or has a capital or digit of its own."""
    return value.lower() in DOMAINS or any(letter.isupper() for letter in value)


def _is_taste(value: str) -> bool:
    parts = value.lower().split()
    return parts[0] not in _EMPTY_DOING and parts[-1] not in _GENERAL and not _SPEAKERS & set(parts)


def _product(item: str) -> tuple[str, ...]:
    bare = without_article(item)
    value = plain(bare, longest=3)
    if not value:
        return ()
    if value[0].isdecimal() or value[0].lower() in CITIES:
        return ()
    plain_word = bare == item and len(bare.split()) == 1
    return value if plain_word or is_distinctive(value[0]) else ()
