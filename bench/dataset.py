"""A data set as values: folders of notes whose lines are known, and questions with the lines that answer them."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from bench.errors import DatasetInvalid
from bench.made_up import age
from bench.metrics import Corpus, Line, Ranked, Shown, Value
from bench.places import notes_of
from bench.questions import Place, Question, derived, load_questions
from bench.workspace import copy_workspace
from hippocampus_cli.api import Workspace
from hippocampus_cli.config import Config
from hippocampus_cli.errors import FileUnreadable, UsageError
from hippocampus_cli.index.document import MASTER

T = TypeVar("T")
_OWN = (MASTER, ".hippocampus")


class Quote(NamedTuple):
    """Words of a note that are an answer."""

    path: str
    text: str

    def is_in(self, shown: Shown) -> bool:
        """Whether they can be read there; case and white space do not count."""
        return shown.path == self.path and plainly(self.text) in plainly(shown.text)


def plainly(text: str) -> str:
    """``text`` without its case and its line breaks."""
    return " ".join(text.casefold().split())


class Case(NamedTuple):
    """A question of a ``kind``, and the sets of lines each of which answers it; ``unresolved`` counts the
    references of the data to what does not exist.

    A question that has no right lines is about something that is not there. ``gold`` are the words that answer,
    where these are known, ``stale`` those that did once; ``sides`` are lines that belong together: something of
    each has to be found. ``id`` names it within its data set.
    """

    text: str
    right: tuple[frozenset[Line], ...]
    kind: str = ""
    unresolved: int = 0
    gold: tuple[Quote, ...] = ()
    stale: tuple[Quote, ...] = ()
    sides: tuple[frozenset[Line], ...] = ()
    id: str = ""

    @property
    def lines(self) -> frozenset[Line]:
        """All lines that answer, or a part of it."""
        return frozenset().union(*self.right)

    def answered_by(self, shown: Shown) -> bool:
        """Whether one result answers: words that do can be read in it, or it shows such lines."""
        if self.gold:
            return any(one.is_in(shown) for one in self.gold)
        wanted = self.lines
        return any(
            (span.path, line) in wanted
            for span in shown.spans
            for line in range(span.start, span.end + 1)
        )


class Folder(NamedTuple):
    """Notes by their lines, the moment at which they are asked, and what. ``root`` is where they stand already,
    None where they are to be written; ``skipped`` says how many of its questions were left out, and why."""

    name: str
    corpus: Corpus
    now: datetime
    cases: tuple[Case, ...]
    root: Path | None = None
    skipped: Mapping[str, int] = {}

    def write(self, to: Path, *, own: bool = False) -> Path:
        """The notes below ``to``, a day old; with ``own``, what hippo keeps beside them too."""
        if self.root is not None:
            shutil.copytree(self.root, to, ignore=None if own else shutil.ignore_patterns(*_OWN))
            return to
        to.mkdir(parents=True, exist_ok=True)
        for path, lines in self.corpus.files.items():
            file = to / path
            file.parent.mkdir(parents=True, exist_ok=True)
            text = "".join(f"{line}\n" for line in lines)
            file.write_text(text, encoding="utf-8", errors="replace", newline="\n")
            age(file)
        return to


Figures = Callable[[Ranked, Case, Corpus], Mapping[str, Value]]
"""What an answer is worth, by metric; what it says nothing about may be left out."""


class Scoring(NamedTuple):
    """What is counted of an answer. ``heads`` are the metrics and what tables call them, ``figures`` what gives them.

    ``telling`` are those whose intervals are shown, ``split`` those that are shown by kind. ``methods`` are asked
    where nothing else is said, hippo for ``limit`` results and ``tokens`` tokens. ``legend`` explains the heads;
    ``folders`` and ``units`` are words for what the data set consists of.
    """

    heads: Mapping[str, str]
    figures: tuple[Figures, ...]
    telling: tuple[str, ...]
    split: tuple[str, ...]
    methods: tuple[str, ...]
    limit: int
    tokens: int
    legend: str
    folders: str = "folders"
    units: str = "lines"

    def values(self, ranked: Ranked, case: Case, corpus: Corpus) -> tuple[Value, ...]:
        """The figures of one question, in the order of ``heads``."""
        found: dict[str, Value] = {}
        for one in self.figures:
            found.update(one(ranked, case, corpus))
        return tuple(found.get(key) for key in self.heads)


class Dataset(NamedTuple):
    """``kinds`` are those of the questions, in the order of tables; ``skipped`` sums up the folders'. ``scoring``
    is what is counted of an answer: None for files, lines and lines within a budget."""

    name: str
    kinds: tuple[str, ...]
    folders: tuple[Folder, ...]
    skipped: Mapping[str, int] = {}
    scoring: Scoring | None = None

    @property
    def counts(self) -> dict[str, int]:
        """How many questions there are of each kind, none of those that there are none of."""
        found = Counter(case.kind for folder in self.folders for case in folder.cases)
        return {kind: found[kind] for kind in self.kinds if found[kind]}

    def limited(self, limit: int | None = None) -> Dataset:
        """With ``limit`` questions at most, spread evenly over all folders."""
        every = [(at, case) for at, one in enumerate(self.folders) for case in one.cases]
        asked = spread(every, limit)
        skipped: dict[str, int] = {}
        for folder in self.folders:
            for why, count in folder.skipped.items():
                skipped[why] = skipped.get(why, 0) + count
        skipped["beyond_limit"] = len(every) - len(asked)
        skipped["references"] = sum(case.unresolved for _, case in asked)
        folders = tuple(
            folder._replace(cases=tuple(case for where, case in asked if where == at))
            for at, folder in enumerate(self.folders)
        )
        return self._replace(folders=folders, skipped=skipped)


def spread(rows: Sequence[T], limit: int | None) -> Sequence[T]:
    """``limit`` of the rows, at even distances; all of them where there are no more."""
    if limit is None or limit >= len(rows):
        return rows
    return [rows[at * len(rows) // limit] for at in range(limit)]


def own_notes(
    root: Path, config: Config, questions: Path | None, now: datetime, copy: Path
) -> Dataset:
    """A workspace, copied to ``copy``. Questions without an answer are left out, for no metric counts them.

    Raises what ``load_questions`` and ``copy_workspace`` raise, :class:`UsageError` where there is nothing to
    ask for.
    """
    copy_workspace(root, config, copy)
    with Workspace(copy, config) as workspace:
        notes = notes_of(workspace)
        given = load_questions(questions, workspace.library.note) if questions else derived(notes)
    cases = tuple(Case(one.text, _right(one)) for one in given if one.gold)
    if not cases:
        advice = "write some first, or name another folder with --workspace"
        raise UsageError(reason="the notes hold nothing to ask for", advice=advice)
    files = {note.path: [line.rstrip("\r\n") for line in note.lines] for note in notes}
    return Dataset("own", (), (Folder("own", Corpus(files, frozenset(), ()), now, cases, copy),))


def _right(question: Question) -> tuple[frozenset[Line], ...]:
    """Any gold place answers, but for kind ``multi``, which wants all of them."""
    places = [lines_in((gold,)) for gold in question.gold]
    return (frozenset().union(*places),) if question.kind == "multi" else tuple(places)


def lines_in(places: Iterable[Place]) -> frozenset[Line]:
    """All lines of some places."""
    return frozenset((one.path, line) for one in places for line in range(one.start, one.end + 1))


class Reader:
    """Takes the JSON of ``path`` apart; what is not as it should be is a :class:`DatasetInvalid` with ``advice``."""

    def __init__(self, path: Path, advice: str) -> None:
        self.path = path
        self._advice = advice

    def load(self) -> Any:
        """The document. Raises :class:`FileUnreadable` too."""
        try:
            return json.loads(self.path.read_bytes())
        except OSError as error:
            reason = error.strerror or str(error)
            raise FileUnreadable(path=str(self.path), reason=reason) from error
        except json.JSONDecodeError as error:
            raise self.refusal(f"{error.msg} (column {error.colno})", error.lineno) from error
        except (ValueError, RecursionError) as error:
            raise self.refusal("it is no JSON text in UTF-8") from error

    def mapping(self, value: object, what: str) -> dict[str, Any]:
        """``value``, which has to be an object."""
        if not isinstance(value, dict):
            raise self.refusal(f"{what} is no object")
        return value

    def sequence(self, value: object, what: str) -> list[Any]:
        """``value``, which has to be a list."""
        if not isinstance(value, list):
            raise self.refusal(f"{what} is no list")
        return value

    def refusal(self, reason: str, line: int | None = None) -> DatasetInvalid:
        """The error for ``reason``."""
        return DatasetInvalid(path=str(self.path), line=line, reason=reason, advice=self._advice)


Progress = Callable[[int, int], object]
"""Told how many steps of how many are done."""


def silent(done: int, total: int) -> None:
    """A :data:`Progress` that nobody waits for."""
