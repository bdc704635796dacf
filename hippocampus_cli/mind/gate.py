"""The gate before every write to episodes and beliefs: what is refused is refused whole, and leaves no content.

The floor comes first and is code; rules of the operator in ``refusals.yaml`` come after it and can only add::

    refuse:
      - category: project-x
        words: ["Project Xanadu", "codename heron"]
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn

from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.mind.errors import RulesInvalid, WriteRefused
from hippocampus_cli.mind.floor import CATEGORIES, FLOOR
from hippocampus_cli.redaction.redactor import Redactor, holds_placeholder, secrets_in
from hippocampus_cli.workspace.own_files import MIND, ensure_folder
from hippocampus_cli.workspace.read import read_file
from hippocampus_cli.workspace.redaction import redactor_for
from hippocampus_cli.workspace.regular import read_regular

RULES = f"{MIND}/refusals.yaml"
REFUSED = f"{MIND}/refused.jsonl"
_MOST_BYTES = 100_000
_LONGEST, _OVERLAP = 1_000, 300  # characters of a sentence that the rules read at once
_ENDS = pattern(r"(?<=[.!?;])\s+|(?<=[。！？；])|\n")
_NAME = pattern(r"[a-z][a-z0-9-]{0,39}")
_KEYS = ("category", "words")
CREDENTIALS = "credentials"


class OperatorRule(NamedTuple):
    """A rule of the operator's file: its words, in lower case."""

    category: str
    words: tuple[str, ...]


class Refusal(NamedTuple):
    """What is kept of what was refused; ``source`` is a message, a line or a command.

    ``mark`` are two digits by which a line is known again wherever it stands in its note: too few to tell its words.
    """

    at: str
    category: str
    source: str
    mark: str = ""


class Gate:
    """Decides what is refused. Every write to either store goes through a gate."""

    def __init__(
        self, rules: tuple[OperatorRule, ...] = (), redactor: Redactor | None = None
    ) -> None:
        self._rules = rules
        self._redactor = redactor or Redactor((secrets_in,))

    def category(self, text: str) -> str | None:
        """Why ``text`` is refused; ``None`` if it may be kept."""
        if holds_placeholder(text) or self._redactor.spans(text):
            return CREDENTIALS
        for sentence in _sentences(text):
            for rule in FLOOR:
                if rule.finds.search(sentence) and not (
                    rule.unless and rule.unless.search(sentence)
                ):
                    return rule.category
        lowered = text.casefold()
        return next(
            (one.category for one in self._rules if any(word in lowered for word in one.words)),
            None,
        )

    def redact(self, text: str) -> str:
        """``text`` with a placeholder for each secret, on as many lines."""
        return self._redactor.redact(text)

    def require(self, text: str) -> None:
        """Raises :class:`WriteRefused` for refused text."""
        category = self.category(text)
        if category is not None:
            raise WriteRefused(category=category)


def _sentences(text: str) -> Iterator[str]:
    """The sentences of a text in lower case."""
    lowered = text.lower().replace("’", "'")
    for part in _ENDS.split(lowered):
        if part and not part.isspace():
            yield from _windows(part)


def _windows(sentence: str) -> Iterator[str]:
    """A sentence, and of a long one overlapping pieces: the rules take their time by the square of its length."""
    step = _LONGEST - _OVERLAP
    for start in range(0, max(1, len(sentence) - _OVERLAP), step):
        yield sentence[start : start + _LONGEST]


def open_gate(root: Path) -> Gate:
    """The gate of a workspace. Raises :class:`RulesInvalid` for a file of rules that does more than add."""
    rules: tuple[OperatorRule, ...] = ()
    if os.path.lexists(root / RULES):
        rules = read_rules(read_file(root, RULES, _MOST_BYTES).decode("utf-8", "replace"))
    return Gate(rules, redactor_for(root))


def read_rules(text: str) -> tuple[OperatorRule, ...]:
    """The rules of an operator's file. Raises :class:`RulesInvalid` with the line that does more than add."""
    import yaml

    try:
        node = yaml.compose(text, yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        _refuse("it is not valid YAML", mark.line if mark else 0)
    if node is None:
        return ()
    found = _pairs(node, ("refuse",))
    listed = found.get("refuse")
    if not isinstance(listed, yaml.SequenceNode):
        _refuse("`refuse` must be a list of rules", node.start_mark.line)
    return tuple(_rule(one) for one in listed.value)


def _rule(node: Any) -> OperatorRule:
    """One rule of the file."""
    import yaml

    found = _pairs(node, _KEYS)
    line = node.start_mark.line
    category, words = found.get("category"), found.get("words")
    if not isinstance(category, yaml.ScalarNode) or not _NAME.fullmatch(category.value):
        _refuse("a rule needs a `category`: small letters, digits and hyphens", line)
    if not isinstance(words, yaml.SequenceNode) or not words.value:
        _refuse("a rule needs `words`: a list of texts", line)
    texts = [one.value.strip() if isinstance(one, yaml.ScalarNode) else "" for one in words.value]
    if any(len(one) < 2 for one in texts):
        _refuse("each of `words` must be a text of two characters or more", words.start_mark.line)
    return OperatorRule(category.value, tuple(one.casefold() for one in texts))


def _pairs(node: Any, keys: tuple[str, ...]) -> dict[str, Any]:
    """The pairs of a mapping, of which only ``keys`` may be there."""
    import yaml

    if not isinstance(node, yaml.MappingNode):
        line = getattr(node, "start_mark", None)
        _refuse(f"here are only {', '.join(keys)}", line.line if line else 0)
    found: dict[str, Any] = {}
    for key, value in node.value:
        name = str(key.value)
        if name not in keys or name in found:
            _refuse(
                f"{name[:40]!r} is not one of {', '.join(keys)}: rules can only add",
                key.start_mark.line,
            )
        found[name] = value
    return found


def _refuse(reason: str, line: int) -> NoReturn:
    """Raise :class:`RulesInvalid` for a line."""
    raise RulesInvalid(path=RULES, line=line + 1, reason=reason)


def note_refusal(root: Path, category: str, source: str, now: datetime, mark: str = "") -> None:
    """Record a refusal: its category, the moment and the source, never the content."""
    row = {"at": now.isoformat(timespec="seconds"), "category": category, "source": source}
    line = json.dumps({**row, "mark": mark} if mark else row)
    file = ensure_folder(root, REFUSED)
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
    handle = os.open(file, flags, 0o600)
    try:
        os.write(handle, (line + "\n").encode())
    finally:
        os.close(handle)


def refusals(root: Path) -> list[Refusal]:
    """What was refused, oldest first; a line that cannot be read is skipped."""
    found: list[Refusal] = []
    with contextlib.suppress(OSError):
        for line in read_regular(root / REFUSED).splitlines():
            with contextlib.suppress(ValueError, TypeError, KeyError):
                raw = json.loads(line)
                values = {"mark": "", **raw}
                found.append(Refusal(*(str(values[key]) for key in Refusal._fields)))
    return found


def meaning_of(category: str) -> str:
    """What a category is about."""
    return CATEGORIES.get(category, f"a rule of {RULES}")
