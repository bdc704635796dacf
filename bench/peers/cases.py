"""What is asked, and about which notes: LoCoMo's conversations, or a folder of one's own."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from bench.locomo.choosing import choose, spread
from bench.locomo.conversation import Conversation
from bench.locomo.laying_out import lay_out
from hippocampus_cli.api import Workspace
from hippocampus_cli.benchmark.copying import copy_workspace
from hippocampus_cli.benchmark.corpus import Corpus, Line
from hippocampus_cli.benchmark.deriving import derived
from hippocampus_cli.benchmark.methods import notes_of
from hippocampus_cli.benchmark.questions import Gold, Question, load_questions
from hippocampus_cli.config import Config
from hippocampus_cli.errors import UsageError
from hippocampus_cli.index.files import MASTER

_OWN = (MASTER, ".hippocampus")


class Case(NamedTuple):
    """A question, and the sets of lines each of which answers it."""

    text: str
    right: tuple[frozenset[Line], ...]


class Folder(NamedTuple):
    """Notes below ``root``, which nobody changes, their lines, the moment at which they are asked, and what."""

    root: Path
    corpus: Corpus
    now: datetime
    cases: tuple[Case, ...]

    def copied(self, to: Path, *, own: bool = False) -> Path:
        """A copy; with ``own``, what hippo keeps in the folder too."""
        ignored = None if own else shutil.ignore_patterns(*_OWN)
        shutil.copytree(self.root, to, ignore=ignored)
        return to


def conversations(found: Sequence[Conversation], limit: int | None, scratch: Path) -> list[Folder]:
    """A folder for each conversation that is asked something; ``limit`` questions at most, spread evenly."""
    folders = []
    chosen = choose(found, limit)
    for at, (conversation, questions) in enumerate(zip(found, chosen.questions, strict=True)):
        if not questions:
            continue
        root = scratch / str(at)
        laid = lay_out(conversation, root)
        cases = tuple(
            Case(one.text, (frozenset(laid.places[id] for id in one.evidence),))
            for one in questions
        )
        folders.append(Folder(root, laid.corpus, laid.now, cases))
    return folders


def own_notes(
    root: Path,
    config: Config,
    questions: Path | None,
    limit: int | None,
    now: datetime,
    scratch: Path,
) -> list[Folder]:
    """A copy of a workspace. Questions without an answer are left out, for no metric here counts them.

    Raises what ``load_questions`` and ``copy_workspace`` raise, :class:`UsageError` where there is nothing to
    ask for.
    """
    copy = scratch / "own"
    copy_workspace(root, config, copy)
    with Workspace(copy, config) as workspace:
        notes = notes_of(workspace)
        given = load_questions(questions, workspace.library.note) if questions else derived(notes)
    answerable = [one for one in given if one.gold]
    if not answerable:
        advice = "write some first, or name another folder with --workspace"
        raise UsageError(reason="the notes hold nothing to ask for", advice=advice)
    files = {note.path: [line.rstrip("\r\n") for line in note.lines] for note in notes}
    cases = tuple(Case(one.text, _right(one)) for one in spread(answerable, limit))
    return [Folder(copy, Corpus(files, frozenset(), ()), now, cases)]


def _right(question: Question) -> tuple[frozenset[Line], ...]:
    """Any gold place answers, but for kind ``multi``, which wants all of them."""
    places = [_lines((gold,)) for gold in question.gold]
    return (frozenset().union(*places),) if question.kind == "multi" else tuple(places)


def _lines(places: Iterable[Gold]) -> frozenset[Line]:
    return frozenset(
        (gold.path, line) for gold in places for line in range(gold.start, gold.end + 1)
    )
