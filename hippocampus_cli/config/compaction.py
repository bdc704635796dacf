"""The settings of compaction, in the words of COMPACT where it has one."""

from __future__ import annotations

from typing import Annotated

from hippocampus_cli.config.rules import Rule
from hippocampus_cli.light import NamedTuple

_DECISIONS = (
    *("decision", "decided", "decide", "will do", "plan", "approach", "strategy", "agreed"),
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
    compress_threshold: Annotated[float, Rule("kept in full from this retention up", 0, 1)] = 0.65
    sparse_threshold: Annotated[
        float, Rule("a compressed line from this retention up; below: a pointer", 0, 1)
    ] = 0.25
    importance_decision: Annotated[float, Rule("importance of a decision", 0, 1)] = 0.9
    importance_user_intent: Annotated[float, Rule("of what the user wants", 0, 1)] = 0.8
    importance_context: Annotated[float, Rule("of other talk", 0, 1)] = 0.5
    importance_unknown: Annotated[float, Rule("of an unknown role", 0, 1)] = 0.4
    importance_tool_result: Annotated[float, Rule("of a tool's output", 0, 1)] = 0.3
    importance_ephemeral: Annotated[float, Rule("of routine", 0, 1)] = 0.1
    rate_decision: Annotated[float, Rule("how fast a decision fades (per message)", 0, 100)] = 0.03
    rate_user_intent: Annotated[float, Rule("what the user wants", 0, 100)] = 0.05
    rate_context: Annotated[float, Rule("other talk", 0, 100)] = 0.12
    rate_unknown: Annotated[float, Rule("an unknown role", 0, 100)] = 0.15
    rate_tool_result: Annotated[float, Rule("a tool's output", 0, 100)] = 0.2
    rate_ephemeral: Annotated[float, Rule("routine", 0, 100)] = 0.35
    floor_decision: Annotated[float, Rule("a decision's retention never falls below", 0, 1)] = 0.5
    floor_user_intent: Annotated[float, Rule("nor what the user wants below", 0, 1)] = 0.35
    floor_context: Annotated[float, Rule("nor other talk below", 0, 1)] = 0.0
    floor_unknown: Annotated[float, Rule("nor an unknown role below", 0, 1)] = 0.0
    floor_tool_result: Annotated[float, Rule("nor a tool's output below", 0, 1)] = 0.0
    floor_ephemeral: Annotated[float, Rule("nor routine below", 0, 1)] = 0.0
    recent: Annotated[int, Rule("newest messages that get the recency bonus", 0, 10_000)] = 5
    recency_bonus: Annotated[float, Rule("added to their importance", 0, 1)] = 0.15
    use_bonus: Annotated[
        float, Rule("added to the importance of what was used again later", 0, 1)
    ] = 0.2
    large_tokens: Annotated[int, Rule("from this size up a penalty (tokens)", 1, 10_000_000)] = (
        10_000
    )
    large_penalty: Annotated[float, Rule("taken from the importance", 0, 1)] = 0.15
    huge_tokens: Annotated[int, Rule("from this size up another (tokens)", 1, 10_000_000)] = 30_000
    huge_penalty: Annotated[float, Rule("taken as well", 0, 1)] = 0.1
    decision_words: Annotated[
        tuple[str, ...],
        Rule("whole words and phrases that mark a decision; word* for any ending"),
    ] = _DECISIONS
    routine_words: Annotated[
        tuple[str, ...],
        Rule("what marks a short message as routine; of several words: how a long one begins"),
    ] = _ROUTINE
