"""Whether what stands before a colon is somebody's name, and of whom."""

import re
from typing import Final

_LABEL: Final = re.compile(
    r"(?:speaker|spk|participant|unknown(?: speaker)?|sprecher|locuteur|intervenant|guest|caller"
    r"|narrator|voice|person|inaudible)[ _#-]?(?:\d{1,3}|[A-Z])?",
    re.IGNORECASE,
)
"""What programs call a voice that they do not know."""

_OWNER: Final = frozenset(("you", "me", "moi", "ich", "yo"))
"""What some programs call the person for whom they write."""

_NO_NAMES: Final = frozenset(
    (
        "action", "actions", "agenda", "also", "and", "answer", "attention", "but", "caution",
        "client", "conclusion", "context", "date", "decision", "decisions", "definition",
        "episode", "example", "exercise", "fact", "first", "fixme", "goal", "hence", "heure",
        "hint", "http", "https", "idea", "important", "item", "lesson", "location", "meeting",
        "moral", "next", "note", "notes", "now", "ok", "okay", "option", "part", "plus",
        "problem", "ps", "question", "questions", "re", "reason", "remember", "reminder",
        "remarque", "result", "rule", "second", "section", "so", "source", "spoiler", "step",
        "subject", "summary", "task", "then", "therefore", "third", "time", "tip", "title",
        "today", "todo", "tomorrow", "topic", "transcript", "update", "warning", "why", "yes",
        "no", "exemple", "objet", "décision", "rappel", "résumé", "attendees", "participants",
        "recording", "chapter",
    )
)  # fmt: skip
_PARTICLES: Final = frozenset(
    (
        "al", "ap", "ben", "bin", "da", "dal", "de", "del", "della", "den", "der", "di", "do",
        "dos", "du", "el", "ibn", "la", "las", "le", "les", "los", "of", "ten", "van", "vande",
        "vom", "von", "y", "zu", "zum",
    )
)  # fmt: skip
_ASIDE: Final = re.compile(r"\s*[(\[][^()\[\]]{0,60}[)\]]\s*$|\s+\|\s.*$")
_WORDS_AT_MOST: Final = 5
_LONGEST: Final = 60


def speaker_name(text: str) -> str | None:
    """The name as it stands, without what is added to it in brackets; null: it names nobody."""
    name = _ASIDE.sub("", text.strip()).strip(" ,;>-_*\"'")
    if is_label(name):
        return name
    words = name.replace(",", " ").split()
    if not 0 < len(words) <= _WORDS_AT_MOST or len(name) > _LONGEST:
        return None
    if words[0].casefold() in _NO_NAMES and len(words) <= 2:
        return None
    named = all(map(_could_name, words)) and any(not word.islower() for word in words)
    return name if named else None


def is_label(name: str) -> bool:
    """Whether a program only numbered a voice."""
    return _LABEL.fullmatch(name) is not None


def is_owner(name: str) -> bool:
    """Whether the name says that it is whoever the file was written for."""
    return name.casefold() in _OWNER


def _could_name(word: str) -> bool:
    letters = word.strip(".'’-&@")
    if not letters or not letters[0].isalpha():
        return False
    cased = letters[0].isupper() or not letters[0].islower()
    return cased or word.casefold() in _PARTICLES
