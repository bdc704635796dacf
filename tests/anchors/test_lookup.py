"""From a message to chunks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.anchor_notes import FILLER, NOTES, NOW, built, found, keeper, write

DEPLOY = "TOOLS.md:1"
PRINTER = "TOOLS.md:8"
SENSORS = "projects/kelpie/PROJECT.md:1"
KELPIE_PAPERS = "projects/kelpie/PROJECT.md:8"
GANNET_PAPERS = "projects/gannet/PROJECT.md:1"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return built(write(tmp_path))


@pytest.mark.parametrize(
    ("message", "place"),
    [
        ("label printer", PRINTER),
        ("who cleans the label-printers?", PRINTER),
        ("deploys", DEPLOY),
        ("what does Torunn Hagen say of sensors", SENSORS),
        ("KELPIE papers", KELPIE_PAPERS),
    ],
)
def test_a_message_leads_to_what_it_names(root: Path, message: str, place: str) -> None:
    assert found(root, message)[0] == place


def test_a_message_without_an_anchor_leads_nowhere(root: Path) -> None:
    assert found(root, "zeppelin xylophone") == []
    assert found(root, "the of and") == []


def test_a_word_that_only_may_stand_for_an_anchor_leads_there_too(root: Path) -> None:
    assert SENSORS in found(root, "detectors")


def test_a_word_too_rare_to_be_an_anchor_leads_to_its_chunk(tmp_path: Path) -> None:
    notes = {**NOTES, "old.md": f"# Diary\n\nSaw a capybara swim.\n{FILLER}\n"}
    root = built(write(tmp_path, notes))
    assert found(root, "capybara") == ["old.md:1"]
    assert found(root, "capybara", 'deny = ["capybara"]') == []


def test_a_hit_says_how_it_was_met(root: Path) -> None:
    with keeper(root) as made:
        hit = made.lookup("the label printer", NOW).hits[0]
    assert {"label printer", "printer"} & set(hit.anchors)
    assert (hit.path, hit.start_line, hit.source, hit.stale) == ("TOOLS.md", 8, "config", False)
    assert hit.preview.startswith("## Label printer")
    assert hit.score == pytest.approx((hit.anchor_score + hit.likeness) / 2, abs=1e-3)


def test_a_pronoun_stands_for_the_active_project(root: Path) -> None:
    assert found(root, "our papers", project="kelpie")[0] == KELPIE_PAPERS
    assert found(root, "our papers", project="gannet")[0] == GANNET_PAPERS
    assert found(root, "what of it", project="kelpie")
    assert not found(root, "what of it")


def test_the_project_can_be_a_setting_and_the_option_wins(root: Path) -> None:
    assert found(root, "our papers", 'project = "gannet"')[0] == GANNET_PAPERS
    assert found(root, "our papers", 'project = "gannet"', project="kelpie")[0] == KELPIE_PAPERS


def test_without_expansion_or_without_a_pronoun_the_project_is_left_out(root: Path) -> None:
    plain = found(root, "papers")
    assert found(root, "papers", project="kelpie") == plain
    assert found(root, "what of it", project="kelpie", expand_pronouns=False) == []


def test_a_message_that_names_another_project_is_about_that_one(root: Path) -> None:
    assert found(root, "its gannet papers", project="kelpie") == found(root, "its gannet papers")


def test_without_ranking_by_the_message_anchor_scores_decide(root: Path) -> None:
    with keeper(root) as made:
        hits = made.lookup("canary release", NOW, rerank=False).hits
    assert [one.score for one in hits] == sorted((one.anchor_score for one in hits), reverse=True)
    assert {one.likeness for one in hits} == {0.0}


def test_what_updates_brought_can_be_left_out(root: Path) -> None:
    (root / "new.md").write_text(f"# Printer\n\nThe label printer moved.\n{FILLER}\n")
    with keeper(root) as made:
        made.update(["new.md"], NOW)
    assert "new.md:1" in found(root, "label printer")
    nightly = found(root, "label printer", nightly_only=True)
    assert PRINTER in nightly and "new.md:1" not in nightly


def test_denied_words_never_trigger_even_before_the_next_build(root: Path) -> None:
    assert found(root, "label printer", 'deny = ["label printer", "printers", "label"]') == []


def test_only_allowed_notes_are_returned(root: Path) -> None:
    places = found(root, "canary ledger release", 'allow = ["memory/"]')
    assert places and all(one.startswith("memory/") for one in places)


def test_notes_that_are_no_source_have_no_chunks(tmp_path: Path) -> None:
    root = built(write(tmp_path), 'sources = ["projects/"]')
    places = found(root, "label printer", 'sources = ["projects/"]')
    assert all(one.startswith("projects/") for one in places)
    assert found(root, "kelpie papers", 'sources = ["projects/"]')[0] == KELPIE_PAPERS


def test_a_file_gives_a_few_chunks_and_all_files_no_more_than_asked(tmp_path: Path) -> None:
    log = "# Log\n" + "".join(f"\n## Walrus {n}\n\nThe walrus slept.\n{FILLER}\n" for n in range(9))
    other = {f"o{n}.md": f"# Walrus\n\nA walrus.\n{FILLER}\n" for n in range(5)}
    root = built(write(tmp_path, {"log.md": log, **other}))
    places = found(root, "walrus")
    assert sum(one.startswith("log.md") for one in places) == 3
    assert len(places) == 8
    with keeper(root, per_file=1, max_chunks=4) as made:
        fewer = [hit.path for hit in made.lookup("walrus", NOW).hits]
    assert fewer == list(dict.fromkeys(place.partition(":")[0] for place in places))[:4]


def test_the_same_message_leads_to_the_same_chunks(root: Path) -> None:
    once = found(root, "canary release of the oxygen probe")
    (root / ".hippocampus/cache/anchors.sqlite").unlink()
    assert found(root, "canary release of the oxygen probe") == once


def test_a_long_message(root: Path) -> None:
    assert PRINTER in found(root, "label printer " + "deploy canary ledger oxygen " * 2_000)


def test_other_scripts(tmp_path: Path) -> None:
    notes = {
        "a.md": f"# 部署流程\n\n先测试再部署到生产环境。\n{FILLER}\n",
        "b.md": f"# Büroumzug\n\nDer Büroumzug ist im März.\n{FILLER}\n",
        "c.md": f"# Резервное копирование\n\nКаждую ночь.\n{FILLER}\n",
    }
    root = built(write(tmp_path, notes))
    assert found(root, "请问部署流程是什么")[0] == "a.md:1"
    assert found(root, "wann ist der BÜROUMZUG?")[0] == "b.md:1"
    assert found(root, "как идёт резервное копирование")[0] == "c.md:1"
