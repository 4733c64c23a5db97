"""What a model was asked, what that cost, and how much of the day's budget is left."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from roxabi_contracts.operations import ModelUsage, QueueStats

from cortex_insight.store import queries
from cortex_insight.store.db import Row, Transaction

QUESTIONS = "questions"
"""The queue of what waits for the model; its observations are published without waiting."""

_SQL = queries.load("asking")


@dataclass(frozen=True)
class Terms:
    """Which model it is, and what it may cost.

    `daily_tokens` is what a project may spend in a day of UTC; null: there is no bound. Prices are
    those of a million tokens; null: they are not known.
    """

    model: str
    daily_tokens: int | None = None
    input_price: float | None = None
    output_price: float | None = None


class ModelMeter:
    """Knows what each project has spent."""

    def __init__(self, terms: Terms, now: Callable[[], datetime]) -> None:
        self.terms = terms
        self._now = now

    def today(self) -> date:
        """The day that is charged now, in UTC."""
        return self._now().astimezone(UTC).date()

    async def usage(self, transaction: Transaction, project: str) -> ModelUsage:
        """What the project has spent, and until when it must wait."""
        today = self.today()
        parameters = {"project": project, "day": today}
        (spent,) = await transaction.fetch(_SQL["select_usage"], parameters)
        budget = self.terms.daily_tokens
        left = None if budget is None else max(0, budget - spent["tokens_today"])
        return ModelUsage(
            model=self.terms.model,
            requests=spent["requests"],
            input_tokens=spent["input_tokens"],
            output_tokens=spent["output_tokens"],
            cost=self._cost(spent),
            budget_left=left,
            paused_until=_next_day(today) if left == 0 else None,
        )

    async def queue(self, transaction: Transaction, project: str) -> QueueStats:
        """What waits to be asked, and what was given up."""
        (row,) = await transaction.fetch(_SQL["select_queue"], {"project": project})
        (lost,) = await transaction.fetch(_SQL["select_given_up"], {"project": project})
        return QueueStats(name=QUESTIONS, failed=lost["given_up"], **row)

    def _cost(self, spent: Row) -> float | None:
        terms = self.terms
        if terms.input_price is None or terms.output_price is None:
            return None
        millionths: float = spent["input_tokens"] * terms.input_price
        millionths += spent["output_tokens"] * terms.output_price
        return millionths / 1_000_000


def _next_day(today: date) -> datetime:
    return datetime.combine(today + timedelta(days=1), time(), tzinfo=UTC)
