"""The words and values of a made-up session: commands, paths, URLs, errors, identifiers, numbers.

Every value that is written down is noted, so that a fact for later can be drawn from all of them alike.
"""

from __future__ import annotations

import random
import re
import tomllib
from pathlib import Path
from typing import Literal, NamedTuple

WORDS: dict[str, list[str]] = tomllib.loads(
    Path(__file__).with_name("words.toml").read_text(encoding="utf-8")
)
NOUNS, ADJECTIVES, VERBS = WORDS["noun"], WORDS["adjective"], WORDS["verb"]


def sentence(dice: random.Random) -> str:
    """One sentence of ten to fifteen words."""
    end = dice.choice(WORDS["end"])
    words = [dice.choice(NOUNS), dice.choice(VERBS if end.endswith("it") else NOUNS)]
    start = f"the {dice.choice(ADJECTIVES)} {dice.choice(NOUNS)} {dice.choice(VERBS)} the"
    said = f"{start} {dice.choice(ADJECTIVES)} {dice.choice(NOUNS)} {end.format(*words)}."
    return said[0].upper() + said[1:]


def prose(dice: random.Random, size: int) -> str:
    """Sentences of about ``size`` characters in all, in paragraphs."""
    made: list[str] = []
    length = 0
    while length < size:
        made.append(sentence(dice))
        length += len(made[-1]) + 1
    return " ".join(made)


FactKind = Literal["command", "path", "url", "error", "identifier", "number", "decision"]
FACT_KINDS: tuple[FactKind, ...] = (
    *("command", "path", "url", "error", "identifier", "number", "decision"),
)

_LONGEST = 200
_LEAST = 4  # characters; a shorter value could stand anywhere


class Value(NamedTuple):
    """A value, word for word as it stands in the session."""

    kind: FactKind
    text: str


class Values:
    """Draws values and notes each; :meth:`take` gives what was drawn since the last time."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self._noted: list[Value] = []

    def take(self) -> list[Value]:
        """What was drawn since."""
        noted, self._noted = self._noted, []
        return noted

    def note(self, kind: FactKind, text: str) -> str:
        """Note a value; the text itself."""
        if _LEAST <= len(text) <= _LONGEST:
            self._noted.append(Value(kind, text))
        return text

    def path(self, folder: str = "") -> str:
        """``services/queue/replica_cursor.py``"""
        dice = self.dice
        parts = [folder or dice.choice(WORDS["folder"]), *dice.choices(NOUNS, k=dice.randint(1, 2))]
        name = "_".join(dice.sample(NOUNS, dice.randint(1, 2)))
        return self.note("path", f"{'/'.join(parts)}/{name}.{dice.choice(WORDS['ending'])}")

    def url(self) -> str:
        """``https://api.queue.example.net/v2/replica/4417``"""
        dice = self.dice
        host = f"{dice.choice(WORDS['host'])}.{dice.choice(NOUNS)}.example.net"
        text = (
            f"https://{host}/v{dice.randint(1, 4)}/{dice.choice(NOUNS)}/{dice.randint(100, 99_999)}"
        )
        return self.note("url", text)

    def number(self) -> str:
        """A count, a share or a size, of at least four characters."""
        dice = self.dice
        forms = (
            str(dice.randint(1_000, 99_999)),
            f"{dice.randint(1_000, 999_999):,}",
            f"{dice.random() * 100:.2f}",
            f"0.{dice.randint(1_000, 9_999)}",
        )
        return self.note("number", dice.choice(forms))

    def count(self) -> str:
        """A whole number as programs write it."""
        return self.note("number", str(self.dice.randint(1_000, 99_999)))

    def identifier(self) -> str:
        """A hash, a ticket, a name in any of the usual cases, a version."""
        dice = self.dice
        a, b = dice.sample(NOUNS, 2)
        number = dice.randint(10, 9_999)
        forms = (
            f"{dice.getrandbits(40):010x}",
            f"{a[:4].upper()}-{number}",
            f"{a}_{b}_{number}",
            f"{a}{b.title()}{number}",
            f"{a}-{b}-{dice.getrandbits(20):05x}",
            f"v{dice.randint(1, 30)}.{dice.randint(0, 40)}.{number}",
        )
        return self.note("identifier", dice.choice(forms))

    def decision(self) -> str:
        """What was settled on, as a clause."""
        dice = self.dice
        kept, place, other = dice.sample(NOUNS, 3)
        settled, how = dice.choice(WORDS["settled"]), dice.choice(ADJECTIVES)
        clause = f"{settled} the {how} {kept} in the {place} and not in the {other}"
        return self.note("decision", clause)

    def command(self) -> str:
        """A command line."""
        return self.note("command", self._filled(WORDS["program"]))

    def error(self) -> str:
        """What a program says when it fails."""
        return self.note("error", self._filled(WORDS["error"]))

    def any(self) -> str:
        """One of all but decisions."""
        draw = (self.path, self.url, self.number, self.identifier, self.command, self.error)
        return self.dice.choice(draw)()

    def _filled(self, forms: list[str]) -> str:
        a, b = self.dice.sample(NOUNS, 2)
        digest = f"{self.dice.getrandbits(40):010x}"
        return self.dice.choice(forms).format(a=a, b=b, n=self.dice.randint(100, 99_999), h=digest)


def says(text: str, fact: str) -> bool:
    """Whether a fact stands in a text, to the letter and not inside a longer word or number."""
    start = text.find(fact)
    while start >= 0:
        end = start + len(fact)
        before, after = text[max(0, start - 1) : start], text[end : end + 1]
        if not (_joins(before) or _joins(after)):
            return True
        start = text.find(fact, start + 1)
    return False


def _joins(char: str) -> bool:
    return re.match(r"\w", char) is not None
