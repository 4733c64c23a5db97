"""How keys of actors are compared: one spelling for each, whatever the source made of it."""

import re
import unicodedata
from typing import Final
from urllib.parse import urlsplit, urlunsplit

import idna

_VARIATION_SELECTORS: Final = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_EXTENSION: Final = re.compile(r"\s*(?:;ext=|;|\bext\.?|(?<=\d)\s?x|#)\s*", re.IGNORECASE)
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


def spelling(scheme: str, value: str) -> str:
    """The form in which two keys of one scheme are compared.

    Equal forms name one actor, so that nothing is folded here of which a source may make two: the
    id of an account keeps its case, and a mailbox its dots and tags.
    """
    if scheme == "email":
        return _email(value)
    if scheme == "phone":
        return _phone(value)
    if scheme == "uri":
        return _uri(value)
    if scheme == "slug":
        return folded(value).removeprefix("@")
    return visible(value).removeprefix("@")


def is_local_number(scheme: str, value: str) -> bool:
    """Whether the key is a telephone number that states no country: it may be somebody else's."""
    return scheme == "phone" and not spelling(scheme, value).startswith("+")


def visible(text: str) -> str:
    """The text in one Unicode form, without what cannot be seen, and with single spaces."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())  # the same, without looking at each character
    compatible = unicodedata.normalize("NFKC", text)
    seen = "".join(
        character for character in compatible if unicodedata.category(character) not in ("Cf", "Cc")
    )
    spaced = " ".join(_VARIATION_SELECTORS.sub("", seen).split())
    return unicodedata.normalize("NFC", spaced)


def folded(text: str) -> str:
    """The visible text without case: sharp s is ss, and the dotless i of Turkish stays its own."""
    return unicodedata.normalize("NFC", visible(visible(text).casefold()))


def mail_parts(value: str) -> tuple[str, str]:
    """The mailbox and the domain of an address as it is compared; the domain may be empty."""
    mailbox, _, domain = _email(value).rpartition("@")
    return (mailbox, domain) if mailbox else (domain, "")


def _email(value: str) -> str:
    """Mailboxes are compared without case, as all that is in use do; domains as they resolve."""
    address = visible(value).removeprefix("<").removesuffix(">")
    if address[:7].casefold() == "mailto:":
        address = address[7:]
    mailbox, at, domain = address.rpartition("@")
    return f"{folded(mailbox)}@{_domain(domain)}" if at else folded(address)


def _domain(domain: str) -> str:
    name = domain.strip().rstrip(".")
    if name.isascii():
        return name.lower()
    try:
        return idna.encode(name, uts46=True).decode().lower()
    except idna.IDNAError:
        return folded(name)


def _phone(value: str) -> str:
    """Digits, with a plus where the country is stated; one without any is compared as text."""
    text = visible(value)
    if text[:4].casefold() == "tel:":
        text = text[4:]
    number, *extension = _EXTENSION.split(text.strip(), maxsplit=1)
    is_international = number.startswith(("+", "00", "(+"))
    if is_international:
        number = number.replace("(0)", "")
    digits = "".join(
        str(unicodedata.decimal(character)) for character in number if character.isdecimal()
    )
    if not digits:
        return folded(value)
    if is_international:
        digits = "+" + (digits if "+" in number else digits.removeprefix("00"))
    inner = "".join(filter(str.isdecimal, "".join(extension)))
    return f"{digits}x{inner}" if inner else digits


def _uri(value: str) -> str:
    """Scheme and host without case, no default port, no path that is a slash alone."""
    text = visible(value)
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return text
    if not parts.hostname:
        return text
    scheme = parts.scheme.lower()
    host = _domain(parts.hostname)
    user = parts.netloc.rpartition("@")[0]
    authority = f"{user}@{host}" if user else host
    if port is not None and port != _DEFAULT_PORTS.get(scheme):
        authority = f"{authority}:{port}"
    path = "" if parts.path == "/" else parts.path
    return urlunsplit((scheme, authority, path, parts.query, parts.fragment))
