"""What is found, in which order, and that nothing typed can break it."""

from __future__ import annotations

import sqlite3
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hippocampus_cli.errors import UsageError
from hippocampus_cli.search import ranking_weights
from hippocampus_cli.search.filters import Filter
from hippocampus_cli.search.hits import SearchHits
from hippocampus_cli.search.query_parser import parse
from hippocampus_cli.search.scoring import pooled, score
from hippocampus_cli.search.store import TextCache
from tests.support.text_cache import cache_of

TODAY = date(2026, 5, 13)
NOTES: dict[str, str | None] = {
    "MEMORY.md": (
        "# Memory\n\n## People\n- Ines leads the kelp farm\n- Tobi is on call\n\n"
        "## Deploy\n- never on Friday\n"
    ),
    "TOOLS.md": (
        "# Tools\n\n## Server\n- heron runs the broker\n- bittern runs the database\n\n"
        "## Release\n\nThe deploy command is `make ship`.\nIt takes 10 minutes.\n\n"
        "| host | port |\n|---|---|\n| heron | 1883 |\n"
    ),
    "memory/2026-03-12.md": (
        "# Log\n\n## Morning\n- moved the broker to heron\n- ghost alarms again\n"
    ),
    "memory/2026-03-13.md": (
        "# Log\n\n## Morning\n- moved the broker back\n- see 12 March for why\n"
    ),
    "memory/2026-04.md": "# April\n\n- the alarms were solved\n",
    "projects/kelpie/PROJECT.md": "# Kelpie\n\nWritten in node.js, stored in InfluxDB.\n",
    "data.json": '{"broker": "heron"}\n',
    "caf\udce9.md": "# caf\udce9 \udcff\n\n- strange bytes \udcfe here\n",
}


@pytest.fixture(scope="module")
def cache() -> TextCache:
    return cache_of(NOTES)


def ask(cache: TextCache, text: str, where: Filter | None = None, limit: int = 10) -> SearchHits:
    return cache.search(parse(text, TODAY), limit, where)


def places(found: SearchHits) -> list[tuple[str, str]]:
    return [(hit.path, hit.section.title) for hit in found.hits]


def test_the_section_and_its_unit_are_found(cache: TextCache) -> None:
    hit = ask(cache, "what is the deploy command?").hits[0]
    assert (hit.path, hit.section.title) == ("TOOLS.md", "Release")
    assert (hit.units[0].start, hit.units[0].end) == (9, 10)
    assert hit.matched == {"deploy", "command"}
    assert hit.coverage == 1.0
    assert hit.score == pooled(unit.score for unit in hit.units)
    assert len(hit.best) == len(ranking_weights.WEIGHTS)
    assert score(hit.best) == hit.units[0].score


def test_what_is_found_says_among_how_much() -> None:
    one, other = {"a.md": "# A\n\n- kelp grows slowly\n"}, {"b.md": "# B\n\n- ropes rot\n"}
    few, more = ask(cache_of(one), "kelp").among, ask(cache_of(one | other), "kelp").among
    assert more > few >= 3


def test_what_is_found_says_what_the_query_is_worth(cache: TextCache) -> None:
    common, rare, both = (
        ask(cache, text).worth for text in ("broker", "command", "broker command")
    )
    assert 0 < common < rare < both == pytest.approx(common + rare)


def test_a_title_counts_for_what_is_below_it(cache: TextCache) -> None:
    hit = ask(cache, "deploy Friday").hits[0]
    assert (hit.path, hit.section.title) == ("MEMORY.md", "Deploy")
    assert hit.coverage == 1.0


def test_a_path_is_searched(cache: TextCache) -> None:
    assert places(ask(cache, "kelpie project"))[0] == ("projects/kelpie/PROJECT.md", "Kelpie")


def test_a_unit_gains_from_its_neighbours(cache: TextCache) -> None:
    hit = ask(cache, "ghost broker").hits[0]
    assert hit.path == "memory/2026-03-12.md"
    assert {(unit.start, unit.end) for unit in hit.units} == {(4, 4), (5, 5)}


def test_hits_come_best_first_and_no_more_than_asked_for(cache: TextCache) -> None:
    found = ask(cache, "broker heron")
    scores = [round(hit.score / found.hits[0].score, 2) for hit in found.hits]
    assert scores == sorted(scores, reverse=True)
    assert ask(cache, "broker heron", limit=2).hits == found.hits[:2]
    assert ask(cache, "broker heron", limit=0).hits == ()


def test_of_equals_the_newer_comes_first() -> None:
    same = "# Log\n\n- the kiln broke\n"
    days = ("2026-01-01", "2026-03-01", "2026-02-01")
    cache = cache_of({f"memory/{day}.md": same for day in days} | {"b.md": same, "a.md": same})
    found = [hit.path for hit in ask(cache, "kiln").hits]
    assert found[:3] == [f"memory/{day}.md" for day in ("2026-03-01", "2026-02-01", "2026-01-01")]
    assert found[3:] == ["a.md", "b.md"]


def test_coverage_is_the_share_of_the_query(cache: TextCache) -> None:
    hit = ask(cache, "heron zeppelin").hits[0]
    assert hit.matched == {"heron"}
    assert 0.0 < hit.coverage < 0.6


@pytest.mark.parametrize(
    ("typed", "meant"), [("deplyo", "deploy"), ("influxbd", "influxdb"), ("brokr", "broker")]
)
def test_a_misspelling_is_corrected(cache: TextCache, typed: str, meant: str) -> None:
    found = ask(cache, typed)
    assert [near[0] for near in found.corrections.values()] == [meant]
    by_itself = cache.search(parse(meant, TODAY), related=0.0)  # no thesaurus has the misspelling
    assert places(found) == places(by_itself)
    assert {*places(found)} <= {*places(ask(cache, meant))}
    assert found.hits[0].coverage == ranking_weights.CORRECTED  # it is not sure that this was meant
    assert found.unknown == pytest.approx(1.0 - ranking_weights.CORRECTED)
    assert found.hits[0].matched == {typed}


def test_a_word_that_is_one_is_no_misspelling(cache: TextCache) -> None:
    assert ask(cache, "borker").corrections  # `broker` with two letters swapped
    assert not ask(cache, "broken").corrections  # as near to it, and a word of its own


def test_the_beginning_of_a_word_is_completed(cache: TextCache) -> None:
    assert ask(cache, "datab").corrections == {"datab": ["databas"]}


@pytest.mark.parametrize("text", ["zeppelin", "xyzzy plugh", "qq"])
def test_what_is_nowhere_is_not_found(cache: TextCache, text: str) -> None:
    found = ask(cache, text)
    assert (found.hits, found.unknown) == ((), 1.0)


def test_known_words_are_not_corrected(cache: TextCache) -> None:
    assert ask(cache, "deploy broker node.js").corrections == {}


def test_a_phrase_must_stand_as_it_is(cache: TextCache) -> None:
    assert places(ask(cache, '"deploy command"')) == [("TOOLS.md", "Release")]
    assert places(ask(cache, '"command deploy"')) == []
    assert places(ask(cache, '"on call" broker'))[0] == ("MEMORY.md", "People")


def test_stop_words_alone_are_searched_for(cache: TextCache) -> None:
    assert ("memory/2026-04.md", "April") in places(ask(cache, "were the"))


def test_a_date_finds_its_notes_without_any_other_word(cache: TextCache) -> None:
    found = places(ask(cache, "what happened on 12 March"))
    assert {path for path, _ in found[:2]} == {"memory/2026-03-12.md", "memory/2026-03-13.md"}
    assert ("memory/2026-03-13.md", "Morning") in found  # which names that date


def test_a_date_lifts_its_notes(cache: TextCache) -> None:
    for day in ("2026-03-12", "2026-03-13"):  # one of them is not first without its date
        assert ask(cache, f"broker on {day}").hits[0].path == f"memory/{day}.md"
    assert ask(cache, "alarms in April").hits[0].path == "memory/2026-04.md"


@pytest.mark.parametrize(
    ("where", "paths"),
    [
        (Filter(paths=("memory/",)), {"memory/2026-03-12.md", "memory/2026-03-13.md"}),
        (Filter(paths=("*-12.md", "TOOLS.md")), {"memory/2026-03-12.md", "TOOLS.md"}),
        (Filter(kinds=frozenset({"state"})), {"data.json"}),
        (Filter(since=date(2026, 3, 13)), {"memory/2026-03-13.md"}),
        (Filter(until=date(2026, 3, 12)), {"memory/2026-03-12.md"}),
        (Filter(since=date(2027, 1, 1)), set()),
        (Filter(paths=("../*", "/etc/passwd", "[", "#", "")), set()),
    ],
)
def test_a_filter_keeps_to_its_files(cache: TextCache, where: Filter, paths: set[str]) -> None:
    assert {hit.path for hit in ask(cache, "broker", where).hits} == paths


def test_a_pattern_that_is_none_is_refused(cache: TextCache) -> None:
    with pytest.raises(UsageError):
        ask(cache, "broker", Filter(paths=("!",)))


def test_a_filter_holds_for_dates_too(cache: TextCache) -> None:
    where = Filter(paths=("TOOLS.md",))
    assert ask(cache, "on 12 March", where).hits == ()


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "?", '"', '""', "*", "^", ":", "-", "AND", "OR NOT", "NEAR(a b)", "a* b^2"),
        *("title : broker", "{title body} : x", 'broker"', "'; DROP TABLE files; --", "\x00"),
        *("\x1b[31m", "\udcff", "(" * 1_000, "%s %d {0}", "-broker", "+broker", "broker OR"),
    ],
)
def test_nothing_typed_is_an_operator(cache: TextCache, text: str) -> None:
    for hit in ask(cache, text).hits:
        assert hit.section in (cache.sections_of(hit.path) or [])


@given(st.text(alphabet=st.sampled_from('ab "*^:-()brokeń東\udcff\0\n.+#12'), max_size=40))
@settings(max_examples=200, deadline=None)
def test_any_text_can_be_asked(text: str) -> None:
    _hits_are_sound(ask(_SHARED, text))


@given(st.text(max_size=60))
@settings(max_examples=100, deadline=None)
def test_any_unicode_can_be_asked(text: str) -> None:
    _hits_are_sound(ask(_SHARED, text))


_SHARED = cache_of(NOTES)


def _hits_are_sound(found: SearchHits) -> None:
    for hit in found.hits:
        assert hit.score > 0.0
        assert 0.0 <= hit.coverage <= 1.0
        for unit in hit.units:
            assert hit.section.start <= unit.start <= unit.end <= hit.section.end


def test_an_endless_query_is_answered(cache: TextCache) -> None:
    text = "broker " + " ".join(f"zz{number:x}qq" for number in range(20_000))
    # beside so much that is nowhere, all that have the one word are as good as each other: newest first
    assert sorted(places(ask(cache, text))) == sorted(places(ask(cache, "broker")))


def test_many_common_words_do_not_push_out_the_rare_one(cache: TextCache) -> None:
    notes = {f"{n:03}.md": " ".join(f"common{word}" for word in range(150)) for n in range(3)}
    cache = cache_of(notes | {"rare.md": "needle\n"})
    text = " ".join(f"common{word}" for word in range(150)) + " needle"
    assert "rare.md" in [hit.path for hit in ask(cache, text).hits]


def test_an_empty_workspace_has_no_answer() -> None:
    assert ask(cache_of({}), "broker yesterday") == SearchHits()
    assert ask(cache_of({"a.bin": None, "b.md": "\n"}), "broker") == SearchHits()


def test_a_section_of_a_heading_only_is_found() -> None:
    found = ask(cache_of({"a.md": "# Kiln repair\n# Other\ntext\n"}), "kiln")
    assert places(found) == [("a.md", "Kiln repair")]
    assert found.hits[0].units == ()


def test_the_same_question_gets_the_same_answer() -> None:
    assert ask(cache_of(NOTES), "broker heron deploy") == ask(_SHARED, "broker heron deploy")


def test_damage_that_shows_in_a_search_is_healed(monkeypatch: pytest.MonkeyPatch) -> None:
    cache = cache_of(NOTES)
    expected = ask(cache, "broker")
    cache.healing(lambda db: db.execute("DROP TABLE totals"))
    assert ask(cache, "broker") == expected
    cache.close()
    with pytest.raises(sqlite3.ProgrammingError):
        ask(cache, "broker")


PARAPHRASED: dict[str, str | None] = {
    "TOOLS.md": "# Tools\n\n## Deploy\n\nRun `make ship`.\n\n## Rollback\n\nRun `make back`.\n",
    "people.md": "# People\n\n## Ada\n\nShe is seven. Kickboxing every Tuesday.\n",
    "notes.md": "# Notes\n\n- the kettle is broken\n- a new product for the shelf\n",
}


@pytest.mark.parametrize(
    ("text", "title"),
    [("push to production", "Deploy"), ("undo it", "Rollback"), ("martial arts", "Ada")],
)
def test_a_paraphrase_is_found_by_related_words(text: str, title: str) -> None:
    cache = cache_of(PARAPHRASED)
    hit = cache.search(parse(text, TODAY)).hits[0]
    assert hit.section.title == title
    assert 0.0 < hit.coverage <= ranking_weights.RELATED and not hit.matched
    without = cache.search(parse(text, TODAY), related=0.0).hits
    assert title not in [one.section.title for one in without]


def test_the_word_itself_is_worth_more_than_a_related_one() -> None:
    cache = cache_of({"a.md": "# A\n\n## One\n- invoice\n\n## Two\n- bill\n"})
    for word, titles in (("invoice", ["One", "Two"]), ("bill", ["Two", "One"])):
        hits = cache.search(parse(word, TODAY)).hits
        assert [hit.section.title for hit in hits] == titles
        assert hits[0].coverage == 1.0


def test_a_quoted_phrase_is_meant_as_it_stands() -> None:
    assert not cache_of(PARAPHRASED).search(parse('"martial arts"', TODAY)).hits


@pytest.mark.parametrize(
    ("text", "undated"), [("what happened on 3 January 1999", True), ("deploy", False)]
)
def test_it_is_said_where_the_best_hit_is_of_no_day_asked_for(
    cache: TextCache, text: str, undated: bool
) -> None:
    found = ask(cache, f"heron {text}")
    assert found.hits
    assert found.undated is undated


@pytest.mark.parametrize(
    ("question", "first"),
    [("which ferry did I book?", "user"), ("which ferry did you recommend?", "assistant")],
)
def test_who_asks_about_himself_gets_what_he_said(question: str, first: str) -> None:
    chat = (
        "# Chat\n\n## Monday\n\n**user**: I booked the ferry.\n\n"
        "**assistant**: A ferry that you book: I recommend the night ferry, book early.\n"
    )
    hit = ask(cache_of({"memory/2026-03-12.md": chat}), question).hits[0]
    assert hit.units[0].start == {"user": 5, "assistant": 7}[first]
