"""A text as it stands in files: wrapped, escaped, in another case; and the words by which it is known afterwards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from hippocampus_cli.redaction.phrases import KIND, forms_of, plain_matcher, runs_of, words_of
from hippocampus_cli.redaction.redactor import Span

_WRAP = r"(?:\\*\r?\n[ \t>|]*)?"
_GAP = r"(?:[\s>|*#\-]|\\+[nrt]|%20|&nbsp;)+"
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;|&#39;|&apos;"}


class Needle:
    """Finds one text that is at hand. ``rows`` are the rows of words by which it is known without being kept: those
    of the text itself, and what was met of it in other shapes (within a longer word, cut off, wrapped)."""

    def __init__(self, text: str) -> None:
        self.text = text
        forms = tuple(forms_of(text))
        self.rows = set(runs_of(text))
        self.pattern = _pattern(text)
        self._keys = {row[0] for row in self.rows if len(row) == 1}
        self._forms = forms
        self._whole = plain_matcher([forms])

    @property
    def letters(self) -> int:
        """How many letters and digits the text has."""
        return sum(map(len, self._forms))

    def whole(self, text: str) -> list[Span]:
        """Where all of it stands in ``text``."""
        found = [Span(*one.span(), KIND) for one in self.pattern.finditer(text)]
        return [*found, *self._whole(text)] if found or not text.isascii() else found

    def __call__(self, text: str) -> Iterator[Span]:
        """Where it stands, in whole or in part; what is met is added to ``rows``."""
        literal = [one.span() for one in self.pattern.finditer(text)]
        words = words_of(text) if literal else []
        for start, end in literal:
            met = [one for one in words if one.start < end and start < one.end]
            if met:
                self.rows.add(tuple(one.form for one in met))
                yield Span(min(start, met[0].start), max(end, met[-1].end), KIND)
        forms = forms_of(text)
        self.rows.update((one,) for one in set(forms) if len(one) >= 6 and self._is_part(one))
        if "…" in text:
            self.rows.update(self._cut_off(text))
        self.rows.update(self._shuffled(forms))
        yield from plain_matcher(self.rows)(text)

    def _cut_off(self, text: str) -> Iterator[tuple[str, ...]]:
        """Rows of at least two of its words that stand before an ellipsis: a summary that was cut in it."""
        for piece in text.split("…")[:-1]:
            forms = forms_of(piece[-1_000:])
            for length in range(min(len(forms), len(self._forms)), 1, -1):
                row = tuple(forms[-length:])
                if row in self._parts(length):
                    yield row
                    break

    def _parts(self, length: int) -> set[tuple[str, ...]]:
        return {self._forms[at : at + length] for at in range(len(self._forms) - length + 1)}

    def _shuffled(self, forms: list[str]) -> Iterator[tuple[str, ...]]:
        """Rows of at least half of its words in another order, as in a list of tags."""
        own = set(self._forms)
        fewest = max(2, (len(own) + 1) // 2)
        if len(own.intersection(forms)) < fewest:
            return
        for mine, group in groupby(forms, key=own.__contains__):
            row = tuple(group) if mine else ()
            if len(set(row)) >= fewest and not self._is_covered(row):
                yield row

    def _is_covered(self, row: tuple[str, ...]) -> bool:
        return any(
            row[at : at + len(one)] == one
            for one in self.rows
            for at in range(len(row) - len(one) + 1)
        )

    def _is_part(self, form: str) -> bool:
        """Whether a word is a key of the text cut off, or one with something around it."""
        return any(key.startswith(form) or (len(key) >= 6 and key in form) for key in self._keys)


def _pattern(text: str) -> re.Pattern[str]:
    parts = [_GAP if one.isspace() else _one(one[0]) for one in re.findall(r"\s+|\S", text.strip())]
    return re.compile(_WRAP.join(parts), re.IGNORECASE)


def _one(letter: str) -> str:
    """One character in all its escapes."""
    ways = [re.escape(letter)]
    if letter in _ENTITIES:
        ways.append(_ENTITIES[letter])
    if not letter.isalnum() and letter.isascii():
        ways += [rf"\\+{re.escape(letter)}", f"%{ord(letter):02X}", rf"\\+u{ord(letter):04x}"]
    elif not letter.isascii():
        ways += ["".join(f"%{byte:02X}" for byte in letter.encode("utf-8", "surrogatepass"))]
        if ord(letter) <= 0xFFFF:
            ways.append(rf"\\+u{ord(letter):04x}")
    return ways[0] if len(ways) == 1 else f"(?:{'|'.join(ways)})"
