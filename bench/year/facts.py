"""What there is to know in the made-up year: single facts, each with ways of asking for it."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import NamedTuple


class Fact(NamedTuple):
    """A fact about a part of a project; no other fact is of the same sort about the same part.

    ``line`` is for where the heading or the file says which project is meant, ``full`` for where it does not.
    ``asked`` uses the words of the fact, ``paraphrased`` others.
    """

    number: int
    project: str
    part: str
    line: str
    full: str
    asked: str
    paraphrased: str


_READ = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
WORDS: dict[str, list[str]] = _READ
SORTS: list[list[str]] = _READ["sort"]
"""The sorts of facts: what is said (``{of}`` is " of PROJECT" or nothing) and two ways of asking."""
_SLOTS = (
    *("vendor", "part", "place", "cause", "fix", "quality"),
    *("reason", "unit", "symptom", "weekday", "month"),
)
_TRIES = 20


class Facts:
    """Gives out facts, none twice."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice
        self._given: set[tuple[str, str, int]] = set()
        self._count = 0

    def about(self, project: str, part: str | None = None) -> Fact:
        """A new fact about a project, of a certain part where one is named and is not exhausted.

        Once nearly all is said of a project's parts it gets further ones: a second pump, a third.
        """
        for tries in count():
            about, sort = part or self._dice.choice(WORDS["part"]), self._dice.randrange(len(SORTS))
            about = WORDS["further"][min(tries // _TRIES, len(WORDS["further"]) - 1)] + about
            if (project, about, sort) not in self._given:
                break
            part = None
        self._given.add((project, about, sort))
        self._count += 1
        said, asked, paraphrased = SORTS[sort]
        slots = slots_of(self._dice) | {"project": project, "part": about}
        return Fact(
            self._count,
            project,
            about,
            _sentence(said, {**slots, "of": ""}),
            _sentence(said, {**slots, "of": f" of {project}"}),
            asked.format_map(slots),
            paraphrased.format_map(slots),
        )


def chatter(dice: random.Random) -> str:
    """A line that answers nothing, in words that others use."""
    return dice.choice(WORDS["chatter"]).format_map(slots_of(dice))


def slots_of(dice: random.Random) -> dict[str, str]:
    """Something for every slot of a sentence."""
    person, other = dice.sample(WORDS["person"], 2)
    return {
        **{name: dice.choice(WORDS[name]) for name in _SLOTS},
        "person": person,
        "other": other,
        "number": str(dice.randrange(100, 9_999)),
        "small": str(dice.randrange(2, 99)),
        "hour": f"{dice.randrange(8, 18)}:{dice.choice(('00', '15', '30', '45'))}",
        "year": str(dice.randrange(2026, 2032)),
        "letters": "".join(dice.choices("ABCDEFGHKLMNPRSTVWXZ", k=3)),
    }


def _sentence(text: str, slots: Mapping[str, str]) -> str:
    filled = text.format_map(slots)
    return filled[0].upper() + filled[1:]
