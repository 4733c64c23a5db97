"""How many secrets were taken out is counted by kind, with the latest readings."""

from dataclasses import replace

from cortex_insight.forget import Forgetter
from cortex_insight.sanitise import RULES, VERSION, Sanitiser
from cortex_insight.store.db import Database
from cortex_insight.store.sources import Sources
from lake_shells import ingest_on, replay_on
from linked_source import OWNER, config, receipt, record
from roxabi_contracts.operations import SourcesRequest
from roxabi_contracts.upkeep import LakeForgetRequest, ReplayRequest

TOKEN = "ghp_" + "Zq7" * 12
BLIND = Sanitiser(VERSION - 1, tuple(rule for rule in RULES if rule.kind != "github_token"))


async def counts(database: Database) -> dict[str, int]:
    (source,) = (await Sources(database).answer(SourcesRequest(project="p"))).sources
    return source.redactions


async def test_secrets_are_counted_read_again_and_forgotten(database: Database) -> None:
    said = record("a", text=f"{TOKEN} {TOKEN} password=hunter2")
    await ingest_on(database, replace(config(), sanitiser=BLIND)).take([receipt(said)])
    assert await counts(database) == {"password": 1}
    await replay_on(database).answer(ReplayRequest(project="p", source="linked"))
    assert await counts(database) == {"password": 1, "github_token": 2}

    async def nothing_to_sweep(_: str) -> int:
        return 0

    owner = tuple(f"{key.scheme}:{key.value}" for key in OWNER.identifiers)
    asked = LakeForgetRequest(project="p", forget_id="1", owner=owner)
    await Forgetter(database, nothing_to_sweep).forget(asked)
    assert await counts(database) == {}
