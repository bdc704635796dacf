"""Questions from headings, folders and the company that words keep. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from bench.corf.dataset import ASSOCIATIVE, PRONOUN, SOURCE, Gold, Query
from hippocampus_cli.anchors.index import AnchorIndexed
from hippocampus_cli.anchors.keys import keys_of
from hippocampus_cli.anchors.terms import phrases_of
from hippocampus_cli.benchmark.deriving import Fact
from hippocampus_cli.search.tokens import forms
from hippocampus_cli.workspace.note import Note

_FOLDERS = frozenset(("project", "projects"))
_CUES = 2


def pronouns(notes: Sequence[Note]) -> Iterator[Query]:
    """What was decided about "it", and what its headings say, with the project that the folder is named for."""
    decided: dict[str, list[Gold]] = {}
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
            gold = Gold(fact.path, fact.line, fact.line)
            yield Query("", f"what goes with {' and '.join(spelt)}?", ASSOCIATIVE, None, (gold,))


def project_of(path: str) -> str:
    """The project that a path names: the folder or file below one called projects; empty for none."""
    *folders, name = path.split("/")
    for folder, inner in pairwise((*folders, name.rpartition(".")[0])):
        if folder.lower() in _FOLDERS:
            return inner.replace("-", " ").replace("_", " ")
    return ""


def _headed(note: Note) -> Iterator[tuple[str, Gold]]:
    """The sections below the title, by the first phrase of their headings."""
    for section in note.sections:
        title = next(phrases_of(section.title), "") if section.level > 1 else ""
        if title and section.end > section.start:
            yield title, Gold(note.path, section.start, section.end)
