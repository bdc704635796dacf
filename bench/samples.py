"""Questions with what the engine knows of their candidates, and which of these answer: what trees are fitted on, and
what rankings are compared by.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from bench.dataset import Case, Dataset, Folder, spread
from hippocampus_cli.config.settings import Embedding
from hippocampus_cli.embedding.embedder import Opener
from hippocampus_cli.errors import FileUnreadable
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.search.candidates import Place, Standing
from hippocampus_cli.search.embed import embed_notes
from hippocampus_cli.search.engine import (
    Pointed,
    Ranked,
    SearchRequest,
    combined,
    fold,
    rank,
)
from hippocampus_cli.search.features import FEATURES, Wording, feature_rows
from hippocampus_cli.search.meaning import NEAREST, Meaning
from hippocampus_cli.search.ranker import Trees
from hippocampus_cli.search.sqlite_tables import SqliteEngine, Tables
from hippocampus_cli.search.store import PassageStore
from hippocampus_cli.text.dates import days_in
from hippocampus_cli.text.passages import passages_of
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.read import read_note
from hippocampus_cli.workspace.redaction import redacted, redactor_for
from hippocampus_cli.workspace.scan import scan


class Lines(NamedTuple):
    """Lines of a note, 1-based and inclusive."""

    path: str
    start: int
    end: int


Answers = Callable[[Lines, str], bool]
"""Whether these lines with this text answer."""
Rows = Any
"""An array with a row a candidate and a column a feature."""
MOST_BYTES = 2_000_000
ABSENT, SILENT, HELD = "absent", "silent", "silent, held"
"""Kinds of questions: what no note has, and prompts that ask nothing, of which some are held."""
_FEW = 4  # notes of a small workspace
_COSINE, _RANK = FEATURES.index("cosine"), FEATURES.index("cosine_rank")


class Asked(NamedTuple):
    """A question: its wordings, the first as it is asked; what answers, all sides of it together."""

    wordings: Sequence[str]
    kind: str
    sides: Sequence[Answers] = ()


class Sample(NamedTuple):
    """A question over its candidates. ``own`` has for each wording the rows of its own candidates, and which of these
    answer; ``ranked`` are the candidates of all wordings together, ``gold`` says for each of them which sides it
    answers, ``sizes`` how many tokens it is."""

    corpus: str
    folder: str
    kind: str
    own: Sequence[tuple[Rows, Sequence[bool]]]
    ranked: Ranked
    gold: Sequence[Sequence[bool]]
    sizes: Sequence[int]

    @property
    def is_embedded(self) -> bool:
        """Whether it is one wording whose vector was compared."""
        return len(self.ranked.rows) == 1 and any(
            np.asarray(rows)[:, _COSINE].any() for rows in self.ranked.rows
        )

    def scored(self, trees: Trees) -> Ranked:
        """The candidates with the scores that these trees give."""
        rows = (np.asarray(rows).tolist() for rows in self.ranked.rows)
        said = [list(map(trees.value, each)) for each in rows]
        return self.ranked._replace(scores=combined(said))

    def alone(self, turn: int = 0) -> Sample:
        """The same question in one of its wordings."""
        rows, _ = self.own[turn]
        kept = _candidates_of(self.ranked, turn)
        pool = [self.ranked.pool[number] for number in kept]
        wordings = self.ranked.wordings[turn : turn + 1]
        ranked = self.ranked._replace(wordings=wordings, pool=pool, rows=[rows], scores=())
        return self._replace(
            own=self.own[turn : turn + 1],
            ranked=ranked,
            gold=[self.gold[number] for number in kept],
            sizes=[self.sizes[number] for number in kept],
        )


def shown(ranked: Ranked) -> list[int]:
    """The candidates as they are shown, best first: copies once."""
    return [group[0] for group in fold(ranked)]


class Notes:
    """The notes of a folder as the engine has them; with ``opener`` their vectors, too, which are kept in the folder.
    ``close`` when done."""

    def __init__(
        self, root: Path, embedding: Embedding | None = None, opener: Opener | None = None
    ) -> None:
        redact = redactor_for(root)

        def read(path: str) -> Note:
            return redacted(read_note(root, path, MOST_BYTES), redact)

        self._read = read
        self._texts: dict[str, list[str]] = {}
        self.store = PassageStore(SqliteEngine(None))
        files = scan(root).files
        self._paths = [file.path for file in files]
        self.store.refresh(files, self._read)
        self.meaning: Meaning | None = None
        if embedding is not None and opener is not None:
            self.meaning = Meaning(root, embedding, opener, self._read)
            embed_notes(self.store, self.meaning)

    def __iter__(self) -> Iterator[Note]:
        """The notes as they are read."""
        for path in self._paths:
            with suppress(FileUnreadable):
                yield self._read(path)

    def text(self, place: Place) -> str:
        """The text of a passage."""
        if place.path not in self._texts:
            note = self._read(place.path)
            self._texts[place.path] = [passage.text for passage in passages_of(note)]
        return self._texts[place.path][place.ordinal]

    @property
    def newest(self) -> date:
        """The day of the newest note."""
        return self.store.newest_day(date.max) or date.min

    def close(self) -> None:
        """Let go of the store."""
        if self.meaning is not None:
            self.meaning.close()
        self.store.close()


def samples(
    corpus: str,
    folder: str,
    notes: Notes,
    questions: Iterable[Asked],
    pointed: Mapping[str, Sequence[Pointed]] = MappingProxyType({}),
    today: date | None = None,
) -> Iterator[Sample]:
    """The questions over their candidates; ``pointed`` are the lines of entries, ``today`` the day of the questions,
    by default that of the newest note."""
    today = today or notes.newest
    for asked in questions:
        request = request_of(asked, pointed, today)
        yield notes.store.healing(
            lambda db, asked=asked, request=request: _sample(  # type: ignore[misc]
                db, (corpus, folder), notes, asked, request
            )
        )


def request_of(
    asked: Asked, pointed: Mapping[str, Sequence[Pointed]], today: date
) -> SearchRequest:
    """What is asked of the engine, as a query asks it."""
    first, *others = asked.wordings
    readings = [reading for text in asked.wordings for reading in days_in(text, today)]
    spared = frozenset(word.lower() for reading in readings for word in reading.words.split())
    days = [reading.days for reading in readings]
    return SearchRequest(first, others, days, pointed=pointed, spared=spared)


def _sample(
    db: Tables, names: tuple[str, str], notes: Notes, asked: Asked, request: SearchRequest
) -> Sample:
    ranked = rank(db, request, notes.meaning, None)
    texts = [notes.text(place) for place in ranked.pool]
    gold = [
        [answers(_lines(place), text) for answers in asked.sides]
        for place, text in zip(ranked.pool, texts, strict=True)
    ]
    own = []
    for turn, wording in enumerate(ranked.wordings):
        kept = _candidates_of(ranked, turn)
        rows = feature_rows(wording, [ranked.pool[number] for number in kept], ranked.around)
        own.append((_array(rows), [any(gold[number]) for number in kept]))
    light = [_light(wording) for wording in ranked.wordings]
    return Sample(
        *names,
        asked.kind,
        own,
        ranked._replace(wordings=light, rows=[_array(rows) for rows in ranked.rows], scores=()),
        gold,
        list(map(tokens, texts)),
    )


def _candidates_of(ranked: Ranked, turn: int) -> list[int]:
    """The numbers of the candidates of one wording: what has its words, and what its vector is near to."""
    scores, rows = ranked.wordings[turn].scores, ranked.rows[turn]
    return [
        number
        for number, place in enumerate(ranked.pool)
        if place.id in scores or (rows[number][_COSINE] > 0 and rows[number][_RANK] < NEAREST)
    ]


def _light(wording: Wording) -> Wording:
    """The wording without what is large."""
    question = wording.standing.question._replace(terms=())
    return Wording(Standing(question), wording.scores)


def _lines(place: Place) -> Lines:
    return Lines(place.path, place.start, place.end)


def _array(rows: Sequence[Sequence[float]]) -> Rows:
    return np.array(rows, np.float64).reshape(len(rows), len(FEATURES))


def few_notes(dataset: Dataset) -> Dataset:
    """The same questions about a handful of notes each: of those whose answer is elsewhere some, as absent ones."""
    folders = [part for folder in dataset.folders for part in _parts(folder)]
    return dataset._replace(name=f"{dataset.name}-few", folders=tuple(folders))


def _parts(folder: Folder) -> Iterator[Folder]:
    paths = sorted(folder.corpus.files)
    for start in range(0, len(paths), _FEW):
        files = {path: folder.corpus.files[path] for path in paths[start : start + _FEW]}
        there = [c for c in folder.cases if c.lines and {path for path, _ in c.lines} <= set(files)]
        away = [c for c in folder.cases if not {path for path, _ in c.lines} & set(files)]
        absent = [c._replace(right=(), gold=(), sides=()) for c in spread(away, len(there))]
        corpus = folder.corpus._replace(files=files)
        yield folder._replace(corpus=corpus, cases=(*there, *absent), root=None)


def samples_of(dataset: Dataset, scratch: Path) -> Iterator[Sample]:
    """The questions of a data set over their candidates; its folders are written below ``scratch``."""
    for number, folder in enumerate(dataset.folders):
        notes = Notes(folder.write(scratch / f"{dataset.name}-{number}"))
        asked = map(_asked, folder.cases)
        yield from samples(dataset.name, folder.name, notes, asked, today=folder.now.date())
        notes.close()


def _asked(case: Case) -> Asked:
    if not case.right and not case.gold:
        return Asked((case.text,), ABSENT)
    wanted = case.sides or (case.lines,)
    return Asked((case.text,), case.kind, [_on_lines(lines) for lines in wanted])


def _on_lines(wanted: frozenset[tuple[str, int]]) -> Answers:
    def answers(lines: Lines, _: str) -> bool:
        return any((lines.path, line) in wanted for line in range(lines.start, lines.end + 1))

    return answers


def plainly(text: str) -> str:
    """The words of ``text`` in lower case."""
    return re.sub(r"\W+", " ", text.lower()).strip()
