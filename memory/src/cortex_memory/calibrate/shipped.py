"""Where the measurement's files are: the labelled set, distances, and limits."""

from importlib import resources
from pathlib import Path


def shipped_data() -> Path:
    """The folder that comes with the warehouse."""
    return Path(str(resources.files("cortex_memory.calibrate"))) / "data"
