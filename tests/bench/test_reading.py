"""A reader that can only copy, and PrecisionMemBench through beliefs, on data made up here."""

from __future__ import annotations

import json
from pathlib import Path

from bench import mind, reading
from bench.corpora import precisionmembench
from bench.reading import _copied, _Given


def test_the_line_with_the_rare_words_is_copied() -> None:
    given = [_Given(text, frozenset()) for text in ("the port is open", "the ferry is late", "x")]
    assert _copied("when is the ferry, and is it late", given) == given[1]
    assert _copied("zebra", given) is None
    assert _copied("ferry", []) is None


def belief(id: str, content: str, *aliases: str, **more: object) -> dict[str, object]:
    day = "2026-01-01T00:00:00Z"
    return {
        "_id": id,
        "user_id": "test-user",
        "type": "entity",
        "canonical_name": id,
        "scope": ["s"],
        "aliases": list(aliases),
        "content": content,
        "created_at": day,
        "updated_at": day,
        **more,
    }


def test_beliefs_answer_where_they_are_named_and_superseded_ones_do_not(tmp_path: Path) -> None:
    folder = tmp_path / "precisionmembench"
    folder.mkdir()
    seed = [
        belief("redis", "Redis is the cache.", "cache"),
        belief("old", "Memcached was the cache.", "memcached", superseded_by="redis"),
        belief("question", "Which queue?", "queue", type="open_question"),
    ]
    cases = [
        {"caseId": text, "category": "c", "scope": ["s"], "query": text, "expect": expect}
        for text, wanted in (("our cache?", ["redis"]), ("memcached", []), ("the queue", []))
        for expect in [{"relevantBeliefs": {"shouldOnlyInclude": wanted}}]
    ]
    (folder / "beliefs.seed.json").write_text(json.dumps(seed))
    (folder / "retrieval.cases.json").write_text(json.dumps(cases))
    found = list(precisionmembench.judge(tmp_path, mind._told))
    assert [right for _, _, right in found] == [True, True, True]
    assert dict(mind._precision(tmp_path))["PrecisionMemBench: cases of 3"] == 3
    assert list(reading.measured(tmp_path, 5)) == []
