"""What is indexed when it comes, and what goes into the window as it is (CONTEXT §6.1). Pure."""

from __future__ import annotations

from typing import NamedTuple

from hippocampus_cli.config.context import Context
from hippocampus_cli.context.lifecycle.policies import Candidate, contains

ERROR = "error"
USER = "user"


class Verdict(NamedTuple):
    """Whether an entry is indexed, and why."""

    indexed: bool
    reason: str


def decide(candidate: Candidate, kind: str, tokens: int, settings: Context) -> Verdict:
    """The rule of CONTEXT §6.1 for content of ``tokens`` that was read as ``kind``."""
    if candidate.type == "tool_result":
        if candidate.source_type == ERROR or kind == ERROR:
            return Verdict(True, "an error")
        if tokens > settings.index_tokens:
            return Verdict(True, f"over {settings.index_tokens:,} tokens")
        return Verdict(False, "a small result")
    if candidate.type == "message":
        if candidate.source_type != USER:
            return Verdict(False, "not a user's message")
        if contains(candidate.text, settings.instruction_words):
            return Verdict(True, "an instruction")
        return Verdict(False, "no instruction")
    if tokens > settings.index_tokens:
        return Verdict(True, f"over {settings.index_tokens:,} tokens")
    return Verdict(False, f"a short {candidate.type}")
