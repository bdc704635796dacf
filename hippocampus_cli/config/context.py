"""The settings of the context lifecycle, in the words of CONTEXT."""

from __future__ import annotations

from typing import Annotated

from hippocampus_cli.config.rules import Rule
from hippocampus_cli.light import NamedTuple


class Context(NamedTuple):
    """How context entries fade and what the window holds (CONTEXT §5 to §9); rates are per turn."""

    window_tokens: Annotated[int, Rule("the window's entries stay within this (tokens)", 50)] = (
        5_000
    )
    index_tokens: Annotated[int, Rule("a larger tool result is indexed (tokens)", 0)] = 1_000
    summary_tokens: Annotated[
        int, Rule("summary and key data of an indexed entry at most (tokens)", 20, 100_000)
    ] = 200
    aggressive_tokens: Annotated[
        int, Rule("the same where a policy compresses aggressively (tokens)", 20, 100_000)
    ] = 80
    tool_result_rate: Annotated[float, Rule("how fast a tool result fades", 0, 1_000)] = 0.15
    message_rate: Annotated[float, Rule("how fast a message fades", 0, 1_000)] = 0.08
    state_rate: Annotated[float, Rule("how fast a task's state fades", 0, 1_000)] = 0.03
    memory_rate: Annotated[float, Rule("how fast a retrieved memory fades", 0, 1_000)] = 0.01
    forgetting: Annotated[float, Rule("exponent: how far strength drops with turns", 0, 10)] = 0.5
    high_factor: Annotated[
        float, Rule("the rate is multiplied by this at priority high", 0, 10)
    ] = 0.3
    low_factor: Annotated[float, Rule("the same at priority low", 0, 10)] = 2.0
    manual_factor: Annotated[float, Rule("the same for what was added by hand", 0, 10)] = 0.5
    association_factor: Annotated[
        float, Rule("the same for an entry linked with a strong one", 0, 10)
    ] = 0.7
    strong: Annotated[float, Rule("strong from here up, for associations (strength)", 0, 1)] = 0.8
    dormant: Annotated[float, Rule("below this an entry leaves the window (strength)", 0, 1)] = 0.1
    full: Annotated[
        float, Rule("share of window_tokens from which a turn compresses entries", 0, 1)
    ] = 0.8
    persist_strength: Annotated[
        float, Rule("weaker entries do not go to MEMORY.md when a session ends", 0, 1)
    ] = 0.5
    persist_tokens: Annotated[
        int, Rule("of longer content only summary and key data go to MEMORY.md", 1, 1_000_000)
    ] = 500
    instruction_words: Annotated[
        tuple[str, ...], Rule("words that make a user's message an instruction")
    ] = ("remember", "always", "never", "important")
    max_content_bytes: Annotated[
        int, Rule("larger content is refused (bytes)", 1_000, 1_000_000_000)
    ] = 64_000_000
    archive_after_days: Annotated[
        int,
        Rule("days after its end that monthly upkeep archives a session", 0, 36_500),
    ] = 30


class Hook(NamedTuple):
    """What `hippo hook` does in an agent's hooks."""

    output_tokens: Annotated[
        int, Rule("a tool's larger output is replaced by an entry (tokens)", 100)
    ] = 2_500
    return_tokens: Annotated[
        int, Rule("what is given back after a compaction at most (tokens)", 200, 100_000)
    ] = 2_400
    lock_seconds: Annotated[
        float, Rule("how long a hook waits for another writer (seconds)", 0, 60)
    ] = 0.5
