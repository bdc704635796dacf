"""What is measured: recall, what was not asked for, sources; with and without what came later."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bench.comparison import answers
from bench.corf.dataset import Dataset, Query, check_gold, read_dataset
from bench.corf.run import ABLATIONS, AT, Answer, Plan, Report, lookups, row, run
from bench.metrics import Span
from bench.questions import Place
from bench.workspace import copy_workspace
from hippocampus_cli.config import Config, load
from hippocampus_cli.search.library import Library

NOW = datetime(2026, 8, 1, 9, tzinfo=UTC)


FILLER = " ".join(f"word{n} and" for n in range(60))


def query(id: str, *gold: Place, kind: str = "source") -> Query:
    return Query(id, id, kind, None, gold)


def test_the_figures_are_those_counted_by_hand() -> None:
    spans = [Span("a.md", 1, 4), Span("b.md", 5, 9), Span("c.md", 1, 2)]
    answers = [
        Answer(query("first", Place("a.md", 4, 6)), spans, 1.0),
        Answer(query("third", Place("c.md", 2, 2), Place("d.md", 1, 1), kind="silent"), spans, 2.0),
        Answer(query("beside", Place("b.md", 1, 4)), spans, 3.0),
        Answer(query("nothing", kind="absent"), spans[:1], 4.0),
        Answer(query("refused", kind="absent"), [], 5.0),
    ]
    found = row("m", "M", answers, (1, 3))
    assert found.figures["at_1"].value == pytest.approx(1 / 3)
    assert found.figures["at_3"].value == pytest.approx(2 / 3)
    assert found.by_kind == {
        "source": {"at_1": 0.5, "at_3": 0.5},
        "silent": {"at_1": 0.0, "at_3": 1.0},
    }
    assert found.rest["iir"] == pytest.approx(6 / 9)
    assert found.rest["iir_absent"] == 0.5
    assert found.rest["scr"] == pytest.approx((1 + 0.5 + 1) / 3)
    assert (found.rest["p50_ms"], found.rest["p95_ms"]) == (3.0, 5.0)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    folder = tmp_path_factory.mktemp("corf")
    (folder / "ws/projects/kelpie").mkdir(parents=True)
    page = folder / "ws/projects/kelpie/PROJECT.md"
    page.write_text(f"# Kelpie\n\n## Price\n\nKelpie costs nine euros.\n{FILLER}\n")
    for number in range(3):
        (folder / f"ws/log{number}.md").write_text(f"# Walrus\n\nThe walrus slept.\n{FILLER}\n")
    page.with_name("BOAT.md").write_text(f"# Boat\n\nThe sensor leaks.\n{FILLER}\n")
    gold = Place("projects/kelpie/PROJECT.md", 5, 5)
    queries = (
        Query("it", "what does it do?", "pronoun", "kelpie", (gold,)),
        Query("probe", "detectors", "silent", None, (Place("projects/kelpie/BOAT.md", 3, 3),)),
        Query("none", "zeppelin xylophone", "absent", None, ()),
    )
    made = run(
        Dataset(folder / "q.json", "ws", queries), folder / "ws", load(None, {}), NOW, Plan()
    )
    assert not (folder / "ws/.hippocampus").exists()
    return made


def test_each_part_of_a_lookup_can_be_seen_to_matter(report: Report) -> None:
    rows = {one.method: one for one in report.rows}
    assert list(rows) == ["full", *ABLATIONS, "hybrid", "bm25-chunks"]
    assert rows["full"].figures["at_20"].value == 1.0
    assert rows["no-pronoun"].by_kind["pronoun"]["at_20"] == 0.0
    assert rows["no-related"].figures["at_20"].value == 0.5
    assert {one.rest["iir_absent"] for one in report.rows} == {0.0}


def test_every_question_has_a_row_for_every_method(report: Report) -> None:
    rows = report.answers
    assert len(rows) == report.questions * len(report.rows)
    assert {one["method"] for one in rows} == {one.method for one in report.rows}
    ranks = [one["rank"] for one in rows if isinstance(one["rank"], int)]
    assert ranks and min(ranks) >= 1


FIXTURES = Path(__file__).parents[3] / "fixtures"


FOUND = read_dataset(FIXTURES / "corf.json")


def test_every_gold_place_is_a_line_with_text() -> None:
    check_gold(FOUND, FIXTURES / "workspace")
    for query in FOUND.queries:
        for gold in query.gold:
            text = (FIXTURES / "workspace" / gold.path).read_bytes().decode("utf-8", "replace")
            lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
            assert any(lines[at - 1].strip() for at in range(gold.start, gold.end + 1)), query.id


def test_a_pronoun_question_has_a_project_and_does_not_name_it() -> None:
    for query in FOUND.queries:
        if query.kind == "pronoun":
            assert query.project and query.project not in query.text, query.id


def test_a_lookup_finds_four_of_five(tmp_path: Path) -> None:
    copy_workspace(FIXTURES / "workspace", Config(), tmp_path / "workspace")
    with closing(Library(tmp_path / "workspace", Config())) as library:
        key, name, ask = lookups(library, ())[0]
        found = row(key, name, [Answer(*one) for one in answers(ask, FOUND.queries)], AT)
    assert found.figures["at_20"].value >= 0.80
