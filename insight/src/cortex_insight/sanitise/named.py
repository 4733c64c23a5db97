"""Values that are secrets because of the name beside them; their own form says nothing."""

from typing import Final

from cortex_insight.sanitise.rule import rule

_ASSIGNED: Final = (
    r"(?P<kept>(?i:(?<![A-Za-z])(?:pass(?:word|wd|phrase)|pwd|mot de passe|secret|credential|"
    r"(?:api|access|secret|private|auth|client|refresh|session)[ _-]?(?:key|token|secret)))"
    r"[\"']?\s{0,8}"
    r"(?:[=:]\s{0,8}(?:\"(?P<double>)|'(?P<single>))|=\s{0,8}|(?P<colon>:)\s{0,8}))"
    r"(?!\[)(?(double)[^\"]+|(?(single)[^']+|(?(colon)"
    r"(?=[^\s\"'`,;&]{0,64}[0-9!@#$%^*])[^\s\"'`,;&]{6,}|[^\s\"'`,;&]+)))"
)
"""In quotes up to their end; after a colon only what looks like no word.

What follows the name starts with no bracket: a mark is not found again.
"""

_HELD: Final = r"[\"']?\s{0,8}[=:]\s{0,8}[\"']?"
_GUESSED: Final = r"(?!\[)(?=[A-Za-z+/=._~-]{0,64}\d)[\w+/=.~-]{10,}"
"""What is long and holds a digit, where the name alone does not make it a secret."""

_WORDS: Final = (
    "pass pwd secret credential api+key access+key private+key auth+key client+key refresh+key "
    "session+key api+token access+token private+token auth+token client+token refresh+token "
    "session+token"
)

NAMED: Final = (
    rule(
        "bearer_token",
        "bearer basic",
        r"(?P<kept>\b(?i:bearer|basic)\s+)(?=\S*\d)[A-Za-z0-9+/=._~-]{16,}",
    ),
    rule(
        "credential",
        "authorization",
        rf"(?P<kept>(?i:\bauthorization){_HELD}(?i:[a-z]{{1,16}}\s{{1,8}})?){_GUESSED}",
    ),
    rule("token", "token", rf"(?P<kept>(?i:token){_HELD}){_GUESSED}"),
    rule(
        "password",
        "--pass --token --secret --api",
        r"(?P<kept>--(?:pass(?:word|wd|phrase)?|token|secret|api-?key)[ =]\s{0,8}[\"']?)"
        r"(?![\[\"'\s$<-])[^\s\"']+",
    ),
    rule(
        "password",
        "pass",
        r"(?P<kept>(?i:\b(?:password|passwd|passphrase|mot de passe)\s{1,8}(?:is|est)\s{1,8}))"
        r"(?!\[)(?=[^\s\d]{0,64}\d)[^\s]{6,}",
    ),
    rule("password", "://+@", r"(?P<kept>://[^\s/:@\[]*:)(?!\[)[^\s/@]+(?=@)"),
    rule(
        "password", "login", r"(?P<kept>\blogin\s{1,8}\S{1,64}\s{1,8}password\s{1,8})(?!\[)\S{4,}"
    ),
    rule("password", _WORDS, _ASSIGNED),
)
