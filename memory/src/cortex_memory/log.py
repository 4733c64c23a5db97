"""Logging as JSON lines on standard error: ours and that of the libraries."""

import logging
import sys
import traceback

import structlog
from structlog.typing import ExcInfo


def configure_logging(level: str) -> None:
    """Send everything of this level and above to standard error."""
    number = logging.getLevelNamesMapping()[level.upper()]
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.ExceptionRenderer(_places),
    ]
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.JSONRenderer(),
        ],
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter)
    logging.basicConfig(level=number, handlers=[handler], force=True)
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(number),
        cache_logger_on_first_use=True,
    )


def _places(exc_info: ExcInfo) -> str:
    """What went wrong and where, without its message: a driver's may quote what was said."""
    kind, _, trace = exc_info
    return "".join([*traceback.format_tb(trace), kind.__name__])
