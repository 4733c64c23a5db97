"""Months, weekdays and small numbers."""

from typing import Final

NUMBERS: Final[dict[str, int]] = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "un": 1, "une": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "sept": 7, "huit": 8,
}  # fmt: skip

MONTHS: Final[dict[str, int]] = {
    name: number
    for number, names in enumerate(
        (
            "january janvier", "february février fevrier", "march mars", "april avril", "may mai",
            "june juin", "july juillet", "august août aout", "september septembre",
            "october octobre", "november novembre", "december décembre decembre",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip

WEEKDAYS: Final[dict[str, int]] = {
    name: number
    for number, names in enumerate(
        (
            "monday lundi", "tuesday mardi", "wednesday mercredi", "thursday jeudi",
            "friday vendredi", "saturday samedi", "sunday dimanche",
        )
    )
    for name in names.split()
}  # fmt: skip
