"""The fold: what a slot says, as a pure function of what was said about it."""

from cortex_memory.retain.fold.slot import LateEventError, SlotFold, fold_slot

__all__ = ["LateEventError", "SlotFold", "fold_slot"]
