"""Replacing spans of a text by placeholders, so that nothing derived from it holds what they held."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter

from hippocampus_cli.light import NamedTuple


class Span(NamedTuple):
    """What must not be kept: ``text[start:end]``. ``kind`` names it in the placeholder, never its content."""

    start: int
    end: int
    kind: str


Matcher = Callable[[str], Iterable[Span]]


class Redactor:
    """Replaces every span that one of its matchers finds. Without a matcher it changes nothing."""

    def __init__(self, matchers: Sequence[Matcher] = ()) -> None:
        self._matchers = tuple(matchers)

    def spans(self, text: str) -> list[Span]:
        """What is found, in order of its place; spans that overlap are one."""
        found = sorted(
            (one for match in self._matchers for one in match(text)), key=itemgetter(0, 1)
        )
        joined: list[Span] = []
        for one in found:
            if joined and one.start < joined[-1].end:
                last = joined.pop()
                one = Span(last.start, max(last.end, one.end), last.kind)
            joined.append(one)
        return joined

    def redact(self, text: str) -> str:
        """``text`` with a placeholder for each span, on as many lines as before."""
        spans = self.spans(text)
        if not spans:
            return text
        parts, at = [], 0
        for span in spans:
            lines = text.count("\n", span.start, span.end)
            parts += [text[at : span.start], placeholder(span.kind), "\n" * lines]
            at = span.end
        return "".join([*parts, text[at:]])


def placeholder(kind: str) -> str:
    """What stands where something of this kind was: no word that a search would meet by chance."""
    return f"[redacted:{kind}]"
