"""In which section of the index an entry stands (INDEX §5.3)."""

from __future__ import annotations

import re

from hippocampus_cli.drafting.passage import Passage
from hippocampus_cli.index.document import Document
from hippocampus_cli.index.edit import SectionPath
from hippocampus_cli.index.nodes import Heading
from hippocampus_cli.workspace.kinds import NoteKind

BY_TOPIC = "By Topic"
SHELVES = (
    *("Core", "Projects", "People", "Infrastructure", "Technical Knowledge", "Research"),
    *("Skills", "Agents", "State", "Daily Logs", "Scratch"),
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
    NoteKind.DAILY: "Daily Logs",
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
    kind = passage.kind
    if kind not in _FREE:
        return _OF_KIND[kind]
    stem = passage.note.path.rpartition("/")[2].rpartition(".")[0].lower()
    words = f"{stem} {passage.title}".lower().replace("_", " ").replace("-", " ")
    if named := _FILES.get(stem):
        return named
    if _PEOPLE.search(words):
        return "People"
    if _INFRASTRUCTURE.search(words):
        return "Infrastructure"
    return _OF_KIND[kind]


def place_in(document: Document, shelf: str) -> SectionPath:
    """Where in an existing index the shelf is: its own place, or a section that has that title already."""
    wanted = shelf.casefold()
    path: list[Heading] = []
    for node in document.nodes:
        if isinstance(node, Heading) and node.level > 1:
            while path and path[-1].level >= node.level:
                path.pop()
            path.append(node)
            if node.title.casefold() == wanted and node.level < 6:
                return tuple(heading.title for heading in path)
    return (BY_TOPIC, shelf)
