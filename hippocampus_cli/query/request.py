"""A request as it is meant: its wordings checked, conditions taken from among its words."""

from __future__ import annotations

from datetime import date

from hippocampus_cli.errors import UsageError
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.search.engine import MOST_PHRASINGS
from hippocampus_cli.search.filters import Filter
from hippocampus_cli.search.query_parser import conditions_in, odd_ones
from hippocampus_cli.workspace.kinds import NoteKind

HYBRID = "hybrid"
MODES = ("index", "search", HYBRID)
_NOTICED = 5


class Request(NamedTuple):
    """A question with its conditions; empty ones let everything pass. ``phrasings`` are other wordings of the same
    question, ``tokens`` bounds all returned text; ``unasked`` says that it is a prompt, which may ask nothing."""

    text: str
    phrasings: tuple[str, ...] = ()
    mode: str = HYBRID
    limit: int = 5
    tokens: int = 400
    tags: frozenset[str] = frozenset()
    priorities: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    paths: tuple[str, ...] = ()
    since: date | None = None
    until: date | None = None
    unasked: bool = False

    @property
    def wordings(self) -> tuple[str, ...]:
        """The question and its other wordings."""
        return (self.text, *self.phrasings)

    @property
    def where(self) -> Filter:
        """The conditions that a file has to meet."""
        return Filter(self.paths, self.kinds, self.since, self.until)

    @property
    def by_entry(self) -> bool:
        """Whether only places that certain entries point at may answer."""
        return bool(self.tags or self.priorities)


class ParsedRequest(NamedTuple):
    """A request without the words that were conditions, those words, and what a person should know of others."""

    request: Request
    conditions: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


def whole_characters(text: str) -> str:
    """``text`` without what is no character: bytes of a command line that were no UTF-8, and halves of pairs."""
    try:
        data = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        data = text.encode("utf-8", "replace")
    return data.decode("utf-8", "replace").strip()


def read_request(request: Request, today: date) -> ParsedRequest:
    """The request as it is searched for. Raises :class:`UsageError` where it asks for nothing, or not sensibly."""
    text = whole_characters(request.text)
    phrasings = dict.fromkeys(filter(None, map(whole_characters, request.phrasings)))
    phrasings.pop(text, None)
    request = request._replace(text=text, phrasings=tuple(phrasings))
    _check(request)
    parsed = _with_conditions(request, today)
    if not parsed.request.text:
        raise UsageError(
            reason="the query has conditions and no words",
            advice="say what to look for too; hippo list --tag TAG shows all entries with a tag",
        )
    return parsed


def _check(request: Request) -> None:
    if not request.text:
        advice = 'ask for something: hippo query "deploy command"'
        raise UsageError(reason="the query is empty", advice=advice)
    if len(request.phrasings) > MOST_PHRASINGS:
        reason = f"{len(request.phrasings)} other wordings are too many"
        raise UsageError(reason=reason, advice=f"give at most {MOST_PHRASINGS}")
    if request.mode not in MODES:
        reason = f"unknown mode {str(request.mode)[:40]!r}"
        raise UsageError(reason=reason, advice=f"use one of {', '.join(MODES)}")
    if any(not isinstance(most, int) or most < 1 for most in (request.limit, request.tokens)):
        raise UsageError(
            reason="limit and tokens must be whole numbers from 1 up",
            advice="leave them out for the defaults",
        )


def _with_conditions(request: Request, today: date) -> ParsedRequest:
    """``request`` with the conditions of its text (``tag:ship``) beside those it has already.

    A tag, path or kind more lets more pass, as with the command's options; of two days the narrower counts.
    """
    kinds = frozenset(NoteKind)
    found, text, written = conditions_in(request.text, today, kinds)
    notices = []
    for odd in odd_ones(request.text, today, kinds):
        if odd.is_day:
            advice = 'write it as 2026-05-31, april, 30d or "last week"'
            reason = f"{odd.name}: {odd.value[:40]!r} is not a valid date"
            raise UsageError(reason=reason, advice=advice)
        what = "kind of notes" if odd.name == "kind" else "date"
        shown = f"{odd.written[:60]!r} is not a filter"
        notices.append(f"{shown} (there is no such {what}); searched as words")
    request = request._replace(
        text=text,
        tags=request.tags | found.tags,
        paths=(*request.paths, *found.paths),
        kinds=request.kinds | found.kinds,
        since=max(filter(None, (request.since, found.since)), default=None),
        until=min(filter(None, (request.until, found.until)), default=None),
    )
    return ParsedRequest(request, written, tuple(dict.fromkeys(notices))[:_NOTICED])
