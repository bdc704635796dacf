from __future__ import annotations

from bench.questions import MOST, Place, derived
from hippocampus_cli.workspace.note import Note

NOTE = Note(
    "a.md",
    "# Harbour\n\n## Pilot boat\n\n"
    "The pilot boat Annika leaves the northern pier whenever the foghorn sounds twice.\n\n"
    "Short line.\n\n## Ok\n\n```\nThe pilot boat in code with many other words that never count here.\n```\n",
)
COPY = Note("b.md", f"## Pilot boat\n\n{NOTE.lines[4]}")


def test_headings_and_facts_are_asked_for() -> None:
    headings = [one for one in derived([NOTE, COPY]) if one.kind == "heading"]
    assert [one.text for one in headings] == ["Harbour", "Pilot boat"]
    assert headings[1].gold == (Place("a.md", 3, 7), Place("b.md", 1, 3))
    facts = [one for one in derived([NOTE, COPY]) if one.kind == "fact"]
    assert [one.gold for one in facts] == [(Place("a.md", 5, 5), Place("b.md", 3, 3))] * 2
    assert len(facts[0].text.split()) == 4
    assert all(word in NOTE.lines[4] for word in facts[0].text.split())


def test_a_fact_is_asked_for_by_its_rarest_words_in_their_order() -> None:
    other = Note(
        "c.md", "The pilot boat leaves the northern pier with bread and twice with letters.\n"
    )
    (fact,) = (one for one in derived([NOTE, other]) if one.id.startswith("a.md"))
    assert fact.text == "Annika whenever foghorn sounds"


def test_questions_are_bounded_and_spread() -> None:
    many = [
        Note(
            f"{n:03}.md",
            f"## Title number {n}\n\nWord{chr(97 + n % 26)} alpha beta gamma delta epsilon zeta.\n",
        )
        for n in range(250)
    ]
    found = derived(many)
    assert sum(one.kind == "heading" for one in found) == MOST
    assert sum(one.kind == "fact" for one in found) == MOST
    assert found == derived(many)
    assert found[MOST - 1].gold[0].path > "240"
