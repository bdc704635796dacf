"""The corpora of other people, on samples made up in their formats."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.comparison import run
from bench.corpora import beam, conversations, factconsolidation
from bench.corpora import precisionmembench as precision
from bench.dataset import Dataset
from bench.methods import FURTHER, RANKINGS
from bench.metrics import Interval, Span
from hippocampus_cli.config import Config

TALK = Path(__file__).parents[1] / "talk.json"


def written(root: Path, path: str, document: object) -> Path:
    """``root`` with a JSON file in it."""
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(document), encoding="utf-8")
    return root


def figures(dataset: Dataset, *keys: str) -> dict[str, dict[str, Interval | None]]:
    """The figures of the methods with these keys."""
    methods = [one for one in (*RANKINGS, *FURTHER) if one.key in keys]
    return {row.method: dict(row.figures) for row in run(dataset, methods, Config()).rows}


def value(interval: Interval | None) -> float:
    """The mean, which is there."""
    assert interval is not None
    return interval.value


def message(id: int, role: str, content: str, **more: str) -> dict[str, object]:
    """One of BEAM's."""
    return {"id": id, "role": role, "content": content, **more}


CHAT = {
    "batches": [
        {
            "turns": [
                [
                    message(0, "user", "My loom has 8 shafts.", time_anchor="March-15-2024"),
                    message(
                        1, "assistant", "# Good\n\n```\n# kept\n```\nEight shafts weave twill."
                    ),
                ]
            ]
        },
        {"turns": [[message(2, "user", "I never owned a loom with shafts.")]]},
    ],
    "questions": {
        "abstention": [{"question": "Which wool did I dye?"}],
        "contradiction_resolution": [
            {
                "question": "Does my loom have shafts?",
                "source_chat_ids": {"first_statement": [0], "second_statement": 2},
            }
        ],
        "event_ordering": [{"question": "In which order?", "source_chat_ids": list(range(30))}],
        "information_extraction": [{"question": "What weaves twill?", "source_chat_ids": [1, 99]}],
        "summarization": [{"question": "Sum up.", "source_chat_ids": [0]}],
    },
}


def test_beam(tmp_path: Path) -> None:
    dataset = beam.read(written(tmp_path, "beam/one.json", CHAT))
    assert dataset
    (folder,) = dataset.folders
    assert list(folder.corpus.files) == ["memory/2024-03-15.md", "memory/2024-03-16.md"]
    lines = folder.corpus.files["memory/2024-03-15.md"]
    assert lines[:5] == ["# 2024-03-15", "", "## Exchange 1", "", "**user**: My loom has 8 shafts."]
    assert lines[6:9] == ["**assistant**:", "", "### Good"] and lines[11] == "# kept"
    assert folder.corpus.messages[0] == Span("memory/2024-03-15.md", 5, 5)
    assert [case.kind for case in folder.cases] == [
        *("abstention", "contradiction_resolution", "information_extraction")
    ]
    assert [len(case.sides) for case in folder.cases] == [0, 2, 0]
    rows = figures(dataset, "bm25-messages", "hybrid")
    assert value(rows["bm25-messages"]["recall_10"]) == value(rows["hybrid"]["recall_10"]) == 1
    assert value(rows["hybrid"]["both_10"]) == 1
    assert rows["bm25-messages"]["absent_sure"] is None


FACTS = {
    "set": "sh_tiny",
    "context": "Facts:\n0. The mayor of Elm is Ada Poe.\n1. Elm lies on the river Ost.\n"
    "2. The mayor of Elm is Ben Roe.\n",
    "questions": ["Who is the mayor of Elm?"],
    "answers": [["Ben Roe"]],
}


def test_factconsolidation(tmp_path: Path) -> None:
    dataset = factconsolidation.read(written(tmp_path, "factconsolidation/a.json", [FACTS]))
    assert dataset
    (folder,) = dataset.folders
    assert folder.corpus.files == {
        "memory/2020-01-01.md": [
            *("# 2020-01-01", "", "- The mayor of Elm is Ada Poe."),
            *("- Elm lies on the river Ost.", "- The mayor of Elm is Ben Roe."),
        ]
    }
    (case,) = folder.cases
    assert case.gold[0].text == "The mayor of Elm is Ben Roe."
    assert [one.text for one in case.stale] == ["The mayor of Elm is Ada Poe."]
    rows = figures(dataset, "bm25-newest", "hybrid")
    assert value(rows["bm25-newest"]["first"]) == value(rows["bm25-newest"]["current"]) == 1
    assert value(rows["hybrid"]["five"]) == 1 and rows["hybrid"]["sure"] is not None


def belief(id: str, content: str, **more: object) -> dict[str, object]:
    """One of PrecisionMemBench's."""
    rest = {"aliases": [], "type": "entity", "scope": ["domain:farm"], "updated_at": "2026-01-02"}
    return (
        {"_id": id, "user_id": "test-user", "canonical_name": id, "content": content} | rest | more
    )


BELIEFS = [
    belief("ducks", "Six ducks live on the pond.", aliases=["drakes"]),
    belief("barn", "The barn is red.", pinned=True),
    belief("feeds", "Grain feeds ducks.", type="relation", participants=["ducks", "barn", "none"]),
    belief("hens", "Hens were sold.", superseded_by="ducks"),
    belief("foreign", "Other ducks.", user_id="somebody-else"),
]
CASES = [
    {
        "caseId": "one",
        "category": "plain",
        "scope": ["domain:farm"],
        "query": "drakes pond",
        "expect": {"relevantBeliefs": {"shouldOnlyInclude": ["ducks"]}},
    },
    {
        "caseId": "nothing",
        "category": "empty",
        "scope": ["domain:sea"],
        "query": " ",
        "expect": {"relevantBeliefs": {"shouldOnlyInclude": []}},
    },
]


def test_precisionmembench(tmp_path: Path) -> None:
    written(tmp_path, "precisionmembench/beliefs.seed.json", BELIEFS)
    dataset = precision.read(written(tmp_path, "precisionmembench/retrieval.cases.json", CASES))
    assert dataset
    farm, sea = dataset.folders
    assert (farm.name, sea.name) == ("domain:farm", "domain:sea")
    assert sorted(farm.corpus.files) == [
        f"beliefs/{id}.md" for id in ("barn", "ducks", "feeds", "hens")
    ]
    assert "tags: [drakes]" in farm.corpus.files["beliefs/ducks.md"] and not sea.corpus.files
    rows = figures(dataset, "bm25-sections", "hybrid")
    assert value(rows["hybrid"]["recall"]) == 1
    assert value(rows["bm25-sections"]["superseded"]) == 0


def test_locomo_is_asked_about_another_conversation_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOCOMO", str(TALK))
    dataset = conversations.read(tmp_path)
    assert dataset
    assert dataset.counts[conversations.OTHER] == 2
    rows = figures(dataset, "hybrid")
    assert value(rows["hybrid"]["any_at_5"]) == 1 and rows["hybrid"]["absent_sure"] is not None
