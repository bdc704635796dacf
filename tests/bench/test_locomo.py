from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bench.errors import DatasetInvalid
from bench.locomo import read_locomo
from bench.metrics import Span

TALK = Path(__file__).parent / "talk.json"


def test_a_conversation_is_read() -> None:
    first, second = read_locomo(TALK).folders
    assert (first.name, second.name) == ("made-up-1", "made-up-2")
    assert [one.text.partition(" ")[0] for one in first.cases] == ["What", "What", "When"]
    march = "memory/2024-03-0"
    assert [case.right for case in first.cases] == [
        (frozenset({(f"{march}3.md", 7)}),),
        (frozenset({(f"{march}4.md", 5), (f"{march}4.md", 11)}),),
        (frozenset({(f"{march}4.md", 10)}),),
    ]
    assert f"{first.now:%Y-%m-%d %H:%M %Z}" == "2024-03-05 09:00 UTC"


def test_it_becomes_a_workspace(tmp_path: Path) -> None:
    folder = read_locomo(TALK).folders[0]
    assert folder.write(tmp_path) == tmp_path
    assert (tmp_path / "memory/2024-03-03.md").read_text(encoding="utf-8") == (
        "# 2024-03-03\n\n## Session 1, 9:15 am on 3 March, 2024\n\n"
        "- Imke: Good morning! The greenhouse roof leaks again.\n"
        "- Rasmus: Oh no. Shall I bring silicone?\n"
        "- Imke: Please. And look at my seedlings: [shares a photo: a tray of purple kohlrabi seedlings]\n"
    )
    later = (tmp_path / "memory/2024-03-04.md").read_text(encoding="utf-8").split("\n")
    assert [line for line in later if line.startswith("#")] == [
        "# 2024-03-04",
        "## Session 2, 12:05 am on 4 March, 2024",
        "## Session 3, 8:40 pm on 4 March, 2024",
    ]  # the fourth has no turns
    for path, line in folder.corpus.units:
        text = (tmp_path / path).read_text(encoding="utf-8").split("\n")
        assert text[line - 1].startswith("- ")
        assert text[: len(folder.corpus.files[path])] == folder.corpus.files[path]
    assert folder.corpus.sections[1] == Span("memory/2024-03-04.md", 3, 6)


def test_what_is_left_out_is_counted() -> None:
    dataset = read_locomo(TALK).limited()
    assert [len(one.cases) for one in dataset.folders] == [3, 1]
    assert dataset.skipped == {
        "without_answer": 1,
        "without_evidence": 1,
        "beyond_limit": 0,
        "references": 1,
    }
    assert dataset.limited(2).skipped["beyond_limit"] == 2


def changed(change: Callable[[Any], object]) -> str:
    data = json.loads(TALK.read_text(encoding="utf-8"))
    change(data[0])
    return json.dumps(data)


REFUSED = {
    "[]": "no conversation",
    "{}": "the document is no list",
    "[3]": "sample 1 is no object",
    '[\n  {"qa": [],\n}]': "(column 1)",
    "\xff": "no JSON",
    "[" * 100_000: "no JSON",
    changed(lambda one: one.pop("conversation")): "the conversation of sample 'made-up-1' is no",
    changed(lambda one: one.pop("qa")): "qa of sample 'made-up-1' is no list",
    changed(lambda one: one["conversation"].clear()): "has no session",
    changed(
        lambda one: one["conversation"].update(session_1_date_time="31 June")
    ): "session_1 of sample 'made-up-1' has no date",
    changed(
        lambda one: one["conversation"].update(session_1_date_time="1:00 pm on 31 June, 2024")
    ): "has no date",
    changed(lambda one: one["conversation"]["session_1"][0].pop("dia_id")): "has no dia_id",
    changed(lambda one: one["qa"][0].pop("category")): "no category",
    changed(lambda one: one["qa"][0].update(question=" ")): "has no text",
}


@pytest.mark.parametrize("text", REFUSED, ids=list(REFUSED.values()))
def test_what_is_no_locomo_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "data.json"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(DatasetInvalid) as refused:
        read_locomo(file)
    assert REFUSED[text] in refused.value.message
    assert refused.value.line == (3 if "column" in REFUSED[text] else None)
