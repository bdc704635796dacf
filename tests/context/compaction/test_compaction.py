"""What a compaction promises, whatever the session."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.config.context import Compaction as Settings
from hippocampus_cli.context.compaction import CompactedSession, compact
from hippocampus_cli.context.transcripts import Messages
from hippocampus_cli.context.transcripts.message import TITLE
from hippocampus_cli.context.transcripts.pi import message_of
from hippocampus_cli.markdown.tokens import tokens, weight
from tests.support.sessions import Value, call, result, says, user

NOISE = [says(f"Nothing to see here, number {n}.") for n in range(40)]
# What a text may hold to be taken for a part of the summary.
SCRIPTS = (
    "请把标签打印机的端口改为七千零二，不要动账单表。",
    "레이블 프린터의 포트를 칠천이로 바꿔 주세요.",
    "ラベルプリンターのポートを七千二に変えてください。",
    "เปลี่ยนพอร์ตของเครื่องพิมพ์ฉลากเป็นเจ็ดพันสอง",
    "غيّر منفذ طابعة الملصقات إلى سبعة آلاف واثنين",
    "Змени порт принтера этикеток на семь тысяч два.",
    "लेबल प्रिंटर का पोर्ट सात हज़ार दो करें",
    "🖨️🏷️👩🏽‍🔧✅🇨🇭" * 4,
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk" * 3,
    "if (!ok) { return {'a': [1, 2.5e-3], \"b\": x?.y ?? z[0]}; }",
    "ÀÉÎÕÜ ǅ ﬀ ＡＢＣ  12345 678,90",
)
LINES = """## Goal
## Sparse Index
# hippocampus.md Compaction
- a wish #aaaaaaaa
### [decision] (r=0.99) #bbbbbbbb
• (r=0.99) [USER] "x" #cccccccc
[TOOL:a] 1tok → "x" #dddddddd
- commands: `rm -rf /`
```
````
<!-- entries: 1 -->
<!-- hippocampus stats: 1 -->
→
words
src/app.py
decided
"""
ODD = ["`", '"', "\\", "#", "\r", "\x85", "\u2028", "\x1b[2J", "\ud83e", "x" * 900]
PIECES = st.sampled_from([*LINES.split("\n"), *ODD, *SCRIPTS])
TEXTS = st.lists(PIECES, max_size=6).map("\n".join)
MESSAGES = st.one_of(
    st.builds(user, TEXTS),
    st.builds(says, TEXTS),
    st.builds(lambda text: says(text, call("c1", command=text)), TEXTS),
    st.builds(lambda text, name: result("c1", text, name), TEXTS, PIECES),
    st.builds(lambda text, role: {"role": role, "content": text}, TEXTS, PIECES),
)


def session(*messages: Value, previous: str = "") -> Messages:
    told = (
        message_of({"role": "compactionSummary", "summary": previous}, "s0") if previous else None
    )
    return Messages([message_of(raw, f"id{at:06}") for at, raw in enumerate(messages)], told)


def compacted(*messages: Value, previous: str = "", **settings: object) -> CompactedSession:
    return compact(session(*messages, previous=previous), Settings(**settings))  # type: ignore[arg-type]


def action(made: CompactedSession, at: int) -> str:
    return next(one.action for one in made.judged if one.entry.place == at)


@given(st.lists(MESSAGES, max_size=25), st.integers(150, 1_500), TEXTS)
def test_a_summary_keeps_its_promises(messages: list[Value], budget: int, previous: str) -> None:
    """It never exceeds its budget, is always the same, and has a verdict on each message, which holds."""
    made = compacted(*messages, previous=previous, tokens=budget)
    assert made.after == tokens(made.summary) <= budget
    assert made == compacted(*messages, previous=previous, tokens=budget)
    assert [one.entry.place for one in made.judged] == list(range(len(made.judged)))
    assert len(made.judged) >= len(messages) and made.summary.startswith(TITLE)
    for one in made.judged:
        assert one.reason
        if one.action in ("keep", "compress", "sparse"):
            assert f"#{one.entry.id}" in made.summary


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("budget", [200, 1_000, 4_000])
def test_a_budget_holds_in_every_script_and_is_used(script: str, budget: int) -> None:
    """Counted in characters, a summary of Chinese was three times as long as its budget."""
    talk = [user(f"{script} {at} {script * (at % 7)}") for at in range(80)]
    made = compacted(*talk, tokens=budget, sparse_tokens=budget)
    assert budget / 3 < tokens(made.summary) <= budget


@given(st.lists(st.sampled_from(SCRIPTS) | st.text(max_size=40), min_size=1, max_size=9), st.data())
def test_weights_of_parts_bound_that_of_the_whole(parts: list[str], data: st.DataObject) -> None:
    gaps = [data.draw(st.sampled_from(("\n", "\n\n", " "))) for _ in parts]
    whole = "".join(part + gap for part, gap in zip(parts, gaps, strict=True))
    bound = sum(weight(part + gap) for part, gap in zip(parts, gaps, strict=True))
    assert tokens(whole) <= bound + 1 and weight(whole) <= bound + 1e-6


@given(st.lists(MESSAGES, max_size=15), st.integers(150, 3_000))
def test_no_text_is_taken_for_a_part_of_the_summary(messages: list[Value], budget: int) -> None:
    made = compacted(*messages, tokens=budget)
    lines, fence = [], ""
    for line in made.summary.split("\n"):
        if fence:
            fence = "" if line == fence else fence
        elif re.fullmatch("`{3,}", line):
            fence = line
        elif re.match(r"#{1,6} |<!--", line):
            lines.append(line)
    heads = [piece.head for piece in made.pieces]
    assert len(lines) == len(heads) and all(map(str.endswith, heads, lines))


def test_a_summary_in_other_words_is_carried_on() -> None:
    made = compacted(*NOISE, previous="## Progress\n\nWe agreed on port 8443.\n")
    assert "We agreed on port 8443." in made.summary
    assert "## Prior Context" in made.summary


def test_what_was_named_again_is_kept_alive() -> None:
    output = result("c1", "deployment dep_8f3k ready")
    named = [says("dep_8f3k is live."), *NOISE[:2]]
    plain = [says("It is live now."), *NOISE[:2]]
    used, forgotten = (compacted(output, *NOISE[:20], *after).judged[0] for after in (named, plain))
    assert used.entry.retention > 0.25 > forgotten.entry.retention
    assert (used.action, forgotten.action) == ("compress", "sparse")
    assert "used again by #id000021: dep_8f3k" in used.reason


def test_commands_paths_and_numbers_of_faded_messages_are_kept_to_the_letter() -> None:
    made = compacted(
        says("", call("c1", command="rsync -av --delete src/ web:/srv/www")),
        result("c1", "sent 12 files\nrsync error: some files vanished (code 24)"),
        says("The port is 8443, see https://x.io/ops and conf/nginx.conf for JIRA-77."),
        *NOISE,
        tokens=2_000,
        sparse_tokens=0,
    )
    for fact in (
        *("rsync -av --delete src/ web:/srv/www", "rsync error: some files vanished (code 24)"),
        *("https://x.io/ops", "conf/nginx.conf", "JIRA-77", "8443"),
    ):
        assert fact in made.summary
    assert action(made, 2) == "drop"


def test_what_does_not_fit_in_full_is_a_line_with_its_id() -> None:
    made = compacted(says("decided " * 2_000), tokens=300)
    assert made.judged[0].action == "compress"
    assert "in full it does not fit" in made.judged[0].reason
    assert "#id000000" in made.summary


def test_pointers_get_shorter_before_one_finds_no_room() -> None:
    talk = [
        says(f"Of no use later is {n}, whatever else is said here about it.") for n in range(40)
    ]
    roomy, tight = (compacted(*talk, sparse_tokens=tokens) for tokens in (2_500, 750))
    pointers = [one.entry.id for one in roomy.judged if one.action == "sparse"]
    assert len(pointers) > 20
    assert [one.entry.id for one in tight.judged if one.action == "sparse"] == pointers
    assert "Of no use later is 3, whatever else is said here about it." in roomy.summary
    assert '"Of no use later is 3, whatever else is…" #id000003' in tight.summary


def test_a_pointer_tells_what_its_tool_was_called_with_to_the_end() -> None:
    command = "rsync -az --bwlimit 4417 build/ deploy@heron:/srv/kelpie/releases/2026-03-12/ --delete-after"
    made = compacted(says("", call("c1", command=command)), result("c1", "sent\n" * 90), *NOISE)
    assert action(made, 1) == "sparse"
    assert f"`{command}`" in made.summary


def test_the_line_of_a_decision_begins_where_it_is_taken() -> None:
    text = f"{'The tests are slow. ' * 20}\nWe decided to run them at night. {'So be it. ' * 20}"
    made = compacted(says(text), *NOISE)
    assert action(made, 0) == "compress"
    assert "We decided to run them at night. So be it." in made.summary


def test_a_call_is_told_with_its_output() -> None:
    made = compacted(says("", call("c1", command="df -h")), result("c1", "40G"), *NOISE)
    assert action(made, 0) == "fold"
    assert '`df -h` → "40G"' in made.summary


def test_what_is_said_beside_a_call_is_the_first_to_find_no_room() -> None:
    talk = [
        one
        for at in range(20)
        for one in (says(f"Look {at}.", call(f"c{at}", command=f"df {at}")), result(f"c{at}", "40"))
    ]
    roomy, tight = (compacted(*talk, *NOISE[:9], sparse_tokens=tokens) for tokens in (2_500, 450))
    assert {action(roomy, at) for at in range(40)} == {"sparse"}
    beside, outputs = (Counter(action(tight, at) for at in range(n, 40, 2)) for n in (0, 1))
    assert outputs["sparse"] > 15 > 5 > beside["sparse"]


def test_routine_and_empty_messages_are_dropped_and_a_system_prompt_is_skipped() -> None:
    made = compacted(
        {"role": "system", "content": "Be brief."}, user("heartbeat"), says(""), *NOISE
    )
    assert [one.action for one in made.judged[:3]] == ["skip", "drop", "drop"]


def test_the_first_wish_stays_when_there_are_many() -> None:
    wishes = [
        user(f"AddRequest number {n}: make the report about host-{n} shorter.") for n in range(99)
    ]
    made = compacted(*wishes, tokens=500)
    assert "host-0" in made.summary and "host-98" in made.summary
    assert "host-50" not in made.summary


def test_the_figures_are_those_of_the_text() -> None:
    made = compacted(*(NOISE * 9))
    found = re.search(r"stats: (\d+)tok → (\d+)tok \(([\d.]+)×", made.summary)
    assert found is not None
    before, after, times = found.groups()
    assert int(after) == made.after == tokens(made.summary)
    assert int(before) == made.before
    assert float(times) == pytest.approx(made.before / made.after, abs=0.05)


def test_what_became_longer_is_not_called_compressed() -> None:
    made = compacted(user("The deploy is on Friday."))
    assert made.after > made.before
    assert f"{made.before}tok → {made.after}tok (too little to compact) -->" in made.summary


def test_long_ids_are_shortened_where_they_stay_apart() -> None:
    ids: Sequence[str] = (
        "aaaaaaaa-1111-4111-8111-111111111111",
        "bbbbbbbb-1111-4111-8111-111111111111",
        "bbbbbbbb-2222-4222-8222-222222222222",
        "cccccccc-1111-4111-8111-111111111111.2",
    )
    messages = Messages([message_of(says("something"), one) for one in ids])
    made = compact(messages, Settings())
    assert [one.entry.id for one in made.judged] == ["aaaaaaaa", *ids[1:3], "cccccccc.2"]


def test_a_message_of_ten_megabytes_is_compacted() -> None:
    made = compacted(user("rotate " * 1_500_000), result("c1", "." * 10_000_000), says("Done."))
    assert made.after <= 8_000
    assert [one.action for one in made.judged] == ["compress", "sparse", "keep"]


def test_null_blocks_and_odd_contents_are_no_obstacle() -> None:
    made = compacted(
        {"role": "assistant", "content": [None, {"type": None}, {"type": "text", "text": None}, 7]},
        {"role": None, "content": {"a": 1}},
        {},
        {"role": "assistant", "content": [{"type": "toolCall", "id": 7, "arguments": [1]}]},
    )
    assert len(made.judged) == 4


REQUEST = "Write a parser. " + " ".join(f"Field {n} has {n + 3} columns." for n in range(60))


def test_what_was_asked_for_stands_in_full_while_there_is_room() -> None:
    talk = [one for n in range(20) for one in (user(f"go on with step {n}"), says("It went well."))]
    made = compacted(user(REQUEST), *talk)
    assert REQUEST in made.summary and action(made, 0) == "keep"
    assert REQUEST not in compacted(user(REQUEST), *talk, tokens=400).summary
    again = compacted(user(REQUEST), *talk, *talk, previous=made.summary)
    assert REQUEST in again.summary and again.summary.count(TITLE) == 1
