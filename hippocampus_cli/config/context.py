"""The settings of the context lifecycle, of compaction and of hooks, in the words of CONTEXT and COMPACT."""

from __future__ import annotations

from typing import Annotated

from hippocampus_cli.config.rules import Rule, Share
from hippocampus_cli.fast_types import NamedTuple

_DECISIONS = (
    *("decision", "decided", "decide", "will do", "plan", "approach", "strategy", "agreed"),
    *(
        "let's go with",
        "let's use",
        "i'll use",
        "i'll go with",
        "going with",
        "chose",
        "settled on",
        "opted for",
    ),
    *("решил*", "решено", "решение", "план", "буду", "сделаю", "подход"),
    *("entschied*", "entscheidung*", "beschlossen", "vorgehen", "strategie"),
    *("décidé*", "décision*", "approche", "stratégie", "decidido", "decisión", "decisão", "deciso"),
    *("決定", "方針", "计划", "計画", "方案", "决定", "결정", "계획"),
)
_ROUTINE = (
    *("heartbeat", "heartbeat_ok", "no_reply", "/status", "ok", "okay"),
    *("read heartbeat.md if it exists", "pre-compaction memory flush"),
)


class Compaction(NamedTuple):
    """What a session is compacted by: importance, then ``max(floor, importance × e^(-rate × age))``.

    Ages are messages since the last use; the types are those of COMPACT.
    """

    tokens: Annotated[int, Rule("size of a summary at most (tokens)", 150, 10_000_000)] = 8_000
    sparse_tokens: Annotated[
        int, Rule("size of its sparse index at most (tokens)", 0, 10_000_000)
    ] = 2_500
    compress_threshold: Annotated[Share, "kept in full from this retention up"] = 0.65
    sparse_threshold: Annotated[
        Share, "a compressed line from this retention up; below: a pointer"
    ] = 0.25
    importance_decision: Annotated[Share, "importance of a decision"] = 0.9
    importance_user_intent: Annotated[Share, "importance of what the user wants"] = 0.8
    importance_context: Annotated[Share, "importance of other talk"] = 0.5
    importance_unknown: Annotated[Share, "importance of an unknown role"] = 0.4
    importance_tool_result: Annotated[Share, "importance of a tool's output"] = 0.3
    importance_ephemeral: Annotated[Share, "importance of routine"] = 0.1
    rate_decision: Annotated[float, Rule("how fast a decision fades (per message)", 0, 100)] = 0.03
    rate_user_intent: Annotated[float, Rule("how fast what the user wants fades", 0, 100)] = 0.05
    rate_context: Annotated[float, Rule("how fast other talk fades", 0, 100)] = 0.12
    rate_unknown: Annotated[float, Rule("how fast an unknown role fades", 0, 100)] = 0.15
    rate_tool_result: Annotated[float, Rule("how fast a tool's output fades", 0, 100)] = 0.2
    rate_ephemeral: Annotated[float, Rule("how fast routine fades", 0, 100)] = 0.35
    floor_decision: Annotated[Share, "a decision's retention never falls below"] = 0.5
    floor_user_intent: Annotated[Share, "the same for what the user wants"] = 0.35
    floor_context: Annotated[Share, "the same for other talk"] = 0.0
    floor_unknown: Annotated[Share, "the same for an unknown role"] = 0.0
    floor_tool_result: Annotated[Share, "the same for a tool's output"] = 0.0
    floor_ephemeral: Annotated[Share, "the same for routine"] = 0.0
    recent: Annotated[int, Rule("newest messages that get the recency bonus", 0, 10_000)] = 5
    recency_bonus: Annotated[Share, "added to their importance"] = 0.15
    use_bonus: Annotated[Share, "added to the importance of what was used again later"] = 0.2
    large_tokens: Annotated[
        int, Rule("size from which a message gets a penalty (tokens)", 1, 10_000_000)
    ] = 10_000
    large_penalty: Annotated[Share, "taken from the importance"] = 0.15
    huge_tokens: Annotated[int, Rule("size from which it gets another (tokens)", 1, 10_000_000)] = (
        30_000
    )
    huge_penalty: Annotated[Share, "taken from the importance as well"] = 0.1
    decision_words: Annotated[
        tuple[str, ...], Rule("whole words and phrases that mark a decision; word* for any ending")
    ] = _DECISIONS
    routine_words: Annotated[
        tuple[str, ...],
        Rule("words that mark a short message as routine; several words: how a long one begins"),
    ] = _ROUTINE


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
    strong: Annotated[Share, "strong from here up, for associations (strength)"] = 0.8
    dormant: Annotated[Share, "below this an entry leaves the window (strength)"] = 0.1
    full: Annotated[Share, "share of window_tokens from which a turn compresses entries"] = 0.8
    persist_strength: Annotated[
        Share, "weaker entries do not go to MEMORY.md when a session ends"
    ] = 0.5
    persist_tokens: Annotated[
        int, Rule("size from which only summary and key data go to MEMORY.md", 1, 1_000_000)
    ] = 500
    instruction_words: Annotated[
        tuple[str, ...], Rule("words that make a user's message an instruction")
    ] = ("remember", "always", "never", "important")
    max_content_bytes: Annotated[
        int, Rule("larger content is refused (bytes)", 1_000, 1_000_000_000)
    ] = 64_000_000
    archive_after_days: Annotated[
        int, Rule("days after its end that monthly upkeep archives a session", 0, 36_500)
    ] = 30


class Hook(NamedTuple):
    """What `hippo hook` does in an agent's hooks."""

    output_tokens: Annotated[
        int, Rule("a tool's larger output is replaced by an entry (tokens)", 100)
    ] = 2_500
    return_tokens: Annotated[
        int, Rule("what is returned after a compaction at most (tokens)", 200, 100_000)
    ] = 2_400
    lock_seconds: Annotated[
        float, Rule("how long a hook waits for another writer (seconds)", 0, 60)
    ] = 0.5
