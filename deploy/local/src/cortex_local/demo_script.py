"""The histories that come with Cortex, and the questions that the demo asks of them."""

import tomllib
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict
from roxabi_contracts.base import UtcDatetime

from cortex_local.errors import StackError
from cortex_local.importing import ImportRequest

FOLDER: Final = Path(__file__).with_name("samples")


class History(BaseModel):
    """One shipped history: its source, its path below the folder, and what it is."""

    model_config = ConfigDict(frozen=True)

    source: str
    path: str
    title: str


class Question(BaseModel):
    """A question of the demo, and why it is asked."""

    model_config = ConfigDict(frozen=True)

    text: str
    shows: str
    budget: int = 200


class Demo(BaseModel):
    """The script of the demo."""

    model_config = ConfigDict(frozen=True)

    owner: str
    accounts: tuple[str, ...] = ()
    project: str
    asked_at: UtcDatetime
    """When the questions are asked: some months after the last message."""
    histories: tuple[History, ...]
    questions: tuple[Question, ...]

    def request(self, history: History) -> ImportRequest:
        """The import of one of the histories."""
        what = [history.source, str(FOLDER / history.path)]
        return ImportRequest(what, self.owner, self.project, self.accounts)


def load_demo() -> Demo:
    """The script that is shipped. Raises StackError when the installation lacks a file of it."""
    demo = Demo.model_validate(tomllib.loads((FOLDER / "demo.toml").read_text(encoding="utf-8")))
    for history in demo.histories:
        if not (FOLDER / history.path).exists():
            raise StackError(f"The sample {history.path} is missing.", "Install Cortex anew.")
    return demo
