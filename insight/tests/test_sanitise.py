"""Secrets leave no trace; words stay."""

import pytest
from cortex_insight.sanitise import redact, sanitise
from hypothesis import given
from hypothesis import strategies as st
from roxabi_contracts import Claim, Correlation, Statement

from tests.lines_source import OWNER, TIME, draft

SECRETS = {
    "aws_key": "AKIAIOSFODNN7EXAMPLE",
    "github_token": "ghp_" + "aB3" * 12,
    "gitlab_token": "glpat-" + "x1Y2" * 5,
    "slack_token": "xoxb-123456789012-abcdef",
    "google_key": "AIza" + "Sy9_" * 9,
    "google_token": "ya29." + "a0Af_" * 8,
    "telegram_token": "110201543:AA" + "Hdq" * 11,
    "discord_token": "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ." + "ZnCjm1XVW" * 3,
    "sendgrid_key": "SG." + "ngeVfQFYQlKU0ufo8x5d1A." + "TwL2iGAB" * 5,
    "mailchimp_key": "0123456789abcdef" * 2 + "-us20",
    "square_token": "sq0atp-" + "aB3_" * 6,
    "stripe_secret": "whsec_" + "aB3" * 10,
    "shopify_token": "shpat_" + "0aB9" * 8,
    "digitalocean_token": "dop_v1_" + "0a9f" * 16,
    "artifactory_key": "AKC" + "p5bud" * 14,
    "age_key": "AGE-SECRET-KEY-1" + "Q9" * 29,
    "npm_token": "npm_" + "a1" * 18,
    "pypi_token": "pypi-" + "AgEI" * 10,
    "hub_token": "hf_" + "aB" * 17,
    "api_key": "sk-ant-api03-" + "aB3" * 10,
    "jwt": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
    "nkey_seed": "SU" + "A2B3" * 14,
    "private_key": "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----",
}
IN_CONTEXT = {
    "password=hunter2": "password=[redacted:password]",
    "DB_PASSWORD='a b c'": "DB_PASSWORD='[redacted:password]'",
    '{"api_key": "abc"}': '{"api_key": "[redacted:password]"}',
    "my password: hunter2!": "my password: [redacted:password]",
    "Mot de passe : s3cret-e": "Mot de passe : [redacted:password]",
    "Authorization: Bearer abcdef0123456789xyz": "Authorization: Bearer [redacted:bearer_token]",
    "authorization: token abcdef0123456789": "authorization: token [redacted:credential]",
    "export GITHUB_TOKEN=abcdef123456": "export GITHUB_TOKEN=[redacted:token]",
    '{"token": "abcdef123456"}': '{"token": "[redacted:token]"}',
    "login --password hunter2 --now": "login --password [redacted:password] --now",
    "login --token=abc": "login --token=[redacted:password]",
    "my password is hunter2": "my password is [redacted:password]",
    "le mot de passe est s3cret-e": "le mot de passe est [redacted:password]",
    "AccountKey=" + "lJzRc1Yd" * 10 + "==;Endpoint=x": "AccountKey=[redacted:azure_key];Endpoint=x",
    "postgres://ada:pw@host/db": "postgres://ada:[redacted:password]@host/db",
    "-----BEGIN PRIVATE KEY-----\ncut off": "[redacted:private_key]",
}
HARMLESS = [
    "the secret: we moved to Lyon",
    "a token of my love, the key to success",
    "I passed my exam; the password is not written here",
    "basic understanding of responsibilities",
    "https://example.org/a:b",
    "task-force sk-short",
    "le mot de passe ?",
    "the password is written nowhere",
    "token = next(tokens)",
    "token: the smallest unit of a text",
    '"input_tokens": 1234567890',
    "run it with --token $TOKEN or --password <yours>",
    "authorization: see chapter 12",
    "the ratio 12345678:AABB, see SG.1 and contact-us20",
    "AccountKey=none, MTk4.md",
]


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_is_replaced_by_its_kind(name: str) -> None:
    secret = SECRETS[name]
    assert redact(f"use ({secret}) now") == f"use ([redacted:{name}]) now"


@pytest.mark.parametrize("text", IN_CONTEXT)
def test_a_value_is_replaced_and_its_name_stays(text: str) -> None:
    assert redact(text) == IN_CONTEXT[text]


@pytest.mark.parametrize("text", HARMLESS)
def test_ordinary_words_stay(text: str) -> None:
    assert redact(text) == text


FRAGMENTS = st.sampled_from(
    [
        *SECRETS.values(),
        *IN_CONTEXT,
        *HARMLESS,
        "password",
        "=",
        ":",
        " ",
        '"',
        "'",
        "[",
        "]",
        "://",
    ]
)


@given(parts=st.lists(FRAGMENTS, max_size=8))
def test_a_second_look_finds_nothing(parts: list[str]) -> None:
    clean = redact("".join(parts))
    assert redact(clean) == clean


@given(before=st.text(max_size=20), after=st.text(max_size=20), name=st.sampled_from([*SECRETS]))
def test_no_surroundings_hide_a_secret(before: str, after: str, name: str) -> None:
    assert SECRETS[name] not in redact(f"{before} {SECRETS[name]} {after}")


@pytest.mark.parametrize(
    "piece",
    [
        "sk-",
        "eyJ-",
        "password:",
        "bearer ",
        "://a:",
        "basic  ",
        'pwd="',
        "token=a",
        "--token ",
        "authorization: a ",
        "password is ",
        "MTk4-",
        "SG.a",
        "1:AA",
        "sq0atp-",
    ],
)
def test_hostile_text_is_read_in_bounded_time(piece: str) -> None:
    redact((piece * 65_536)[:65_536])


def test_every_text_of_a_draft_is_redacted() -> None:
    secret = SECRETS["github_token"]
    claim = Claim(predicate="uses", value={"value": secret, secret: 1}, evidence=f"I use {secret}")
    said = draft(
        secret,
        payload=Statement(text=f"I use {secret}", time=TIME, claims=(claim,)),
        actors=(OWNER.model_copy(update={"name": f"Ada {secret}"}),),
        topic=(f"about {secret}",),
        correlation=Correlation(trace_id="t", attributes={"branch": secret}),
    )
    clean = sanitise(said)
    assert secret not in repr(clean)
    assert clean.payload.claims[0].evidence in clean.payload.text
    assert clean.correlation.trace_id == "t"
    assert sanitise(clean) == clean


def test_a_draft_without_secrets_stays_the_same() -> None:
    said = draft("I live in Lyon")
    assert sanitise(said) == said
