"""The history of a repository as events: a commit or a tag each.

A file holds what this prints, and may go on with the tags:

    git log --all --reverse -z -M --name-status --encoding=UTF-8 --date=raw --format=$COMMIT
    git for-each-ref refs/tags --format=$TAG

where COMMIT and TAG are the `COMMIT_FORMAT` and `TAG_FORMAT` below. Importing a repository runs
both, and needs no file.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from pydantic import JsonValue
from roxabi_contracts import RawEvent
from roxabi_contracts.event import body_of
from roxabi_contracts.ids import content_id

from cortex_insight.event import FileContext, Skipped

SOURCE: Final = "git"
MEDIA_TYPE: Final = "application/json"

COMMIT_MARK: Final = "commit 1"
TAG_MARK: Final = "tag 1"
_COMMIT_FIELDS: Final = {
    "commit": "%H", "parents": "%P", "name": "%an", "email": "%ae", "mapped_name": "%aN",
    "mapped_email": "%aE", "authored": "%ad", "committer_name": "%cn", "committer_email": "%ce",
    "mapped_committer_name": "%cN", "mapped_committer_email": "%cE", "committed": "%cd",
    "message": "%B",
}  # fmt: skip
_TAG_FIELDS: Final = {
    "tag": "%(refname:strip=2)", "object": "%(objectname)", "target": "%(*objectname)",
    "type": "%(objecttype)", "name": "%(taggername)", "email": "%(taggeremail)",
    "created": "%(creatordate:raw)", "message": "%(contents)",
}  # fmt: skip
COMMIT_FORMAT: Final = "%x00".join([COMMIT_MARK, *_COMMIT_FIELDS.values(), ""])
TAG_FORMAT: Final = "%00".join([TAG_MARK, *_TAG_FIELDS.values(), ""])

_HASH: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_STATUS: Final = re.compile(r"[ACDMRTUXB]\d{0,3}")
_LONGEST_MESSAGE: Final = 200_000
_FILES_AT_MOST: Final = 200
_UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True)
class Token:
    """Bytes between two NULs, with their place."""

    offset: int
    text: str


def split(content: Iterable[bytes], context: FileContext) -> Iterator[RawEvent | Skipped]:
    """The commits and tags of a history, in its order."""
    repository = repository_name(context.path)
    tokens = _Tokens(content)
    while (mark := tokens.take()) is not None:
        kind = mark.text.strip("\n")
        if kind == COMMIT_MARK:
            yield _commit(tokens, mark.offset, repository, context)
        elif kind == TAG_MARK:
            yield _tag(tokens, mark.offset, repository, context)
        elif kind:
            yield Skipped(mark.offset, "neither a commit nor a tag")


def repository_name(path: str) -> str:
    """What a repository is called: as its folder, else as the file of its history."""
    *folders, name = path.split("/")
    named = folders[-1] if name == ".git" and folders else name
    return re.sub(r"\.(?:git|gitlog|git-log|log|txt)$", "", named)[:200] or "repository"


class _Tokens:
    """What stands between NULs, one after the other."""

    def __init__(self, content: Iterable[bytes]) -> None:
        self._tokens = _split_tokens(content)
        self._held: list[Token] = []

    def take(self) -> Token | None:
        """The next one; null: there is no more."""
        return self._held.pop() if self._held else next(self._tokens, None)

    def give_back(self, token: Token) -> None:
        """It will be taken once more."""
        self._held.append(token)

    def fields(self, names: Iterable[str]) -> dict[str, JsonValue] | None:
        """As many tokens as names; null: the file ends before."""
        found: dict[str, JsonValue] = {}
        for name in names:
            token = self.take()
            if token is None:
                return None
            found[name] = token.text[:_LONGEST_MESSAGE]
        return found


def _split_tokens(content: Iterable[bytes]) -> Iterator[Token]:
    offset = 0
    pending: list[bytes] = []
    for chunk in content:
        *finished, rest = chunk.split(b"\0")
        for part in finished:
            whole = b"".join([*pending, part])
            yield Token(offset, _decoded(whole))
            offset += len(whole) + 1
            pending.clear()
        if rest:
            pending.append(rest)
    if pending:
        yield Token(offset, _decoded(b"".join(pending)))


def _decoded(content: bytes) -> str:
    return _UNSTORABLE.sub("", content.decode("utf-8", "replace"))


def _commit(
    tokens: _Tokens, offset: int, repository: str, context: FileContext
) -> RawEvent | Skipped:
    fields = tokens.fields(_COMMIT_FIELDS)
    if fields is None or not _HASH.fullmatch(str(fields["commit"])):
        return Skipped(offset, "a commit that is cut off, or without its hash")
    files, more = _files(tokens)
    fields |= {"repository": repository, "files": files, "more_files": more}
    return _event(str(fields["commit"]), fields, context)


def _files(tokens: _Tokens) -> tuple[list[JsonValue], int]:
    """The files that a commit touches, with what it does to each, and how many more there are."""
    files: list[JsonValue] = []
    more = 0
    while (token := tokens.take()) is not None:
        status = token.text.strip("\n")
        if not status:
            continue
        if not _STATUS.fullmatch(status):
            tokens.give_back(token)
            break
        named = [tokens.take() for _ in range(2 if status[0] in "RC" else 1)]
        paths: list[JsonValue] = [one.text[:1000] for one in named if one is not None]
        if len(files) < _FILES_AT_MOST:
            files.append([status[0], *paths])
        else:
            more += 1
    return files, more


def _tag(tokens: _Tokens, offset: int, repository: str, context: FileContext) -> RawEvent | Skipped:
    fields = tokens.fields(_TAG_FIELDS)
    if fields is None or not _HASH.fullmatch(str(fields["object"])) or not fields["tag"]:
        return Skipped(offset, "a tag that is cut off, or without its hash")
    name = str(fields["tag"])
    short = name if len(name) < 500 else f"{name[:400]}#{content_id(name)[:24]}"
    return _event(f"{repository}/tag/{short}", {**fields, "repository": repository}, context)


def _event(ref: str, body: dict[str, JsonValue], context: FileContext) -> RawEvent:
    content = json.dumps(body, sort_keys=True, ensure_ascii=False)
    return RawEvent(
        project=context.project,
        source=SOURCE,
        source_ref=ref,
        media_type=MEDIA_TYPE,
        body=body_of(content.encode("utf-8", "replace")),
        owner=context.owner,
    )
