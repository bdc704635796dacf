"""The best places as results: their lines within the budget, and what is known of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from hippocampus_cli.index.decay import band
from hippocampus_cli.markdown.lines import split_lines
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.query.entry_match import MATCHED
from hippocampus_cli.query.excerpt import EACH, Excerpt, excerpt
from hippocampus_cli.query.places import Place
from hippocampus_cli.query.reader import PlaceReader
from hippocampus_cli.query.request import Request
from hippocampus_cli.query.results import Earlier, Result
from hippocampus_cli.text.plain_text import shorten
from hippocampus_cli.workspace.origin import of_lines

if TYPE_CHECKING:
    from hippocampus_cli.query.ask import Snapshot
    from hippocampus_cli.query.outdated import Marks

FEWEST = 40
"""Tokens that are kept for each place to come."""
_PART = 3  # what is shown of a place by the index alone: one part in so many
_EARLIER = 100  # characters of an older place of a series


def select(
    snapshot: Snapshot,
    places: Sequence[Place],
    reader: PlaceReader,
    request: Request,
    stems: AbstractSet[str],
    marks: Marks | None,
) -> list[tuple[Place, Result]]:
    """The places of which something fits the budget, best first, each with what is shown of it; ``stems`` are the
    words that are looked for. What is shown of a place may be outdated where the rest is not."""
    rows: list[tuple[Place, Result]] = []
    shown: set[tuple[str, int]] = set()  # several passages may be of one line
    left, each = request.tokens, max(EACH, request.tokens // request.limit)
    if request.mode == "index":  # which leads to the notes: a place is a line or two of them
        each = EACH // _PART
    for place in places:
        note = reader.note(place.path)
        if note is None:
            continue
        room = max(FEWEST, left - FEWEST * (request.limit - len(rows) - 1))
        part = excerpt(note, place, min(room, left), each, stems)
        if part is None or not part.text or (place.path, part.start) in shown:
            continue
        shown.add((place.path, part.start))
        if marks and not place.superseded:
            place = place._replace(superseded=marks.reason(part.text))
        result = _result(snapshot, len(rows) + 1, place, part, reader)
        rows.append((place, result))
        left -= result.tokens
        if len(rows) == request.limit or left <= 0:
            break
    return rows


def _result(
    snapshot: Snapshot, rank: int, place: Place, part: Excerpt, reader: PlaceReader
) -> Result:
    pointers = snapshot.pointers
    covering = pointers.covering(place.path, place.section)
    entry = place.lead.entry if place.lead else covering[0][1] if covering else None
    strength = None if entry is None else snapshot.clock.strength(entry.entry)
    dated = reader.dated(place)
    return Result(
        rank=rank,
        path=place.path,
        section=pointers.name_of(place),
        start_line=part.start,
        end_line=part.end,
        text=part.text,
        tokens=tokens(part.text),
        score=round(min(1.0, place.score), 4),
        source="index" if place.match >= MATCHED else "search",
        entry=entry.key if entry else None,
        strength=None if strength is None else round(strength, 4),
        band=None if strength is None else band(strength, snapshot.library.config.bands).value,
        cut=part.cut,
        stale=bool(place.lead and place.lead.loose) and not place.coverage,
        reasons=tuple(_reasons(place)),
        superseded=place.superseded,
        copies=tuple(_copies(place, part, reader)),
        earlier=tuple(_earlier(place, reader)),
        origin=of_lines(place.path, split_lines(part.text)),
        date=dated.day,
        dated_by=dated.by,
    )


def _copies(place: Place, part: Excerpt, reader: PlaceReader) -> Iterator[str]:
    """Where the lines that are shown stand elsewhere: a copy's passage may begin with another heading."""
    shown = reader.text_of(place._replace(start=part.start, end=part.end))
    for copy in place.copies:
        before = reader.text_of(copy).partition(shown)[0]
        line = copy.start + before.count("\n")
        yield f"{copy.path}:{line}"


def _earlier(place: Place, reader: PlaceReader) -> Iterator[Earlier]:
    """The older places of a series, the newest first."""
    days = [(reader.dated(older).day, older) for older in place.earlier]
    for day, older in sorted(days, key=lambda row: row[0], reverse=True):
        # it may be a heading alone
        first = min(max(older.start, older.section.start + older.section.heading_lines), older.end)
        text = reader.text_of(older._replace(start=first))
        line = first + text.partition(text.strip())[0].count("\n")
        yield Earlier(f"{older.path}:{line}", day, shorten(" ".join(text.split()), _EARLIER))


def _reasons(place: Place) -> Iterator[str]:
    if place.lead:
        doubt = "" if place.verified else ", weak and not confirmed by search"
        yield (
            f"entry {place.lead.entry.key} has {place.match:.0%} of the query, "
            f"strength {place.lead.strength:.2f}{doubt}"
        )
    if place.coverage:
        yield f"search found {place.coverage:.0%} of the query's words"
