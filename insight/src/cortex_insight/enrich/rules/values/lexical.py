"""Values that count only where the lexicon knows their words."""

import re
from typing import Final

from cortex_insight.enrich.rules.lexicon.life import (
    ASSOCIATIONS,
    BELONGINGS,
    BUSINESSES,
    CONDITIONS,
    CONSUMABLES,
    DIETS,
    FIELDS,
    FOODS,
    INDUSTRIES,
    INSTRUMENTS,
    INTOLERANCES,
    MAKES,
    MEDICINES,
    SPORTS,
    VEHICLES,
)
from cortex_insight.enrich.rules.lexicon.people import (
    LANGUAGES,
    NO_OFFICES,
    PROFESSIONS,
    TITLE_WORDS,
)
from cortex_insight.enrich.rules.lexicon.words import words
from cortex_insight.enrich.rules.values.phrases import (
    cut,
    listed,
    noun,
    plain,
    without_article,
)
from cortex_insight.enrich.rules.values.things import (
    foods,
    foods_never,
    is_distinctive,
    known_products,
    possession,
)

_MEDICINE: Final = re.compile(
    r"\w{3,}(?:pril|statine?|sartan|olol|prazole?|oxetine?|oxétine|traline?|zepam|profen|profène|"
    r"tamol|cillin|cilline|cycline|mab|gliptin|formin|formine|pramine?|lopram|thyroxine?)s?"
)
_DEGREE_WORDS: Final = 6
_SOUNDS: Final = frozenset({"", "acoustic", "electric", "classical", "bass"})
_AT_WORK: Final = words("bus taxi cab lorry tram train ambulance truck camion forklift")
_NOT_ALONE: Final = words("lead head intern")


def languages(said: str) -> tuple[str, ...]:
    """Languages of a list, as far as they are known."""
    found = re.findall(r"[\w-]+", cut(said))
    return tuple(word for word in found if word.lower() in LANGUAGES)


def subjects(said: str) -> tuple[str, ...]:
    """Languages and known products that somebody learns."""
    return languages(said) or known_products(said)


def profession(said: str) -> tuple[str, ...]:
    """What somebody is by trade, with what tells the trade from others."""
    value = plain(cut(without_article(said)).split(",")[0], longest=5)
    head = re.split(r"\s(?:of|de|des|du)\s|\sd'", value[0].lower())[0] if value else ""
    return (
        value if head.split() and head.split()[-1] in PROFESSIONS and head not in _NOT_ALONE else ()
    )


def trade(said: str) -> tuple[str, ...]:
    """What somebody is by trade, in French: what tells it from others follows."""
    value = plain(cut(without_article(said)).split(",")[0], longest=5)
    first = re.split(r"\W", value[0].lower())[0] if value else ""
    own = value and {"mon", "ma", "mes"} & set(value[0].lower().split())
    return value if first in PROFESSIONS and not own else profession(said)


def office(said: str) -> tuple[str, ...]:
    """What somebody is at an organisation that they work for, and no guest or patient of it."""
    value = possession(said)
    return () if value and NO_OFFICES & set(value[0].lower().split()) else value


def leading_office(said: str) -> tuple[str, ...]:
    """What somebody is that leads an organisation, or works at it by trade."""
    return tuple(one for one in profession(said) if TITLE_WORDS & set(one.lower().split()))


def field(said: str) -> tuple[str, ...]:
    """A field of study."""
    word = noun(said)
    return (word,) if FIELDS & {word, *word.split()[-1:]} else ()


def industry(said: str) -> tuple[str, ...]:
    """A branch of the economy."""
    return _one_of(said, INDUSTRIES)


def degree(said: str) -> tuple[str, ...]:
    """A degree with its field."""
    return plain(said.split(",")[0], longest=_DEGREE_WORDS)


def diet(said: str) -> tuple[str, ...]:
    """A diet that has a name."""
    word = without_article(said).strip(" ,.;!")
    return (word,) if word.lower() in DIETS else ()


def known_foods(said: str) -> tuple[str, ...]:
    """Foods of a list, as far as they are known."""
    return tuple(value for value in foods(said) if value.lower() in FOODS)


def known_foods_never(said: str) -> tuple[str, ...]:
    """Foods of a list, as far as they are known and not only left out at times."""
    return tuple(value for value in foods_never(said) if value.lower() in FOODS)


def intolerances(said: str) -> tuple[str, ...]:
    """What bodies do not tolerate."""
    return tuple(value for value in foods(said) if value.lower() in INTOLERANCES)


def condition(said: str) -> tuple[str, ...]:
    """An illness or condition, as said."""
    known = noun(said) in CONDITIONS and not re.search(r"\s(?:about|to|for\s+sale)\b", said)
    return plain(without_article(cut(said)).split(",")[0]) if known else ()


def medicines(said: str) -> tuple[str, ...]:
    """Medicines of a list."""
    values = (noun(item) for item in listed(cut(said)))
    return tuple(one for one in values if one in MEDICINES or _MEDICINE.fullmatch(one))


def instrument(said: str) -> tuple[str, ...]:
    """A musical instrument."""
    word = noun(listed(cut(said))[0])
    first, _, last = word.rpartition(" ")
    return (word,) if last in INSTRUMENTS and first in _SOUNDS else ()


def sport(said: str) -> tuple[str, ...]:
    """A sport."""
    return _one_of(said, SPORTS)


def lasting_possession(said: str) -> tuple[str, ...]:
    """A thing that is owned and not soon used up."""
    value = possession(said)
    return () if value and CONSUMABLES & set(value[0].lower().split()) else value


def belonging(said: str) -> tuple[str, ...]:
    """A thing that is known to be owned, not felt or had."""
    return _one_of(said, BELONGINGS)


def product_of_a_make(said: str) -> tuple[str, ...]:
    """A thing named by a known make."""
    return tuple(
        one
        for one in possession(said)
        if one.lower().split()[0] in MAKES and not re.search(r"\s[a-z]", one)
    )


def make(said: str) -> tuple[str, ...]:
    """A thing named by its make and model."""
    return tuple(one for one in possession(said) if is_distinctive(one))


def business(said: str) -> tuple[str, ...]:
    """A business that somebody runs."""
    return tuple(one for one in possession(said) if one.lower().split()[-1] in BUSINESSES)


def association(said: str) -> tuple[str, ...]:
    """A club, choir or other group that somebody is a member of."""
    return tuple(one for one in possession(said) if ASSOCIATIONS & set(one.lower().split()))


def own_vehicle(said: str) -> tuple[str, ...]:
    """What somebody drives, and not as their work."""
    return tuple(one for one in possession(said) if one.lower() not in _AT_WORK)


def driven(said: str) -> tuple[str, ...]:
    """What somebody drives."""
    value = tuple(one for one in possession(said) if one.lower() not in _AT_WORK)
    known = value and (value[0][:1].isupper() or value[0].lower().split()[0] in VEHICLES)
    return value if known else ()


def _one_of(said: str, lexicon: frozenset[str]) -> tuple[str, ...]:
    word = noun(said)
    return (word,) if word in lexicon else ()
