"""Values that are names: of persons, places, organisations."""

import re
from typing import Final

from cortex_insight.enrich.rules.clauses import HIDDEN
from cortex_insight.enrich.rules.lexicon.choices import DOMAINS
from cortex_insight.enrich.rules.lexicon.function_words import NO_PERSONS, NO_PLACES
from cortex_insight.enrich.rules.lexicon.life import CITIES, TEAMS
from cortex_insight.enrich.rules.lexicon.people import (
    LANGUAGES,
    NATIONALITIES,
    PROFESSIONS,
    RELIGIONS,
)
from cortex_insight.enrich.rules.lexicon.words import words
from cortex_insight.enrich.rules.values.moments import has_date
from cortex_insight.enrich.rules.values.phrases import (
    LONGEST,
    cut,
    is_calendar,
    listed,
    named,
    proper_name,
)

_LONGEST_NAME: Final = 3
_STREETS: Final = words("rue avenue boulevard place chemin impasse allée quai street road")
_PARTS: Final = words("chapter page part section volume chapitre partie tome")
_WORDS_TOO: Final = words("nice tours nancy bath reading split cork")
"""Cities that are common words without their capital."""
_STREET: Final = re.compile(
    r"\d{1,4}\s?(?:bis|ter|[a-d])?,?\s+(?=.*(?:\b(?:street|st|road|rd|lane|avenue|ave|drive|way|close|"
    r"square|court|place|terrace|boulevard|blvd|hill|gardens|crescent|rue|chemin|allée|impasse|quai|"
    r"cours|route)\b|straße|strasse))[^\n]+",
    re.IGNORECASE,
)
_INSTITUTION: Final = re.compile(
    r"(?:Mairie|Université|Banque|Poste|Croix|Hôpital|CHU|Ville|Région|Ministère|Préfecture|"
    r"Bibliothèque|Chambre|Commission)\b|[A-Z]{3,}\b"
)


def person(said: str) -> tuple[str, ...]:
    """A person's name."""
    name = proper_name(said)
    return named(name) if name.lower() not in NO_PERSONS | NATIONALITIES else ()


def people(said: str) -> tuple[str, ...]:
    """The names of a list."""
    return tuple(name for item in listed(said) for name in person(item))


def introduced(said: str) -> tuple[str, ...]:
    """A person's name by which a sentence may begin, too: no pronoun, product, place or day."""
    name = " ".join(said.split())
    first = name.split()[0].lower() if name else ""
    known = NO_PERSONS | DOMAINS.keys() | NATIONALITIES | LANGUAGES | CITIES
    return () if first in known or name.lower() in known or is_calendar(first) else named(name)


def lone_name(said: str) -> tuple[str, ...]:
    """A person's name with nothing behind it, that is no nationality, faith or trade."""
    name = said.split(",")[0].strip(" .!")
    parts = name.split()
    whole = all(part[:1].isupper() and not part.isupper() for part in parts)
    taken = NATIONALITIES | RELIGIONS | PROFESSIONS
    if not whole or len(parts) > _LONGEST_NAME or {part.lower() for part in parts} & taken:
        return ()
    return introduced(name)


def place(said: str) -> tuple[str, ...]:
    """A place's name: capitalised, and no product, month, day or other aim of a move."""
    small = re.match(r"[a-zà-ÿ-]+", said)
    if small and small[0] in CITIES - _WORDS_TOO:
        return named(small[0])
    name = proper_name(re.sub(r"^(?:the|la|le|les)\s+(?=[A-Z])|^l'(?=[A-ZÀ-Ý])", "", said))
    if len(name) < 3 or name.isupper() or is_calendar(name) or name.endswith("'s"):
        return ()
    first = name.split()[0].lower()
    return () if {first, name.lower()} & (DOMAINS.keys() | NO_PLACES | _STREETS) else named(name)


def place_alone(said: str) -> tuple[str, ...]:
    """A place's name, if no word follows that could make it a journey."""
    rest = said.split(",")[0].strip(" .!")
    return tuple(name for name in place(said) if rest.endswith(name))


def dated_place(said: str) -> tuple[str, ...]:
    """A place's name, if the words say when."""
    return place(said) if has_date(said) else ()


def known_city(said: str) -> tuple[str, ...]:
    """The name of a city that the lexicon has."""
    return tuple(name for name in place(said) if name.lower() in CITIES)


def address(said: str) -> tuple[str, ...]:
    """A postal address: the number of a house, and its street."""
    found = _STREET.match(said)
    value = found[0].strip(" .!;") if found else ""
    return (value,) if value and len(value) <= LONGEST and HIDDEN not in value else ()


def project(said: str) -> tuple[str, ...]:
    """A project's name: capitalised, and no product or day."""
    name = proper_name(said)
    return () if name.lower() in DOMAINS or is_calendar(name) else named(name)


def organisation(said: str) -> tuple[str, ...]:
    """An organisation's name."""
    bare = re.sub(r"^(?:chez|the|la|le|les)\s+|^l'", "", said)
    name = proper_name(bare)
    owned = name.endswith("'s") and cut(bare[len(name) :]).strip(" .,!")
    return () if owned or is_calendar(name) else named(name)


def employer(said: str) -> tuple[str, ...]:
    """An organisation that one can begin to work for, and no product that one begins to use."""
    return tuple(name for name in organisation(said) if name.lower() not in DOMAINS)


def employer_alone(said: str) -> tuple[str, ...]:
    """An organisation's name, if nothing follows it and it is no city that somebody left."""
    rest = said.strip(" .!")
    return tuple(
        name for name in organisation(said) if rest.endswith(name) and name.lower() not in CITIES
    )


def institution(said: str) -> tuple[str, ...]:
    """The name of an organisation that cannot be taken for a place."""
    return tuple(name for name in organisation(said) if _INSTITUTION.match(name))


def capitalised(said: str) -> tuple[str, ...]:
    """A name with a capital."""
    return named(proper_name(said))


def team(said: str) -> tuple[str, ...]:
    """A sports team that is known, or called like one."""
    return tuple(name for name in organisation(said) if TEAMS & set(name.lower().split()))


def title(said: str) -> tuple[str, ...]:
    """The title of a book."""
    name = proper_name(said)
    taken = DOMAINS.keys() | LANGUAGES | _PARTS
    first = name.lower().partition(" ")[0]
    return (
        ()
        if {first, name.lower()} & taken or name.endswith("'s") or is_calendar(name)
        else named(name)
    )


def nationality(said: str) -> tuple[str, ...]:
    """A nationality."""
    return (said,) if said.lower() in NATIONALITIES else ()


def religion(said: str) -> tuple[str, ...]:
    """A faith."""
    return (said,) if said.lower() in RELIGIONS else ()
