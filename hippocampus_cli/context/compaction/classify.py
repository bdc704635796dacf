"""The type of a message (COMPACT, "Classification"): by its role, and by lists of whole words and phrases."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple, get_args

from hippocampus_cli.config.context import Compaction
from hippocampus_cli.context.transcripts import Message

_WORD = re.compile(r"/?\w+(?:[./]+\w+)*")
# Scripts without blanks between words: there a word is found wherever it stands.
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def words_of(text: str) -> list[str]:
    """The words of a text, case folded."""
    return _WORD.findall(text.casefold())


class Lexicon(NamedTuple):
    """A list ready to be looked for: ``plan`` as a word, ``entschied*`` as a beginning, ``will do`` in a row."""

    words: frozenset[str]
    beginnings: tuple[str, ...]
    phrases: tuple[str, ...]
    anywhere: tuple[str, ...]

    def in_words(self, words: Iterable[str]) -> bool:
        """Whether one of ``words`` is in the list."""
        distinct = set(words)
        if self.words & distinct:
            return True
        return bool(self.beginnings) and any(word.startswith(self.beginnings) for word in distinct)

    def in_text(self, words: list[str], text: str) -> bool:
        """Whether a word or a phrase of the list is in a text, ``words`` being those of ``text``."""
        if self.in_words(words):
            return True
        if self.anywhere and any(word in text for word in self.anywhere):
            return True
        row = f" {' '.join(words)} "
        return any(f" {phrase} " in row for phrase in self.phrases)


def lexicon(listed: Iterable[str]) -> Lexicon:
    """The list of a setting."""
    words: set[str] = set()
    beginnings: list[str] = []
    phrases: list[str] = []
    anywhere: list[str] = []
    for entry in filter(None, (one.strip().casefold() for one in listed)):
        if _UNSPACED.search(entry):
            anywhere.append(entry)
        elif " " in entry:
            phrases.append(" ".join(words_of(entry)))
        elif entry.endswith("*"):
            beginnings.append(entry[:-1])
        else:
            words.add(entry)
    return Lexicon(frozenset(words), tuple(beginnings), tuple(phrases), tuple(anywhere))


EntryType = Literal["decision", "user_intent", "context", "unknown", "tool_result", "ephemeral"]
TYPES: tuple[EntryType, ...] = get_args(EntryType)
_READ = 8_000  # characters of a text that are looked at, half from each end
_SHORT = 4  # words of a message that can be routine
_SILENT = re.compile(
    r"\breply\s+(?:with\s+|exactly\s+)?[`'\"]?(?:HEARTBEAT_OK|NO_REPLY)\b", re.IGNORECASE
)
"""What a program tells the agent to say where there is nothing to do: its prompt is no goal."""
_SENTENCE = re.compile(r"[^\n.!?。！？]+[.!?。！？]*")
_TALK = frozenset(("assistant", "custom", "summary"))


class Classifier(NamedTuple):
    """The word lists of the settings, ready to be used."""

    decisions: Lexicon
    routine: Lexicon

    def type_of(self, message: Message) -> EntryType:
        """The type of a message."""
        role = message.role
        if role in ("tool", "bash"):
            return "tool_result"
        text = excerpt(message.text)
        words = words_of(text)
        if role in ("user", "assistant") and not message.calls and self.is_routine(words):
            return "ephemeral"
        if role == "user" and _SILENT.search(text):
            return "ephemeral"
        if role == "user":
            return "user_intent"
        if role not in _TALK:
            return "unknown"
        if not words:  # what was only thought is seen too
            text = excerpt(message.thinking)
            words = words_of(text)
        return self.type_of_talk(text, words)

    def type_of_talk(self, text: str, words: list[str]) -> EntryType:
        """A decision or other talk."""
        return "decision" if self.decisions.in_text(words, text) else "context"

    def from_decision(self, text: str, size: int) -> str:
        """A text of more than ``size`` characters from the first sentence on that decides something."""
        if len(text) <= size:
            return text
        for sentence in _SENTENCE.finditer(text[:_READ]):
            said = sentence.group()
            if self.type_of_talk(said, words_of(said)) == "decision":
                start = sentence.start() + len(said) - len(said.lstrip())
                return f"…{text[start:]}" if start else text
        return text

    def is_routine(self, words: list[str]) -> bool:
        """Whether a message says nothing: a few words, one of the list and no number; or a known beginning."""
        if len(words) <= _SHORT:
            numbers = any(char.isdigit() for word in words for char in word)
            return self.routine.in_words(words) and not numbers
        row = f"{' '.join(words[:20])} "
        return any(row.startswith(f"{phrase} ") for phrase in self.routine.phrases)


def classifier(settings: Compaction) -> Classifier:
    """The classifier of the settings."""
    return Classifier(lexicon(settings.decision_words), lexicon(settings.routine_words))


def excerpt(text: str, size: int = _READ) -> str:
    """A long text's beginning and end."""
    return text if len(text) <= size else f"{text[: size // 2]}\n{text[-size // 2 :]}"
