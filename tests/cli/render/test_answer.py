"""An answer as a document."""

from __future__ import annotations

import json

from hippocampus_cli.cli.render.answer import as_document
from hippocampus_cli.retrieval.excerpts import Passage
from hippocampus_cli.retrieval.results import QueryResult, Result


def test_passages_are_lines_with_a_score() -> None:
    result = Result(1, "a.md", None, 3, 9, "", 0, 1.0, "search", None, None, None, cut=True)
    shown = result._replace(passages=(Passage(9, 9, 7.123456), Passage(3, 4, -0.5)))
    answer = QueryResult("q", "search", "search", (shown, result), corrections={})
    document = as_document(answer, explain=False)
    first, second = json.loads(json.dumps(document))["results"]
    assert first["passages"] == [
        {"start_line": 9, "end_line": 9, "score": 7.1235},
        {"start_line": 3, "end_line": 4, "score": -0.5},
    ]
    assert second["passages"] == []
