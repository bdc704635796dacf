"""From a message to passages."""

from __future__ import annotations

from pathlib import Path

import pytest

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.errors import EmbeddingFailed
from tests.support.anchor_notes import FILLER, NOW, configured, hits_of, places_of, write

DEPLOY = "TOOLS.md:1"
PRINTER = "TOOLS.md:8"
SENSORS = "projects/kelpie/PROJECT.md:1"
KELPIE_PAPERS = "projects/kelpie/PROJECT.md:8"
GANNET_PAPERS = "projects/gannet/PROJECT.md:1"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path)


@pytest.mark.parametrize(
    ("message", "place"),
    [
        ("label printer", PRINTER),
        ("who cleans the label-printers?", PRINTER),
        ("deploys", DEPLOY),
        ("what does Torunn Hagen say of sensors", SENSORS),
        ("KELPIE papers", KELPIE_PAPERS),
        ("thanks for the deploy", DEPLOY),
        ("label printer " + "zeppelin " * 20_000, PRINTER),
    ],
)
def test_a_message_leads_to_what_it_names(root: Path, message: str, place: str) -> None:
    assert places_of(root, message)[0] == place


@pytest.mark.parametrize(
    "message",
    [
        *("zeppelin xylophone", "the of and", "ok", "OK!", "go on", "👍", "ok 👍"),
        *("ok, go ahead please", "thanks, looks good", "danke, passt", "好的"),
    ],
)
def test_a_message_without_an_anchor_leads_nowhere(root: Path, message: str) -> None:
    write(root, {"chat.md": f"# Chat\n\nok 👍, go on, thanks, passt, 好的\n{FILLER}\n"})
    assert places_of(root, message) == []
    if "zeppelin" not in message and "the of" not in message:
        assert places_of(root, message, project="kelpie") == []


def test_a_related_word_leads_there_too_and_counts_less(root: Path) -> None:
    assert SENSORS in places_of(root, "detectors")
    assert hits_of(root, "detectors")[0].anchors == ("detectors",)
    assert hits_of(root, "detectors")[0].score < hits_of(root, "sensors")[0].score


def test_the_active_project_is_part_of_the_message(root: Path) -> None:
    assert places_of(root, "our papers", project="kelpie")[0] == KELPIE_PAPERS
    assert places_of(root, "our papers", project="gannet")[0] == GANNET_PAPERS
    assert places_of(root, "what of it", project="kelpie")
    assert not places_of(root, "what of it")


@pytest.mark.parametrize("text", ["label printer", "two printers", "labelled printers"])
def test_denied_words_never_lead_anywhere(root: Path, text: str) -> None:
    denied = places_of(root, text, 'deny = ["printers", "Label", "two"]')
    assert denied == []
    assert PRINTER in places_of(root, "printers", 'deny = ["label printer"]')
    assert places_of(root, "the label printers", 'deny = ["label printer"]') == []


def test_only_allowed_notes_are_returned_and_only_sources_looked_at(root: Path) -> None:
    places = places_of(root, "canary ledger release", 'allow = ["memory/"]')
    assert places and all(place.startswith("memory/") for place in places)
    places = places_of(root, "kelpie label printer papers", 'sources = ["projects/"]')
    assert places and all(place.startswith("projects/") for place in places)


def test_a_file_gives_a_few_passages_and_all_files_no_more_than_asked(tmp_path: Path) -> None:
    log = "# Log\n" + "".join(f"\n## Walrus {n}\n\nThe walrus slept {n}.\n" for n in range(9))
    other = {f"o{n}.md": f"# Walrus\n\nA walrus {n}.\n" for n in range(5)}
    root = write(tmp_path, {"log.md": log, **other, "copy.md": other["o1.md"]})
    places = places_of(root, "walrus")
    assert sum(place.startswith("log.md") for place in places) == 5
    assert len(places) == 10  # what says the same is there once
    fewer = places_of(root, "walrus", per_file=1, max_chunks=4)
    assert len({place.partition(":")[0] for place in fewer}) == len(fewer) == 4


def test_other_scripts(tmp_path: Path) -> None:
    notes = {
        "a.md": f"# 部署流程\n\n先测试再部署到生产环境。\n{FILLER}\n",
        "b.md": f"# Büroumzug\n\nDer Büroumzug ist im März.\n{FILLER}\n",
        "c.md": f"# Резервное копирование\n\nКаждую ночь.\n{FILLER}\n",
    }
    root = write(tmp_path, notes)
    assert places_of(root, "请问部署流程是什么")[0] == "a.md:1"
    assert places_of(root, "wann ist der BÜROUMZUG?")[0] == "b.md:1"
    assert places_of(root, "как идёт резервное копирование")[0] == "c.md:1"


def test_vectors_lead_to_what_is_meant_and_words_do_where_they_fail(root: Path) -> None:
    pytest.importorskip("numpy", reason="numpy is not installed")
    from tests.support.concepts import Concepts

    write(root, {"care.md": "# Care\n\nThe doctor comes on Mondays.\n"})
    embedder = Concepts()
    config = configured()
    config = config.replaced(embedding=config.embedding._replace(embedder="use-multilingual"))
    with Workspace(root, config, opener=lambda _: embedder) as workspace:
        workspace.at(NOW).bootstrap()
        notices = workspace.anchors.lookup("surgery").notices
        assert "run hippo embed" in notices[0]
    with Workspace(root, config, opener=lambda _: embedder) as workspace:
        workspace.upkeep.embed()
        hit = workspace.anchors.lookup("surgery").hits[0]
        assert (hit.path, workspace.anchors.lookup("ok").hits) == ("care.md", ())

    def fail(texts: object) -> object:
        raise EmbeddingFailed(model="concepts-1", reason="no answer", advice="wait")

    embedder.embed = fail  # type: ignore[method-assign]
    with Workspace(root, config, opener=lambda _: embedder) as workspace:
        found = workspace.anchors.lookup("label printer")
        assert found.hits[0].path == "TOOLS.md" and "no answer" in found.notices[0]
        assert workspace.anchors.lookup("label printer").notices == ()
