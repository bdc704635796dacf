"""``python -m bench make-corf``: questions from the notes of a workspace, by seed: the same ones for the same notes.

No model writes them: they come from headings, folders and the company that words keep; from lines said in other
words, those that the thesaurus has for theirs; and from the journal, where one failed and was answered later.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from bench.arguments import whole
from bench.corf.dataset import (
    ASSOCIATIVE,
    FAILED,
    KINDS,
    PARAPHRASE,
    PRONOUN,
    SILENT,
    SOURCE,
    Dataset,
    Query,
    check_new,
    write_new,
)
from bench.places import notes_of
from bench.questions import Fact, Place, facts_in
from bench.sheet import Column, Findings, Sheet
from bench.workspace import copy_workspace
from hippocampus_cli.anchors.build import ReadNote, build
from hippocampus_cli.anchors.extract import keys_in, keys_of, phrases_of
from hippocampus_cli.anchors.index import AnchorIndexed
from hippocampus_cli.anchors.similarity import related_to
from hippocampus_cli.api import Workspace
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.config import Config
from hippocampus_cli.errors import UsageError
from hippocampus_cli.markdown.safe import safe_line
from hippocampus_cli.text.tokenizer import forms, is_stop, stems
from hippocampus_cli.workspace.file_table import UNKNOWN, Seen
from hippocampus_cli.workspace.journal import Answered, Event, read
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.sections import find_section

WARNING = (
    "All but the failed ones were built by a program from the notes themselves. They show whether a known place "
    "is found again by these ways of asking, and what each part of a lookup adds to that. They do not show how "
    "people ask: the words come from the notes or from hippo's own thesaurus, which flatters what uses either; a "
    "place that answers as well as the one marked counts as a miss; and no question is without an answer. Put "
    "questions of your own beside them."
)


class Plan(NamedTuple):
    """At most ``most`` of each kind; ``seed`` draws them."""

    most: int = 100
    seed: int = 1


def make(root: Path, config: Config, file: Path, plan: Plan, now: datetime) -> Dataset:
    """Questions about the workspace ``root``, which is only read; ``file`` is where they are to go.

    Raises :class:`UsageError` where there is nothing to ask for.
    """
    notes = _notes(root, config)
    index = _anchors(notes, config, now)
    facts = [fact for note in notes for fact in facts_in(note)]
    known = {note.path: note for note in notes}
    events = read(root, datetime.min.replace(tzinfo=now.tzinfo, year=1970))
    found = (
        failed(events, lambda path, section: _located(known, path, section)),
        pronouns(notes),
        associative(facts, index),
        sources(notes),
        silent(facts, index),
        paraphrases(facts),
    )
    dice = random.Random(plan.seed)
    queries = [query for one in found for query in _drawn(one, plan.most, dice)]
    if not queries:
        advice = "write some first, or name another folder with --workspace"
        raise UsageError(reason="the notes hold nothing to ask for", advice=advice)
    return Dataset(file, _relative(root, file), tuple(queries))


def counts(found: Dataset) -> dict[str, int]:
    """How many there are of each kind, none of those that there are none of."""
    kinds = [query.kind for query in found.queries]
    return {kind: kinds.count(kind) for kind in KINDS if kind in kinds}


def _notes(root: Path, config: Config) -> list[Note]:
    """The notes of a copy, so that not even a cache is written beside them."""
    with tempfile.TemporaryDirectory(prefix="hippo-bench-") as scratch:
        copy = Path(scratch) / "workspace"
        copy_workspace(root, config, copy)
        with Workspace(copy, config) as workspace:
            return notes_of(workspace)


def _anchors(notes: Sequence[Note], config: Config, now: datetime) -> AnchorIndexed:
    """The anchors of the notes, in memory."""
    given = (ReadNote(note, Seen(UNKNOWN, 0, 0)) for note in notes)
    return build(given, (), config.anchors, None, now.isoformat()).whole


def _drawn(found: Iterable[Query], most: int, dice: random.Random) -> Iterator[Query]:
    """At most ``most``, each text once, in the order of the notes, numbered."""
    once = list({(one.text.casefold(), one.project): one for one in found}.values())
    chosen = sorted(dice.sample(range(len(once)), min(most, len(once))))
    for number, at in enumerate(chosen, 1):
        yield once[at]._replace(id=f"{once[at].kind}-{number:03}")


def _located(known: dict[str, Note], path: str, section: str | None) -> Place | None:
    note = known.get(path)
    if note is None:
        return None
    if section is None:
        return Place(path, 1, len(note.lines))
    found = find_section(note.sections, section)
    return Place(path, found.section.start, found.section.tree_end) if found else None


def _relative(root: Path, file: Path) -> str:
    try:
        return Path(os.path.relpath(root, file.absolute().parent)).as_posix()
    except ValueError:  # another drive
        return root.as_posix()


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``python -m bench make-corf``."""
    add = parser.add_argument
    add(
        "--out",
        type=Path,
        default=Path("corf.json"),
        help="where to write it; nothing may be there",
    )
    add(
        "--paraphrases", type=whole(0, 10_000), default=100, help="so many at most, as of each kind"
    )
    add("--seed", type=int, default=1, help="the same one, the same questions")


def measure(session: CommandContext, options: argparse.Namespace) -> Findings:
    """Write questions about your own notes for `python -m bench corf`.

    Queries that failed and were answered later come from the journal of accesses; the others are made from
    headings, project folders, the company that words keep, and the thesaurus: the same ones for the same notes
    and seed. They show whether places are found again, not how people ask. A file that is there is left alone.
    """
    check_new(options.out)
    plan = Plan(options.paraphrases, options.seed)
    made = make(session.root(), session.config(), options.out, plan, session.now)
    write_new(options.out, made)
    kinds = counts(made)
    columns = (Column("kind", "kind"), Column("questions", "questions", ",d"))
    title = f"wrote {safe_line(str(options.out))}: {len(made.queries):,} questions"
    sheet = Sheet(title, columns, tuple(kinds.items()))
    document = {
        "file": str(options.out),
        "workspace": made.workspace,
        "questions": len(made.queries),
        "kinds": kinds,
        "warning": WARNING,
    }
    return Findings(document, (sheet,), (WARNING,), sheet)


_FOLDERS = frozenset(("project", "projects"))
_CUES = 2


def pronouns(notes: Sequence[Note]) -> Iterator[Query]:
    """What was decided about "it", and what its headings say, with the project that the folder is named for."""
    decided: dict[str, list[Place]] = {}
    for note in notes:
        project = project_of(note.path)
        if not project:
            continue
        for title, gold in _headed(note):
            decision = "decision" in note.path.lower()
            if decision:
                decided.setdefault(project, []).append(gold)
            asked = "what did we decide about its" if decision else "what do we know about its"
            yield Query("", f"{asked} {title}?", PRONOUN, project, (gold,))
    for project, places in decided.items():
        yield Query("", "what did we decide about it?", PRONOUN, project, tuple(places))


def sources(notes: Sequence[Note]) -> Iterator[Query]:
    """What a file, by its name, says about one of its headings."""
    for note in notes:
        name = note.path.rpartition("/")[2].rpartition(".")[0]
        named = name.replace("-", " ").replace("_", " ") if not name[:1].isdigit() else name
        for title, gold in _headed(note):
            yield Query("", f"what does {named} say about {title}?", SOURCE, None, (gold,))


def associative(facts: Sequence[Fact], index: AnchorIndexed) -> Iterator[Query]:
    """For a line, words that keep company with one of its words elsewhere, and do not stand in it."""
    anchors = {key: one for one in index.anchors.values() for key in keys_of(one.text)}
    for fact in facts:
        own = {stem for word in fact.words for stem in forms(word)} | fact.stems
        bonds: dict[str, float] = {}
        for anchor in (anchors[stem] for stem in sorted(own) if stem in anchors):
            for stem, bond in anchor.company.items():
                if stem not in own and stem.isalpha():
                    bonds[stem] = max(bond, bonds.get(stem, 0.0))
        cues = sorted(bonds, key=lambda stem: (-bonds[stem], stem))[:_CUES]
        if len(cues) == _CUES:
            spelt = (anchors[cue].text if cue in anchors else cue for cue in cues)
            gold = Place(fact.path, fact.line, fact.line)
            yield Query("", f"what goes with {' and '.join(spelt)}?", ASSOCIATIVE, None, (gold,))


def project_of(path: str) -> str:
    """The project that a path names: the folder or file below one called projects; empty for none."""
    *folders, name = path.split("/")
    for folder, inner in pairwise((*folders, name.rpartition(".")[0])):
        if folder.lower() in _FOLDERS:
            return inner.replace("-", " ").replace("_", " ")
    return ""


def _headed(note: Note) -> Iterator[tuple[str, Place]]:
    """The sections below the title, by the first phrase of their headings."""
    for section in note.sections:
        title = next(phrases_of(section.title), "") if section.level > 1 else ""
        if title and section.end > section.start:
            yield title, Place(note.path, section.start, section.end)


_WORDS = 5  # of a line, in its order
_LEAST = 2  # of them that have another word


def paraphrases(facts: Sequence[Fact]) -> Iterator[Query]:
    """The first words of a line, at least half of them replaced by the nearest that are not in it."""
    for fact in facts:
        words = fact.words[:_WORDS]
        others = [_other(word, fact.stems) for word in words]
        if 2 * sum(map(bool, others)) >= len(words):
            text = " ".join(other or word for word, other in zip(words, others, strict=True))
            yield Query("", text, PARAPHRASE, None, (Place(fact.path, fact.line, fact.line),))


def silent(facts: Sequence[Fact], index: AnchorIndexed) -> Iterator[Query]:
    """The same of other words alone, and only those that are no anchor."""
    anchors = {key for one in index.anchors for key in keys_of(one)}
    for fact in facts:
        others = [_other(word, fact.stems, anchors) for word in fact.words]
        words = list(dict.fromkeys(filter(None, others)))[:_WORDS]
        text = " ".join(words)
        if len(words) >= _LEAST and anchors.isdisjoint(keys_in(text)):
            yield Query("", text, SILENT, None, (Place(fact.path, fact.line, fact.line),))


def _other(word: str, *but: Container[str]) -> str:
    """The single word nearest to ``word``, as its stem; empty where all are in ``but``."""
    related = related_to(word).get(forms(word)[0], {})
    ranked = sorted(related, key=lambda stem: (-related[stem], stem))
    free = (stem for stem in ranked if stem.isalpha() and not any(stem in one for one in but))
    return next(free, "")


_ALIKE = 0.5  # the share of the words of two questions that both have


def failed(
    events: Iterable[Event], locate: Callable[[str, str | None], Place | None]
) -> Iterator[Query]:
    """Each question without a result, or of whose results nothing was used, with what a later one alike it used.

    ``locate`` gives the lines of a section, ``None`` for what is not there any more.
    """
    ordered = sorted(events, key=lambda one: one.at)
    seen: set[str] = set()
    for at, event in enumerate(ordered):
        text = event.query.strip()
        if not text or text.casefold() in seen or (event.results and event.used):
            continue
        gold = _found_later(event, ordered[at + 1 :], locate)
        if gold is not None:
            seen.add(text.casefold())
            yield Query("", text, FAILED, None, (gold,))


def _found_later(
    event: Event, later: Sequence[Event], locate: Callable[[str, str | None], Place | None]
) -> Place | None:
    wanted = _telling(event.query)
    for other in later:
        words = _telling(other.query)
        alike = words and len(wanted & words) >= _ALIKE * len(wanted | words)
        best = _used(other) if alike else None
        if best is not None and (gold := locate(best.path, best.section)) is not None:
            return gold
    return None


def _used(event: Event) -> Answered | None:
    """The first result whose entry the query strengthened."""
    return next((one for one in event.results if one.entry in event.used), None)


def _telling(text: str) -> set[str]:
    return {stem for stem in stems(text) if not is_stop(stem)}
