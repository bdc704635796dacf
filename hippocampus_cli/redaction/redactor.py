"""Replacing spans of a text by placeholders, so that nothing derived from it holds what they held."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter

from hippocampus_cli.fast_types import NamedTuple, pattern

_LINE_ENDS = pattern(r"\r\n|\r|\n")
_PLACEHOLDERS = pattern(r"\[redacted:[a-z-]*\]")
_SIGN = "[redacted:"


class Span(NamedTuple):
    """What must not be kept: ``text[start:end]``. ``kind`` names it in the placeholder, never its content."""

    start: int
    end: int
    kind: str


Matcher = Callable[[str], Iterable[Span]]


def placeholder(kind: str) -> str:
    """What stands where something of this kind was: no word that a search would meet by chance."""
    return f"{_SIGN}{kind}]"


class Redactor:
    """Replaces every span that one of its matchers finds. Without a matcher it changes nothing."""

    def __init__(self, matchers: Sequence[Matcher] = ()) -> None:
        self._matchers = tuple(matchers)

    def spans(self, text: str) -> list[Span]:
        """What is found, in order of its place; spans that overlap are one."""
        spans = sorted(
            (span for match in self._matchers for span in match(text)), key=itemgetter(0, 1)
        )
        joined: list[Span] = []
        for span in spans:
            if joined and span.start < joined[-1].end:
                last = joined.pop()
                span = Span(last.start, max(last.end, span.end), last.kind)
            joined.append(span)
        return joined

    def redact(self, text: str, sign: Callable[[str], str] = placeholder) -> str:
        """``text`` with the ``sign`` of its kind for each span, on as many lines as before."""
        parts, at = [], 0
        for span in self.spans(text):
            lines = _LINE_ENDS.findall(text, span.start, span.end)
            parts += [text[at : span.start], sign(span.kind), *lines]
            at = span.end
        return "".join([*parts, text[at:]])

    def redact_all(self, value: object) -> object:
        """``value``, which is made as JSON is, with every text in it redacted, names of fields aside."""
        if isinstance(value, str):
            return self.redact(value)
        if isinstance(value, Mapping):
            return {name: self._named(name, item) for name, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.redact_all(item) for item in value]
        return value

    def _named(self, name: object, value: object) -> object:
        """A value whose name may be what announces it: ``{"password": …}``."""
        if not isinstance(value, str) or not isinstance(name, str):
            return self.redact_all(value)
        lead = f"{name}: "
        return self.redact(lead + value)[len(lead) :]


FORGOTTEN_SIGN = placeholder("forgotten")
"""What stands in the place of a text that was forgotten."""


def holds_placeholder(text: str) -> bool:
    """Whether something was taken out of a text."""
    return _SIGN in text


def filled(text: str, filling: str = " ") -> str:
    """``text`` with ``filling`` for every placeholder: for its words, say, of which a placeholder is none."""
    return _PLACEHOLDERS.sub(filling, text) if _SIGN in text else text


_SHORT = 500  # characters
_LONG = 20  # of a word that may be a key
_SIGNS = tuple(':=|>/_@"`“„«：是为為는은')


def secrets_in(text: str) -> list[Span]:
    """The keys, passwords and tokens in ``text``."""
    if _says_words_only(text):
        return []
    # What reads nothing new has no use for it.
    from hippocampus_cli.redaction.detector import find_secrets

    return find_secrets(text)


def _says_words_only(text: str) -> bool:
    """Whether a short text, such as most queries are, can hold no secret: what finds one is not loaded for it."""
    if len(text) > _SHORT or any(sign in text for sign in _SIGNS) or any(map(str.isdigit, text)):
        return False
    return max(map(len, text.split()), default=0) < _LONG
