"""Who asks for what in the made-up year: the access pattern.

Of the questions of a day, HOT are about the project that is hot, RECENT about something written down lately
(its age falls off exponentially), and the rest about anything, projects by Zipf's law. A third of them
paraphrases. One fact in HELD_OUT is never asked for but to measure.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date, timedelta

from bench.questions import Question
from bench.year.diary import Diary
from bench.year.facts import Fact

HOT, RECENT = 0.4, 0.35
LATELY = 12.0
"""The mean age in days of what is asked for because it is recent."""
HELD_OUT = 4
_PARAPHRASED = 3
_TRIES = 20


class Asker:
    """Draws questions about what the diary has told."""

    def __init__(self, diary: Diary, seed: int) -> None:
        self.diary = diary
        self._dice = random.Random(f"questions {seed}")

    def daily(self, day: date, count: int) -> list[Question]:
        """What is asked on a day; none of it is held out."""
        return self._several(self._dice, day, count, held_out=False)

    def held_out(self, day: date, count: int) -> list[Question]:
        """Questions to measure with, the same for the same day, of two kinds.

        ``asked``: drawn as the daily ones are. ``any``: any fact since the first day, all alike.
        """
        dice = random.Random(f"held out {day}")
        half = count // 2
        every = [one for found in self.diary.by_project.values() for one in found]
        fit = [one for one in every if _is_held_out(one) and self.diary.world.gold(one)]
        anything = dice.sample(fit, min(half, len(fit)))
        return [
            *self._several(dice, day, count - half, held_out=True),
            *(self._question(fact, "any") for fact in anything),
        ]

    def _several(
        self, dice: random.Random, day: date, count: int, *, held_out: bool
    ) -> list[Question]:
        """``count`` of them, fewer where as many have not been told yet."""
        drawn: dict[int, Fact] = {}
        for _ in range(_TRIES * count):
            fact = None if len(drawn) == count else self._drawn(dice, day)
            if fact and _is_held_out(fact) is held_out and self.diary.world.gold(fact):
                drawn[fact.number] = fact
        return [self._question(fact, "asked") for fact in drawn.values()]

    def _drawn(self, dice: random.Random, day: date) -> Fact | None:
        luck = dice.random()
        if luck < HOT:
            return _one(dice, self.diary.by_project[self.diary.hot])
        if luck < HOT + RECENT:
            before = day - timedelta(days=int(dice.expovariate(1 / LATELY)))
            return _one(dice, self.diary.by_day.get(before, ()))
        ranked = self.diary.ranked()
        weights = [1 / rank for rank in range(1, len(ranked) + 1)]
        return _one(dice, self.diary.by_project[dice.choices(ranked, weights)[0]])

    def _question(self, fact: Fact, kind: str) -> Question:
        """Whether a fact is paraphrased has nothing to do with whether it is held out."""
        other_words = (fact.number // HELD_OUT) % _PARAPHRASED == 0
        text = fact.paraphrased if other_words else fact.asked
        gold = self.diary.world.gold(fact)
        return Question(str(fact.number), text, kind, (gold,) if gold else ())


def _is_held_out(fact: Fact) -> bool:
    return fact.number % HELD_OUT == 0


def _one(dice: random.Random, facts: Sequence[Fact]) -> Fact | None:
    return dice.choice(facts) if facts else None
