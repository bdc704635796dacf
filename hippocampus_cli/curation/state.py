"""An entry as it is at one moment: what ``hippo list`` and ``hippo show`` tell."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from hippocampus_cli.config.settings import Bands
from hippocampus_cli.index import fields
from hippocampus_cli.index.decay import DecayClock, band
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.entry import Entry


@dataclass(frozen=True, slots=True)
class EntryState:
    """The values of an entry. Public: the field names are the keys of ``--json``.

    ``strength`` and ``band`` are those of now, ``base`` is the strength right after the last access.
    ``id`` is unique in the file: where an id stands twice, the second one's is ``id~2``. ``line`` is
    1-based, in ``file``; ``section`` the titles it stands under, outermost first. ``bare`` marks a
    bullet without metadata (decision D6). ``archived`` is when an entry was put away, ``why`` one of ``pruned``,
    ``archived``, ``merged into ID`` and ``undone``; ``None`` and empty for one that lives.
    """

    id: str
    topic: str
    summary: str
    strength: float
    band: str
    base: float
    hits: int
    created: date | datetime | None
    accessed: date | datetime | None
    queued: date | datetime | None
    tags: tuple[str, ...]
    rel: tuple[str, ...]
    pri: str
    src: str | None
    ver: int
    pointers: tuple[str, ...]
    file: str
    line: int
    section: tuple[str, ...]
    bare: bool
    archived: date | datetime | None
    why: str


def state_of(located: Located, clock: DecayClock, bands: Bands) -> EntryState:
    """The state of one entry at the clock's moment."""
    entry = located.entry
    strength = clock.strength(entry)
    return EntryState(
        id=located.key,
        topic=entry.topic,
        summary=entry.summary,
        strength=round(strength, 4),
        band=band(strength, bands).value,
        base=round(clock.base(entry), 4),
        hits=entry.hits,
        created=entry.created,
        accessed=entry.accessed,
        queued=entry.queued,
        tags=entry.tags,
        rel=entry.rel,
        pri=entry.pri.value,
        src=entry.src.value if entry.src else None,
        ver=entry.ver,
        pointers=tuple(map(str, entry.pointers)),
        file=located.file,
        line=located.line,
        section=located.section,
        bare=entry.hx_span is None,
        archived=fields.read_date(entry.values.get("archived", "")),
        why=_why(entry),
    )


def _why(entry: Entry) -> str:
    why, heir = (fields.read_text(entry.values.get(key, "")) for key in ("why", "into"))
    return f"{why} into {heir}" if heir else why
