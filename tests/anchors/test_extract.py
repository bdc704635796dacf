from __future__ import annotations

from collections.abc import Mapping

import pytest

from hippocampus_cli.anchors.chunks import Corpus, Size, average_length, chunks_of, company, worded
from hippocampus_cli.anchors.extract import (
    ENTITY,
    HEADING,
    WORD,
    Gathered,
    Term,
    is_courtesy,
    terms_of,
    vocabulary,
    weighed,
)
from hippocampus_cli.workspace.note import Note
from tests.support.anchor_notes import NOTES


def learnt(notes: Mapping[str, str]) -> tuple[Gathered, Corpus]:
    gathered, words = Gathered(), []
    for path, text in notes.items():
        note = Note(path, text)
        chunks = chunks_of(note, Size(512, 0))
        gathered.add(terms_of(note), [one.text for one in chunks])
        words += [worded(one) for one in chunks]
    return gathered, Corpus(words, average_length(words))


def test_what_notes_name_is_their_vocabulary() -> None:
    gathered, corpus = learnt(NOTES)
    kinds = {one.text: one.kind for one in vocabulary(gathered, corpus, 1_000)}
    assert kinds["label printer"] == kinds["papers"] == HEADING
    assert kinds["kelpie"] == kinds["gannet"] == ENTITY
    assert kinds["torunn hagen"] == "name"
    assert kinds["migration"] == kinds["oxygen"] == WORD
    assert not {"the", "hull is", "titanium"} & kinds.keys()  # titanium stands in one chunk alone


def test_denied_words_are_no_anchors_however_they_are_inflected() -> None:
    gathered, corpus = learnt(NOTES)
    kept = {
        one.text for one in vocabulary(gathered, corpus, 1_000, ["Label Printers", "migrations"])
    }
    assert not {"label printer", "migration"} & kept


def test_too_many_anchors_leave_room_for_words_and_keep_the_surest_phrases() -> None:
    gathered, corpus = learnt(NOTES)
    few = vocabulary(gathered, corpus, 10)
    assert len(few) == 10
    assert sum(one.kind == WORD for one in few) == 4
    assert {"kelpie", "gannet"} <= {one.text for one in few}


def test_one_anchor_for_all_spellings() -> None:
    gathered, corpus = learnt(
        {"a.md": "# Follow-up\n\nA follow-up.\n\n## follow ups\n\nFollow-Ups.\n"}
    )
    assert sum("up" in one.text for one in vocabulary(gathered, corpus, 99)) == 1


def test_rare_words_of_an_anchor_are_worth_more() -> None:
    _, corpus = learnt(NOTES)
    (anchor,) = weighed([Term("canary release", HEADING)], corpus)
    assert sum(anchor.own.values()) == 1.0
    assert anchor.own["canari"] >= anchor.own["releas"]


def test_words_that_stand_together_keep_company() -> None:
    notes = {f"{n}.md": f"# n{n}\n\nbarnacles membrane x{n}\n" for n in range(5)}
    notes |= {f"o{n}.md": f"# o{n}\n\nledger y{n} z{n}\n" for n in range(20)}
    _, corpus = learnt(notes)
    kept = company({"barnacl"}, corpus)
    assert kept["membran"] == 1.0
    assert "ledger" not in kept and "barnacl" not in kept


def test_what_chance_explains_is_no_company() -> None:
    notes = {f"{n}.md": f"common word{n % 2} extra{n}\n" for n in range(10)}
    _, corpus = learnt(notes)
    assert company({"common"}, corpus) == {}
    assert company({"word0"}, corpus, {"word", "0"}) == {}
    assert company({"nowhere"}, corpus) == {}


def test_languages_without_spaces_have_anchors() -> None:
    gathered, corpus = learnt(
        {"a.md": "# 部署流程\n\n先测试再部署。\n", "b.md": "# 笔记\n\n部署失败了。\n"}
    )
    kept = {one.text: one.kind for one in vocabulary(gathered, corpus, 99)}
    assert kept["部署流程"] == HEADING
    assert kept["部署"] == WORD


@pytest.mark.parametrize(
    "text", ["thanks, looks good", "OK!", "ok, go ahead please", "danke, passt", "好的"]
)
def test_a_courtesy_asks_for_nothing(text: str) -> None:
    assert is_courtesy(text)


@pytest.mark.parametrize(
    "text", ["", "it", "what about it?", "thanks for the deploy", "good " * 20]
)
def test_anything_else_may(text: str) -> None:
    assert not is_courtesy(text)
