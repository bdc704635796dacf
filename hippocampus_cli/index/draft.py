"""A new entry, before it has a place in the file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from hippocampus_cli.index import fields
from hippocampus_cli.index.decay import written
from hippocampus_cli.index.pointers import Pointer, format_pointers


@dataclass(frozen=True, slots=True)
class Draft:
    """The values of an entry to be written (INDEX §5.1). ``strength`` is ``str`` now, ``base`` right after access."""

    id: str
    topic: str
    summary: str
    pointers: tuple[Pointer, ...]
    created: date | datetime
    accessed: date | datetime
    strength: float
    base: float
    hits: int = 0
    tags: tuple[str, ...] = ()
    rel: tuple[str, ...] = ()
    pri: fields.Priority = fields.Priority.NORMAL
    src: fields.Source = fields.Source.AUTO


def metadata_values(draft: Draft) -> dict[str, str]:
    """The raw ``hx`` values of a draft, in the order of INDEX §5.2; what is empty or default is left out."""
    values = {
        "id": fields.write_text(draft.id),
        "created": fields.write_date(draft.created),
        "accessed": fields.write_date(draft.accessed),
        "hits": str(draft.hits),
        **written(draft.strength, draft.base),
        "tags": fields.write_list(draft.tags),
        "rel": fields.write_list(draft.rel),
        "pri": "" if draft.pri is fields.Priority.NORMAL else draft.pri.value,
        "src": "" if draft.src is fields.Source.AUTO else draft.src.value,
    }
    return {key: raw for key, raw in values.items() if raw}


def block(draft: Draft, level: int = 2) -> str:
    """The draft's block: lines joined by ``\\n``, no final line ending."""
    pairs = [f"{key}={raw}" for key, raw in metadata_values(draft).items()]
    first, rest = pairs[:5], pairs[5:]
    comment = "<!-- hx: " + " | ".join(first)
    comment += ("\n| " + " | ".join(rest) if rest else "") + " -->"
    lines = ["#" * level + " " + (fields.plain_line(draft.topic) or draft.id)]
    summary = fields.plain_line(draft.summary)
    return "\n".join(
        [*lines, *([summary] if summary else []), format_pointers(draft.pointers), comment]
    )


def free_id(wanted: str, taken: Iterable[str]) -> str:
    """``wanted``, or ``wanted-2``, ``wanted-3`` ... where it is taken."""
    used = taken if isinstance(taken, (set, frozenset, dict)) else set(taken)
    if wanted not in used:
        return wanted
    count = 2
    while f"{wanted}-{count}" in used:
        count += 1
    return f"{wanted}-{count}"
