"""``python -m bench real FOLDER``: questions about fetched workspaces, by kind, beside what a few lines of SQL find.

FOLDER/OWNER+NAME holds the files of each workspace, ``--questions`` the questions: ``workspace``, ``kind``,
``question``, ``gold`` (path, start, end, text), ``gold_all`` where a place of each of several is needed, and
``stale``. A passage is right when it stands over a gold line and shows its words.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sqlite3
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from bench.prompts import PROMPTS, read_prompts
from bench.samples import (
    ABSENT,
    HELD,
    SILENT,
    Answers,
    Asked,
    Lines,
    Notes,
    Sample,
    plainly,
    samples,
    shown,
)
from bench.sheet import Column, Findings, Sheet
from hippocampus_cli.api import Task, open_workspace
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.config.settings import Embedding
from hippocampus_cli.embedding.embedder import Opener
from hippocampus_cli.embedding.open import settings_opener
from hippocampus_cli.index.decay import clock_for
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.query.ask import follow_entries, to_search
from hippocampus_cli.query.entry_match import IndexWords
from hippocampus_cli.query.places import Snapshot
from hippocampus_cli.query.request import Request as QueryRequest
from hippocampus_cli.query.request import parse
from hippocampus_cli.search.asking import asks
from hippocampus_cli.search.confidence import (
    NONE_TO,
    PROMPT_FROM,
    SURE_FROM,
    Confidence,
    at_prompt,
    confidence_of,
)
from hippocampus_cli.search.engine import Pointed
from hippocampus_cli.search.features import FEATURES
from hippocampus_cli.search.ranker import Model, model
from hippocampus_cli.text.terms import asked_words, terms
from hippocampus_cli.text.tokenizer import words_of
from hippocampus_cli.workspace.note import Note

FIVE, TWENTY = 5, 20
_SHOWN = 60  # characters of a gold line that a passage shows
REAL, EMBEDDED = "real", "real, embedded"
_ANSWERS, _PHRASE, _SUMMARY = 100, 5, 110  # at once; words of a phrase; characters of a summary
_PROMPTED = 3  # of so many prompts one is put to a workspace
_LINES = 60  # of a section of the plain full-text search
_COLUMNS = (
    Column("kind", "kind"),
    Column("asked", "asked"),
    Column("first", "first"),
    Column("five", "five"),
    Column("twenty", "twenty"),
    Column("pool", "pool"),
    Column("tokens", "tokens", ".0f"),
)
Judge = Callable[[Sample], tuple[Sequence[int], Confidence]]
"""The candidates of a sample as they are shown, and the confidence."""


class Question(NamedTuple):
    """A question of the file, and its other wordings."""

    workspace: str
    asked: Asked
    texts: Sequence[str]


class Outcome(NamedTuple):
    """What came of a question: whether the first place, one of five, of twenty, any candidate answers (all sides
    of it); the tokens of five; the confidence, and that at a prompt."""

    kind: str
    first: bool = False
    five: bool = False
    twenty: bool = False
    pool: bool = False
    tokens: float = 0.0
    confidence: float = 0.0
    prompt: float = 0.0


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the measure."""
    add = parser.add_argument
    add("folder", type=Path, metavar="FOLDER", help="the workspaces, a folder each")
    add("--questions", type=Path, required=True, metavar="FILE", help="what is asked")
    add("--phrasings", type=Path, metavar="FILE", help="other wordings by a question's number")
    add(
        "--aliases",
        type=Path,
        metavar="FILE",
        help="descriptions by path and line: answers to tasks; with --index",
    )
    add("--index", action="store_true", help="with the index that `hippo bootstrap` makes")
    add("--embedder", metavar="NAME", help="embed the notes first; vectors are kept in FOLDER")
    add("--prompts", type=Path, default=PROMPTS, metavar="FILE", help="that ask nothing")
    add("--left-out", action="store_true", help="fit trees on all workspaces but the one asked")


def measure(session: CommandContext, options: argparse.Namespace) -> Findings:
    """Ask every question with words alone, and with its other wordings; beside full-text searches."""
    questions = list(read_questions(options))
    with session.output.progress("asking") as advance:
        asked = [*questions, *prompts(options, questions)]
        found = gather(options, asked, advance, options.embedder, indexed=options.index)
    outcomes = {"full text": _full_text(options.folder, questions, _words)}
    outcomes["full text, pairs of characters"] = _full_text(options.folder, questions, terms)
    judge = left_out(found) if options.left_out else _shipped()
    outcomes["words"] = [outcome(sample.alone(), judge) for sample in found]
    if options.phrasings:
        outcomes["phrasings"] = [outcome(sample, judge) for sample in found]
    return findings(outcomes)


def prompts(options: argparse.Namespace, questions: Sequence[Question]) -> Iterator[Question]:
    """The prompts that ask nothing, each at some of the workspaces."""
    given = read_prompts(options.prompts) if options.prompts else []
    for turn, name in enumerate(dict.fromkeys(question.workspace for question in questions)):
        for prompt in given[turn % _PROMPTED :: _PROMPTED]:
            kind = HELD if prompt.held else SILENT
            yield Question(name, Asked((prompt.text,), kind), (prompt.text,))


def read_questions(options: argparse.Namespace) -> Iterator[Question]:
    """The questions of the file whose workspaces are there."""
    given = json.loads(options.questions.read_text(encoding="utf-8"))["questions"]
    others = json.loads(options.phrasings.read_text(encoding="utf-8")) if options.phrasings else {}
    for number, row in enumerate(given):
        root = options.folder / row["workspace"]
        if root.is_dir():
            texts = (row["question"], *others.get(str(number), ()))
            absent = row["kind"] == ABSENT
            sides = [] if absent else [any_of(root, side) for side in _sides(row)]
            yield Question(row["workspace"], Asked(texts, row["kind"], sides), texts)


def gather(
    options: argparse.Namespace,
    questions: Sequence[Question],
    progress: Callable[[int, int], object],
    embedder: str | None = None,
    *,
    indexed: bool = False,
) -> list[Sample]:
    """The questions over their candidates, workspace by workspace; with the vectors of an ``embedder``, if any, and
    with an index of the notes, in which what ``--aliases`` describes is described."""
    corpus = EMBEDDED if embedder else REAL
    found: list[Sample] = []
    for name in dict.fromkeys(question.workspace for question in questions):
        notes = Notes(options.folder / name, *embedder_of(embedder))
        rows = _rows_of(options.aliases, name) if indexed else []
        described = Described(options.folder / name, rows, notes.newest) if indexed else None
        for asked in (question.asked for question in questions if question.workspace == name):
            pointed = described.pointed(asked) if described else {}
            found += samples(corpus, name, notes, [asked], pointed)
            progress(len(found), len(questions))
        notes.close()
        if described:
            described.close()
    return found


def embedder_of(name: str | None) -> tuple[Embedding, Opener] | tuple[()]:
    """The embedder of this name, and what opens it."""
    return (Embedding(embedder=name), settings_opener(os.environ)) if name else ()


def outcome(sample: Sample, judge: Judge) -> Outcome:
    """What a ranking makes of a question."""
    order, confidence = judge(sample)
    right = partial(_all_sides, sample)
    return Outcome(
        sample.kind,
        right(order[: max(1, len(sample.gold[0]) if sample.gold else 1)]),
        right(order[:FIVE]),
        right(order[:TWENTY]),
        right(range(len(sample.gold))),
        sum(sample.sizes[number] for number in order[:FIVE]),
        confidence.any,
        at_prompt(confidence.prompt, asks(sample.ranked.wordings[0].standing.question.text)),
    )


def _all_sides(sample: Sample, numbers: Sequence[int]) -> bool:
    sides = list(zip(*(sample.gold[number] for number in numbers), strict=True))
    return bool(sides) and all(map(any, sides))


def _shipped() -> Judge:
    learned = model(len(FEATURES))
    if learned is None:
        raise SystemExit("there is no model: run `python -m bench fit`")
    return partial(judge_by, learned=learned)


def judge_by(sample: Sample, learned: Model) -> tuple[Sequence[int], Confidence]:
    """The ranking of ``learned``."""
    ranked = sample.scored(learned.meaning if sample.is_embedded else learned.rank)
    order = shown(ranked)
    return order, confidence_of(ranked, order, learned)


def left_out(found: Sequence[Sample], others: Sequence[Sample] = ()) -> Judge:
    """Each folder is ranked by trees that were fitted on all others."""
    from bench.fit.run import fit

    models = {
        folder: fit([*(sample for sample in found if sample.folder != folder), *others])
        for folder in {sample.folder for sample in found}
    }
    return lambda sample: judge_by(sample, models[sample.folder])


def findings(outcomes: Mapping[str, Sequence[Outcome]]) -> Findings:
    """A table a method, a row a kind, and what the confidence is worth."""
    sheets, notes, rows = [], [], []
    for name, found in outcomes.items():
        by_kind: defaultdict[str, list[Outcome]] = defaultdict(list)
        for one in found:
            if one.kind not in (ABSENT, SILENT, HELD):
                by_kind[one.kind].append(one)
                by_kind["all"].append(one)
        table = [_row(kind, each) for kind, each in by_kind.items() if kind != "all"]
        table = [*sorted(table), _row("all", by_kind["all"])]
        sheets.append(Sheet(name, _COLUMNS, tuple(table)))
        rows += [(name, *row) for row in table]
        notes += [f"{name}: {_of_confidence(found)}"]
    columns = (Column("method", "method"), *_COLUMNS)
    keys = [column.key for column in columns]
    document = {"rows": [dict(zip(keys, row, strict=True)) for row in rows], "confidence": notes}
    return Findings(document, tuple(sheets), tuple(notes), Sheet("real", columns, tuple(rows)))


def _row(kind: str, found: Sequence[Outcome]) -> tuple[Any, ...]:
    counts = (
        sum(getattr(one, name) for one in found) for name in ("first", "five", "twenty", "pool")
    )
    return kind, len(found), *counts, sum(one.tokens for one in found) / max(1, len(found))


def _of_confidence(found: Sequence[Outcome]) -> str:
    there = [one for one in found if one.kind not in (ABSENT, SILENT, HELD)]
    silent = [one for one in found if one.kind == HELD]
    absent = [one for one in found if one.kind == ABSENT]
    right = [one for one in there if one.five]
    sure = [one for one in there if one.confidence >= SURE_FROM]
    shares = (
        ("sure: right", sum(one.five for one in sure), len(sure)),
        ("right: sure", sum(one.confidence >= SURE_FROM for one in right), len(right)),
        ("absent: sure", sum(one.confidence >= SURE_FROM for one in absent), len(absent)),
        ("absent: none", sum(one.confidence <= NONE_TO for one in absent), len(absent)),
        ("there: brought", sum(one.prompt >= PROMPT_FROM for one in there), len(there)),
        ("held prompts: brought", sum(one.prompt >= PROMPT_FROM for one in silent), len(silent)),
        ("there: none", sum(one.confidence <= NONE_TO for one in there), len(there)),
    )
    return ", ".join(
        f"{name} {part / max(1, whole):.2f} ({part} of {whole})" for name, part, whole in shares
    )


def _sides(row: Mapping[str, Any]) -> list[Any]:
    sides = row.get("gold_all") or [row["gold"]]
    return [side if isinstance(side, list) else [side] for side in sides]


def any_of(root: Path, golds: Sequence[Mapping[str, Any]]) -> Answers:
    wanted = [(gold, list(_said(root, gold))) for gold in golds]

    def answers(lines: Lines, text: str) -> bool:
        return any(
            lines.path == gold["path"]
            and lines.start <= gold["end"]
            and gold["start"] <= lines.end
            and any(words in plainly(text) for words in said)
            for gold, said in wanted
        )

    return answers


def _said(root: Path, gold: Mapping[str, Any]) -> Iterator[str]:
    """Words of which one at least is to be seen."""
    text = gold.get("text") or ""
    if text:
        yield plainly(text)[:50]
    file = root / gold["path"]
    lines = file.read_text(errors="replace").split("\n") if file.is_file() else []
    for line in lines[gold["start"] - 1 : gold["end"]]:
        if len(plainly(line)) > 8 and (not text or text[:20] in line):
            yield plainly(line)[:_SHOWN]


class Described:
    """A workspace whose sections are described: the words of its index, as a question meets them."""

    def __init__(self, root: Path, rows: Sequence[Mapping[str, Any]], today: date) -> None:
        self._scratch = tempfile.TemporaryDirectory(prefix="hippo-bench-")
        copy = Path(self._scratch.name) / root.name
        shutil.copytree(root, copy, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        self._now = datetime.combine(today, time(12), UTC)
        self._workspace = open_workspace(copy, environ={})
        self._workspace.at(self._now).bootstrap()
        self.counts = Counter(self._answer(rows))
        library, index = self._workspace.library, self._workspace.index()
        library.refresh()
        clock = clock_for(index, self._now, self._workspace.config.decay)
        self._snapshot = Snapshot(library, IndexWords(index), clock)

    def _answer(self, rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        """Answer the tasks of the sections that begin in the lines that are named; what is refused is answered once
        more, without the words that the evidence lacks."""
        wanted = {f"{row['path']}:{row['start']}": row for row in rows}
        curation = self._workspace.curation
        found = curation.tasks(kinds=["describe"], limit=100_000, write=False)
        tasks = {task.id: task for task, _ in found if task.evidence[0].place in wanted}
        ids = list(tasks)
        for start in range(0, len(ids), _ANSWERS):
            part = ids[start : start + _ANSWERS]
            rows_of = {id: wanted[tasks[id].evidence[0].place] for id in part}
            first = [(id, _answer_of(row, row["summary"])) for id, row in rows_of.items()]
            done = curation.answer(first, who="bench")
            again = [answer.task for answer in done if answer.outcome == "refused"]
            second = [(id, _answer_of(rows_of[id], _told(rows_of[id], tasks[id]))) for id in again]
            done += curation.answer(second, who="bench") if second else []
            yield from (answer.outcome for answer in done)

    def pointed(self, asked: Asked) -> Mapping[str, Sequence[Pointed]]:
        """Where the entries that match a question lead."""
        request = QueryRequest(asked.wordings[0], tuple(asked.wordings[1:]))
        queries = [parse(text, self._now.date()) for text in asked.wordings]
        targets, _ = follow_entries(self._snapshot, queries, request)
        return to_search(self._snapshot, queries, targets, request).pointed

    def close(self) -> None:
        """Let go of the copy."""
        self._workspace.close()
        self._scratch.cleanup()


def _answer_of(row: Mapping[str, Any], summary: str) -> dict[str, Any]:
    phrases = [alias for alias in row["aliases"] if len(alias.split()) <= _PHRASE]
    return {"summary": summary[:_SUMMARY], "aliases": phrases}


def _told(row: Mapping[str, Any], task: Task) -> str:
    """The summary without the words that were refused: names and numbers that the evidence lacks."""
    text = task.evidence[0].text
    words = [word for word in row["summary"].split() if word in text or word.islower()]
    return " ".join(word for word in words if word.isalpha() or word in text)


def _rows_of(file: Path | None, name: str) -> list[Mapping[str, Any]]:
    """The descriptions of a workspace."""
    rows = json.loads(file.read_text(encoding="utf-8")) if file else ()
    return [row for row in rows if row.get("workspace") == name]


def _words(text: str) -> list[str]:
    return [word.lower() for word in words_of(text)]


def _full_text(
    folder: Path, questions: Sequence[Question], split: Callable[[str], list[str]]
) -> list[Outcome]:
    """What SQLite's FTS5 finds: sections of 60 lines with their headings, by the words of ``split``."""
    found = []
    for name in dict.fromkeys(question.workspace for question in questions):
        notes = Notes(folder / name)
        parts = [part for note in notes for part in _parts(note)]
        notes.close()
        best = _search(parts, split)
        own = (question.asked for question in questions if question.workspace == name)
        found += [
            _outcome([parts[number] for number in best(asked.wordings[0])], asked) for asked in own
        ]
    return found


def _parts(note: Note) -> Iterator[tuple[Lines, str]]:
    for section in note.sections:
        head = " ".join((note.path, *section.parents, section.title))
        for start in range(section.start, section.end + 1, _LINES):
            lines = Lines(note.path, start, min(section.end, start + _LINES - 1))
            yield lines, f"{head}\n{note.text_of(lines.start, lines.end)}"


def _search(
    parts: Sequence[tuple[Lines, str]], split: Callable[[str], list[str]]
) -> Callable[[str], list[int]]:
    table = sqlite3.connect(":memory:")
    table.execute("CREATE VIRTUAL TABLE part USING fts5(text, tokenize = 'porter unicode61')")
    rows = ((number, " ".join(split(text))) for number, (_, text) in enumerate(parts))
    table.executemany("INSERT INTO part(rowid, text) VALUES (?, ?)", rows)
    wanted = f"SELECT rowid FROM part WHERE part MATCH ? ORDER BY rank LIMIT {TWENTY}"

    def best(question: str) -> list[int]:
        words = dict.fromkeys(split(" ".join(asked_words(question))))
        match = " OR ".join(f'"{word}"' for word in words if word.isalnum())
        return [row for (row,) in table.execute(wanted, (match,))] if match else []

    return best


def _outcome(results: Sequence[tuple[Lines, str]], asked: Asked) -> Outcome:
    right = [[answers(*result) for answers in asked.sides] for result in results]

    def among(most: int) -> bool:
        sides = list(zip(*right[:most], strict=True))
        return bool(sides) and all(map(any, sides))

    size = sum(tokens(text) for _, text in results[:FIVE])
    counts = (among(max(1, len(asked.sides))), among(FIVE), among(TWENTY), among(len(right)))
    return Outcome(asked.kind, *counts, size)
