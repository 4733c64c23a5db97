"""Secrets leave no trace; words stay."""

import pytest
from cortex_insight.sanitise import RULES, SANITISER, marks_in
from cortex_insight.sanitise.rule import Rule
from hypothesis import given
from hypothesis import strategies as st
from roxabi_contracts import Claim, Correlation, Statement

from tests.lines_source import OWNER, TIME, draft
from tests.look_alikes import HARMLESS
from tests.secrets_of_kinds import SECRETS

redact, sanitise = SANITISER.redact, SANITISER.sanitise

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


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_is_replaced_by_its_kind(name: str) -> None:
    secret = SECRETS[name]
    kind = name.partition(", ")[0]
    clean = redact(f"use ({secret}) now")
    assert clean == f"use ([redacted:{kind}]) now"
    assert marks_in([clean.encode()]) == {kind: 1}


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


@given(data=st.data(), rule=st.sampled_from(RULES))
def test_no_rule_is_left_out_where_it_finds_something(data: st.DataObject, rule: Rule) -> None:
    text = data.draw(st.from_regex(rule.pattern)).casefold()
    assert not rule.words or any(all(word in text for word in each) for each in rule.words)


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
