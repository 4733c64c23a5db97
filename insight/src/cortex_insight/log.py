"""Logs as JSON lines on stderr, ours and those of the libraries."""

import logging
import sys
import traceback

import structlog
from structlog.typing import Processor

from cortex_insight.settings import LogSettings


def place_of(error: Exception) -> str:
    """Where an error was raised, without its message, which may quote what was said."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{frame.filename}:{frame.lineno} in {frame.name}"


def configure_logging() -> None:
    """Log from the level that the environment names; of the libraries, warnings only."""
    level = logging.getLevelNamesMapping()[LogSettings().log_level.upper()]
    shared: list[Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    render = structlog.processors.JSONRenderer()
    structlog.configure(
        processors=[*shared, render],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(processor=render, foreign_pre_chain=shared)
    )
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
