"""What becomes of a large result: its size, and that of its entry in the window (CONTEXT §6.3)."""

from __future__ import annotations

import random
from typing import NamedTuple

from hippocampus_cli.benchmarks.context.talk import TOOLS, Tool
from hippocampus_cli.benchmarks.context.values import Values
from hippocampus_cli.config.context import Context
from hippocampus_cli.context.lifecycle.intake import Wish, placed, take_in
from hippocampus_cli.context.lifecycle.policies import built_in
from hippocampus_cli.context.lifecycle.window import sparse
from hippocampus_cli.index.budget import tokens

_SIZES = {"page": 52_000, "schema": 285_000, "listing": 31_000, "source": 8_000, "json": 12_000}
"""Tokens, those of the specification's table."""
_OTHERS = 10_000
_EACH = 3


class Compressed(NamedTuple):
    """Averages of one kind, in tokens; ``values`` is the share of its commands, paths, numbers ... that stay."""

    kind: str
    original: float
    entry: float
    values: float

    @property
    def ratio(self) -> float:
        """How many times smaller."""
        return self.original / self.entry


def compressed(tool: Tool, seed: int = 3) -> Compressed:
    """A tool's results as entries."""
    values = Values(random.Random(f"{seed} {tool.kind}"))
    settings = Context()
    policies = built_in(settings.instruction_words)
    size = before = there = told = 0
    for _ in range(_EACH):
        wish = Wish("tool_result", tool.name, tool.value(values))
        values.take()
        text = tool.answer(values, 4 * _SIZES.get(tool.kind, _OTHERS))
        made = take_in(text.encode(), wish, policies, settings, exact=False)
        shown = sparse(placed(made.entry, "ctx_001", 0, ()))
        before, size = before + tokens(text), size + tokens(shown)
        drawn = {value.text for value in values.take()}
        told += len(drawn)
        there += sum(value in shown for value in drawn)
    return Compressed(tool.kind, before / _EACH, size / _EACH, there / told)


def all_compressed() -> list[Compressed]:
    """Every kind."""
    return [compressed(tool) for tool in TOOLS]
