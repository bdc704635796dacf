"""The settings of the context lifecycle, of compaction and of hooks, in the words of CONTEXT and COMPACT."""

from __future__ import annotations

from typing import Annotated

from hippocampus_cli.config.rules import Rule
from hippocampus_cli.fast_types import NamedTuple

# Whole words and phrases that mark a decision; word* stands for any ending.
_DECISIONS = """
decision|decided|decide|will do|plan|approach|strategy|agreed
let's go with|let's use|i'll use|i'll go with|going with|chose|settled on|opted for
решил*|решено|решение|план|буду|сделаю|подход
entschied*|entscheidung*|beschlossen|vorgehen|strategie
décidé*|décision*|approche|stratégie|decidido|decisión|decisão|deciso
決定|方針|计划|計画|方案|决定|결정|계획
"""
# Words that mark a short message as routine; several words: how a long one begins.
_ROUTINE = """
heartbeat|heartbeat_ok|no_reply|/status|ok|okay
read heartbeat.md if it exists|pre-compaction memory flush
"""


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(text.strip().replace("\n", "|").split("|"))


class Compaction(NamedTuple):
    """What a session is compacted by: importance, then ``max(floor, importance × e^(-rate × age))``.

    Ages are messages since the last use; the types are those of COMPACT.
    """

    tokens: Annotated[int, Rule("size of a summary at most (tokens)", 150, 10_000_000)] = 8_000
    sparse_tokens: int = 2_500  # size of its sparse index at most
    compress_threshold: float = 0.65  # kept in full from this retention up
    sparse_threshold: float = 0.25  # a compressed line from this retention up; below: a pointer
    importance_decision: float = 0.9  # importance of a decision
    importance_user_intent: float = 0.8  # importance of what the user wants
    importance_context: float = 0.5  # importance of other talk
    importance_unknown: float = 0.4  # importance of an unknown role
    importance_tool_result: float = 0.3  # importance of a tool's output
    importance_ephemeral: float = 0.1  # importance of routine
    rate_decision: float = 0.03  # how fast a decision fades (per message)
    rate_user_intent: float = 0.05  # how fast what the user wants fades
    rate_context: float = 0.12  # how fast other talk fades
    rate_unknown: float = 0.15  # how fast an unknown role fades
    rate_tool_result: float = 0.2  # how fast a tool's output fades
    rate_ephemeral: float = 0.35  # how fast routine fades
    floor_decision: float = 0.5  # a decision's retention never falls below
    floor_user_intent: float = 0.35  # the same for what the user wants
    floor_context: float = 0.0  # the same for other talk
    floor_unknown: float = 0.0  # the same for an unknown role
    floor_tool_result: float = 0.0  # the same for a tool's output
    floor_ephemeral: float = 0.0  # the same for routine
    recent: int = 5  # newest messages that get the recency bonus
    recency_bonus: float = 0.15  # added to their importance
    use_bonus: float = 0.2  # added to the importance of what was used again later
    large_tokens: int = 10_000  # size from which a message gets a penalty
    large_penalty: float = 0.15  # taken from the importance
    huge_tokens: int = 30_000  # size from which it gets another
    huge_penalty: float = 0.1  # taken from the importance as well
    decision_words: tuple[str, ...] = _phrases(_DECISIONS)
    routine_words: tuple[str, ...] = _phrases(_ROUTINE)


class Context(NamedTuple):
    """How context entries fade and what the window holds (CONTEXT §5 to §9); rates are per turn."""

    window_tokens: Annotated[int, Rule("the window's entries stay within this (tokens)", 50)] = (
        5_000
    )
    index_tokens: Annotated[int, Rule("a larger tool result is indexed (tokens)", 0)] = 1_000
    summary_tokens: int = 200  # summary and key data of an indexed entry at most
    aggressive_tokens: int = 80  # the same where a policy compresses aggressively
    tool_result_rate: float = 0.15  # how fast a tool result fades
    message_rate: float = 0.08  # how fast a message fades
    state_rate: float = 0.03  # how fast a task's state fades
    memory_rate: float = 0.01  # how fast a retrieved memory fades
    forgetting: float = 0.5  # exponent: how far strength drops with turns
    high_factor: float = 0.3  # the rate is multiplied by this at priority high
    low_factor: float = 2.0  # the same at priority low
    manual_factor: float = 0.5  # the same for what was added by hand
    association_factor: float = 0.7  # the same for an entry linked with a strong one
    strong: float = 0.8  # strong from here up, for associations (strength)
    dormant: float = 0.1  # below this an entry leaves the window (strength)
    full: float = 0.8  # share of window_tokens from which a turn compresses entries
    persist_strength: float = 0.5  # weaker entries do not go to MEMORY.md when a session ends
    persist_tokens: int = 500  # size from which only summary and key data go to MEMORY.md
    instruction_words: tuple[str, ...] = ("remember", "always", "never", "important")
    max_content_bytes: int = 64_000_000  # larger content is refused (bytes)
    idle_days: int = 30  # days without use after which monthly upkeep ends a session


class Hook(NamedTuple):
    """What `hippo hook` does in an agent's hooks."""

    output_tokens: Annotated[
        int, Rule("a tool's larger output is replaced by an entry (tokens)", 100)
    ] = 2_500
    return_tokens: Annotated[
        int, Rule("what is returned after a compaction at most (tokens)", 200, 100_000)
    ] = 2_400
    reminders: Annotated[
        int, Rule("lines that are sure, before a command or an edit, in a session at most", 0, 20)
    ] = 3
    lock_seconds: Annotated[
        float, Rule("how long a hook waits for another writer (seconds)", 0, 60)
    ] = 0.5
