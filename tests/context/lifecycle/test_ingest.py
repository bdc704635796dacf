from __future__ import annotations

import pytest

from hippocampus_cli.config.context import Context
from hippocampus_cli.context.lifecycle.ingest import Verdict, decide
from hippocampus_cli.context.lifecycle.policies import Candidate
from hippocampus_cli.context.lifecycle.session import Content, EntryType


@pytest.mark.parametrize(
    ("kind", "source", "text", "tokens", "read_as", "verdict"),
    [
        ("tool_result", "shell", "x", 1_001, "text", Verdict(True, "over 1,000 tokens")),
        ("tool_result", "shell", "x", 1_000, "text", Verdict(False, "a small result")),
        ("tool_result", "error", "x", 1, "text", Verdict(True, "an error")),
        ("tool_result", "shell", "x", 1, "error", Verdict(True, "an error")),
        ("message", "user", "Always tag", 3, "text", Verdict(True, "an instruction")),
        ("message", "user", "What time is it?", 3, "text", Verdict(False, "no instruction")),
        ("message", "assistant", "always", 9_000, "text", Verdict(False, "not a user's message")),
        ("message", "system", "never", 9_000, "text", Verdict(False, "not a user's message")),
        ("state", "state", "deploying", 3, "text", Verdict(False, "a short state")),
        ("memory", "memory", "x", 1_500, "text", Verdict(True, "over 1,000 tokens")),
    ],
)
def test_what_is_indexed(
    kind: EntryType, source: str, text: str, tokens: int, read_as: str, verdict: Verdict
) -> None:
    """The table of CONTEXT §6.1."""
    candidate = Candidate(kind, source, "normal", text)
    assert decide(candidate, Content("", 0, tokens, read_as), Context()) == verdict
