"""Logs as JSON lines on stderr."""

import logging
import sys

import structlog

from cortex_insight.settings import LogSettings


def configure_logging() -> None:
    """Log from the level that the environment names."""
    level = logging.getLevelNamesMapping()[LogSettings().log_level.upper()]
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
