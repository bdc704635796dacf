"""Where an entry stood before it was moved away: the key ``home``."""

from __future__ import annotations

from hippocampus_cli.index import fields
from hippocampus_cli.index.edit import SectionPath
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy

_BETWEEN = " > "


def home_value(section: SectionPath) -> str:
    """The raw value for a section: its titles, outermost first."""
    return fields.write_text(_BETWEEN.join(section)) or "-"


def home_of(entry: Entry, index: Hierarchy) -> SectionPath:
    """The section that ``home`` names; where it names none, one of an entry that points at the same file."""
    text = fields.read_text(entry.values.get("home", ""))
    if text == "-":
        return ()
    if text:
        return tuple(text.split(_BETWEEN))
    paths = {pointer.path for pointer in entry.pointers}
    for other in index.entries:
        beside = any(pointer.path in paths for pointer in other.entry.pointers)
        if beside and other.section[:1] != ("Decay Queue",) and other.section:
            return other.section
    return ("By Topic", "Restored")
