"""What of a clause is the value: cut at the clause's borders, and nothing that points elsewhere."""

import re
from collections.abc import Callable
from typing import Final

from cortex_insight.enrich.rules.clauses import HIDDEN
from cortex_insight.enrich.rules.lexicon import (
    BORDER_WORDS,
    DIETS,
    DOMAINS,
    LANGUAGES,
    MONTHS,
    NEVER_A_VALUE,
    NO_PLACES,
    NUMBERS,
    WEEKDAYS,
    words,
)
from cortex_insight.enrich.rules.validity import stated_period

Form = Callable[[str], tuple[str, ...]]
"""The values in the words that a pattern caught; none: there is nothing to claim."""

_BORDER: Final = re.compile(
    rf"[;:()!?—–\n{HIDDEN}]|\s-|(?:^|\s)(?:{BORDER_WORDS})(?!\S)", re.IGNORECASE
)
_LIST: Final = re.compile(
    r",\s*(?:and\s|or\s|et\s|ou\s)?\s*|\s+(?:and|et|or|ou|&|\+)\s+", re.IGNORECASE
)
_ARTICLE: Final = re.compile(
    r"(?:(?:an?|the|some|une?|les?|la|des|du|de\s+la)\s+|l'|d'|de\s+l'|(?:au|aux|à\s+la)\s+|à\s+l')",
    re.IGNORECASE,
)
_CONJUNCTION: Final = re.compile(r"\s(?:and|or|et|ou|&)\s", re.IGNORECASE)
_CONNECTORS: Final = words("de du des la le les of the sur en van von der di da &")
_PRONOUNS: Final = words("I I'm I've Je J'ai We On Nous")
_LONGEST: Final = 80


def proper_name(words: str) -> str:
    """The capitalised name that the words begin with; empty: none."""
    name: list[str] = []
    for word in words.split():
        bare = word.rstrip(",;:.!)")
        follows = bool(name) and (bare.lower() in _CONNECTORS)
        if bare in _PRONOUNS or not (bare[:1].isupper() or follows):
            break
        if name and bare.lower() in MONTHS | WEEKDAYS:
            break
        name.append(bare)
        if bare != word:
            break
    while name and name[-1].lower() in _CONNECTORS:
        name.pop()
    return " ".join(name)[:_LONGEST]


def person(words: str) -> tuple[str, ...]:
    """A person's name."""
    return _named(proper_name(words))


def place(words: str) -> tuple[str, ...]:
    """A place's name: capitalised, and no product, month, day or other aim of a move."""
    name = proper_name(re.sub(r"^(?:the|la|le|les)\s+(?=[A-Z])|^l'(?=[A-ZÀ-Ý])", "", words))
    if len(name) < 3 or name.isupper() or _is_calendar(name):
        return ()
    first = name.split()[0].lower()
    return () if {first, name.lower()} & (DOMAINS.keys() | NO_PLACES) else _named(name)


def project(words: str) -> tuple[str, ...]:
    """A project's name: capitalised, and no product or day."""
    name = proper_name(words)
    return () if name.lower() in DOMAINS or _is_calendar(name) else _named(name)


def organisation(words: str) -> tuple[str, ...]:
    """An organisation's name."""
    return _named(proper_name(re.sub(r"^(?:the|la|le|les)\s+|^l'", "", words)))


def things(words: str) -> tuple[str, ...]:
    """Things of a list, each short and none of them a pointing word."""
    values: list[str] = []
    for index, item in enumerate(_items(_cut(words))):
        value = _known(item, longest=4 if index == 0 else 2)
        if not value:
            break
        values.extend(value)
    return tuple(values)


def foods(words: str) -> tuple[str, ...]:
    """Foods of a list, without their articles."""
    return tuple(
        value for item in _items(words) for value in _known(_cut(_without_article(item)), longest=3)
    )


def choice(words: str) -> tuple[str, ...]:
    """What a French sentence likes or prefers, without its article."""
    return _known(_items(_cut(_without_article(words)))[0], longest=4)


def thing(words: str) -> tuple[str, ...]:
    """The first thing of a list."""
    return things(words)[:1]


def products(words: str) -> tuple[str, ...]:
    """Products of a list: known ones, capitalised ones, or a single plain word."""
    return tuple(value for item in _items(_cut(words)) for value in _product(item))


def product(words: str) -> tuple[str, ...]:
    """The first product of a list."""
    return products(words)[:1]


def listed_product(words: str) -> tuple[str, ...]:
    """The first product of a list, if the lexicon has it."""
    return tuple(value for value in product(words) if value.lower() in DOMAINS)


def products_alone(words: str) -> tuple[str, ...]:
    """Products of a list, if nothing but the list is said."""
    return () if _BORDER.search(words) else products(words)


def known_product(words: str) -> tuple[str, ...]:
    """The first product of a list, if it is a known one."""
    return known_products(words)[:1]


def known_products(words: str) -> tuple[str, ...]:
    """Products that the lexicon knows or that are written with a capital."""
    return tuple(value for value in products(words) if is_distinctive(value))


def possession(words: str) -> tuple[str, ...]:
    """A thing that is owned, without its article."""
    return _known(_cut(_without_article(words)).split(",")[0], longest=4)


def languages(words: str) -> tuple[str, ...]:
    """Languages of a list, as far as they are known."""
    found = re.findall(r"[\w-]+", _cut(words))
    return tuple(word for word in found if word.lower() in LANGUAGES)


def diet(words: str) -> tuple[str, ...]:
    """A diet that has a name."""
    word = _without_article(words).strip(" ,.;!")
    return (word,) if word.lower() in DIETS else ()


def subjects(words: str) -> tuple[str, ...]:
    """Languages and known products that somebody learns."""
    return languages(words) or known_products(words)


def full_date(words: str) -> tuple[str, ...]:
    """A date with its year, in ISO 8601."""
    date = stated_period(words)
    return (date.iso,) if date else ()


def day_of_year(words: str) -> tuple[str, ...]:
    """A day and month, as said."""
    found = re.match(r"(?:on |the |le )*(\d{1,2}(?:st|nd|rd|th|er)? \w+|\w+ \d{1,2})", words)
    value = found[1] if found else ""
    return (value,) if MONTHS.keys() & set(value.lower().split()) else ()


def number(words: str) -> tuple[str, ...]:
    """A whole number, in digits."""
    word = words.split()[0].lower() if words.split() else ""
    digits = str(NUMBERS.get(word, word))
    return (digits,) if digits.isdecimal() and len(digits) <= 3 else ()


def token(words: str) -> tuple[str, ...]:
    """A word as it stands."""
    value = words.strip(" ,;:!()")
    return (value,) if HIDDEN not in value else ()


def sentence(words: str) -> tuple[str, ...]:
    """An instruction, whole; none where it points at something that is not said."""
    said = words.strip()
    return (said,) if HIDDEN not in said and len(said.split()) >= 2 else ()


def is_distinctive(value: str) -> bool:
    """Whether a value is a known product or has a capital or digit of its own."""
    return value.lower() in DOMAINS or any(letter.isupper() for letter in value)


def _items(words: str) -> list[str]:
    """The items of a list; the first alone where no `and` says that it is one."""
    items = _LIST.split(words)
    return items if _CONJUNCTION.search(words) else items[:1]


def _product(item: str) -> tuple[str, ...]:
    bare = _without_article(item)
    value = _known(bare, longest=3)
    if not value:
        return ()
    plain_word = bare == item and len(bare.split()) == 1
    return value if plain_word or is_distinctive(value[0]) else ()


def _without_article(words: str) -> str:
    article = _ARTICLE.match(words)
    return words[article.end() :] if article else words


def _cut(words: str) -> str:
    border = _BORDER.search(words)
    return words[: border.start()] if border else words


def _is_calendar(name: str) -> bool:
    word = name.lower()
    return word in MONTHS or word.removesuffix("s") in WEEKDAYS


def _named(name: str) -> tuple[str, ...]:
    return (name,) if name and HIDDEN not in name else ()


def _known(words: str, longest: int = 6) -> tuple[str, ...]:
    value = " ".join(words.split()).strip(" ,.;:!'")
    parts = value.lower().split()
    if not parts or len(parts) > longest or len(value) > _LONGEST or HIDDEN in value:
        return ()
    return () if parts[0] in NEVER_A_VALUE or parts[-1] in NEVER_A_VALUE else (value,)
