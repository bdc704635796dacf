"""Names, numbers and identifiers that no note has."""

from __future__ import annotations

import pytest

from hippocampus_cli.search.question import named_in


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("what was invoice SL-2026-0777 for?", ["SL-2026-0777"]),
        ("LOOM_PULL_URL", ["LOOM_PULL_URL"]),
        ("where is src/press/gear.py", ["src/press/gear.py"]),
        ("what does --dry-run do", ["--dry-run"]),
        ("who calls parse_index() or readIndex", ["parse_index", "readIndex"]),
        ("123e4567-e89b-12d3-a456-426614174000", ["123e4567-e89b-12d3-a456-426614174000"]),
        ("a mail of ann@example.org", ["ann@example.org"]),
        ("port 8080 of 10.0.0.7", ["8080", "10.0.0.7"]),
        ("what did Sigrid Aune say", ["Sigrid", "Aune"]),
        ("is the API of node.js there", ["API", "node.js"]),
        ("昇腾960什么时候发布", ["960"]),
    ],
)
def test_what_an_answer_must_have(text: str, found: list[str]) -> None:
    assert [*named_in(text)] == found


@pytest.mark.parametrize(
    "text",
    [
        *("how do we deploy", "the 3 rules and/or the 12 others", "What is it? How so?", ""),
        *("Wie heißt der Hund von dem Nachbarn", "卡纸的时候怎么办", "quixotic zeppelins", "?!"),
    ],
)
def test_words_alone_are_never_missing(text: str) -> None:
    assert [*named_in(text)] == []
