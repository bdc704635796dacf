"""Notes as a :class:`Corpus`: their sections, the lines that can answer, and where words stand in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

from bench.dataset import Quote, plainly
from bench.metrics import Corpus, Line, Span

_HEADING = re.compile(r"#{1,6}\s")
_FENCE = re.compile(r"\s*(```|~~~)")
_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_LATER = datetime(2026, 8, 1, 9, tzinfo=UTC)  # where no note has a date
_TOGETHER = 12  # lines over which words that answer may run


def corpus_of(files: Mapping[str, Sequence[str]], messages: Iterable[Span] = ()) -> Corpus:
    """The notes with these lines: a section from heading to heading, and every line of text can answer."""
    sections = tuple(span for path in sorted(files) for span in _sections(path, files[path]))
    units = frozenset(
        (path, number)
        for path, lines in files.items()
        for number, line in enumerate(lines, 1)
        if line.strip() and not _HEADING.match(line)
    )
    return Corpus(files, units, sections, tuple(messages))


def _sections(path: str, lines: Sequence[str]) -> Iterator[Span]:
    starts = [1, *(at for at in _headings(lines) if at > 1)]
    for start, following in zip(starts, [*starts[1:], len(lines) + 1], strict=True):
        if any(line.strip() for line in lines[start - 1 : following - 1]):
            yield Span(path, start, following - 1)


def _headings(lines: Sequence[str]) -> Iterator[int]:
    fenced = False
    for number, line in enumerate(lines, 1):
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and _HEADING.match(line):
            yield number


def read_notes(root: Path) -> dict[str, list[str]]:
    """The lines of every note below ``root``, by path."""
    found = {}
    for file in sorted(root.rglob("*.md")):
        if file.is_file():
            path = file.relative_to(root).as_posix()
            text = file.read_text(encoding="utf-8", errors="replace")
            found[path] = re.split(r"\r\n|\r|\n", text.removesuffix("\n"))
    return found


def lines_of(corpus: Corpus, quote: Quote) -> frozenset[Line]:
    """The lines in which the words stand, none where they do not."""
    wanted, lines = plainly(quote.text), [plainly(one) for one in corpus.files.get(quote.path, ())]
    found: set[Line] = set()
    for at, line in enumerate(lines):
        if wanted in line:
            found.add((quote.path, at + 1))
    if not found:
        found.update(_over_lines(quote.path, wanted, lines))
    return frozenset(found)


def _over_lines(path: str, wanted: str, lines: Sequence[str]) -> Iterator[Line]:
    """The shortest run of lines that has all of the words."""
    for at in range(len(lines)):
        for end in range(at + 2, min(at + _TOGETHER, len(lines)) + 1):
            if lines[at] and wanted in " ".join(filter(None, lines[at:end])):
                if wanted not in " ".join(filter(None, lines[at + 1 : end])):
                    yield from ((path, number) for number in range(at + 1, end + 1))
                    return
                break


def morning_after(paths: Iterable[str]) -> datetime:
    """Nine o'clock on the day after the latest that a path names."""
    days = [
        date(*map(int, found)) for path in paths for found in _DAY.findall(path) if _is_day(found)
    ]
    return datetime.combine(max(days) + timedelta(1), time(9), UTC) if days else _LATER


def _is_day(parts: Sequence[str]) -> bool:
    try:
        date(*map(int, parts))
    except ValueError:
        return False
    return True
