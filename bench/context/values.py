"""The words and values of a made-up session: commands, paths, URLs, errors, identifiers, numbers.

Every value that is written down is noted, so that a fact for later can be drawn from all of them alike.
"""

from __future__ import annotations

import random
import re
from typing import Literal, NamedTuple

_NOUNS = """
    account adapter alert backup batch branch bucket buffer cache cart channel checkout
    client cluster column commit config counter cursor dashboard deploy device digest draft
    driver event export feed filter folder gateway handler header image import index invoice
    job journal ledger limit listener lock mailer margin meter migration mirror node order
    outbox packet parser payment pipeline policy probe profile proxy query queue quota
    record region release replica report request resolver retry route runner schema script
    sensor session shard signal snapshot socket stream table tenant thread ticket timer
    token trace upload vendor view volume webhook widget window worker writer zone
"""
_ADJECTIVES = """
    new old slow cold shared nightly stale empty local remote small second public noisy
    broken missing double early late strict quiet
"""
_VERBS = """
    reads writes drops keeps blocks wakes counts merges splits skips sends holds rejects
    repeats moves opens closes checks hides loads
"""
NOUNS, ADJECTIVES, VERBS = (tuple(listed.split()) for listed in (_NOUNS, _ADJECTIVES, _VERBS))
_ENDS = (
    "before the {} starts",
    "after every {}",
    "when the {} is full",
    "on the {} {}",
    "and not the {}",
    "unless a {} waits",
    "for each {}",
    "because the {} {} it",
)


def sentence(dice: random.Random) -> str:
    """One sentence of ten to fifteen words."""
    end = dice.choice(_ENDS)
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

_ENDINGS = ("py", "py", "ts", "go", "sql", "md", "json", "toml", "yaml", "sh", "log", "csv")
_FOLDERS = (
    "src",
    "lib",
    "tests",
    "docs",
    "conf",
    "scripts",
    "services",
    "packages",
    "var/log",
    "etc",
)
_HOSTS = ("api", "status", "docs", "admin", "registry", "builds")
_PROGRAMS = (
    "kubectl -n {a} rollout restart deploy/{b}-{n}",
    "docker compose run --rm {a} {b} --since {n}",
    "git cherry-pick -x {h}",
    "psql -h {a}-{n} -c 'vacuum {b}'",
    "make {a}-{b} LIMIT={n}",
    "rsync -az --bwlimit {n} {a}/ deploy@{b}:/srv/{a}/",
    "curl -s https://{a}.example.net/{b}/{n}",
    "pytest tests/test_{a}_{b}.py -k {a} --maxfail {n}",
    "terraform apply -target module.{a}_{b} -parallelism {n}",
    "npm run {a}:{b} -- --seed {n}",
)
_ERRORS = (
    "E{n}: {a}_{b} missing in section [{a}]",
    "ConnectionRefusedError: {a}-{b}:{n} did not answer",
    "fatal: cannot lock ref 'refs/heads/{a}-{b}-{n}'",
    "PermissionError: /var/lib/{a}/{b}-{n} is owned by root",
    "KeyError: '{a}_{b}_{n}'",
    'relation "{a}_{b}_{n}" does not exist',
    "{a}.{b} timed out after {n} ms",
    "checksum of {a}-{b}-{n}.tar.gz does not match",
)
_SETTLED = ("keep", "put", "do", "check", "split", "hold", "count", "build")
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
        parts = [folder or dice.choice(_FOLDERS), *dice.choices(NOUNS, k=dice.randint(1, 2))]
        name = "_".join(dice.sample(NOUNS, dice.randint(1, 2)))
        return self.note("path", f"{'/'.join(parts)}/{name}.{dice.choice(_ENDINGS)}")

    def url(self) -> str:
        """``https://api.queue.example.net/v2/replica/4417``"""
        dice = self.dice
        host = f"{dice.choice(_HOSTS)}.{dice.choice(NOUNS)}.example.net"
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
        clause = f"{dice.choice(_SETTLED)} the {dice.choice(ADJECTIVES)} {kept} in the {place} and not in the {other}"
        return self.note("decision", clause)

    def command(self) -> str:
        """A command line."""
        return self.note("command", self._filled(_PROGRAMS))

    def error(self) -> str:
        """What a program says when it fails."""
        return self.note("error", self._filled(_ERRORS))

    def any(self) -> str:
        """One of all but decisions."""
        draw = (self.path, self.url, self.number, self.identifier, self.command, self.error)
        return self.dice.choice(draw)()

    def _filled(self, forms: tuple[str, ...]) -> str:
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
