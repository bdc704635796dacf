from __future__ import annotations

import pytest

from hippocampus_cli.context.phrases import contains


@pytest.mark.parametrize(
    ("phrase", "text", "expected"),
    [
        ("plan", "The plan is simple.", True),
        ("plan", "My PLAN: go", True),
        ("plan", "An explanation of the airplane", False),
        ("entschied*", "Wir haben entschieden.", True),
        ("entschied*", "unentschieden", False),
        ("will do", "I will do it", True),
        ("will do", "I will not do it", False),
        ("план", "План такой", True),
        ("决定", "我决定使用它", True),
        ("", "anything", False),
        (" ", "anything", False),
        ("*", "anything", False),
        ("not forget", "do not\n forget", True),
        ("记住", "请记住这个命令", True),
        ("%", "100% sure", True),
    ],
)
def test_a_phrase_is_found_whole(phrase: str, text: str, expected: bool) -> None:
    assert contains(text, (phrase,)) is expected
