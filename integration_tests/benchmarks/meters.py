"""What work costs: seconds, and the processor's time of this process and of the database."""

import resource
import statistics
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from os import sysconf
from pathlib import Path
from typing import Final

import psycopg

_TICKS: Final = sysconf("SC_CLK_TCK")
_SHOWN: Final = 12
_SLOWEST: Final = """
    SELECT calls, total_exec_time, left(regexp_replace(query, '\\s+', ' ', 'g'), 70)
    FROM pg_stat_statements ORDER BY total_exec_time DESC LIMIT %s
"""


@dataclass
class Cost:
    """What retaining observations took, slice by slice."""

    name: str
    observations: int = 0
    seconds: float = 0.0
    python: float = 0.0
    database: float = 0.0
    slices: list[float] = field(default_factory=list[float])

    @property
    def each(self) -> float:
        """Seconds for one observation."""
        return self.seconds / self.observations

    @property
    def processor(self) -> float:
        """Seconds of processor time for one observation."""
        return (self.python + self.database) / self.observations

    def show(self, base: "Cost") -> None:
        """Print one line, with the ratios to another cost."""
        share = 1e6 / self.observations
        middle = statistics.median(self.slices) * 1e6
        print(
            f"  {self.name:<14} {self.each * 1e6:7.0f} us each (median slice {middle:.0f},"
            f" slowest {max(self.slices) * 1e6:.0f}); processor: python"
            f" {self.python * share:.0f}, database {self.database * share:.0f} us;"
            f" to {base.name}: {self.each / base.each:.2f} x,"
            f" processor {self.processor / base.processor:.2f} x"
        )


class Meter:
    """Measures what this process and a database server do."""

    def __init__(self, data_folder: Path) -> None:
        self._postmaster = int((data_folder / "postmaster.pid").read_text().split()[0])

    @contextmanager
    def measure(self, cost: Cost, observations: int) -> Generator[None]:
        """Add what is done inside to a cost."""
        start = self._now()
        yield
        seconds, python, database = (b - a for a, b in zip(start, self._now(), strict=True))
        cost.observations += observations
        cost.seconds += seconds
        cost.python += python
        cost.database += database
        cost.slices.append(seconds / observations)

    def _now(self) -> tuple[float, float, float]:
        usage = resource.getrusage(resource.RUSAGE_SELF)
        return time.monotonic(), usage.ru_utime + usage.ru_stime, self._database_seconds()

    def _database_seconds(self) -> float:
        """Of the server, its processes that have ended and those that are there."""
        ticks = sum(_ticks(self._postmaster, 13, 17))
        for folder in Path("/proc").glob("[0-9]*"):
            if _parent(folder) == self._postmaster:
                ticks += sum(_ticks(int(folder.name), 13, 15))
        return ticks / _TICKS


def processor_seconds(process: int) -> float:
    """What a process and its threads have taken of the processor so far."""
    return sum(_ticks(process, 13, 15)) / _TICKS


def print_statements(url: str, title: str) -> None:
    """Print the statements that took the server longest since `forget_statements`."""
    print(f"{title}, statements by total time:")
    with psycopg.connect(url, autocommit=True) as connection:
        for calls, total, text in connection.execute(_SLOWEST, (_SHOWN,)).fetchall():
            print(f"  {total:9.0f} ms {calls:7} calls  {text}")


def forget_statements(url: str) -> None:
    """Begin to count statements anew."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
        connection.execute("SELECT pg_stat_statements_reset()")


def _stat(process: int) -> Sequence[str]:
    """The fields after the name, which may hold blanks."""
    try:
        text = Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return []
    return ["", "", *text.rpartition(") ")[2].split()]


def _ticks(process: int, first: int, end: int) -> list[int]:
    return [int(part) for part in _stat(process)[first:end]]


def _parent(folder: Path) -> int | None:
    fields = _stat(int(folder.name))
    return int(fields[3]) if fields else None
