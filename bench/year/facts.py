"""What there is to know in the made-up year: single facts, each with ways of asking for it."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import count
from typing import NamedTuple

from bench.year import words


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


class Sort(NamedTuple):
    """A sort of fact: what is said (``{of}`` is " of PROJECT" or nothing) and two ways of asking."""

    said: str
    asked: str
    paraphrased: str


SORTS = (
    Sort(
        "{vendor} delivers the {part}{of}; the order number is {number}.",
        "who delivers the {part} of {project}",
        "supplier for the {project} {part}",
    ),
    Sort(
        "The {part}{of} costs {number} euros a year, agreed with {vendor}.",
        "what does the {part} of {project} cost a year",
        "price we pay for {project}'s {part}",
    ),
    Sort(
        "{person} looks after the {part}{of} from now on, no longer {other}.",
        "who looks after the {part} of {project}",
        "person responsible for {project}'s {part}",
    ),
    Sort(
        "The {part}{of} broke because of {cause}; {person} repaired it by {fix}.",
        "why did the {part} of {project} break",
        "what went wrong with the {project} {part}",
    ),
    Sort(
        "The spare {part}{of} is kept in {place}, shelf {small}.",
        "where is the spare {part} of {project} kept",
        "{project}: replacement {part}, which shelf",
    ),
    Sort(
        "Set the {part}{of} to {small} {unit}, otherwise {symptom}.",
        "to what is the {part} of {project} set",
        "right value for {project}'s {part} in {unit}",
    ),
    Sort(
        "Decided with {person}: a {quality} {part}{of}, because {reason}.",
        "why a {quality} {part} of {project}",
        "reason for choosing the {quality} {part} at {project}",
    ),
    Sort(
        "{person} wants to see the {part}{of} on {weekday} at {hour} in {place}.",
        "when does {person} want to see the {part} of {project}",
        "appointment about {project}'s {part}",
    ),
    Sort(
        "Questions about the {part}{of}: {vendor}, ask for {person}, extension {number}.",
        "extension for questions about the {part} of {project}",
        "whom to phone about {project}'s {part}",
    ),
    Sort(
        "The warranty of the {part}{of} ends in {month} {year}, papers in {place}.",
        "when does the warranty of the {part} of {project} end",
        "until when is {project}'s {part} covered",
    ),
    Sort(
        "Measured today: the {part}{of} runs at {small} {unit}, {person} expected more.",
        "what was measured at the {part} of {project}",
        "reading of the {project} {part} in {unit}",
    ),
    Sort(
        "The serial number of the {part}{of} is {letters}-{number}.",
        "serial number of the {part} of {project}",
        "how is {project}'s {part} identified",
    ),
)
_TRIES = 20
_MONTHS = ("January", "March", "April", "June", "August", "September", "November", "December")


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
            about, sort = part or self._dice.choice(words.PARTS), self._dice.randrange(len(SORTS))
            about = words.FURTHER[min(tries // _TRIES, len(words.FURTHER) - 1)] + about
            if (project, about, sort) not in self._given:
                break
            part = None
        self._given.add((project, about, sort))
        self._count += 1
        chosen = SORTS[sort]
        slots = slots_of(self._dice) | {"project": project, "part": about}
        return Fact(
            self._count,
            project,
            about,
            _sentence(chosen.said, {**slots, "of": ""}),
            _sentence(chosen.said, {**slots, "of": f" of {project}"}),
            chosen.asked.format_map(slots),
            chosen.paraphrased.format_map(slots),
        )


def chatter(dice: random.Random) -> str:
    """A line that answers nothing, in words that others use."""
    return dice.choice(words.CHATTER).format_map(slots_of(dice))


def slots_of(dice: random.Random) -> dict[str, str]:
    """Something for every slot of a sentence."""
    person, other = dice.sample(words.PEOPLE, 2)
    lists = {
        "vendor": words.VENDORS,
        "part": words.PARTS,
        "place": words.PLACES,
        "cause": words.CAUSES,
        "fix": words.FIXES,
        "quality": words.QUALITIES,
        "reason": words.REASONS,
        "unit": words.UNITS,
        "symptom": words.SYMPTOMS,
        "weekday": words.WEEKDAYS,
        "month": _MONTHS,
    }
    return {
        **{name: dice.choice(choices) for name, choices in lists.items()},
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
