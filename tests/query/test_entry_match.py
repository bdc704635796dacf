"""The entries of the index that have words of a question."""

from __future__ import annotations

from datetime import date

from hippocampus_cli.query.entry_match import IndexWords
from hippocampus_cli.query.request import parse as parse_query
from tests.support.indexes import index_of

INDEX = "# I\n\n## About mongo: fly\n→ memory/2026-03-12.md\n<!-- hx: id=a | hits=0 -->\n"
TODAY = date(2026, 8, 1)


def score(text: str) -> float:
    matches = IndexWords(index_of(INDEX)).match(parse_query(text, TODAY))
    return matches[0][1] if matches else 0.0


def test_words_of_days_need_not_stand_there() -> None:
    assert score("2026-03-12") and score("flying") == score("fly") > 0
    assert score("mongo in May") == score("mongo")
    assert score("mongo backups") < score("mongo")
