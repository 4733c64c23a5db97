"""What of a text its author says, what they quote or forward, and how they sign.

What is not surely a quote or a signature stays the author's.
"""

import re
from dataclasses import dataclass
from typing import Final

_QUOTED: Final = re.compile(r"\s{0,3}(?:>|\|\s)")
_WROTE: Final = (
    r"wrote|writes|a écrit|écrivait|schrieb|escribió|ha scritto|scrisse|escreveu|schreef|skrev"
    r"|napisał(?:\(a\))?|пишет|написала?|kirjoitti|yazdı|napsala?|írta|a scris|έγραψε|写道|のメール"
)
_ATTRIBUTION: Final = re.compile(rf"(?:^|\s|>|\))(?:{_WROTE})[^\n]{{0,80}}:\s*$", re.I)
_ATTRIBUTION_START: Final = re.compile(
    r"^\s*(?:on|le|am|el|il|em|op|den|w dniu|dne|pe|tors|ons|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}"
    r"|\d{1,2} \S+ \d{4})\b", re.I
)  # fmt: skip
_DATED_ADDRESS: Final = re.compile(r"\d.*(?:@|<mailto:).*:\s*$")
_ORIGINAL: Final = re.compile(
    r"^\s*[-_=]{3,}\s*(?:original (?:message|appointment)|message d'origine|message original"
    r"|ursprüngliche nachricht|mensaje original|messaggio originale|mensagem original"
    r"|oorspronkelijk bericht|oprindelig meddelelse|ursprungligt meddelande|исходное сообщение"
    r"|reply message|oryginalna wiadomość)\s*[-_=]{2,}\s*$", re.I
)  # fmt: skip
_FORWARDED: Final = re.compile(
    r"^\s*(?:[-_=*]{2,}\s*(?:forwarded (?:message|by.*)|message transféré|weitergeleitete nachricht"
    r"|mensaje reenviado|messaggio inoltrato|mensagem encaminhada|doorgestuurd bericht"
    r"|пересылаемое сообщение|vidarebefordrat meddelande)\s*[-_=*]{2,}"
    r"|begin forwarded message:|début du message réexpédié\s*:|anfang der weitergeleiteten"
    r" nachricht:)\s*$", re.I
)  # fmt: skip
_HEADER: Final = re.compile(r"^\s*\*?([^\W\d_][\w .'-]{1,20}?)\*?\s?:\*?\s+\S")
_SIGNATURE: Final = re.compile(r"^-- ?$")
_FOOTER: Final = re.compile(r"^_{30,}\s*$")
_SENT_FROM: Final = re.compile(
    r"^\s*(?:sent from my |sent from (?:outlook|yahoo|mail for)|envoyé de mon |von meinem .{2,30}"
    r" gesendet|enviado desde mi |inviato da |get outlook for |отправлено с ).{0,60}$", re.I
)  # fmt: skip
_HEADER_LINES: Final = 3
_LONGEST_BLOCK: Final = 2000
_LONGEST_SIGNATURE: Final = 25


@dataclass(frozen=True)
class Divided:
    """A text by who is behind its words."""

    said: str
    """What the author says, answers between quotes included."""
    quoted: str = ""
    """What they answer to; somebody said it before."""
    forwarded: str = ""
    """What they pass on, with the headers that stand above it."""
    signature: str = ""
    footer: str = ""
    """What a mailing list puts below every mail."""


def divide(text: str) -> Divided:
    """Divide a text in plain style, from whatever program."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    lines, forwarded = _split_at(lines, _forward_start(lines))
    lines, history = _split_at(lines, _history_start(lines))
    lines, footer = _split_below(lines, _FOOTER)
    own, signature = _split_signature(lines)
    said, quoted = _split_quotes(own)
    return Divided(
        said=_tidy(said),
        quoted=_tidy([*quoted, *history]),
        forwarded=_tidy(forwarded[1:]),
        signature=_tidy(signature),
        footer=_tidy(footer),
    )


def _split_at(lines: list[str], place: int | None) -> tuple[list[str], list[str]]:
    return (lines, []) if place is None else (lines[:place], lines[place:])


def _forward_start(lines: list[str]) -> int | None:
    return next((index for index, line in enumerate(lines) if _FORWARDED.match(line)), None)


def _history_start(lines: list[str]) -> int | None:
    """Where a mail that is answered stands whole below the answer, without quote marks."""
    for index, line in enumerate(lines):
        if _ORIGINAL.match(line) or _is_header_block(lines, index):
            return index - (
                index > 0 and re.fullmatch(r"\s*_{5,}\s*", lines[index - 1]) is not None
            )
        end = _attribution_end(lines, index)
        if end is not None and not _quote_follows(lines, end):
            rest = [one for one in lines[end:] if one.strip()]
            return index if rest else None
    return None


def _is_header_block(lines: list[str], index: int) -> bool:
    """Three headers in a row, of whatever language, one of which holds an address or a year."""
    if index and lines[index - 1].strip(" _-*"):
        return False
    block = lines[index : index + 6]
    count = next((n for n, one in enumerate(block) if not _HEADER.match(one)), len(block))
    told = " ".join(block[:count])
    if len(told) > _LONGEST_BLOCK:
        return False
    return (
        count >= _HEADER_LINES
        and re.search(r"@.*\d{4}|\d{4}.*@|\b\d{4}\b.*\b\d\d:\d\d", told) is not None
    )


def _attribution_end(lines: list[str], index: int) -> int | None:
    """The line after an attribution that begins here and may be wrapped; null: none does."""
    if not any(line.rstrip().endswith(":") for line in lines[index : index + 3]):
        return None
    if not lines[index].strip() or _QUOTED.match(lines[index]):
        return None
    begins = _ATTRIBUTION_START.match(lines[index]) is not None
    joined = ""
    for end in range(index, min(index + (3 if begins else 1), len(lines))):
        joined = f"{joined} {lines[end].strip()}".strip()
        if len(joined) > 300 or not lines[end].strip():
            return None
        if _ATTRIBUTION.search(joined) and (begins or "@" in joined or re.search(r"\d", joined)):
            return end + 1
        if begins and _DATED_ADDRESS.search(joined) and _quote_follows(lines, end + 1):
            return end + 1
    return None


def _quote_follows(lines: list[str], index: int) -> bool:
    following = next((line for line in lines[index:] if line.strip()), "")
    return _QUOTED.match(following) is not None


def _split_signature(lines: list[str]) -> tuple[list[str], list[str]]:
    """The signature at the end: after its mark, or the line that a telephone puts there."""
    for index, line in enumerate(lines):
        if _SENT_FROM.match(line) and not any(one.strip() for one in _unquoted(lines[index + 1 :])):
            return [*lines[:index], *lines[index + 1 :]], [line]
    return _split_below(lines, _SIGNATURE)


def _split_below(lines: list[str], mark: re.Pattern[str]) -> tuple[list[str], list[str]]:
    """What stands below the last such mark, up to the next quote, if it is short."""
    for index in reversed(range(len(lines))):
        if not mark.match(lines[index]):
            continue
        end = next((n for n in range(index + 1, len(lines)) if _begins_quote(lines, n)), len(lines))
        if sum(1 for one in lines[index:end] if one.strip()) <= _LONGEST_SIGNATURE:
            return [*lines[:index], *lines[end:]], lines[index + 1 : end]
        return lines, []
    return lines, []


def _begins_quote(lines: list[str], index: int) -> bool:
    return _QUOTED.match(lines[index]) is not None or _attribution_end(lines, index) is not None


def _unquoted(lines: list[str]) -> list[str]:
    return [line for line in lines if not _QUOTED.match(line)]


def _split_quotes(lines: list[str]) -> tuple[list[str], list[str]]:
    said: list[str] = []
    quoted: list[str] = []
    index = 0
    while index < len(lines):
        end = _attribution_end(lines, index)
        if end is not None and _quote_follows(lines, end):
            quoted.extend(lines[index:end])
            index = end
            continue
        target = quoted if _QUOTED.match(lines[index]) else said
        target.append(lines[index])
        index += 1
    return said, quoted


def _tidy(lines: list[str]) -> str:
    text = "\n".join(line.rstrip() for line in lines)
    return re.sub(r"\n{3,}", "\n\n", text).strip("\n").strip()
