from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.entries.passages import Passage
from hippocampus_cli.entries.worth import Frequencies
from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.index.document import MASTER
from hippocampus_cli.index.parse import parse
from hippocampus_cli.maintenance.bootstrap import apply
from hippocampus_cli.maintenance.candidates import (
    Coverage,
    Sifted,
    Why,
    coverage,
    passages_of,
    place_of,
    sift,
)
from hippocampus_cli.markdown.lines import decode
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.workspace.fingerprints import checksum
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.sections import names_of
from tests.maintenance.workspace import CLOCK, SMALL, config, files, many, plan, run, topics, whole
from tests.support.indexes import index_of
from tests.support.passages import MODIFIED, one, passages

GOLDEN = Path(__file__).with_name("first_index.golden.md")


HAND_WRITTEN = """\
# HIPPOCAMPUS.md
<!-- Minimal index — updated manually -->

## Where to Find Things
- Deploy commands → TOOLS.md §Deploy
- Who Ines is → MEMORY.md
- Ghosts → memory/2026-01-30.md
"""


def resolve_all(text: str, notes: dict[str, str]) -> None:
    """Raises where a pointer's note or section is not found."""
    for located in parse(text).entries:
        for pointer in located.entry.pointers:
            note = Note(pointer.path, notes[pointer.path])
            assert pointer.section is None or names_of(note.sections).find(pointer.section)


def test_a_small_workspace_gives_this_index_twice() -> None:
    first = whole(SMALL)
    assert first.master.text == GOLDEN.read_text(encoding="utf-8")
    assert first.topics and whole(SMALL, first).texts == first.texts


def test_a_new_section_is_added_and_the_rest_stays() -> None:
    first = whole(SMALL)
    words = "restic to avocet at night. " * 25
    backups = f"{words}\n\n## Backups\n\n{words}\n"
    path = "projects/kelpie/PROJECT.md"
    second = whole({**SMALL, path: SMALL[path] + backups}, first)
    assert set(topics(second.master)) == {*topics(first.master), "Kelpie: Stack", "Kelpie: Backups"}
    for located in first.master.entries:
        assert located.entry.raw in second.master.text
    count = len(second.master.entries)
    assert f"| entries: {count} |" in second.master.text.splitlines()[0]


def test_a_hand_written_index_is_extended_not_replaced() -> None:
    document = run(SMALL, HAND_WRITTEN)
    assert document.text.startswith(HAND_WRITTEN)
    assert not document.views and document.header is None
    added = topics(document)[3:]
    assert not {"TOOLS", "MEMORY"} & set(added) and "Kelpie" in added
    assert not [topic for topic in added if "Ghost" in topic], "one to a daily covers it"
    assert run(SMALL, document.text).text == document.text


def test_a_hand_written_section_of_that_name_is_used() -> None:
    text = "# Index\n\n## Infrastructure\n\nMine.\n\n## Other\n"
    document = run(SMALL, text)
    located = next(one for one in document.entries if one.entry.topic == "TOOLS")
    assert located.section == ("Infrastructure",)


def test_carriage_returns_and_a_byte_order_mark_stay() -> None:
    text = "\ufeff" + HAND_WRITTEN.replace("\n", "\r\n")
    document = run(SMALL, text)
    assert document.text.startswith(text)
    assert "\n" not in document.text.replace("\r\n", "")


def test_generated_views_are_brought_up_to_date_only_when_something_is_added() -> None:
    made = whole(SMALL)
    text = made.master.text.replace("- Strength: ", "- Vigour: ")
    first = made.with_file(MASTER, parse(text))
    assert whole(SMALL, first).master.text == text
    grown = {**SMALL, "docs/new.md": "# Brand new\n\nSome words about tide tables.\n"}
    assert "- Strength: " in whole(grown, first).master.text


def test_a_blank_index_is_drawn_up_whole() -> None:
    assert run(SMALL, "\n \n").text == run(SMALL).text


@pytest.mark.parametrize("budget", [250, 700, 3_000, 5_000])
def test_the_budget_is_never_exceeded_and_well_used(budget: int) -> None:
    notes = many(120)
    settings = config(budget)
    index = whole(notes, None, settings)
    assert tokens(index.master.text) <= budget
    if budget > 1_000:
        assert tokens(index.master.text) > budget * 2 // 3 * 0.8
    assert whole(notes, index, settings).texts == index.texts


@pytest.mark.parametrize("count", [10, 50, 100])
def test_a_first_index_has_a_hundred_tokens_for_each_note_and_reaches_every_note(
    count: int,
) -> None:
    notes = many(count)
    index = whole(notes)
    assert tokens(index.master.text) <= 100 * count
    assert {pointer.path for one in index.entries for pointer in one.entry.pointers} == set(notes)


def test_every_note_of_thousands_is_reached_by_a_few_hundred_entries() -> None:
    notes = many(1_500, 1)
    index = whole(notes)
    assert tokens(index.master.text) <= 10_000
    assert {pointer.path for one in index.entries for pointer in one.entry.pointers} == set(notes)
    assert len(index.entries) < 900
    assert whole(notes, index).texts == index.texts


def test_what_is_beyond_a_thousand_notes_shares_entries_and_sections_have_a_few_hundred() -> None:
    words = "The secret of it is kept in the third drawer. " * 10
    sections = "".join(f"## Part {n}\n\nof {{0}}, {n}. {words}\n\n" for n in range(4))
    notes = {f"docs/{n}.md": f"# N {n}\n\n{sections.format(n)}" for n in range(1_050)}
    index = whole(notes, None, config(6_000))
    assert set(index.pointers) == set(notes)
    sectional = [one for one in index.entries if one.entry.pointers[0].section]
    assert len(sectional) == 300
    assert 1_000 < len(index.entries) - len(sectional) < 1_010
    assert whole(notes, index, config(6_000)).texts == index.texts


def test_the_order_of_the_notes_does_not_matter() -> None:
    backwards = dict(reversed(SMALL.items()))
    assert run(backwards).text == run(SMALL).text


def test_relations_lead_to_entries_that_exist() -> None:
    index = whole(SMALL)
    related = [(one.entry.id, other) for one in index.entries for other in one.entry.rel]
    assert related
    for own, other in related:
        assert other in index.ids and other != own


HOSTILE = {
    "memory/2026-01-30.md": "# 2026-01-30\n\n"
    + "".join(f"## Notes\n\nWorth reading, number {n}.\n\n" for n in range(40)),
    "memory/2026-01-29.md": "no headings at all, only a line of text that goes on",
    "memory/2026-01-28.md": (
        "# 🚀🔥\n\n## ✅ 🎉\n\nEmoji stand alone in this heading.\n\n## 🐈\n\nAnd in this one.\n"
    ),
    "memory/2026-01-27.md": decode(
        b"# caf\xe9\n\n## \xff\xfe bytes\n\nbroken \xc3( text here\n\n## B\n\nmore text here\n"
    ),
    "docs/long-line.md": "# Long\n\n" + "word " * 60_000,
    "docs/cjk.md": (
        "# 星野海苔\n\n## 水温\n\n明石の水温は二十七度。価格を聞いた。\n\n"
        "## 連絡先\n\n星野健二さんに電話する。\n"
    ),
    "docs/fence.md": "# F\n\n## A\n\n```\n## not a heading\n\nnever closed\n\n## B\n\ntext text text\n",
    "docs/bars | and §signs.md": (
        "# A | B § C\n\n## x | y\n\ntext of the first\n\n## §\n\ntext of the second\n"
    ),
    "docs/hx.md": (
        "# Fake\n\n## <!-- hx: id=evil -->\n\n→ ../../etc/passwd\n\n"
        "## --> <!-- hippo:end meta -->\n\nsome text here\n"
    ),
    "docs/escape.md": (
        "# \x1b[31mred\n\n## \x1b]0;title\x07 bell\n\nsome \x1b[2J text here\n\n## z\n\nmore text\n"
    ),
    "docs/setext.md": "Title\n=====\n\nOne\n---\n\ntext of one here\n\nTwo\n---\n\ntext of two here\n",
}


def test_hostile_notes_give_a_sound_index() -> None:
    index = whole(HOSTILE)
    assert len(index.ids) == len(index.entries) > 10
    for document in index.files.values():
        assert parse(document.text) == document
        resolve_all(document.text, HOSTILE)
    for located in index.entries:
        text = located.entry.topic + located.entry.summary
        assert not any(ord(char) < 32 or 0x7F <= ord(char) < 0xA0 for char in text)
        assert not any(0xD800 <= ord(char) < 0xE000 for char in text)
    assert whole(HOSTILE, index).texts == index.texts


def test_a_daily_of_342_kilobytes_is_one_note_among_others() -> None:
    day = "# 2026-01-30\n\n" + "".join(
        f"## Entry {n}\n\nWhat happened as number {n}, at some length and with detail {n * 7}.\n\n"
        for n in range(4_200)
    )
    assert len(day) > 342_000
    notes = {**SMALL, "memory/2026-01-30.md": day}
    index = whole(notes)
    assert tokens(index.master.text) <= 15_000
    assert {"TOOLS", "MEMORY"} <= set(topics(index.master))
    assert whole(notes, index).texts == index.texts


path = st.sampled_from(
    [
        "MEMORY.md",
        "TOOLS.md",
        "memory/2026-01-30.md",
        "memory/2025-01-01.md",
        "projects/a/PROJECT.md",
        "docs/x.md",
    ]
)


LINES = """\
# A|## B|## Notes|### C|text that says something|- a bullet → x.md||```|<!-- c|-->|→ y.md §B
<!-- hx: id=b -->|[[B]]|## 🎉|---|=====|~~~""".replace("\n", "|")


line = st.sampled_from(LINES.split("|")) | st.text(max_size=30)


@given(
    st.dictionaries(path, st.lists(line, max_size=25).map("\n".join), max_size=5),
    st.integers(200, 2_000),
)
def test_laws_over_any_workspace(notes: dict[str, str], budget: int) -> None:
    settings = config(budget)
    made = plan(notes, settings=settings)
    index = apply(index_of(""), made, settings, CLOCK)
    for document in index.files.values():
        assert parse(document.text) == document
        resolve_all(document.text, notes)
    assert len(index.entries) == len(made.additions) == len(index.ids)
    assert tokens(index.master.text) <= max(budget, 350)
    assert whole(notes, index, settings).texts == index.texts


@given(
    st.dictionaries(path, st.lists(line, max_size=15).map("\n".join), max_size=4),
    st.lists(line, max_size=20),
)
def test_an_existing_index_keeps_every_line(notes: dict[str, str], lines: list[str]) -> None:
    text = "\n".join(lines)
    if not text.strip("\ufeff \t\r\n"):
        return
    try:
        document = run(notes, text)
    except IndexRefused:  # what is there would swallow new entries: nothing is written then
        return
    entries = parse(text).entries
    raws = [one.entry.raw.rstrip("\r\n") for one in document.entries]
    assert [one.entry.raw.rstrip("\r\n") for one in entries] == [
        raw for raw in raws if raw in {one.entry.raw.rstrip("\r\n") for one in entries}
    ]
    assert run(notes, document.text).text == document.text


def test_the_text_of_a_note_that_is_indexed_as_a_whole_is_not_indexed_again() -> None:
    text = "text that says something\n"
    notes = {
        "memory/2025-01-01.md": f"# A\n{text}# A\n{text}{text}",
        "projects/a/PROJECT.md": text * 3,
    }
    document = run(notes)
    assert len(document.entries) == 1
    assert run(notes, document.text).text == document.text


def test_views_that_are_full_stay_within_the_budget_too() -> None:
    notes = {
        f"memory/2025-{1 + n // 28:02}-{1 + n % 28:02}.md": (
            f"# Chapter {n} of the long story about the buoys\n\nFact{n} meets fact{n // 3} at pier{n // 3}.\n"
        )
        for n in range(300)
    }
    for budget in (1_200, 1_900, 2_900):
        assert tokens(run(notes, settings=config(budget)).text) <= budget


WORDS = "Words that say how it is done, and why it is done like that. " * 12


TOOLS = f"# TOOLS\n\n## Deploy\n{WORDS}\n\n### Rollback\nback\n\n## VPN\n{WORDS}\n"
DAY = "# 2026-01-05\n\n## A\nsome text\n\n## B\nmore text\n"


def covered(index: str, path: str, text: str) -> list[str]:
    """The titles of the passages that an index covers."""
    parts = passages(path, text)
    found = coverage(index_of(index), [one(path, text).note])
    return [passage.title for passage in parts if found.entry_of(passage)]


def bullet(pointer: str) -> str:
    return f"- Topic → {pointer}\n"


@pytest.mark.parametrize(
    "pointer",
    [
        "TOOLS.md §Deploy",
        "tools.md §deploy",
        "./TOOLS.md §Deploy",
        "docs/../TOOLS.md §Deplyo",
        "`TOOLS.md` §Deploy",
    ],
)
def test_a_pointer_to_a_section_covers_it(pointer: str) -> None:
    assert covered(bullet(pointer), "TOOLS.md", TOOLS) == ["Deploy"]


def test_a_pointer_covers_subsections_but_a_title_only_itself() -> None:
    big = TOOLS.replace("\nback", f"\n{WORDS}").replace(
        "## Deploy\n", f"## Deploy\n\n### Ship\n{WORDS}"
    )
    assert covered(bullet("TOOLS.md §Deploy"), "TOOLS.md", big) == ["Ship", "Rollback"]
    assert covered(bullet("TOOLS.md §TOOLS"), "TOOLS.md", TOOLS) == []


@pytest.mark.parametrize(
    "pointer", ["/etc/passwd", "../TOOLS.md", "~/TOOLS.md", "other.md §Deploy", "TOOLS.md §Zzz"]
)
def test_pointers_that_lead_elsewhere_cover_nothing(pointer: str) -> None:
    assert covered(bullet(pointer), "TOOLS.md", TOOLS) == []


def test_a_short_note_of_which_a_section_is_indexed_is_not_indexed_again_as_a_file() -> None:
    short, long = one("memory/2026-01-05.md", DAY), one("memory/2026-01-05.md", DAY + WORDS * 3)
    index = index_of(bullet("memory/2026-01-05.md §B"))
    assert coverage(index, [short.note]).entry_of(short) == "topic"
    assert coverage(index, [long.note]).entry_of(long) is None


DECIDED = "Some words that say what was decided about the buoys this week. " * 12


LONG = f"# T\n\n## Ape\n\n{DECIDED}\n\n## Bee\n\nAlso {DECIDED}\n"


SHORT = "# T\n\n## A\n\nSome words of the first.\n\n## B\n\nSome words of the second.\n"
NONE = Coverage({}, {})


def sifted(notes: dict[str, str], covered: Coverage = NONE) -> Sifted:
    return sift(passages_of(files(notes), Frequencies(), covered), covered)


def names(passages: list[Passage]) -> list[str]:
    """The passages, as ``path`` or ``path §title``."""
    return [
        passage.note.path + (f" §{passage.title}" if passage.section else "")
        for passage in passages
    ]


def test_a_note_comes_as_a_whole_and_a_long_one_by_section_too() -> None:
    found = sifted({"docs/long.md": LONG, "docs/short.md": SHORT})
    long = ["docs/long.md", "docs/long.md §Ape", "docs/long.md §Bee"]
    assert names(found.new) == [*long, "docs/short.md"]


def test_what_an_entry_leads_to_is_not_offered() -> None:
    notes = {"docs/long.md": LONG, "docs/short.md": SHORT}
    inside = Coverage({}, {path: {1: "a"} for path in notes})
    assert names(sifted(notes, inside).new) == ["docs/long.md", "docs/long.md §Bee"]
    whole = Coverage(dict.fromkeys(notes, "a"), {})
    assert names(sifted(notes, whole).new) == ["docs/long.md §Ape", "docs/long.md §Bee"]


def test_sections_that_have_an_entry_count_toward_what_a_note_gets() -> None:
    path = "docs/long.md"
    text = "".join(f"## Week {c * 3}\n\nOf {c}: {DECIDED}\n\n" for c in "abcdefghijklmno")
    best = {part.title for part in passages(path, text)}
    others = {section.title for section in Note(path, text).sections} - best
    index = "".join(f"- {title} → {path} §{title}\n" for title in others)
    added = plan({path: text}, f"{bullet(path)}{index}").additions
    assert len(added) == len(best) - len(others) > 0


def test_passages_without_enough_text_are_named() -> None:
    notes = {"a.md": "# A\n", "b.md": "short", "c.md": "long enough to be indexed"}
    found = sifted(notes)
    reasons = [(passage.note.path, why) for passage, why in found.out]
    assert reasons == [("a.md", Why.EMPTY), ("b.md", Why.SHORT)]
    assert names(found.new) == ["c.md"]


def test_a_note_of_lines_that_others_have_too_is_reached() -> None:
    line = "long enough to be indexed"
    common = Frequencies(lines=frozenset({checksum(line)}))
    assert not sift(passages_of(files({"a.md": line}), common, NONE), NONE).out


def test_of_new_notes_that_say_the_same_one_is_a_duplicate() -> None:
    notes = {"new.md": "long  enough\nto be indexed\n", "old.md": "long enough to be indexed"}
    found = sifted(notes)
    assert [part.why for part in found.out] == [Why.DUPLICATE]
    assert names(found.also["new.md", 0]) == ["old.md"]
    assert names(sifted(notes, Coverage({"old.md": "old"}, {})).new) == ["new.md"]
    assert place_of(next(passages_of(files(notes), Frequencies(), NONE))) == ("new.md", 0)


def test_of_a_copy_the_day_of_change_is_no_notes_day() -> None:
    logs = {f"memory/2026-01-0{day}.md": "long enough to be indexed" for day in range(1, 8)}
    days = {
        each.note.path: each.day
        for each in passages_of(files({**logs, "a.md": "Bees."}), Frequencies(), NONE)
    }
    assert days["a.md"] == days["memory/2026-01-04.md"]
    assert next(passages_of(files({"a.md": "Bees."}), Frequencies(), NONE)).day == MODIFIED


def test_the_log_of_defrag_cycles_is_no_memory() -> None:
    notes = {"memory/defrag-log.md": "# Log\n\n## 2026-01-30 defrag complete\n\nAll is well.\n"}
    assert not list(passages_of(files(notes), Frequencies(), NONE))
