"""What was forgotten is in no file, no archive and no free page of a database, and it does not come back."""

from __future__ import annotations

import base64
import gzip
import io
import itertools
import json
import random
import re
import shutil
import urllib.parse
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.attacks import Outcome, Registered, Subject

KINDS = {
    "key": "sk-live-51HxQp0a9ZrTq8",
    "password": "Tr0ub4dor&3!x",
    "token": "ghp_9fK2mQ7vXz41LpWc83Td0sRb65Hn",
    "web token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0ODE1MTYifQ.Qx7pZk93hdTeK0vB",
    "private key": "MIIEpAIBAAKCAQEA7bq3x\nQ9fV2kLz81hTnRw5Yd0cJm6s\nXa4PgU7oBe3iKt",
    "address": "postgres://anna:Zq71xw@db.example.org:5433/main",
    "card": "4111 1111 2222 7354",
    "door code": "48151623",
    "passphrase": "correct horse battery staple",
    "name": "Wilhelmina Kratochvilova",
    "sentence": "Anna told me on the pier that she will leave Robert in the spring",
    "umlauts": "Gärtnerstraße Sønderjylland 17b",
    "quotes": 'he said "never" \\ ever <again> & 100%',
}
"""Thirteen kinds, each a text as a user types it."""
PLAIN = ("passphrase", "name", "sentence", "umlauts")
"""What nothing but a wish keeps out of what is derived."""


SETTINGS = """
[index]
max_tokens = 700
sharded_tokens = 600

[decay]
rate = 3.0
"""
"""Small enough for topic files, and fading fast enough for an archive."""


def workspace(folder: Path, text: str) -> None:
    """A workspace with ``text`` in a heading, a line, a table and a log, each beside other words."""
    (folder / "memory").mkdir(parents=True)
    (folder / ".hippocampus").mkdir()
    (folder / ".hippocampus/config.toml").write_text(SETTINGS, encoding="utf-8")
    flat = " ".join(text.split())
    notes = "\n".join(
        f"## Tool number {number}\n\nThe tool {number} stands on shelf {number * 7}.\n"
        for number in range(8)
    )
    (folder / "TOOLS.md").write_text(
        f"# Tools\n\n{notes}\n## Access {flat}\n\nUse {flat} for the vault in the cellar.\n\n"
        f"| what | value |\n|---|---|\n| vault | {flat} |\n",
        encoding="utf-8",
    )
    (folder / "memory/2026-07-30.md").write_text(
        f"# 2026-07-30\n\n## Vault\n\nThe vault was opened today.\n\n{text}\n\nThen we had lunch.\n",
        encoding="utf-8",
    )
    (folder / "MEMORY.md").write_text(
        "# Memory\n\n## Lunch\n\nLunch is at noon in the garden.\n", encoding="utf-8"
    )


class Step(NamedTuple):
    """One command: its words, what it reads, and when it runs."""

    words: tuple[str, ...]
    given: str | None = None
    now: str = "2029-11-02T09:00:00+00:00"


_ALL = """
import io, json, os, sys
from hippocampus_cli.cli.main import main
for words, given, now in json.loads(sys.stdin.read()):
    os.environ["HIPPO_NOW"] = now
    sys.stdin = io.TextIOWrapper(io.BytesIO((given or "").encode()), encoding="utf-8")
    try:
        main(words)
    except SystemExit:
        pass
"""


def lived(text: str) -> list[Step]:
    """Everything that hippo keeps, kept of it: asked for, remembered, in sessions and compactions, cycled."""
    flat = " ".join(text.split())
    rows = (f"line {n} of the output: {flat if n % 9 == 0 else 'nothing'}" for n in range(90))
    messages = [{"role": "user", "content": f"what opens it? {flat} {n}" * 3} for n in range(12)]
    preparation = {"messagesToSummarize": messages, "turnPrefixMessages": [], "tokensBefore": 9000}
    then, week = "2026-07-31T09:00:00+00:00", "2026-08-07T09:00:00+00:00"
    message = ("--type", "message", "--source", "user", "--text", f"Never write {flat} down")
    return [
        Step(("bootstrap",), now=then),
        Step(("query", "--", flat), now=then),
        Step(("remember", "--tag", "vault", "--", f"The vault takes {flat}"), now=then),
        Step(("query", "vault"), now=then),
        Step(("anchors", "build"), now=then),
        Step(("context", "add", "-", "--type", "tool_result"), "\n".join(rows), then),
        Step(("context", "add", *message), now=then),
        Step(("compact", "--stdin"), json.dumps(preparation), then),
        Step(("daily",), now=then),
        Step(("weekly",), now=week),
        Step(("context", "end"), now=week),
        Step(("monthly", "--force"), now="2028-09-01T09:00:00+00:00"),
        Step(("remember", "--pri", "low", "--", f"The safe takes {flat}"), now=week),
        Step(("monthly", "--force"), now="2029-09-01T09:00:00+00:00"),
        Step(("monthly", "--force"), now="2029-11-01T09:00:00+00:00"),
        Step(("query", "vault")),
    ]


def run(subject: Subject, folder: Path, *steps: Step) -> None:
    """These commands one after the other, in one process."""
    done = subject.python("-c", _ALL, cwd=folder, given=json.dumps(steps))
    assert "Traceback (most recent call last)" not in done.stderr, done.stderr[-2_000:]


# Looking for it


def shapes(text: str) -> list[re.Pattern[bytes]]:
    """The text as bytes in every shape that counts: in any case, in JSON, URLs, HTML, UTF-16, as a name, wrapped."""
    flat = " ".join(text.split())
    forms = {
        flat,
        json.dumps(flat)[1:-1],
        json.dumps(flat, ensure_ascii=False)[1:-1],
        json.dumps(json.dumps(flat))[3:-3],
        urllib.parse.quote(flat),
        flat.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;"),
        text,
        "-".join(re.findall(r"[^\W_]+", flat)),
    }
    found = [re.compile(re.escape(one.encode()), re.IGNORECASE) for one in forms]
    found += [re.compile(re.escape(one.encode("utf-16-le"))) for one in (flat, flat.lower())]
    words = [re.escape(one.encode()) for one in flat.split()]
    if len(words) > 1:
        found.append(re.compile(rb"[\s>|]+".join(words), re.IGNORECASE))
    elif len(flat) > 12:
        letters = (re.escape(one.encode()) for one in flat)
        found.append(re.compile(rb"(?:\s*\n\s*)?".join(letters), re.IGNORECASE))
    return found


def places(folders: list[Path], text: str, *, but: tuple[str, ...] = ()) -> list[str]:
    """Where ``text`` stands in any shape below these folders, in files and in what they contain."""
    wanted = shapes(text)
    found = []
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            if name not in but and path.is_file() and not path.is_symlink():
                inner = unpacked(name, path.read_bytes())
                found += [where for where, data in inner if any(one.search(data) for one in wanted)]
            if any(one.search(name.encode()) for one in wanted):
                found.append(f"name {name}")
    return found


def unpacked(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """The bytes themselves, and those of everything packed in them."""
    yield name, data
    if data[:2] == b"\x1f\x8b":
        yield from unpacked(f"{name}!", gzip.decompress(data))
    if data[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for member in archive.namelist():
                yield f"{name}!{member}", member.encode()
                yield from unpacked(f"{name}!{member}", archive.read(member))
    for found in re.finditer(rb"[A-Za-z0-9+/]{40,}={0,2}", data[:200_000]):
        block = found.group()
        if len(block) % 4 == 0:
            yield f"{name} as base64", base64.b64decode(block)


NOTES = (
    "TOOLS.md",
    "MEMORY.md",
    "memory/2026-07-30.md",
    "memory/2026-07-31.md",
    "memory/2026-08-07.md",
)


AFTER = tuple(
    Step(tuple(words.split()))
    for words in (
        *("undo", "undo 1", "restore vault", "bootstrap", "daily", "anchors build"),
        *("query vault", "weekly", "monthly", "report"),
    )
)
"""All that could bring it back."""


def prepared(subject: Subject, folder: Path, text: str) -> None:
    workspace(folder, text)
    run(subject, folder, *lived(text))


def forgotten_everywhere(subject: Subject, folder: Path, tries: int) -> Outcome:
    """Each kind in turn: forgotten out of everything and the notes; then everything that could bring it back."""
    wrong: list[str] = []
    for number, (kind, text) in zip(range(tries), itertools.cycle(KINDS.items())):
        place = folder / f"{number}"
        prepared(subject, place, text)
        if kind in PLAIN and len(places([place], text, but=NOTES)) < 8:
            wrong.append(f"{kind}: hardly anything held it before")
        run(subject, place, Step(("forget", "-", "--notes", "--yes"), text))
        found = places([place, subject.home], text)
        run(subject, place, *AFTER)
        found += places([place, subject.home], text)
        if found:
            wrong.append(f"{kind}: {found[:3]}")
    return Outcome(tries, len(wrong), "; ".join(wrong)[:300])


def notes_keep_it(subject: Subject, folder: Path, tries: int) -> Outcome:
    """Each kind in turn: forgotten while the notes keep it. What is derived from them later leaves it out."""
    wrong: list[str] = []
    for number, (kind, text) in zip(range(tries), itertools.cycle(KINDS.items()), strict=False):
        place = folder / f"{number}"
        prepared(subject, place, text)
        run(subject, place, Step(("forget", "-", "--yes"), text))
        found = places([place, subject.home], text, but=NOTES)
        run(subject, place, *AFTER)
        found += places([place, subject.home], text, but=NOTES)
        if found:
            wrong.append(f"{kind}: {found[:3]}")
    return Outcome(tries, len(wrong), "; ".join(wrong)[:300])


def killed(subject: Subject, folder: Path, tries: int) -> Outcome:
    """Killed at any moment of its work; the same command once more leaves nothing, or a daily cycle where the notes
    keep it."""
    chance = random.Random(7)
    text = KINDS["key"]
    model = folder / "model"
    prepared(subject, model, text)
    wrong: list[str] = []
    for number in range(tries):
        place = folder / f"{number}"
        shutil.copytree(model, place)
        keep_killing(subject, place, text, chance)
        begun = (place / ".hippocampus/forgotten.jsonl").exists()
        cycle = begun and number % 2  # what was begun is finished by upkeep too, but for the notes
        run(subject, place, Step(("daily",) if cycle else ("forget", text, "--notes", "--yes")))
        if cycle:
            shutil.rmtree(place / ".hippocampus/cache")
        found = places([place], text, but=NOTES if cycle else ())
        if found:
            wrong.append(f"{number}: {found[:3]}")
        shutil.rmtree(place)
    return Outcome(tries, len(wrong), "; ".join(wrong)[:300])


_SELF_KILLED = """
import os, signal, sys
from hippocampus_cli.cli.main import main
left = int(sys.argv[1])
def watch(event, args):
    global left
    if event in ("open", "os.rename", "os.remove", "os.mkdir", "sqlite3.connect", "shutil.rmtree"):
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
import hippocampus_cli.maintenance.forget
import hippocampus_cli.maintenance.scrub
sys.addaudithook(watch)
main(["forget", sys.argv[2], "--notes", "--yes"])
"""


def keep_killing(subject: Subject, place: Path, text: str, chance: random.Random) -> None:
    """Forget, killed at some file operation."""
    subject.python("-c", _SELF_KILLED, str(chance.randint(1, 520)), text, cwd=place)


ATTACKS = {
    "forget: the notes keep it": Registered(notes_keep_it, 1, 13),
    "forget: a text of thirteen kinds": Registered(forgotten_everywhere, 1, 13),
    "forget: killed on its way": Registered(killed, 1, 40),
}
