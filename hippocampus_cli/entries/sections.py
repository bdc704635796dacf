"""In which section of the index an entry stands (INDEX §5.3)."""

from __future__ import annotations

import re

from hippocampus_cli.entries.passages import Passage
from hippocampus_cli.index.document import Document, Heading
from hippocampus_cli.index.edit import BY_DAY, SectionPath
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.workspace.kinds import NoteKind, kind_of

BY_TOPIC = "By Topic"
SHELVES = (
    *("Core", "Projects", "People", "Infrastructure", "Technical Knowledge", "Research"),
    *("Skills", "Agents", "State", BY_DAY, "Scratch"),
)
"""The sections under By Topic in their order; one without entries is not written."""

_OF_KIND = {
    NoteKind.CONFIG: "Core",
    NoteKind.PROJECT: "Projects",
    NoteKind.DOC: "Technical Knowledge",
    NoteKind.RESEARCH: "Research",
    NoteKind.SKILL: "Skills",
    NoteKind.AGENT: "Agents",
    NoteKind.STATE: "State",
    NoteKind.DAILY: BY_DAY,
    NoteKind.TEMP: "Scratch",
}
_FREE = frozenset((NoteKind.CONFIG, NoteKind.DOC))
_PEOPLE = re.compile(
    r"\b(?:people|persons?|team|family|friends?|contacts?|customers?|clients?|colleagues|humans?|users?|who)\b"
    r"|\bfamilie\b|\bequipo\b"
)
_INFRASTRUCTURE = re.compile(
    r"\b(?:servers?|hosts?|deploy\w*|rollback|releases?|vps|vpn|dns|ssh|backups?|networks?|infra\w*|gateways?"
    r"|databases?|docker|kubernetes|grafana|monitoring|alerts?|runbooks?|on.?call|ports?|certificates?|cron"
    r"|domains?|hosting|cloud\w*|api keys?|credentials|tokens?)\b"
)
_FILES = {"user": "People", "tools": "Infrastructure"}


def shelf_of(passage: Passage) -> str:
    """The title of the section for a passage: by the words of its heading and file name, else by kind."""
    return _shelf(passage.note.path, passage.title)


def place_in(document: Document, shelf: str) -> SectionPath:
    """Where in an existing index the shelf is: its own place, or a section that has that title already."""
    wanted = shelf.casefold()
    for at, path in document.sections.items():
        heading = document.nodes[at]
        if path[-1].casefold() == wanted and isinstance(heading, Heading) and heading.level < 6:
            return path
    return (BY_TOPIC, shelf)


def place_of(document: Document, entry: Entry) -> SectionPath:
    """Where an entry of which no more is known belongs: by the note that its first pointer leads to."""
    pointer = entry.pointers[0] if entry.pointers else Pointer("")
    return place_in(document, _shelf(pointer.path, pointer.section or ""))


def _shelf(path: str, title: str) -> str:
    kind = kind_of(path)
    if kind not in _FREE:
        return _OF_KIND[kind]
    stem = path.rpartition("/")[2].rpartition(".")[0].lower()
    words = f"{stem} {title}".lower().replace("_", " ").replace("-", " ")
    if named := _FILES.get(stem):
        return named
    if _PEOPLE.search(words):
        return "People"
    if _INFRASTRUCTURE.search(words):
        return "Infrastructure"
    return _OF_KIND[kind]
