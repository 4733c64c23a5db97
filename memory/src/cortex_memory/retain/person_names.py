"""Names of people: how they are compared, and which of them say who is meant."""

import re
import unicodedata
from functools import lru_cache
from typing import Final

from cortex_memory.retain.key_spelling import folded, visible

_VIA: Final = re.compile(r"[\"'\u2018\u2019\u201c]?(.+?)[\"'\u2019\u201d]?\s+via\s+\S.*")
_BRACKETS: Final = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}")
_SUFFIXES: Final = frozenset(
    {"jr", "sr", "ii", "iii", "iv", "phd", "md", "dds", "esq", "mba", "cpa", "msc", "bsc"}
    | {"inc", "llc", "ltd", "gmbh", "ag", "sa", "sas", "sarl", "corp", "co"}
)
_NOBODY: Final = frozenset(
    {"admin", "administrator", "anonymous", "deleted", "ghost", "guest", "inconnu", "me", "nobody"}
    | {"none", "null", "owner", "root", "system", "unknown", "user", "utilisateur"}
)
_MACHINE: Final = re.compile(r".*(?:\[bot\]|[\s_-]bot)", re.IGNORECASE)
_LATIN: Final = str.maketrans(
    {"ø": "o", "đ": "d", "ð": "d", "ł": "l", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
)


def behind_list(name: str) -> str | None:
    """Who wrote a message whose sender a mailing list has replaced ("Ann via garden-list")."""
    match = _VIA.fullmatch(visible(name))
    return match[1].strip() if match else None


def is_machine(name: str) -> bool:
    """Whether the name says by itself that it is a bot's."""
    return _MACHINE.fullmatch(visible(name)) is not None


def spoken_name(name: str) -> str:
    """The name in the order of speech: "Bee, Ann" is "Ann Bee", and "Bee, Jr." stays as it is."""
    last, comma, first = name.partition(",")
    if not comma or "," in first or not first.strip() or not last.strip() or _is_suffix(first):
        return name
    return f"{first.strip()} {last.strip()}"


@lru_cache(maxsize=4096)
def folded_name(name: str) -> str:
    """The name as it is compared: in the order of speech, without case, quotes and remarks."""
    text = _BRACKETS.sub(" ", visible(name))
    text = spoken_name(behind_list(text) or text)
    kept = "".join(character if _is_of_names(character) else " " for character in text)
    return " ".join(word.strip("-'") for word in folded(kept).split() if word.strip("-'"))


def _is_suffix(text: str) -> bool:
    words = re.sub(r"[.\s]+", " ", text).casefold().split()
    return "".join(words) in _SUFFIXES or all(word in _SUFFIXES for word in words)


def _is_of_names(character: str) -> bool:
    return unicodedata.category(character)[0] in "LMN" or character in "-'\u2019"


@lru_cache(maxsize=4096)
def plain_name(name: str) -> str:
    """The folded name without accents: for finding, never for joining."""
    bare = unicodedata.normalize("NFKD", folded_name(name).translate(_LATIN))
    return "".join(character for character in bare if not unicodedata.combining(character))


def searched_name(name: str) -> str:
    """The plain name, its words in one order."""
    return " ".join(sorted(re.sub(r"[-'\u2019]", " ", plain_name(name)).split()))


def first_name(name: str) -> str | None:
    """The first word of a full name, as it is compared; null: it is none."""
    return folded_name(name).split()[0] if is_full_name(name) else None


@lru_cache(maxsize=4096)
def is_full_name(name: str) -> bool:
    """Whether the name may mean one person among many: two words, in one script, of a person."""
    words = [word for word in folded_name(name).split() if any(map(str.isalpha, word))]
    spelled_out = [word for word in words if len(word) > 1]
    return (
        len(words) > 1
        and bool(spelled_out)
        and not _NOBODY.intersection(words)
        and not is_machine(name)
        and not mixes_scripts(name)
    )


def mixes_scripts(name: str) -> bool:
    """Whether a word has letters of several scripts, which may only look like another word."""
    return any(len(_scripts(word)) > 1 for word in folded_name(name).split())


def _scripts(word: str) -> set[str]:
    letters = (character for character in word if character.isalpha())
    return {unicodedata.name(letter, "?").partition(" ")[0] for letter in letters} & {
        "LATIN",
        "CYRILLIC",
        "GREEK",
        "ARMENIAN",
        "CHEROKEE",
    }
