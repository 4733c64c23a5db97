"""One record of a Codex session, whichever version of the program wrote it."""

from dataclasses import dataclass
from typing import Final

from pydantic import JsonValue
from roxabi_contracts.ids import content_id

from cortex_insight.parsers.records import as_object, as_text, read_object

Fields = dict[str, JsonValue]

SESSION: Final = "session_meta"
TURN: Final = "turn_context"
ITEM: Final = "response_item"
EVENT: Final = "event_msg"
COMPACTED: Final = "compacted"
ROLLED_BACK: Final = "thread_rolled_back"
COMPLETED: Final = "item_completed"

ENVELOPES: Final = frozenset(
    (SESSION, TURN, ITEM, EVENT, COMPACTED, "inter_agent_communication",
     "inter_agent_communication_metadata", "world_state")
)  # fmt: skip
"""What a line is; the payload tells the rest. The oldest sessions have bare items instead."""

CALLS: Final = frozenset(
    ("function_call", "custom_tool_call", "local_shell_call", "web_search_call",
     "tool_search_call", "image_generation_call")
)  # fmt: skip
RESULTS: Final = frozenset(("function_call_output", "custom_tool_call_output"))
QUIET_ITEMS: Final = frozenset(
    ("additional_tools", "agent_message", "compaction", "compaction_summary",
     "compaction_trigger", "context_compaction", "ghost_snapshot", "other", "reasoning",
     "tool_search_output")
)  # fmt: skip
QUIET_EVENTS: Final = frozenset(
    (
        "agent_message_content_delta", "agent_message_delta", "agent_reasoning",
        "agent_reasoning_delta", "agent_reasoning_raw_content",
        "agent_reasoning_raw_content_delta", "agent_reasoning_section_break",
        "apply_patch_approval_request", "background_event", "collab_agent_interaction_begin",
        "collab_agent_interaction_end", "collab_agent_spawn_begin", "collab_agent_spawn_end",
        "collab_close_begin", "collab_close_end", "collab_resume_begin", "collab_resume_end",
        "collab_waiting_begin", "collab_waiting_end", "context_compacted", "deprecation_notice",
        "dynamic_tool_call_request", "dynamic_tool_call_response", "elicitation_request",
        "entered_review_mode", "exec_approval_request", "exec_command_begin",
        "exec_command_end", "exec_command_output_delta", "exited_review_mode",
        "guardian_assessment", "hook_completed", "hook_started", "image_generation_begin",
        "image_generation_end", "injected_message", "item_started", "mcp_startup_complete",
        "mcp_startup_update", "mcp_tool_call_begin", "mcp_tool_call_end", "model_reroute",
        "patch_apply_begin", "patch_apply_end", "plan_delta", "plan_update", "raw_response_item",
        "reasoning_content_delta", "reasoning_raw_content_delta", "request_permissions",
        "request_user_input", "session_configured", "shutdown_complete", "stream_error",
        "sub_agent_activity", "task_complete", "task_started", "terminal_interaction",
        "thread_name_updated", "token_count", "turn_aborted", "turn_complete", "turn_diff",
        "turn_started", "undo_completed", "undo_started", "view_image_tool_call", "warning",
        "web_search_begin", "web_search_end", ROLLED_BACK,
    )
)  # fmt: skip
"""Steps of the program, and second tellings of what the items say."""
QUIET_PARTS: Final = frozenset(
    (
        "collabagenttoolcall", "commandexecution", "contextcompaction", "dynamictoolcall",
        "filechange", "hookprompt", "imagegeneration", "imageview", "mcptoolcall", "reasoning",
        "sleep", "subagentactivity", "websearch",
    )
)  # fmt: skip
"""Completed items that say the same as a call, or that nobody says."""


@dataclass(frozen=True)
class Record:
    """A line of a session."""

    kind: str
    """One of the envelopes, or what else stands there."""
    payload: Fields
    time: JsonValue

    @property
    def type(self) -> str:
        """What an item or event is."""
        return as_text(self.payload.get("type")) or "untyped"

    @property
    def call_id(self) -> str | None:
        """What a call and its result have in common."""
        return as_text(self.payload.get("call_id"))

    @property
    def is_call(self) -> bool:
        """Whether the agent calls a tool."""
        return self.kind == ITEM and self.type in CALLS

    @property
    def is_result(self) -> bool:
        """Whether a tool answers."""
        return self.kind == ITEM and self.type in RESULTS

    @property
    def item(self) -> Fields:
        """What a completed item is, in sessions that tell of items as a whole."""
        is_item = self.kind == EVENT and self.type == COMPLETED
        return as_object(self.payload.get("item")) if is_item else {}

    @property
    def turn_id(self) -> str | None:
        """The turn that the record begins or belongs to, where it says so."""
        return as_text(self.payload.get("turn_id"))


def read_record(content: bytes) -> Record:
    """The record in a line.

    Raises:
        MalformedRecord: the line is not one JSON object.
    """
    return record_of(read_object(content))


def record_of(fields: Fields) -> Record:
    """A record as today's program would have written it."""
    kind, time = as_text(fields.get("type")), fields.get("timestamp")
    payload = fields.get("payload")
    if isinstance(payload, dict):
        return Record(kind or "untyped", payload, time)
    if kind is not None:
        return Record(ITEM, fields, time)
    if fields.get("record_type") == "state":
        return Record("world_state", fields, time)
    return Record(SESSION if is_bare_session(fields) else "untyped", fields, time)


def is_bare_session(fields: Fields) -> bool:
    """Whether it is the first line of the oldest sessions."""
    return {"id", "timestamp"} <= fields.keys() and bool({"instructions", "git"} & fields.keys())


def essence_of(record: Record) -> str:
    """What of a record stays when another version copies it into a session that goes on."""
    call = record.call_id or as_text(record.payload.get("id")) if record.is_call else record.call_id
    if record.kind == ITEM and call:
        return f"{record.type}/{call}"[:500]
    told: list[JsonValue] = [
        record.payload.get(name) for name in ("role", "content", "message", "item", "action")
    ]
    if not any(told):
        told = [record.payload]
    return f"{record.type}/{content_id(record.kind, told)[:24]}"[:500]
