"""Any endpoint that speaks the OpenAI chat protocol, asked what a text claims."""

import asyncio
import importlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from importlib import resources
from pathlib import Path

from pydantic import BaseModel, Field, ValidationError
from roxabi_contracts import PredicateCatalogue

from cortex_insight.enrich.model.proposals import NoProposals, admit_answer, schema_of_answers
from cortex_insight.enrich.model.question import Question
from cortex_insight.errors import ModelMisconfigured
from cortex_insight.model.port import Answer, AnswerUnusable, ProviderBusy, ProviderFailed
from cortex_insight.model.retry_after import retry_after_seconds


@dataclass(frozen=True)
class ModelEndpoint:
    """Where and how to ask.

    `url` null: `OPENAI_BASE_URL`, else the public one; the key is read from `OPENAI_API_KEY`.
    `structured` false: the endpoint knows no JSON schema, so it is asked for any JSON object and
    told the schema in words. `timeout` is in seconds.
    """

    model: str
    url: str | None = None
    structured: bool = True
    timeout: float = 60.0


def read_prompt(path: Path | None) -> str:
    """The prompt in a file; null: the one that is shipped.

    Raises:
        ModelMisconfigured: the file cannot be read.
    """
    if path is None:
        return resources.files("cortex_insight.model").joinpath("prompt.md").read_text("utf-8")
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ModelMisconfigured(f"the prompt {path} cannot be read: {error}") from error


class OpenaiModel:
    """A model behind an endpoint; it is not asked before the first question.

    Raises:
        ModelMisconfigured: the client cannot be made, for want of a key.
    """

    def __init__(
        self, endpoint: ModelEndpoint, prompt: str, version: int, now: Callable[[], datetime]
    ) -> None:
        self.version = version
        self._endpoint = endpoint
        self._now = now
        self._prompt = prompt
        self._library = importlib.import_module("openai")
        try:
            # A question that fails is asked again later, after a delay of its own.
            self._client = self._library.AsyncOpenAI(
                base_url=endpoint.url, timeout=endpoint.timeout, max_retries=0
            )
        except self._library.OpenAIError as error:
            raise ModelMisconfigured(f"the model cannot be asked: {error}") from error

    async def close(self) -> None:
        """Let go of the connections."""
        await self._client.close()

    async def ask(self, question: Question, catalogue: PredicateCatalogue) -> Answer:
        """What the text claims; see `Model`."""
        completion = _read(await self._complete(question.document(), catalogue))
        spent = completion.usage or _Usage()
        content = completion.content()
        if isinstance(content, _Unusable):
            raise AnswerUnusable(content.reason, spent.prompt_tokens, spent.completion_tokens)
        try:
            proposals = admit_answer(content, question, catalogue)
        except NoProposals:
            raise AnswerUnusable(
                "the answer is malformed", spent.prompt_tokens, spent.completion_tokens
            ) from None
        return Answer(proposals, spent.prompt_tokens, spent.completion_tokens)

    async def _complete(self, document: str, catalogue: PredicateCatalogue) -> str:
        try:
            # The client's own timeout starts anew with every byte.
            async with asyncio.timeout(self._endpoint.timeout):
                reply = await self._client.chat.completions.with_raw_response.create(
                    model=self._endpoint.model,
                    messages=[
                        {"role": "system", "content": self._instructions(catalogue)},
                        {"role": "user", "content": document},
                    ],
                    response_format=_format(structured=self._endpoint.structured),
                )
                return str(reply.text)
        # What the client says may quote the request: no cause is kept.
        except (TimeoutError, self._library.APITimeoutError):
            raise ProviderFailed("no answer in time") from None
        except self._library.APIStatusError as error:
            raise self._refusal(error.status_code, error.response.headers) from None
        except self._library.OpenAIError:
            raise ProviderFailed("the endpoint cannot be reached") from None

    def _instructions(self, catalogue: PredicateCatalogue) -> str:
        names = ", ".join(sorted(predicate.name for predicate in catalogue))
        parts = [self._prompt.strip(), f"Predicates: {names}"]
        if not self._endpoint.structured:
            parts.append(f"The answer's JSON schema: {json.dumps(schema_of_answers())}")
        return "\n\n".join(parts)

    def _refusal(self, status: int, headers: Mapping[str, str]) -> ProviderBusy | ProviderFailed:
        wait = retry_after_seconds(headers.get("retry-after"), self._now())
        if status == HTTPStatus.TOO_MANY_REQUESTS or wait is not None:
            return ProviderBusy("the provider asks us to wait", wait)
        return ProviderFailed(f"the endpoint answered with HTTP {status}")


@dataclass(frozen=True)
class _Unusable:
    reason: str


class _Message(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Usage(BaseModel):
    prompt_tokens: int = Field(default=0, ge=0)
    completion_tokens: int = Field(default=0, ge=0)


class _Completion(BaseModel):
    """What is read of a completion."""

    choices: list[_Choice] = Field(min_length=1)
    usage: _Usage | None = None

    def content(self) -> "str | _Unusable":
        """What was answered, unless it cannot be used."""
        choice = self.choices[0]
        if choice.message.refusal or choice.finish_reason == "content_filter":
            return _Unusable("the model refused to answer")
        if choice.finish_reason == "length":
            return _Unusable("the answer was cut")
        return choice.message.content or _Unusable("the answer is empty")


def _read(reply: str) -> _Completion:
    try:
        return _Completion.model_validate_json(reply)
    except ValidationError:
        raise ProviderFailed("the endpoint does not speak the protocol") from None


def _format(*, structured: bool) -> dict[str, object]:
    if not structured:
        return {"type": "json_object"}
    # A strict schema would allow no values of a free form; every claim is validated anyway.
    schema = {"name": "claims", "strict": False, "schema": schema_of_answers()}
    return {"type": "json_schema", "json_schema": schema}
