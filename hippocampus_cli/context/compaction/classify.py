"""The type of a message (COMPACT, "Classification"): by its role, and by lists of whole words and phrases."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from hippocampus_cli.config.context import Compaction
from hippocampus_cli.context.phrases import pattern
from hippocampus_cli.context.transcripts import Message

EntryType = Literal["decision", "user_intent", "context", "unknown", "tool_result", "ephemeral"]
_READ = 8_000  # characters of a text that are looked at, half from each end
_SHORT = 4  # words of a message that can be routine
_BEFORE = 30  # characters that are shown before the word that decides
_OF_ROLES: dict[str, EntryType] = {
    "tool": "tool_result",
    "bash": "tool_result",
    "user": "user_intent",
    "prior": "decision",
}
_TALK = frozenset(("assistant", "custom", "summary"))


class Classifier(NamedTuple):
    """The word lists of the settings, ready to be used; ``openings`` are how a long routine message begins."""

    decisions: re.Pattern[str]
    routine: re.Pattern[str]
    openings: re.Pattern[str]

    def type_of(self, message: Message) -> EntryType:
        """The type of a message."""
        role = message.role
        text = excerpt(message.text)
        if role in ("user", "assistant") and not message.calls and self.is_routine(text):
            return "ephemeral"
        if role not in _TALK:
            return _OF_ROLES.get(role, "unknown")
        said = text if text.strip() else excerpt(message.thinking)
        return "decision" if self.decisions.search(said) else "context"

    def is_routine(self, text: str) -> bool:
        """Whether a message says nothing: a few words, one of the list and no number; or a known beginning."""
        if len(text.split()) <= _SHORT:
            return bool(self.routine.search(text)) and not any(map(str.isdigit, text))
        return bool(self.openings.match(text.lstrip()))

    def from_decision(self, text: str, size: int) -> str:
        """A text of more than ``size`` characters from a few words on before the first that decides something."""
        decided = self.decisions.search(text[:_READ]) if len(text) > size else None
        start = decided.start() - _BEFORE if decided else 0
        return f"…{text[start:].partition(' ')[2]}" if start > 0 else text


def classifier(settings: Compaction) -> Classifier:
    """The classifier of the settings."""
    routine = settings.routine_words
    openings = tuple(phrase for phrase in routine if " " in phrase)
    return Classifier(pattern(settings.decision_words), pattern(routine), pattern(openings))


def excerpt(text: str, size: int = _READ) -> str:
    """A long text's beginning and end."""
    return text if len(text) <= size else f"{text[: size // 2]}\n{text[-size // 2 :]}"
