"""Many notes, made of a workspace's own lines or of made-up words: for questions of speed, none of quality."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from functools import cache
from itertools import accumulate, product
from pathlib import Path

from hippocampus_cli.markdown.blocks import Kind
from hippocampus_cli.workspace.note import Note

_FIRST = date(2020, 1, 1)
_DAY = 86_400  # seconds
_SECTIONS, _LINES = 4, 6
_DAYS = 3_650  # over which any number of files is spread
_BULLETS = 5  # a section; of twelve words each, which makes a file of about 1.5 KB
_WORDS = 12
_ONSETS = [
    "b",
    "d",
    "f",
    "g",
    "gr",
    "h",
    "j",
    "k",
    "l",
    "m",
    "n",
    "p",
    "r",
    "s",
    "st",
    "t",
    "v",
    "w",
]
_VOWELS = ("a", "e", "i", "o", "u", "ai", "ou")
_VOCABULARY = 16_000


def age(file: Path) -> None:
    """Set a file's times back a day: what is as new as the clock's tick is read again at every question."""
    stat = file.stat()
    os.utime(file, (stat.st_atime - _DAY, stat.st_mtime - _DAY))


def write_notes(root: Path, notes: Sequence[Note], files: int, seed: int = 1) -> None:
    """Write ``files`` dailies of about 2 KB below ``root``, the same ones for the same arguments."""
    dice = random.Random(seed)
    lines = [
        line.strip("\r\n")
        for note in notes
        for at, line in enumerate(note.lines)
        if note.blocks.kinds[at] == Kind.TEXT and 20 < len(line) < 300
    ]
    titles = [section.title for note in notes for section in note.sections if section.title]
    for number in range(files):
        day = _FIRST + timedelta(days=number)
        path = root / "memory" / f"{day:%Y}" / f"{day}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        sections = [
            f"## {dice.choice(titles)}\n\n" + "\n\n".join(dice.choices(lines, k=_LINES)) + "\n"
            for _ in range(_SECTIONS)
        ]
        text = f"# {day}\n\n" + "\n".join(sections)
        path.write_text(text, encoding="utf-8", errors="surrogateescape")


def vocabulary() -> list[str]:
    """Made-up words of two or three syllables, the same ones always."""
    syllables = [onset + vowel for onset, vowel in product(_ONSETS, _VOWELS)]
    short = [one + other for one, other in product(syllables, syllables)]
    return random.Random(0).sample(short, k=min(_VOCABULARY, len(short)))


def write_made_up(
    root: Path, files: int, seed: int = 1, progress: Callable[[int, int], object] | None = None
) -> None:
    """Write ``files`` dailies of about 1.5 KB, a day's ones beside each other over ten years.

    Words are as frequent as in a language: the second half as often as the first, the third a third as often.
    Times are a day back, so that no file is taken for new. ``progress`` is told how many are written.
    """
    dice = random.Random(seed)
    a_day = -(-files // _DAYS)
    for number in range(files):
        day = _FIRST + timedelta(days=number // a_day)
        path = root / "memory" / f"{day:%Y}" / f"{day}-{number % a_day:03}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(made_up(str(day), dice), encoding="utf-8", newline="\n")
        age(path)
        if progress:
            progress(number + 1, files)


@cache
def _words() -> tuple[list[str], list[float]]:
    """Words, and how often each and those before it are said."""
    words = vocabulary()
    return words, list(accumulate(1 / rank for rank in range(1, len(words) + 1)))


def made_up(title: str, dice: random.Random) -> str:
    """The text of a file: sections with a heading of two words, and bullets."""
    words, weights = _words()
    taken = iter(dice.choices(words, cum_weights=weights, k=_SECTIONS * (_BULLETS * _WORDS + 2)))
    parts = [f"# {title}\n"]
    for _ in range(_SECTIONS):
        parts.append(f"\n## {next(taken).capitalize()} {next(taken)}\n\n")
        for _ in range(_BULLETS):
            parts.append(f"- {' '.join(next(taken) for _ in range(_WORDS)).capitalize()}.\n")
    return "".join(parts)
