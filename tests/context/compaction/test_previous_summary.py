from __future__ import annotations

import math

import pytest

from hippocampus_cli.config.context import Compaction
from hippocampus_cli.context.compaction.previous_summary import PreviousSummary, read_summary
from hippocampus_cli.context.compaction.score import Use
from hippocampus_cli.context.key_data import KeyDatum
from hippocampus_cli.context.transcripts.pi import message_of

SETTINGS = Compaction()
OURS = """# hippocampus.md Compaction
<!-- entries: 6 | sparse: 1 | compressed: 1 | kept: 2 | folded: 0 | dropped: 0 -->
<!-- the original of a #id: hippo fetch ID -->

## Goal
- `rotate` the logs #aa000001

## Prior Context
• (r=0.61) [PRIOR] "We use\\nUTC" #bb000001

## Active Context (high retention)
### [decision] (r=0.90) #aa000002
Two lines
of text

### [tool_result] (r=0.70) `cat x.md` #aa000003
```
## Sparse Index (decayed — pointers only)
[USER] "a text that looks like a line" #ffffffff
```

## Compressed (mid retention — re-fetch if needed)
• (r=0.40) [TOOL:bash] 1200tok `df -h` → "Size\\n40G" #aa000004

## Key Data (verbatim)
- commands: `make deploy` `` echo `date` ``
- URLs: `https://x.io/a`

## Sparse Index (decayed — pointers only)
[ASSISTANT] "noise" #aa000005

<!-- hippocampus stats: 100tok → 50tok (2.0× compression) -->"""
THEIRS = """# hippocampus.md Compaction
<!-- decay_λ={"decision":0.03} sparse_threshold=0.25 compress_threshold=0.65 -->
<!-- entries: 3 | sparse: 1 | compressed: 1 | kept: 1 | dropped: 0 -->

## Goal
- Rotate the logs every night

## Prior Context
# hippocampus.md Compaction
<!-- entries: 1 | sparse: 1 | compressed: 0 | kept: 0 | dropped: 0 -->

## Sparse Index (decayed — pointers only)
[ASSISTANT] from the first time

## Active Context (high retention)
### [decision] (r=0.75)
Decided to use gzip.

## Compressed (mid retention — re-fetch if needed)
• (r=0.56) [USER] "Rotate the logs every night"

## Sparse Index (decayed — pointers only)
[TOOL:bash] 9tok → "IMG_1.jpg
IMG_2.jpg"

<!-- 2 additional entries dropped (sparse index full) -->

<!-- hippocampus stats: 84tok → 85tok (1.0× compression) -->"""


def read(text: str) -> PreviousSummary:
    return read_summary(message_of({"role": "compactionSummary", "summary": text}, "cc000001"))


def test_a_summary_of_ours_gives_back_its_entries_and_key_data() -> None:
    earlier = read(OURS)
    assert [(one.id, one.type, one.retention) for one in earlier.items] == [
        ("aa000001", "user_intent", None),
        ("bb000001", "decision", 0.61),
        ("aa000002", "decision", 0.90),
        ("aa000003", "tool_result", 0.70),
        ("aa000004", "tool_result", 0.40),
        ("aa000005", "context", None),
    ]
    assert earlier.items[0].text == "`rotate` the logs"
    assert [one.text for one in earlier.items][1:3] == ["We use\nUTC", "Two lines\nof text"]
    assert earlier.items[3].text.endswith('looks like a line" #ffffffff')
    assert (earlier.items[4].call, earlier.items[4].tokens) == ("df -h", 1200)
    assert earlier.key_data == (
        KeyDatum("command", "make deploy"),
        KeyDatum("command", "echo `date`"),
        KeyDatum("url", "https://x.io/a"),
    )


def test_a_nested_summary_of_the_reference_is_unfolded() -> None:
    told = read(THEIRS).items
    assert [(one.type, one.text) for one in told] == [
        ("user_intent", "Rotate the logs every night"),
        ("context", "from the first time"),
        ("decision", "Decided to use gzip."),
        ("tool_result", "IMG_1.jpg\nIMG_2.jpg"),
    ]


def test_a_summary_in_other_words_is_told_block_by_block() -> None:
    told = read("## Progress\n\nWe did it.\n\n- port 8443\n- gzip\n").items
    assert [one.text for one in told] == ["We did it.", "- port 8443", "- gzip"]
    assert {(one.role, one.id, one.full) for one in told} == {("prior", "cc000001", True)}


def test_other_words_in_a_summary_are_not_lost() -> None:
    told = read(
        THEIRS.replace("# hippocampus.md Compaction\n<!-- entries: 1", "We use UTC.\n<!--")
    ).items
    assert any(one.text.startswith("We use UTC.") for one in told)


def test_decay_goes_on_where_it_was() -> None:
    earlier = read(OURS)
    entries = {one.id: one for one in earlier.entries(10, {}, SETTINGS)}
    assert math.isclose(entries["aa000002"].retention, 0.9 * math.exp(-0.03 * 10))
    assert math.isclose(entries["aa000004"].retention, 0.4 * math.exp(-0.2 * 10))
    assert [one.place for one in earlier.entries(10, {}, SETTINGS)] == [-6, -5, -4, -3, -2, -1]


def test_a_use_by_a_new_message_revives_an_entry() -> None:
    earlier = read(OURS)
    (*_, compressed, _) = earlier.entries(10, {-2: Use(9, "df")}, SETTINGS)
    assert (compressed.age, compressed.retention) == (0, 0.5)
    (*_, compressed, _) = earlier.entries(10, {-2: Use(-1, "df")}, SETTINGS)
    assert compressed.retention < 0.4


@pytest.mark.parametrize(
    "piece", ["`", "`a", "` ", "#a ", " →", '"', "• (r=0.5) [A] `", "\n", " \n- "]
)
def test_no_summary_is_slow(piece: str) -> None:
    """Nested repetition would take minutes here."""
    head = "# hippocampus.md Compaction\n\n"
    for section in ("Goal", "Active Context", "Compressed", "Key Data", "Prior Context"):
        read(f"{head}## {section}\n[A] {piece * 20_000}\n- commands: {piece * 20_000}\n")
    read(piece * 20_000)


def test_no_summary_tells_nothing() -> None:
    assert read_summary(None) == PreviousSummary()
