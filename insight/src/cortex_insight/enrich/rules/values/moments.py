"""Values that are dates and numbers."""

import re
from typing import Final

from cortex_insight.enrich.rules.clauses import HIDDEN
from cortex_insight.enrich.rules.lexicon.calendar import MONTHS, NUMBERS, WEEKDAYS
from cortex_insight.enrich.rules.validity import stated_period

_DIGITS_OF_A_TELEPHONE: Final = 7
_MONTH: Final = "|".join(MONTHS)
_DAY: Final = "|".join(WEEKDAYS)
_SOON: Final = re.compile(
    rf"(?<!\w)(?:tomorrow|tonight|today|next\s+(?:week|month|year|spring|summer|autumn|fall|winter|"
    rf"{_DAY}|{_MONTH})|this\s+(?:week|weekend|month|year|spring|summer|autumn|fall|winter|afternoon|"
    rf"evening|{_DAY})|(?:by|before|on|in|until|at\s+the\s+end\s+of)\s+(?:the\s+)?(?:end\s+of\s+)?"
    rf"(?:{_DAY}|{_MONTH}|20\d\d|noon|\d{{1,2}}\s+(?:{_MONTH}))|demain|ce\s+soir|aujourd'hui|"
    rf"cet(?:te)?\s+(?:été|hiver|automne|semaine|année|après-midi)|ce\s+(?:printemps|week-end|mois)|"
    rf"(?:la\s+semaine|le\s+mois|l'année|l'été)\s+prochaine?|(?:en|avant|d'ici|fin|début)\s+"
    rf"(?:{_MONTH}|20\d\d|{_DAY})|{_DAY})(?!\w)",
    re.IGNORECASE,
)


def has_date(said: str) -> bool:
    """Whether the words say when, in days or months to come."""
    return _SOON.search(said) is not None


def full_date(said: str) -> tuple[str, ...]:
    """A date with its year, in ISO 8601."""
    date = stated_period(said)
    return (date.iso,) if date else ()


def day_of_year(said: str) -> tuple[str, ...]:
    """A day and month, as said."""
    found = re.match(r"(?:on |the |le )*(\d{1,2}(?:st|nd|rd|th|er)?(?: of)? \w+|\w+ \d{1,2})", said)
    value = found[1] if found else ""
    return (value,) if MONTHS.keys() & set(value.lower().split()) else ()


def number(said: str) -> tuple[str, ...]:
    """A whole number, in digits."""
    word = said.split()[0].lower() if said.split() else ""
    digits = str(NUMBERS.get(word, word))
    return (digits,) if digits.isdecimal() and len(digits) <= 3 else ()


def telephone(said: str) -> tuple[str, ...]:
    """A telephone number, as said."""
    value = said.strip(" .,-/(")
    enough = sum(letter.isdigit() for letter in value) >= _DIGITS_OF_A_TELEPHONE
    return (value,) if enough else ()


def token(said: str) -> tuple[str, ...]:
    """A word as it stands."""
    value = said.strip(" ,;:!()")
    return (value,) if value and HIDDEN not in value else ()
