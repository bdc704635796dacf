"""Questions that failed and were answered later, from the journal of accesses: the one kind that nobody made up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from bench.corf.dataset import FAILED, Gold, Query
from hippocampus_cli.search.tokens import is_stop, stems
from hippocampus_cli.workspace.journal_read import Answered, Event

_ALIKE = 0.5  # the share of the words of two questions that both have


def failed(
    events: Iterable[Event], locate: Callable[[str, str | None], Gold | None]
) -> Iterator[Query]:
    """Each question without a result, or of whose results nothing was used, with what a later one alike it used.

    ``locate`` gives the lines of a section, ``None`` for what is not there any more.
    """
    ordered = sorted(events, key=lambda one: one.at)
    seen: set[str] = set()
    for at, event in enumerate(ordered):
        text = event.query.strip()
        if not text or text.casefold() in seen or (event.results and event.used):
            continue
        gold = _found_later(event, ordered[at + 1 :], locate)
        if gold is not None:
            seen.add(text.casefold())
            yield Query("", text, FAILED, None, (gold,))


def _found_later(
    event: Event, later: Sequence[Event], locate: Callable[[str, str | None], Gold | None]
) -> Gold | None:
    wanted = _telling(event.query)
    for other in later:
        words = _telling(other.query)
        alike = words and len(wanted & words) >= _ALIKE * len(wanted | words)
        best = _used(other) if alike else None
        if best is not None and (gold := locate(best.path, best.section)) is not None:
            return gold
    return None


def _used(event: Event) -> Answered | None:
    """The first result whose entry the query strengthened."""
    return next((one for one in event.results if one.entry in event.used), None)


def _telling(text: str) -> set[str]:
    return {stem for stem in stems(text) if not is_stop(stem)}
