"""The canonical form of what stands in a text, by the type that the catalogue gives it."""

import re
import unicodedata
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Final

from pydantic import JsonValue
from roxabi_contracts.predicates import ValueType

_LONGEST: Final = 64
"""Characters of a number, date, duration or amount; what is longer is compared as text."""

_GROUPED: Final = re.compile(
    r"[+-]?(?:[1-9]\d{0,2}(?:([ _',])\d{3}(?:\1\d{3})*)(?:\.\d+)?"  # 1,200.50 or 1 200.50
    r"|[1-9]\d{0,2}(?:([ _'.])\d{3}(?:\2\d{3})*),\d+"  # 1.200,50 or 1 200,50
    r"|[1-9]\d{0,2}(?:\.\d{3}){2,})"  # 1.200.000
)
_PLAIN: Final = re.compile(r"[+-]?(?:\d+(?:[.,]\d+)?|\.\d+)(?:e[+-]?\d{1,4})?")
_NUMBER: Final = r"[+-]?\d(?:[\d ,.'_]*\d)?"
_AMOUNT: Final = re.compile(
    rf"(?P<number>{_NUMBER})\s*(?P<unit>\D+)|(?P<sign>\D+?)\s*(?P<rest>{_NUMBER})"
)
_UNITS: Final = {
    spelling: unit
    for unit, spellings in {
        "eur": "€ euro euros",
        "usd": "$ us$",
        "gbp": "£",
        "jpy": "¥",
        "kg": "kilo kilos kilogram kilograms kilogramme kilogrammes",
        "g": "gram grams gramme grammes",
        "km": "kilometre kilometres kilometer kilometers kilomètre kilomètres",
        "m": "metre metres meter meters mètre mètres",
        "cm": "centimetre centimetres centimeter centimeters centimètre centimètres",
    }.items()
    for spelling in spellings.split()
}

_PART: Final = r"(\d{1,9}(?:[.,]\d{1,9})?)"
_DURATION: Final = re.compile(
    rf"p(?:{_PART}y)?(?:{_PART}m)?(?:{_PART}w)?(?:{_PART}d)?"
    rf"(?:t(?:{_PART}h)?(?:{_PART}m)?(?:{_PART}s)?)?"
)
_SPELLED: Final = re.compile(r"(\d{1,9}) ?([a-zé]+)")
_MONTHS_OF: Final[dict[str, int]] = {
    spelling: months
    for months, spellings in {1: "month months mois", 12: "year years an ans année années"}.items()
    for spelling in spellings.split()
}
_SECONDS_OF: Final[dict[str, int]] = {
    spelling: seconds
    for seconds, spellings in {
        1: "s sec second seconds seconde secondes",
        60: "min mins minute minutes",
        3_600: "h hr hrs hour hours heure heures",
        86_400: "d day days j jour jours",
        604_800: "week weeks semaine semaines",
    }.items()
    for spelling in spellings.split()
}

_YEAR_FIRST: Final = re.compile(r"(\d{4})([-/.]?)(\d{2})\2(\d{2})")
_DAY_FIRST: Final = re.compile(r"(\d{1,2})(?:st|nd|rd|th|er)?\.? (?:of )?([^\W\d_]+)\.?,? (\d{4})")
_MONTH_FIRST: Final = re.compile(r"([^\W\d_]+)\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})")
_MONTHS: Final = {
    spelling: number
    for number, spellings in enumerate(
        (
            "january jan janvier",
            "february feb février fevrier",
            "march mar mars",
            "april apr avril",
            "may mai",
            "june jun juin",
            "july jul juillet",
            "august aug août aout",
            "september sep sept septembre",
            "october oct octobre",
            "november nov novembre",
            "december dec décembre decembre",
        ),
        start=1,
    )
    for spelling in spellings.split()
}

_BOOLEANS: Final = {
    spelling: truth
    for truth, spellings in {True: "true yes oui vrai", False: "false no non faux"}.items()
    for spelling in spellings.split()
}


def canonical_text(text: str, value_type: ValueType) -> JsonValue:
    """The form in which a text is compared; one that is not of the type is compared as text."""
    folded = folded_text(text)
    if len(folded) > _LONGEST:
        return folded
    match value_type:
        case ValueType.NUMBER:
            number = _number(folded)
            return folded if number is None else {"number": number}
        case ValueType.DATE:
            return _date(folded)
        case ValueType.DURATION:
            return _duration(folded)
        case ValueType.AMOUNT:
            return _amount(folded)
        case ValueType.BOOLEAN:
            return _BOOLEANS.get(folded, folded)
        case ValueType.TEXT | ValueType.OBJECT:
            return folded


def folded_text(text: str) -> str:
    """A text without case and outer space, by Unicode's canonical caseless matching."""
    spaced = " ".join(text.split())
    return normal(unicodedata.normalize("NFD", spaced).casefold())


def normal(text: str) -> str:
    """A text in Unicode's composed form."""
    return unicodedata.normalize("NFC", text)


def plain_number(number: Decimal) -> str:
    """The shortest spelling of a number, exact whatever its size."""
    sign, digits, exponent = number.as_tuple()
    if not isinstance(exponent, int):
        return str(number)
    significant = "".join(map(str, digits)).lstrip("0")
    stripped = significant.rstrip("0")
    if not stripped:
        return "0"
    shift = exponent + len(significant) - len(stripped)
    return f"{'-' if sign else ''}{stripped}e{shift}"


def _number(text: str) -> str | None:
    """A number as people write it in English and French; `1,200` has thousands, `0,125` none."""
    grouped = _GROUPED.fullmatch(text)
    if grouped is None:
        if _PLAIN.fullmatch(text) is None:
            return None
        return plain_number(Decimal(text.replace(",", ".")))
    separator = grouped[1] or grouped[2] or "."
    return plain_number(Decimal(text.replace(separator, "").replace(",", ".")))


def _date(text: str) -> str:
    """A day in ISO 8601, a moment in UTC; where day and month could be swapped, as it is."""
    day = _day(text)
    if day is not None:
        return day.isoformat()
    if len(text) <= len("2024-01-31"):
        return text
    try:
        moment = datetime.fromisoformat(text.upper())
        return (moment.astimezone(UTC) if moment.tzinfo else moment).isoformat().lower()
    except (ValueError, OverflowError):
        return text


def _day(text: str) -> date | None:
    if found := _YEAR_FIRST.fullmatch(text):
        year, month, day = found[1], int(found[3]), found[4]
    elif found := _DAY_FIRST.fullmatch(text):
        day, month, year = found[1], _MONTHS.get(found[2], 0), found[3]
    elif found := _MONTH_FIRST.fullmatch(text):
        month, day, year = _MONTHS.get(found[1], 0), found[2], found[3]
    else:
        return None
    try:
        return date(int(year), month, int(day))
    except ValueError:
        return None


def _duration(text: str) -> JsonValue:
    """A duration as months and seconds: a month has no fixed length."""
    if found := _DURATION.fullmatch(text):
        if not any(found.groups()):
            return text
        parts = [Decimal((part or "0").replace(",", ".")) for part in found.groups()]
        years, some_months, weeks, days, hours, minutes, rest = parts
        whole = weeks * 604_800 + days * 86_400 + hours * 3_600 + minutes * 60 + rest
        return _months_and_seconds(years * 12 + some_months, whole)
    said = _SPELLED.findall(text)
    left = _SPELLED.sub("", text).replace(" and ", "").replace(" et ", "").strip(" ,")
    if not said or left or not all(unit in _MONTHS_OF or unit in _SECONDS_OF for _, unit in said):
        return text
    months = sum(int(number) * _MONTHS_OF.get(unit, 0) for number, unit in said)
    seconds = sum(int(number) * _SECONDS_OF.get(unit, 0) for number, unit in said)
    return _months_and_seconds(Decimal(months), Decimal(seconds))


def _months_and_seconds(months: Decimal, seconds: Decimal) -> JsonValue:
    return {"months": plain_number(months), "seconds": plain_number(seconds)}


def _amount(text: str) -> JsonValue:
    found = _AMOUNT.fullmatch(text)
    number = _number(text if found is None else found["number"] or found["rest"])
    if number is None:
        return text
    if found is None:
        return {"number": number}
    unit = (found["unit"] or found["sign"]).strip()
    return {"number": number, "unit": _UNITS.get(unit, unit)}
