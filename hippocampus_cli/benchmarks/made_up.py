"""A workspace of made-up notes, the same for the same number, for questions of speed and none of quality."""

from __future__ import annotations

import random
from datetime import date, timedelta
from pathlib import Path

_SYLLABLES = [
    "ka",
    "lo",
    "mi",
    "tu",
    "re",
    "sa",
    "no",
    "vi",
    "de",
    "po",
    "ru",
    "ta",
    "li",
    "be",
    "go",
    "fa",
]
_FIRST = date(2020, 1, 1)


def write_notes(root: Path, files: int, seed: int = 1) -> None:
    """Write ``files`` notes of about 2 KB below ``root``: a daily each, four sections, words by Zipf's law."""
    dice = random.Random(seed)
    words = ["".join(dice.choices(_SYLLABLES, k=dice.randint(2, 4))) for _ in range(8000)]
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    for number in range(files):
        day = _FIRST + timedelta(days=number)
        path = root / "memory" / f"{day:%Y}" / f"{day}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        chosen = iter(dice.choices(words, weights, k=340))
        sections = [
            f"## {next(chosen)} {next(chosen)}\n\n"
            + "".join("- " + " ".join(next(chosen) for _ in range(14)) + ".\n" for _ in range(5))
            for _ in range(4)
        ]
        path.write_text(f"# {day}\n\n" + "\n".join(sections), encoding="utf-8")
    (root / "MEMORY.md").write_text("# Memory\n\n## About\n\nMade up.\n", encoding="utf-8")
