"""What a person does to HIPPOCAMPUS.md with an editor: the new text, or ``None`` where it cannot be done."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hippocampus_cli.index import edit
from hippocampus_cli.index.document import Document, Heading, Located
from hippocampus_cli.index.entry import Entry, Form
from hippocampus_cli.index.parse import parse
from tests.support.indexes import set_values

Edit = Callable[[str, int, int, int], str | None]
"""Of a text, one of its parts, a place in it, and a number that tells this edit from others."""


def with_prose(text: str, line: str, place: int) -> str | None:
    """A line of prose in a paragraph of its own, between any two parts of the file below its title."""
    document = parse(text)
    below = [at for at in range(len(document.nodes) + 1) if _is_below_title(document, at)]
    return _inserted(document, below[place % len(below)], f"\n{line}\n\n") if below else None


def with_tag(text: str, which: int, tag: str) -> tuple[str, str | None]:
    """A tag more on one of the entries: its id and the text."""
    found = _chosen(parse(text), which)
    if found is None:
        return "", None
    tags = ",".join((*found.entry.tags, tag))
    return found.entry.id, set_values(parse(text), found.key, {"tags": tags}).text


def with_value(text: str, which: int, name: str, value: str) -> str | None:
    """One value of one of the entries."""
    found = _chosen(parse(text), which)
    return found and set_values(parse(text), found.key, {name: value}).text


def with_topic(text: str, which: int, topic: str) -> str | None:
    """Another heading for one of the entries."""
    found = _chosen(parse(text), which)
    return (
        found and edit.change_entries(parse(text), {found.key: lambda e: e.with_topic(topic)}).text
    )


def with_section_renamed(text: str, which: int, title: str) -> str | None:
    """Another title for one of the sections."""
    document = parse(text)
    found = [
        at for at, one in enumerate(document.nodes) if isinstance(one, Heading) and one.level > 1
    ]
    if not found:
        return None
    at = found[which % len(found)]
    old = document.nodes[at]
    assert isinstance(old, Heading)
    raw = old.raw.replace(old.title, title, 1) if old.title else f"{old.raw.rstrip()} {title}\n"
    return document.with_node(at, Heading(raw, old.level, title)).text


def with_entry_moved(text: str, which: int, place: int) -> str | None:
    """One of the entries cut out, and pasted as it is somewhere else."""
    document = parse(text)
    found = _chosen(document, which)
    if found is None:
        return None
    rest = parse("".join(one.raw for at, one in enumerate(document.nodes) if at != found.node))
    below = [at for at in range(len(rest.nodes) + 1) if _is_below_title(rest, at)]
    if not below:
        return None
    block = f"\n{found.entry.raw.rstrip()}\n\n"
    moved = _inserted(rest, below[place % len(below)], block)
    same = sorted(one.entry.id for one in document.entries)
    return moved if moved and sorted(one.entry.id for one in parse(moved).entries) == same else None


def _inserted(document: Document, at: int, piece: str) -> str | None:
    raws = [node.raw for node in document.nodes]
    lead = "" if at == 0 or raws[at - 1].endswith("\n") else "\n"
    text = "".join(raws[:at]) + lead + piece + "".join(raws[at:])
    return text if len(parse(text).entries) >= len(document.entries) else None


def _is_below_title(document: Document, at: int) -> bool:
    return any(isinstance(one, (Heading, Entry)) for one in document.nodes[:at])


def _chosen(document: Document, which: int) -> Located | None:
    """One of the full entries."""
    found = [one for one in document.entries if one.entry.form is Form.HEADING and one.entry.closed]
    return found[which % len(found)] if found else None


EDITS: Mapping[str, Edit] = {
    "prose": lambda text, which, place, n: with_prose(text, f"Said by hand, {n}.", place),
    "bullet": lambda text, which, place, n: with_prose(text, f"- Look here {n} → TOOLS.md", place),
    "section": lambda text, which, place, n: with_section_renamed(text, which, f"Section {n}"),
    "topic": lambda text, which, place, n: with_topic(text, which, f"Topic {n}"),
    "move": lambda text, which, place, n: with_entry_moved(text, which, place),
}
