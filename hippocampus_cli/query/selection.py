"""The best places as results: their lines, fewer where there is no room for all, and what is known of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index.decay import band
from hippocampus_cli.markdown.blocks import Kind, scan
from hippocampus_cli.markdown.lines import split_lines
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.query.entry_match import MATCHED
from hippocampus_cli.query.places import Place, Snapshot
from hippocampus_cli.query.request import Request
from hippocampus_cli.query.results import Earlier, Result
from hippocampus_cli.query.series import WORD, lines_of
from hippocampus_cli.text.plain_text import shorten
from hippocampus_cli.text.terms import terms
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.origin import of_lines

EACH = 120
"""Tokens of a place."""
_ELLIPSIS = "…"
_CHARACTERS = 4  # of a token, about
FEWEST = 40
"""Tokens that are kept for each place to come."""
_LED_TO = 40  # tokens of a place by the index alone: a line or two, without a heading
_EARLIER = 100  # characters of an older place of a series


def select(
    snapshot: Snapshot, places: Sequence[Place], request: Request, stems: AbstractSet[str]
) -> list[tuple[Place, Result]]:
    """The places of which something fits the budget, best first, each with what is shown of it; ``stems`` are the
    words that are looked for. What is shown of a place may be outdated where the rest is not."""
    rows: list[tuple[Place, Result]] = []
    shown: set[tuple[str, int]] = set()  # several passages may be of one line
    left, each = request.tokens, max(EACH, request.tokens // request.limit)
    if request.mode == "index":  # which leads to the notes: a place is a line or two of them
        each = _LED_TO
    for place in places:
        note = snapshot.note(place.path)
        if note is None:
            continue
        room = max(FEWEST, left - FEWEST * (request.limit - len(rows) - 1))
        part = excerpt(note, place, min(room, left), each, stems)
        if part is None or (place.path, part.start) in shown:
            continue
        shown.add((place.path, part.start))
        if snapshot.marks and not place.superseded:
            place = place._replace(superseded=snapshot.marks.reason(part.text))
        result = _result(snapshot, len(rows) + 1, place, part)
        rows.append((place, result))
        left -= result.tokens
        if len(rows) == request.limit or left <= 0:
            break
    return rows


def _result(snapshot: Snapshot, rank: int, place: Place, part: Excerpt) -> Result:
    entry = place.lead.entry if place.lead else snapshot.nearest(place)[1]
    dated = snapshot.dated(place)
    result = Result(
        rank=rank,
        path=place.path,
        section=snapshot.name_of(place),
        start_line=part.start,
        end_line=part.end,
        text=part.text,
        tokens=tokens(part.text),
        score=round(min(1.0, place.score), 4),
        source="index" if place.match >= MATCHED else "search",
        cut=part.cut,
        heading_lines=part.heading_lines,
        stale=bool(place.lead and place.lead.loose) and not place.coverage,
        reasons=tuple(_reasons(place)),
        superseded=place.superseded,
        copies=tuple(f"{copy.path}:{copy.start}" for copy in place.copies),
        earlier=tuple(_earlier(place, snapshot)),
        origin=of_lines(place.path, split_lines(part.text)),
        date=dated.day,
        dated_by=dated.by,
    )
    if entry is None:
        return result
    strength = snapshot.clock.strength(entry.entry)
    named = band(strength, snapshot.library.config.bands)
    return result._replace(entry=entry.key, strength=round(strength, 4), band=named.value)


def _earlier(place: Place, snapshot: Snapshot) -> Iterator[Earlier]:
    """The older places of a series, the newest first."""
    for older in place.earlier:
        if said := " ".join(lines_of(snapshot.text_of(older))):  # it may be a heading alone
            text = shorten(" ".join(said.split()), _EARLIER)
            line = max(older.start, older.section.start)
            yield Earlier(f"{older.path}:{line}", snapshot.dated(older).day, text)


def _reasons(place: Place) -> Iterator[str]:
    if place.lead:
        doubt = ", weak and not confirmed by search" if place.trust < 1 else ""
        yield (
            f"entry {place.lead.entry.key} has {place.match:.0%} of the query, "
            f"strength {place.lead.strength:.2f}{doubt}"
        )
    if place.coverage:
        yield f"search found {place.coverage:.0%} of the query's words"


class Excerpt(NamedTuple):
    """Lines of a note from ``start`` to ``end``, of which ``heading_lines`` are the heading and blanks below it.
    ``cut``: the section has more."""

    start: int
    end: int
    text: str
    cut: bool
    heading_lines: int = 0


def excerpt(
    note: Note, place: Place, room: int, each: int, stems: AbstractSet[str]
) -> Excerpt | None:
    """As much of a place as ``each`` place may have and ``room`` holds (tokens), with the heading that it begins with
    where there is room for that, too. Where the place is too long, the end that has fewer of the ``stems`` goes; the
    part around a word with one of them is left where not even a line fits. ``None`` for a heading alone.

    Code and tables may have twice as much: a part says little of them. What stands around a place is not shown: it
    would cost more than it answers.
    """
    head, last = place.section.start, min(place.section.end, len(note.lines))
    below = range(head + place.section.heading_lines, last + 1)
    section = [line for line in below if note.lines[line - 1].strip()]
    lines = [line for line in section if place.start <= line <= place.end]
    if not lines:
        return None
    begin, end = 0, len(lines) - 1
    blocks = scan(note.lines[head - 1 : last])  # a large note has many sections
    kind, line = blocks.kinds[lines[0] - head], note.lines[lines[0] - 1]
    is_block = kind == Kind.CODE or line.lstrip().startswith("|")
    most = min(room, 2 * each if is_block else each)

    def text() -> str:
        return note.text_of(lines[begin], lines[end])

    def asked(at: int) -> int:
        return len(stems & {*terms(note.lines[lines[at] - 1])})

    while end > begin and tokens(text()) > most:
        if asked(begin) < asked(end):
            begin += 1
        else:
            end -= 1
    start, shown, cut = lines[begin], text(), end - begin + 1 < len(section)
    if tokens(shown) > most:
        shown, cut = _shortened(shown, most, stems), True
    elif each > _LED_TO and place.start <= head and not begin:
        whole = note.text_of(head, lines[end])
        if tokens(whole) <= most:
            start, shown = head, whole
    return Excerpt(start, lines[end], shown, cut, lines[begin] - start)


def _shortened(text: str, room: int, stems: AbstractSet[str]) -> str:
    """The part of a text around the first word with one of ``stems``, its beginning without one."""
    starts = {stem[0] for stem in stems}
    found = (
        # one of the pairs of writing without spaces stands anywhere in its run
        word.start() + max(0, word[0].find(term))
        for word in WORD.finditer(text)
        if word[0][0].lower() in starts or not word[0].isascii()
        for term in terms(word[0])
        if term in stems
    )
    middle, characters = next(found, 0), room * _CHARACTERS
    shown = text
    while tokens(shown) > room and characters > 1:
        begin = max(0, middle - characters // 2)
        part = text[begin : begin + characters - 2].strip()
        shown = f"{_ELLIPSIS if begin else ''}{part}{_ELLIPSIS}"
        characters = characters * 3 // 4
    return shown
