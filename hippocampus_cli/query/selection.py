"""The best candidates as results: their lines within the budget, and what is known of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index.decay import DecayClock, band
from hippocampus_cli.index.document import Located
from hippocampus_cli.markdown.lines import split_lines
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.query.fusion import MATCHED, Candidate, NoteReader, Places
from hippocampus_cli.query.results import Result
from hippocampus_cli.query.snippets import Excerpt, Place, excerpts
from hippocampus_cli.search.library import Library
from hippocampus_cli.workspace.note import Section
from hippocampus_cli.workspace.origin import of_lines
from hippocampus_cli.workspace.sections import SectionNames


class Budget(NamedTuple):
    """Tokens of all returned text, and of each place."""

    total: int
    each: int


class Selected(NamedTuple):
    """A candidate with what is shown of it."""

    candidate: Candidate
    excerpt: Excerpt


def shown(
    candidates: Sequence[Candidate], notes: NoteReader, budget: Budget, stems: AbstractSet[str]
) -> list[Selected]:
    """The candidates of which something fits the budget, best first.

    A place without its text would only look like an answer. ``stems`` are the words that are looked for.
    """
    there = [(one, note) for one in candidates if (note := notes.get(one.path))]
    places = [Place(note, one.section, one.units, one.also) for one, note in there]
    cut = excerpts(places, budget.total, budget.each, stems)
    return [
        Selected(one, part) for (one, _), part in zip(there, cut, strict=True) if part and part.text
    ]


def results(
    rows: Sequence[Selected], library: Library, places: Places, clock: DecayClock
) -> Iterator[Result]:
    """What is shown, as results."""
    bands = library.config.bands
    days = library.cache.days_of([one.path for one, _ in rows])
    for rank, (one, part) in enumerate(rows, 1):
        entry = _entry_of(one, places)
        sections = places.sections_of(one.path) or ()
        strength = None if entry is None else clock.strength(entry.entry)
        yield Result(
            rank=rank,
            path=one.path,
            section=SectionNames(sections).pointer_name(_section_at(sections, part.start, one)),
            start_line=part.start,
            end_line=part.end,
            text=part.text,
            tokens=tokens(part.text),
            score=round(min(1.0, one.score), 4),
            source="index" if one.match >= MATCHED else "search",
            entry=entry.key if entry else None,
            strength=None if strength is None else round(strength, 4),
            band=None if strength is None else band(strength, bands).value,
            cut=part.cut,
            stale=one.loose and not one.coverage,
            reasons=tuple(_reasons(one)),
            passages=part.passages,
            origin=of_lines(one.path, split_lines(part.text)),
            date=days.get(one.path),
        )


def _section_at(sections: Sequence[Section], line: int, one: Candidate) -> Section:
    """The section that ``line`` stands in, which need not be the one that answers where two are shown as one."""
    if one.section.start <= line <= one.section.end:
        return one.section
    return next((s for s in reversed(sections) if s.start <= line), one.section)


def _entry_of(candidate: Candidate, places: Places) -> Located | None:
    """The entry that led to a place, else the nearest that covers it."""
    if candidate.entry:
        return candidate.entry
    covering = places.covering(candidate.path, candidate.section)
    return covering[0].located if covering else None


def _reasons(one: Candidate) -> Iterator[str]:
    if one.match and one.entry:
        doubt = "" if one.verified else ", weak and not confirmed by search"
        yield (
            f"entry {one.entry.key} has {one.match:.0%} of the query, "
            f"strength {one.strength:.2f}{doubt}"
        )
    if one.search:
        yield f"search found {one.coverage:.0%} of the query's words here, {one.search:.2f} of the best"
    elif one.coverage:
        yield f"the text has {one.coverage:.0%} of the query's words"
    if one.boost:
        yield f"anchors lead here, {one.boost:.2f} of 1"
