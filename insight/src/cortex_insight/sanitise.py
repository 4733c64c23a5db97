"""Redaction of secrets, before anything leaves the lake."""

import re
from dataclasses import replace
from typing import Final

from pydantic import JsonValue
from roxabi_contracts import ActorRef, Correlation, Payload

from cortex_insight.parser import Draft

VERSION: Final = 3

_NAME_LENGTH: Final = 512
_ALONE: Final = r"(?<![A-Za-z0-9])"
_ASSIGNED: Final = (
    r"(?P<kept>(?i:(?<![A-Za-z])(?:pass(?:word|wd|phrase)|pwd|mot de passe|secret|credential|"
    r"(?:api|access|secret|private|auth|client|refresh|session)[ _-]?(?:key|token|secret)))"
    r"[\"']?\s{0,8}"
)
"""The name of a secret; what follows it starts with no bracket: a mark is not found again."""

_HELD: Final = r"[\"']?\s{0,8}[=:]\s{0,8}[\"']?"
_GUESSED: Final = r"(?!\[)(?=[A-Za-z+/=._~-]{0,64}\d)[\w+/=.~-]{10,}"
"""What is long and holds a digit, where the name alone does not make it a secret."""

_ASSIGNED_WORDS: Final = {"pass", "pwd", "secret", "credential", "key", "token"}

_DISCORD: Final = rf"{_ALONE}[MNO][\w-]{{23,27}}\.[\w-]{{6}}\.[\w-]{{27,}}"

_PATTERNS: Final = (
    (
        "private_key",
        {"private key"},
        r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?"
        r"(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|\Z)",
    ),
    (
        "aws_key",
        {"akia", "asia", "agpa", "aida", "aroa"},
        rf"{_ALONE}(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{{16}}(?![A-Za-z0-9])",
    ),
    (
        "github_token",
        {"gh[pousr]_", "github_pat_"},
        rf"{_ALONE}(?:gh[pousr]_[A-Za-z0-9]{{20,}}|github_pat_\w{{20,}})",
    ),
    ("gitlab_token", {"glpat-"}, rf"{_ALONE}glpat-[\w-]{{20,}}"),
    (
        "slack_token",
        {"xox", "xapp-"},
        rf"{_ALONE}(?:xox[abeoprs]-[A-Za-z0-9-]{{10,}}|xapp-[A-Za-z0-9-]{{20,}})",
    ),
    ("google_key", {"aiza"}, rf"{_ALONE}AIza[\w-]{{35,}}"),
    ("google_token", {"ya29"}, rf"{_ALONE}ya29\.[\w-]{{20,}}"),
    ("telegram_token", {":aa"}, rf"{_ALONE}\d{{8,10}}:AA[\w-]{{33}}(?![\w-])"),
    ("discord_token", {r"[mno][\w-]{23,27}\.[\w-]{6}\."}, _DISCORD),
    ("sendgrid_key", {r"sg\."}, rf"{_ALONE}SG\.[\w-]{{16,64}}\.[\w-]{{32,}}"),
    ("mailchimp_key", {"-us"}, rf"{_ALONE}[0-9a-f]{{32}}-us\d{{1,2}}(?!\d)"),
    ("square_token", {"sq0"}, rf"{_ALONE}sq0(?:atp|csp|idp)-[\w-]{{22,}}"),
    ("stripe_secret", {"whsec_"}, rf"{_ALONE}whsec_[A-Za-z0-9+/=]{{24,}}"),
    ("shopify_token", {"shp"}, rf"{_ALONE}shp(?:at|ca|pa|ss)_[0-9a-fA-F]{{32}}"),
    ("digitalocean_token", {"_v1_"}, rf"{_ALONE}do[opr]_v1_[0-9a-f]{{64}}"),
    ("artifactory_key", {"akc"}, rf"{_ALONE}AKC[A-Za-z0-9]{{60,}}"),
    ("age_key", {"age-secret-key"}, rf"{_ALONE}AGE-SECRET-KEY-1[A-Z0-9]{{58}}"),
    ("azure_key", {"accountkey"}, r"(?P<kept>AccountKey=)[A-Za-z0-9+/]{40,}={0,2}"),
    ("npm_token", {"npm_"}, rf"{_ALONE}npm_[A-Za-z0-9]{{36}}"),
    ("pypi_token", {"pypi-"}, rf"{_ALONE}pypi-[\w-]{{32,}}"),
    ("hub_token", {"hf_"}, rf"{_ALONE}hf_[A-Za-z0-9]{{30,}}"),
    (
        "api_key",
        {"sk-", "sk_", "rk-", "rk_", "pk-", "pk_"},
        rf"{_ALONE}(?:sk|rk|pk)[-_](?=[\w-]{{0,64}}\d)[\w-]{{20,}}",
    ),
    ("jwt", {"eyj"}, rf"{_ALONE}eyJ[\w-]{{8,1024}}\.eyJ[\w-]{{8,8192}}\.[\w-]*"),
    ("nkey_seed", {"s[auoncx][a-z2-7]{56}"}, r"S[AUONCX][A-Z2-7]{56}(?![A-Za-z0-9])"),
    (
        "bearer_token",
        {"bearer", "basic"},
        r"(?P<kept>\b(?i:bearer|basic)\s+)(?=\S*\d)[A-Za-z0-9+/=._~-]{16,}",
    ),
    (
        "credential",
        {"authorization"},
        rf"(?P<kept>(?i:\bauthorization){_HELD}(?i:[a-z]{{1,16}}\s{{1,8}})?){_GUESSED}",
    ),
    ("token", {"token"}, rf"(?P<kept>(?i:token){_HELD}){_GUESSED}"),
    (
        "password",
        {"--pass", "--token", "--secret", "--api"},
        r"(?P<kept>--(?:pass(?:word|wd|phrase)?|token|secret|api-?key)[ =]\s{0,8}[\"']?)"
        r"(?![\[\"'\s$<-])[^\s\"']+",
    ),
    (
        "password",
        {"pass"},
        r"(?P<kept>(?i:\b(?:password|passwd|passphrase|mot de passe)\s{1,8}(?:is|est)\s{1,8}))"
        r"(?!\[)(?=[^\s\d]{0,64}\d)[^\s]{6,}",
    ),
    ("password", {"://"}, r"(?P<kept>://[^\s/:@\[]*:)(?!\[)[^\s/@]+(?=@)"),
    ("password", _ASSIGNED_WORDS, rf"{_ASSIGNED}[=:]\s{{0,8}}\")(?!\[)[^\"]+"),
    ("password", _ASSIGNED_WORDS, rf"{_ASSIGNED}[=:]\s{{0,8}}')(?!\[)[^']+"),
    ("password", _ASSIGNED_WORDS, rf"{_ASSIGNED}=\s{{0,8}})(?![\[\s])[^\s\"'`,;&]+"),
    (
        "password",
        _ASSIGNED_WORDS,
        rf"{_ASSIGNED}:\s{{0,8}})(?![\[\s])(?=[^\s\"'`,;&]{{0,64}}[0-9!@#$%^*])"
        r"[^\s\"'`,;&]{6,}",
    ),
)
"""Name, what occurs in lower case wherever the pattern can match, and the pattern.

Searching for words first is what makes ordinary text cheap; what repeats is bounded, so that no
text is expensive.
"""


def _compile(name: str, regex: str) -> tuple[re.Pattern[str], str]:
    pattern = re.compile(regex)
    kept = r"\g<kept>" if "kept" in pattern.groupindex else ""
    return pattern, f"{kept}[redacted:{name}]"


_SECRETS: Final = tuple(_compile(name, regex) for name, _, regex in _PATTERNS)
_SUSPECT: Final = re.compile(
    "|".join(sorted({word for _, words, _ in _PATTERNS for word in words}))
)


def redact(text: str) -> str:
    """The text with each secret replaced by a mark that names its kind.

    Deterministic, and a text once redacted stays as it is.
    """
    while _is_suspect(text) and (cleaner := _redact_once(text)) != text:
        text = cleaner
    return text


def sanitise(draft: Draft) -> Draft:
    """The draft without secrets in its payload, claims, topics, names and correlation."""
    return replace(
        draft,
        payload=_redact_payload(draft.payload),
        actors=tuple(_redact_name(actor) for actor in draft.actors),
        topic=None if draft.topic is None else tuple(redact(topic) for topic in draft.topic),
        correlation=_redact_attributes(draft.correlation),
    )


def _redact_once(text: str) -> str:
    """One look; a mark that it sets may lay bare what stood directly beside a secret."""
    for pattern, mark in _SECRETS:
        text = pattern.sub(mark, text)
    return text


def _is_suspect(text: str) -> bool:
    """Whether any word of the patterns occurs; most texts need no closer look."""
    return _SUSPECT.search(text.lower()) is not None


def _redact_payload(payload: Payload) -> Payload:
    if not _is_suspect(payload.model_dump_json()):
        return payload
    return type(payload).model_validate(_redact_value(payload.model_dump(mode="json")))


def _redact_value(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, list):
        return [_redact_value(item) for item in value]
    if isinstance(value, dict):
        return {redact(key): _redact_value(item) for key, item in value.items()}
    return value


def _redact_name(actor: ActorRef) -> ActorRef:
    if actor.name is None:
        return actor
    return actor.model_copy(update={"name": redact(actor.name)[:_NAME_LENGTH]})


def _redact_attributes(correlation: Correlation) -> Correlation:
    clean = {key: redact(value) for key, value in correlation.attributes.items()}
    return correlation.model_copy(update={"attributes": clean})
