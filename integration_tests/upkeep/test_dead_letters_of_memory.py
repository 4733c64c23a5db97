"""What memory refused or failed at can be looked at, and is tried again."""

import hashlib

from cortex_memory.answer_dead_letters import DeadLetterAnswerer
from cortex_memory.bus.observations import decode_observation
from cortex_memory.obey_retain import RetainObeyer
from cortex_memory.store.inbox import Rejection
from memory.observing import PROJECT, claim, observe
from memory.warehouse import Warehouse
from roxabi_contracts import codec, subjects
from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.operations import RejectedMessage
from roxabi_contracts.upkeep import DeadLettersReply, DeadLettersRequest, RetainRequest

PARIS = observe(claim("lives_in", "Paris"), at=1, ref="a")


def rejection(
    body: bytes, project: str | None = PROJECT, subject: str = subjects.OBSERVATIONS
) -> Rejection:
    digest = hashlib.sha256(body).hexdigest()
    letter = RejectedMessage(
        id=digest,
        project=project,
        source=None,
        source_ref=None,
        event_id=None,
        code="newer_version",
        reason="not understood then",
        received_at=from_epoch_ms(1),
        size=len(body),
        sha256=digest,
    )
    return Rejection(letter, subject, body)


async def ask(warehouse: Warehouse, asked: DeadLettersRequest) -> DeadLettersReply:
    letters = DeadLetterAnswerer(warehouse.pool, warehouse.inbox, decode_observation)
    return await letters.answer(asked)


async def retry(
    warehouse: Warehouse, project: str = PROJECT, name: str | None = None
) -> DeadLettersReply:
    return await ask(warehouse, DeadLettersRequest(project=project, retry=True, id=name))


async def test_a_message_that_is_understood_by_now_is_retained(warehouse: Warehouse) -> None:
    await warehouse.inbox.store([], [rejection(codec.encode(PARIS))])
    (letter,) = (await ask(warehouse, DeadLettersRequest(project=PROJECT))).letters
    assert (letter.code, letter.reason, letter.attempts) == (
        "newer_version",
        "not understood then",
        1,
    )

    reply = await retry(warehouse)

    assert (reply.retried, reply.letters) == (1, ())
    await warehouse.drain()
    assert await warehouse.facts() == [("lives_in", "Paris", "active")]
    assert (await retry(warehouse)).retried == 0


async def test_what_is_still_refused_stays_with_todays_reason(warehouse: Warehouse) -> None:
    await warehouse.inbox.store([], [rejection(b"???")])

    reply = await retry(warehouse)

    (letter,) = reply.letters
    assert (reply.retried, letter.code, letter.attempts) == (0, "undecodable", 2)


async def test_trying_again_keeps_a_message_in_its_project(warehouse: Warehouse) -> None:
    partition = f"{subjects.OBSERVATIONS}.orchard.0"
    await warehouse.inbox.store([], [rejection(codec.encode(PARIS), subject=partition)])

    (letter,) = (await retry(warehouse)).letters

    assert letter.code == "project_mismatch"
    assert await warehouse.rows(b"SELECT count(*) FROM observation") == [(0,)]


async def test_what_names_no_project_is_found_by_the_operator_alone(warehouse: Warehouse) -> None:
    await warehouse.inbox.store([], [rejection(codec.encode(PARIS), project=None)])
    assert (await retry(warehouse)).retried == 0

    assert (await retry(warehouse, subjects.UNASSIGNED)).retried == 1

    assert await warehouse.rows(b"SELECT project FROM observation") == [(PROJECT,)]


async def test_one_of_many_is_tried_alone(warehouse: Warehouse) -> None:
    await warehouse.inbox.store([], [rejection(body) for body in (b"1", b"2")])

    reply = await retry(warehouse, name=hashlib.sha256(b"1").hexdigest())

    assert [letter.attempts for letter in reply.letters] == [2]
    everything = await ask(warehouse, DeadLettersRequest(project=PROJECT))
    assert sorted(letter.attempts for letter in everything.letters) == [1, 2]


async def fail_one(warehouse: Warehouse) -> None:
    """Let the job of an observation fail whose content is not readable."""
    await warehouse.inbox.store([PARIS])
    await warehouse.rows_without_answer(
        b"UPDATE observation SET content = replace(content, '\"Statement\"', '\"Rumour\"')"
    )
    await warehouse.drain()


async def mend(warehouse: Warehouse) -> None:
    await warehouse.rows_without_answer(
        b"UPDATE observation SET content = replace(content, '\"Rumour\"', '\"Statement\"')"
    )


async def test_a_failed_job_is_listed_with_its_error_and_tried_at_once(
    warehouse: Warehouse,
) -> None:
    await fail_one(warehouse)
    (letter,) = (await ask(warehouse, DeadLettersRequest(project=PROJECT))).letters
    assert (letter.id, letter.code, letter.attempts) == (PARIS.id, "retain_failed", 1)
    assert "ValidationError" in letter.reason
    await warehouse.drain()
    assert await warehouse.facts() == []

    await mend(warehouse)
    reply = await retry(warehouse)

    assert (reply.retried, reply.letters) == (1, ())
    await warehouse.drain()
    assert await warehouse.facts() == [("lives_in", "Paris", "active")]


async def test_the_command_puts_failed_jobs_back_as_if_new(warehouse: Warehouse) -> None:
    await fail_one(warehouse)
    await mend(warehouse)
    obeyer = RetainObeyer(warehouse.pool)
    assert (await obeyer.requeue(RetainRequest(project="orchard"))).requeued == 0

    assert (await obeyer.requeue(RetainRequest(project=PROJECT))).requeued == 1

    assert await warehouse.rows(b"SELECT state, attempts FROM job") == [("pending", 0)]
    await warehouse.drain()
    assert await warehouse.rows(b"SELECT count(*) FROM job") == [(0,)]


async def test_an_observation_named_is_retained_again_though_it_is_done(
    warehouse: Warehouse,
) -> None:
    await warehouse.retain([PARIS])
    before = await warehouse.dump()
    named = RetainRequest(project=PROJECT, observation_ids=(PARIS.id, "never seen"))

    assert (await RetainObeyer(warehouse.pool).requeue(named)).requeued == 1

    await warehouse.drain()
    assert await warehouse.dump() == before
    assert await warehouse.rows(b"SELECT count(*) FROM job") == [(0,)]


async def test_a_job_at_work_is_left_to_whoever_works_on_it(warehouse: Warehouse) -> None:
    await warehouse.inbox.store([PARIS])
    await warehouse.rows_without_answer(b"UPDATE job SET state = 'leased', lease_token = 7")
    named = RetainRequest(project=PROJECT, observation_ids=(PARIS.id,))

    assert (await RetainObeyer(warehouse.pool).requeue(named)).requeued == 0

    assert await warehouse.rows(b"SELECT lease_token FROM job") == [(7,)]
