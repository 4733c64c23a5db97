"""Counts what a model is asked, and says how much of the day's budget is left."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from psycopg.rows import class_row
from roxabi_contracts.operations import ModelUsage

from cortex_memory.clock import Clock
from cortex_memory.store.db import Connection
from cortex_memory.store.queries import query


@dataclass(frozen=True, slots=True)
class Terms:
    """Which model it is, and what it may cost.

    `daily_tokens` is what a project may spend in a day of UTC; null: there is no bound. Prices are
    those of a million tokens; null: they are not known.
    """

    model: str
    daily_tokens: int | None = None
    input_price: float | None = None
    output_price: float | None = None


@dataclass(frozen=True, slots=True)
class _Spent:
    requests: int
    input_tokens: int
    output_tokens: int
    tokens_today: int


class ModelMeter:
    """Knows what each project has spent."""

    def __init__(self, terms: Terms, clock: Clock) -> None:
        self.terms = terms
        self._clock = clock

    def today(self) -> date:
        """The day that is charged now, in UTC."""
        return self._clock.now().astimezone(UTC).date()

    async def spend(
        self, transaction: Connection, project: str, input_tokens: int, output_tokens: int
    ) -> None:
        """Count one request that was answered."""
        spent = {"input_tokens": input_tokens, "output_tokens": output_tokens}
        row = {"project": project, "day": self.today()} | spent
        await transaction.execute(query("asking.spend"), row)

    async def usage(self, transaction: Connection, project: str) -> ModelUsage:
        """What the project has spent, and until when it must wait."""
        today = self.today()
        cursor = transaction.cursor(row_factory=class_row(_Spent))
        await cursor.execute(query("asking.usage"), {"project": project, "day": today})
        spent = await cursor.fetchone()
        assert spent is not None  # an aggregate always answers
        budget = self.terms.daily_tokens
        left = None if budget is None else max(0, budget - spent.tokens_today)
        return ModelUsage(
            model=self.terms.model,
            requests=spent.requests,
            input_tokens=spent.input_tokens,
            output_tokens=spent.output_tokens,
            cost=self._cost(spent),
            budget_left=left,
            paused_until=_next_day(today) if left == 0 else None,
        )

    def _cost(self, spent: _Spent) -> float | None:
        terms = self.terms
        if terms.input_price is None or terms.output_price is None:
            return None
        millionths = spent.input_tokens * terms.input_price
        millionths += spent.output_tokens * terms.output_price
        return millionths / 1_000_000


def _next_day(today: date) -> datetime:
    return datetime.combine(today + timedelta(days=1), time(), tzinfo=UTC)
