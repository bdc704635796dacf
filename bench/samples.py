"""Questions with what the engine knows of their candidates, and which of these answer: what trees are fitted on, and
what rankings are compared by.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bench.dataset import Case, Dataset
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.search.engine import Ranked, Request, fold, rank
from hippocampus_cli.search.features import FEATURES, Wording, feature_rows
from hippocampus_cli.search.indexing import Words
from hippocampus_cli.search.meaning import Meaning
from hippocampus_cli.search.passage_store import PassageStore, Totals
from hippocampus_cli.search.pool import Place, Standing
from hippocampus_cli.search.source_reader import SourceReader
from hippocampus_cli.search.trees import Trees, scores
from hippocampus_cli.text.passages import passages_of
from hippocampus_cli.workspace.database import Connection
from hippocampus_cli.workspace.note import Note
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
MOST_BYTES = 10_000_000
ABSENT = "absent"


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

    def scored(self, trees: Trees) -> Ranked:
        """The candidates with the scores that these trees give."""
        said = [scores(trees, np.asarray(rows).tolist()) for rows in self.ranked.rows]
        together = [max(each) + sum(each) / len(each) for each in zip(*said, strict=True)]
        return self.ranked._replace(scores=together)

    def alone(self) -> Sample:
        """The same question without its other wordings."""
        rows, _ = self.own[0]
        first = self.ranked.wordings[0]
        kept = [
            number for number, passage in enumerate(self.ranked.pool) if passage in first.scores
        ]
        pool = [self.ranked.pool[number] for number in kept]
        ranked = self.ranked._replace(
            wordings=self.ranked.wordings[:1], pool=pool, rows=[rows], scores=()
        )
        return self._replace(
            own=self.own[:1],
            ranked=ranked,
            gold=[self.gold[number] for number in kept],
            sizes=[self.sizes[number] for number in kept],
        )


def shown(ranked: Ranked) -> list[int]:
    """The candidates as they are shown, best first: copies once."""
    return [group[0] for group in fold(ranked)]


class Notes:
    """The notes of a folder as the engine has them. ``close`` when done."""

    def __init__(
        self,
        root: Path,
        words: Mapping[str, Sequence[Words]] | None = None,
        cache: Path | None = None,
    ) -> None:
        self._reader = SourceReader(root, MOST_BYTES)
        self._texts: dict[str, list[str]] = {}
        self.store = PassageStore(cache)
        files = scan(root).files
        self._paths = [file.path for file in files]
        self.store.refresh(files, self._reader, words=words)

    def __iter__(self) -> Iterator[Note]:
        """The notes as they are read."""
        return (note for path in self._paths if (note := self._reader(path)) is not None)

    def text(self, place: Place) -> str:
        """The text of a passage."""
        if place.path not in self._texts:
            note = self._reader.source(place.path)
            self._texts[place.path] = [passage.text for passage in passages_of(note)]
        return self._texts[place.path][place.ordinal]

    def close(self) -> None:
        """Let go of the store."""
        self._reader.close()
        self.store.close()


def samples(
    corpus: str,
    folder: str,
    notes: Notes,
    questions: Iterable[Asked],
    meaning: Meaning | None = None,
) -> Iterator[Sample]:
    """The questions over their candidates."""
    for asked in questions:
        yield notes.store.healing(
            lambda db, asked=asked: _sample(db, corpus, folder, notes, asked, meaning)  # type: ignore[misc]
        )


def _sample(
    db: Connection, corpus: str, folder: str, notes: Notes, asked: Asked, meaning: Meaning | None
) -> Sample:
    first, *others = asked.wordings
    ranked = rank(db, Request(first, others), meaning, None)
    places = ranked.places
    texts = {passage: notes.text(places[passage]) for passage in ranked.pool}
    gold = {
        passage: [answers(_lines(places[passage]), text) for answers in asked.sides]
        for passage, text in texts.items()
    }
    own = []
    for wording in ranked.wordings:
        pool = list(wording.scores)
        rows = feature_rows(wording, pool, places, ranked.around)
        own.append((_array(rows), [any(gold[passage]) for passage in pool]))
    light = [_light(wording) for wording in ranked.wordings]
    return Sample(
        corpus,
        folder,
        asked.kind,
        own,
        ranked._replace(wordings=light, rows=[_array(rows) for rows in ranked.rows], scores=()),
        [gold[passage] for passage in ranked.pool],
        [tokens(texts[passage]) for passage in ranked.pool],
    )


def _light(wording: Wording) -> Wording:
    """The wording without what is large."""
    question = wording.question._replace(terms=())
    return Wording(question, Standing(question, Totals(0, 0, 0, 0, 0)), wording.scores)


def _lines(place: Place) -> Lines:
    return Lines(place.path, place.start, place.end)


def _array(rows: Sequence[Sequence[float]]) -> Rows:
    return np.array(rows, np.float64).reshape(len(rows), len(FEATURES))


def samples_of(dataset: Dataset, scratch: Path) -> Iterator[Sample]:
    """The questions of a data set over their candidates; its folders are written below ``scratch``."""
    for number, folder in enumerate(dataset.folders):
        notes = Notes(folder.write(scratch / f"{dataset.name}-{number}"))
        yield from samples(dataset.name, folder.name, notes, map(_asked, folder.cases))
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
