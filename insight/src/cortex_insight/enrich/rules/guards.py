"""What is said without being claimed: questions, hypotheses, reports, wishes and jokes."""

import re
from typing import Final


def _words(patterns: str) -> re.Pattern[str]:
    """Any of the patterns as words of their own, a comma between them."""
    alternatives = "|".join(pattern.strip() for pattern in patterns.split(","))
    spaced = alternatives.replace(" ", r"\s+")
    return re.compile(rf"(?<!\w)(?:{spaced})(?!\w)", re.IGNORECASE)


_JOKE: Final = re.compile(
    r"(?<!\w)(?:lol|lmao|rofl|ha(?:ha)+|jk|j/k|just\s+kidding|kidding|joking|sarcasm|mdr|ptdr|"
    r"je\s+plaisante|je\s+rigole|je\s+blague|blague\s+à\s+part|c'est\s+une\s+blague)(?!\w)"
    r"|(?<!\S)/s(?!\S)|[😂🤣😜😝🙃😉]|(?<!\S)[;:]-?[)pP](?!\w)",
    re.IGNORECASE,
)
_HYPOTHESIS: Final = _words(
    "if, unless, suppos(?:e|ing), imagine, pretend(?:ing)?, let's say, hypothetically,"
    "for example, for instance, e\\.g\\.?, as though,"
    "si, s'ils?, imaginons, imaginez, supposons, admettons, par exemple, au cas où, disons,"
    "à condition, in another life, dans une autre vie"
)
_REPORT: Final = _words(
    "says, (?:they|you|people|some) say, said, saying, told, tells?, claims?, claimed, wrote,"
    "writes, asked, asks, believes, according to, quot(?:e|es|ed|ing), heard, thinks, thought,"
    "translate, dream(?:ed|t)?, character, the user,"
    "dit, disait, dis, disent, a écrit, écrit, selon, d'après, raconte, prétend, affirme,"
    "demande, demandé, croit, pense que je, traduis(?:ez)?, rêvé, personnage,"
    "transcript, persona, examples?(?!\\.\\w), expected output, rumou?r has it,"
    "apparently, allegedly, supposedly, pretends?,"
    "exemples?, on raconte, il paraît, paraît-il, apparemment, entendu dire, soi-disant"
)
_MATERIAL: Final = re.compile(
    r"(?<!\w)(?:(?:rewrite|rephrase|paraphrase|proofread|réécri(?:s|vez|re)|reformule[rz]?|corrige[rz]?)"
    r"(?:\s+[\w' -]{1,40})?|(?:sample|example|dummy|test)\s+(?:text|sentence|input)|"
    r"(?:texte|phrase)\s+(?:à|de|d')\s?\w+)\s?:",
    re.IGNORECASE,
)
"""What follows is somebody's text to work on."""
_DOUBT: Final = _words(
    "i guess, i think, i suppose, i believe, not sure, je crois, je suppose, il me semble,pas sûre?"
)
_WISH: Final = _words(
    "would, wouldn't, gonna, wanna, could, couldn't, should, shouldn't, might, maybe, "
    "perhaps, possibly,"
    "probably, wish, hope, want, (?:i|we|you) may, almost,"
    "thinking (?:of|about), considering, going to, plan(?:ning)? to, intend(?:ing)? to, about to,"
    "used to want, tried to, tr(?:y|ies|ying) to,"
    "pourrai[st]?, voudrai[st]?, aimerai[st]?, devrai[st]?, serai[st], peut-être, espère,"
    "souhaite, veux, failli, presque, probablement, sans doute, envisage, hésite, vais, "
    "(?:je|on) compte,"
    "comptons, comptais, allons, prévois, l'intention, essayé, essaie, préférerais?, irai"
)
_QUESTION_START: Final = re.compile(
    r"\W*(?:(?:do|does|did|am|is|are|was|were|should|can|could|would|will|have|has|what|where|"
    r"why|who|which|how)\s|when\s+(?!in\s+doubt)|whenever\s(?!you\s)|est-ce\s|quand\s|lorsque\s|où\s|"
    r"pourquoi\s|comment\s|qui\s|que\s+|quel(?:le)?s?\s)",
    re.IGNORECASE,
)


def joking(line: str) -> bool:
    """Whether the line is marked as not meant."""
    return bool(_JOKE.search(line))


def unasserted(sentence: str) -> bool:
    """Whether the sentence asks, doubts, or tells what somebody said."""
    asks = "?" in sentence or _QUESTION_START.match(sentence)
    told = _DOUBT.search(sentence) or _REPORT.search(sentence) or _MATERIAL.search(sentence)
    return bool(asks or told)


def supposing(sentence: str) -> bool:
    """Whether the sentence holds under a condition only; an instruction may, a statement not."""
    return bool(_HYPOTHESIS.search(sentence))


def wishing(clause: str) -> bool:
    """Whether the clause says what might or shall be, and not what is."""
    return bool(_WISH.search(clause))
