from __future__ import annotations

import pytest

from hippocampus_cli.config.context import Context
from hippocampus_cli.context.lifecycle.ingest import decide
from hippocampus_cli.context.lifecycle.policies import Candidate
from hippocampus_cli.context.lifecycle.session import Content, EntryType


@pytest.mark.parametrize(
    ("kind", "source", "text", "tokens", "read_as", "verdict"),
    [
        ("tool_result", "shell", "x", 1_001, "text", (True, "over 1,000 tokens")),
        ("tool_result", "shell", "x", 1_000, "text", (False, "a small result")),
        ("tool_result", "error", "x", 1, "text", (True, "an error")),
        ("tool_result", "shell", "x", 1, "error", (True, "an error")),
        ("message", "user", "Always tag", 3, "text", (True, "an instruction")),
        ("message", "user", "What time is it?", 3, "text", (False, "no instruction")),
        ("message", "assistant", "always", 9_000, "text", (False, "not a user's message")),
        ("message", "system", "never", 9_000, "text", (False, "not a user's message")),
        ("state", "state", "deploying", 3, "text", (False, "a short state")),
        ("memory", "memory", "x", 1_500, "text", (True, "over 1,000 tokens")),
    ],
)
def test_what_is_indexed(
    kind: EntryType, source: str, text: str, tokens: int, read_as: str, verdict: tuple[bool, str]
) -> None:
    """The table of CONTEXT §6.1."""
    candidate = Candidate(kind, source, "normal", text)
    assert decide(candidate, Content("", 0, tokens, read_as), Context()) == verdict
