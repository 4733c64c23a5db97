"""Any endpoint that speaks the OpenAI chat protocol, asked for candidates."""

import asyncio
import hashlib
import importlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from importlib import resources
from pathlib import Path

from pydantic import BaseModel, Field, ValidationError
from roxabi_contracts.catalogues import Catalogues
from roxabi_contracts.predicates import PredicateCatalogue

from cortex_memory.clock import Clock
from cortex_memory.errors import ModelMisconfigured
from cortex_memory.extractor.port import (
    Answer,
    AnswerUnusable,
    ExtractionStopped,
    ProviderBusy,
    ProviderFailed,
)
from cortex_memory.extractor.retry_after import retry_after_seconds
from cortex_memory.retain.proposals import NoProposals, admit_answer, schema_of_answers
from cortex_memory.retain.question import Question, document_of


@dataclass(frozen=True, slots=True)
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
        shipped = resources.files("cortex_memory.extractor").joinpath("prompt.md")
        return shipped.read_text("utf-8")
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ModelMisconfigured(f"the prompt {path} cannot be read: {error}") from error


class OpenaiExtractor:
    """A model behind an endpoint; it is not asked before the first question.

    Raises:
        ModelMisconfigured: the client cannot be made, for want of a key.
    """

    def __init__(
        self,
        endpoint: ModelEndpoint,
        prompt: str,
        version: int,
        catalogues: Catalogues,
        clock: Clock,
    ) -> None:
        self.version = version
        self._endpoint = endpoint
        self._catalogues = catalogues
        self._prompt = prompt
        self._clock = clock
        self._library = importlib.import_module("openai")
        try:
            # An attempt that fails is the job's to repeat, after its own delay.
            self._client = self._library.AsyncOpenAI(
                base_url=endpoint.url, timeout=endpoint.timeout, max_retries=0
            )
        except self._library.OpenAIError as error:
            raise ModelMisconfigured(f"the model cannot be asked: {error}") from error

    @property
    def digest(self) -> str:
        """Digest of model and instructions: two of the same digest are asked the same."""
        own = [catalogue for _, catalogue in sorted(self._catalogues.own.items())]
        instructions = map(self._instructions, [self._catalogues.common, *own])
        asked = "\0".join([self._endpoint.model, *instructions])
        return hashlib.sha256(asked.encode()).hexdigest()

    async def close(self) -> None:
        """Let go of the connections."""
        await self._client.close()

    async def ask(self, question: Question) -> Answer:
        """What the model proposes; see `ModelExtractor`."""
        catalogue = self._catalogues.for_project(question.observation.project_id)
        completion = _read(await self._complete(catalogue, document_of(question)))
        spent = completion.usage or _Usage()
        content = completion.content()
        if isinstance(content, _Unusable):
            raise AnswerUnusable(content.reason, spent.prompt_tokens, spent.completion_tokens)
        try:
            extraction = admit_answer(content, question.observation, catalogue)
        except NoProposals:
            raise AnswerUnusable(
                "the answer is malformed", spent.prompt_tokens, spent.completion_tokens
            ) from None
        return Answer(extraction, spent.prompt_tokens, spent.completion_tokens)

    async def _complete(self, catalogue: PredicateCatalogue, document: str) -> str:
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

    def _refusal(self, status: int, headers: Mapping[str, str]) -> ExtractionStopped:
        wait = retry_after_seconds(headers.get("retry-after"), self._clock.now())
        if status == HTTPStatus.TOO_MANY_REQUESTS or wait is not None:
            return ProviderBusy("the provider asks us to wait", wait)
        return ProviderFailed(f"the endpoint answered with HTTP {status}")


@dataclass(frozen=True, slots=True)
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
    """What we read of a completion."""

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
    # A strict schema would allow no values of a free form; every candidate is validated anyway.
    schema = {"name": "candidates", "strict": False, "schema": schema_of_answers()}
    return {"type": "json_schema", "json_schema": schema}
