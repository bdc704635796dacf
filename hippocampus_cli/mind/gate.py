"""The gate before every write to episodes and beliefs: what is refused is refused whole, and leaves no content.

The floor comes first and is code; rules of the operator in ``refusals.yaml`` come after it and can only add::

    project-x: ["Project Xanadu", "codename heron"]
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.mind.errors import RulesInvalid
from hippocampus_cli.mind.floor import CATEGORIES, FLOOR
from hippocampus_cli.redaction.redactor import Redactor, holds_placeholder, secrets_in
from hippocampus_cli.workspace.commit import read_or_none
from hippocampus_cli.workspace.own_files import MIND, append
from hippocampus_cli.workspace.read import read_file
from hippocampus_cli.workspace.redaction import redactor_for
from hippocampus_cli.workspace.state import rows

RULES = f"{MIND}/refusals.yaml"
REFUSED = f"{MIND}/refused.jsonl"
_MOST_BYTES = 100_000
_LONGEST, _OVERLAP = 1_000, 300  # characters of a sentence that the rules read at once
_ENDS = pattern(r"(?<=[.!?;])\s+|(?<=[。！？；])|\n")
_NAME = pattern(r"[a-z][a-z0-9-]{0,39}")
_FORM = "a category has small letters, digits and hyphens, stands once, and lists texts of two characters or more"


OperatorRules = Mapping[str, tuple[str, ...]]
"""The words that the operator's file refuses, in lower case, by their category."""


class Refusal(NamedTuple):
    """What is kept of what was refused, ``at`` which moment; ``source`` is a message, a note or a command."""

    category: str
    source: str
    at: str = ""


class Gate(NamedTuple):
    """Decides what is refused. Every write to either store goes through a gate."""

    rules: OperatorRules = MappingProxyType({})
    redactor: Redactor = Redactor((secrets_in,))

    def category(self, text: str) -> str | None:
        """Why ``text`` is refused; ``None`` if it may be kept."""
        if holds_placeholder(text) or self.redactor.spans(text):
            return "credentials"
        for sentence in _sentences(text):
            for rule in FLOOR:
                if rule.finds.search(sentence) and not (
                    rule.unless and rule.unless.search(sentence)
                ):
                    return rule.category
        lowered = text.casefold()
        refused = (name for name, words in self.rules.items() if any(w in lowered for w in words))
        return next(refused, None)


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
    rules: OperatorRules = {}
    if os.path.lexists(root / RULES):
        rules = read_rules(read_file(root, RULES, _MOST_BYTES).decode("utf-8", "replace"))
    return Gate(rules, redactor_for(root))


def read_rules(text: str) -> OperatorRules:
    """The rules of an operator's file. Raises :class:`RulesInvalid` with the line that does more than add."""
    import yaml

    try:
        node: Any = yaml.compose(text, yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        raise RulesInvalid(path=RULES, line=line, reason="it is not valid YAML") from error
    if node is None:
        return {}
    rules: dict[str, tuple[str, ...]] = {}
    for name, listed in node.value if node.id == "mapping" else [(node, node)]:
        items = listed.value if listed.id == "sequence" else ()
        words = tuple(str(item.value).strip().casefold() for item in items if item.id == "scalar")
        named = _NAME.fullmatch(str(name.value)) and name.value not in rules
        if not named or not words or len(words) < len(items) or min(map(len, words)) < 2:
            raise RulesInvalid(path=RULES, line=name.start_mark.line + 1, reason=_FORM)
        rules[name.value] = words
    return rules


def note_refusal(root: Path, refusal: Refusal, now: datetime) -> None:
    """Record a refusal: its category, the moment and the source, never the content."""
    row = refusal._replace(at=now.isoformat(timespec="seconds"))._asdict()
    append(root, REFUSED, json.dumps(row))


def refusals(root: Path) -> list[Refusal]:
    """What was refused, oldest first; a line that cannot be read is skipped."""
    lines = (read_or_none(root, REFUSED) or b"").splitlines()
    return [*rows(lines, lambda row: Refusal(**row))]


def meaning_of(category: str) -> str:
    """What a category is about."""
    return CATEGORIES.get(category, f"a rule of {RULES}")
