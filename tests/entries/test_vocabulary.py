from __future__ import annotations

from hippocampus_cli.entries.tags import Vocabulary
from tests.entries.notes import one, vocabulary


def test_a_word_in_every_note_is_less_rare_than_one_in_a_single_note() -> None:
    found = vocabulary(("a.md", "buoy gasket"), ("b.md", "buoy mould"), ("c.md", "buoy"))
    assert 0 < found.rarity("buoy") < found.rarity("gasket")


def test_an_empty_vocabulary_ranks_by_how_often_a_word_is_said() -> None:
    telling = Vocabulary().telling(one("a.md", "gasket mould mould"))
    assert [key for key, _ in telling] == ["mould", "gasket"]


def test_headings_are_repeated_whatever_their_case_and_emoji() -> None:
    notes = (
        ("a.md", "# A\n\n## Open ⚓\nx\n\n## B\ny\n"),
        ("b.md", "# B\n\n## open ⚓\nx\n\n## C\ny\n"),
    )
    found = vocabulary(*notes)
    assert found.repeated("OPEN ⚓")
    assert not found.repeated("C")
