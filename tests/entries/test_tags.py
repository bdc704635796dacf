from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.entries.tags import tags_of
from hippocampus_cli.entries.vocabulary import Vocabulary
from tests.support.passages import one, vocabulary

SMS = "# Gateway\n\nTelvox sends the alarms since Smsgate failed. Telvox costs seven cents per alarm.\n"
OTHERS = [
    (f"docs/{n}.md", f"# Doc {n}\n\nThe alarms since {n} sends seven cents per page.\n")
    for n in "abcdef"
]


def test_tags_are_what_the_others_do_not_say() -> None:
    vocab = vocabulary(("docs/sms.md", SMS), *OTHERS)
    tags = tags_of(one("docs/sms.md", SMS), vocab, 3)
    assert tags[0] == "telvox"
    assert set(tags) == {"telvox", "smsgate", "gateway"}


def test_the_authors_tags_come_first() -> None:
    text = "---\ntags: [Ops, on call]\n---\n# Runbook\n\nRestart sentinel.\n"
    assert tags_of(one("docs/r.md", text), Vocabulary(), 6)[:2] == ("ops", "on-call")


def test_tags_in_one_line_of_front_matter() -> None:
    assert tags_of(one("d.md", "---\ntags: ops, deploy\n---\nx\n"), Vocabulary(), 6) == (
        "ops",
        "deploy",
    )


def test_a_bold_name_of_two_words_is_a_tag() -> None:
    text = "Ask **Eirik Moen** about the harvest and the quota of the harvest.\n"
    assert "eirik-moen" in tags_of(one("d.md", text), Vocabulary(), 2)


def test_one_word_gives_one_tag() -> None:
    tags = tags_of(one("d.md", "deploy deploys Deploy deployed deploying"), Vocabulary(), 6)
    assert tags == ("deploy",)


def test_tags_keep_the_limits() -> None:
    tags = tags_of(one("d.md", SMS), Vocabulary(), 6, room=12)
    assert sum(map(len, tags)) + len(tags) - 1 <= 12
    assert tags_of(one("d.md", SMS), Vocabulary(), 0) == ()


@given(st.text(max_size=300))
def test_tags_are_slugs_and_always_the_same(text: str) -> None:
    tags = tags_of(one("d.md", text), Vocabulary(), 6)
    assert tags == tags_of(one("d.md", text), Vocabulary(), 6)
    assert len(set(tags)) == len(tags)
    for tag in tags:
        assert tag == tag.casefold() and not set(tag) & set(" ,|>\n")
        assert any(char.isalpha() for char in tag)


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
