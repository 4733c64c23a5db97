"""Values that are something to be done: instructions, plans, promises, decisions."""

import re
from typing import Final

from cortex_insight.enrich.rules.clauses import HIDDEN
from cortex_insight.enrich.rules.lexicon.choices import DOMAINS
from cortex_insight.enrich.rules.lexicon.words import words
from cortex_insight.enrich.rules.values.moments import has_date
from cortex_insight.enrich.rules.values.phrases import cut, plain, points_elsewhere

_MOST_WORDS: Final = 14
_LEAST_WORDS_OF_A_SERVICE: Final = 4
_SERVICE: Final = re.compile(
    r"(?:send|review|deliver|call|write|finish|update|fix|bring|pay|prepare|submit|book|share|publish|"
    r"release|ship|sign|return|organi[sz]e|draft|present|upload|merge|reply|answer|implement|complete|"
    r"arrange|schedule|forward|e-?mail|hand|return|buy|cook|clean|pick\s+up|"
    r"(?:t'|(?:te|vous|lui|leur)\s+)?(?:enverrai|transmettrai|transférerai|apporterai|appellerai|rappellerai|ferai|finirai|livrerai|mettrai|"
    r"préparerai|rendrai|réserverai|écrirai|relirai|paierai|partagerai|publierai|signerai|"
    r"organiserai|répondrai|terminerai|apporterai|corrigerai))\s+\S",
    re.IGNORECASE,
)
_ASIDE: Final = re.compile(
    r"\s-\s|[;(–—]|,\s+(?:even|although|though|which|because|so|since|as|but|and\s+(?:i|we)|with|"
    r"même|bien|ce\s+qui|parce|car|puisque|mais|alors)\b"
)
_HERE: Final = words("there here back now good")
_PREPOSITIONS: Final = words("on with for sur avec pour dans en")
_TRIFLES: Final = words(
    "wait try ask see check disagree continue look you attendre essayer voir demander vérifier"
)
_NO_PLAN: Final = words(
    "be need have see check say lie bed sleep look go assume guess use try need know think start "
    "stop ask let keep give show paste take wait die cry kill scream "
    "a an the au aux en chez my our your his her their some un une le la les l des mon ma "
    "mes notre "
    "être avoir voir faire essayer dire aller devoir pouvoir regarder vérifier me se m s te t'"
)


def sentence(said: str) -> tuple[str, ...]:
    """An instruction, whole; none where it points at something that is not said."""
    value = said.strip()
    return (value,) if HIDDEN not in value and len(value.split()) >= 2 else ()


def deed(said: str) -> tuple[str, ...]:
    """Something that is done, whole; none where it is not clear without what was said before."""
    value = " ".join(_ASIDE.split(said)[0].split()).strip(" ,.;:!")
    fits = value[:1].islower() and len(value.split()) <= _MOST_WORDS
    return (value,) if fits and not points_elsewhere(value) else ()


def intention(said: str) -> tuple[str, ...]:
    """Something that is done and of which it is said what."""
    return tuple(
        one
        for one in deed(said)
        if " " in one and one.split()[-1] not in _HERE and one.split()[0] not in _PREPOSITIONS
    )


def resolution(said: str) -> tuple[str, ...]:
    """Something that was decided, and more than to wait and see."""
    return tuple(one for one in deed(said) if not _TRIFLES & {one.split()[0], *one.split()[1:2]})


def dated_deed(said: str) -> tuple[str, ...]:
    """Something that is done and more than a trifle, if the words say when."""
    first = said.split()[0].lower() if said.split() else ""
    return deed(said) if first not in _NO_PLAN and has_date(said) else ()


def dated_service(said: str) -> tuple[str, ...]:
    """What somebody does for others, if the words say when."""
    long = len(said.split()) >= _LEAST_WORDS_OF_A_SERVICE
    return deed(said) if long and _SERVICE.match(said) and has_date(said) else ()


def choice_made(said: str) -> tuple[str, ...]:
    """What was chosen, with what it is for."""
    value = " ".join(said.split()).strip(" ,.;:!")
    short = len(value.split()) <= _MOST_WORDS / 2 and not points_elsewhere(value)
    adverb = value.endswith("ly") and " " not in value
    return (value,) if short and not adverb and plain(cut(value)) else ()


def product_chosen(said: str) -> tuple[str, ...]:
    """What was chosen, if it begins with a product that the lexicon has."""
    parts = said.lower().split()
    known = {" ".join(parts[:length]) for length in (1, 2)} & DOMAINS.keys()
    return choice_made(said) if known else ()
