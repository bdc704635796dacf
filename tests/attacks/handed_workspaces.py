"""Workspaces as somebody may hand them over: each with a few of hippo's own files and folders crafted to do harm.

Whatever lies there, no command crashes, takes longer than five seconds or much memory, prints what is outside of the
workspace, or changes anything there.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import socket
import sqlite3
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.attacks import GUARDED, Outcome, Registered, Subject

OWN = ".hippocampus"
SECRET = "the-secret-outside-3141"
_MOST_MEMORY = 900_000  # KB
_NAMES = """
    lock upkeep.lock watch.lock anchors.lock meta.json config.toml policies.yaml pending.zip
    upkeep.log .gitignore cache/text.sqlite cache/vectors.db cache/fingerprints.sqlite
    cache/text.sqlite-wal cache/text.sqlite-shm cache/text.sqlite-journal cache/text.sqlite-seal
    lock-journal history/0001-daily.json history/0001-daily.zip journal/2026-06.jsonl
    sessions/one/session.json anchors/hippocampus-index.json anchors/hippocampus-meta.json
    anchors/hippocampus-embeds.npz cache/compactions/0123456789abcdef.jsonl topics/harbour.md
    archive/2026-05.md ../HIPPOCAMPUS.md ../MEMORY.md ../notes/n1.md ../.gitignore ../.hippoignore
    ../memory/2026-06-01.md
"""
_FILES = _NAMES.split()
_FOLDERS = (
    "",
    *("cache", "journal", "history", "sessions", "sessions/one", "anchors", "topics", "archive"),
)
_DATABASES = tuple(f"cache/{name}" for name in ("text.sqlite", "vectors.db", "fingerprints.sqlite"))
_DATABASES += ("lock", "watch.lock")

Craft = Callable[[Path, Path, random.Random], None]


def _cleared(path: Path) -> Path:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _a_file(root: Path, chance: random.Random) -> Path:
    return Path(os.path.normpath(root / OWN / chance.choice(_FILES)))


def link_out(root: Path, outside: Path, chance: random.Random) -> None:
    _cleared(_a_file(root, chance)).symlink_to(outside / "secret.md")


def link_to_nowhere(root: Path, outside: Path, chance: random.Random) -> None:
    _cleared(_a_file(root, chance)).symlink_to(outside / "made-by-hippo")


def link_to_device(root: Path, outside: Path, chance: random.Random) -> None:
    _cleared(_a_file(root, chance)).symlink_to(
        chance.choice(("/dev/zero", "/dev/stdin", "/proc/self/mem"))
    )


def loop_of_links(root: Path, outside: Path, chance: random.Random) -> None:
    path = _cleared(_a_file(root, chance))
    path.symlink_to(path.name)


def folder_out(root: Path, outside: Path, chance: random.Random) -> None:
    _cleared(root / OWN / chance.choice(_FOLDERS)).symlink_to(outside, target_is_directory=True)


def pipe(root: Path, outside: Path, chance: random.Random) -> None:
    os.mkfifo(_cleared(_a_file(root, chance)))


def folder_in_place(root: Path, outside: Path, chance: random.Random) -> None:
    _cleared(_a_file(root, chance)).mkdir()


def listening(root: Path, outside: Path, chance: random.Random) -> None:
    path, before = _cleared(_a_file(root, chance)), Path.cwd()
    os.chdir(path.parent)  # the name of a socket has little room
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name[:60])
    finally:
        os.chdir(before)


def hard_link(root: Path, outside: Path, chance: random.Random) -> None:
    """Of a database or a text of the user's, to be written to in its place."""
    os.link(outside / "theirs.sqlite", _cleared(root / OWN / chance.choice(_DATABASES)))


def sparse(root: Path, outside: Path, chance: random.Random) -> None:
    with _cleared(_a_file(root, chance)).open("wb") as file:
        file.truncate(2_000_000_000)


def sparse_database(root: Path, outside: Path, chance: random.Random) -> None:
    path = root / OWN / chance.choice(_DATABASES)
    if path.is_file():
        with path.open("r+b") as file:
            file.truncate(8_000_000_000)


def noise(root: Path, outside: Path, chance: random.Random) -> None:
    _cleared(_a_file(root, chance)).write_bytes(chance.randbytes(5_000))


def nested(root: Path, outside: Path, chance: random.Random) -> None:
    opening = chance.choice(
        ('{"a":', "[", '{"version":1,"notes":', "a = [", "- " * 3 + "[", "{x: ")
    )
    _cleared(_a_file(root, chance)).write_text(opening * 20_000)


def odd_numbers(root: Path, outside: Path, chance: random.Random) -> None:
    number = chance.choice(("9" * 6_000, "1e999", "NaN", "-Infinity", "1" * 400))
    text = (
        f'{{"version": {number}, "cycles": {{"daily": {number}}}, "notes": {{"n": [{number}]}}, "at": {number},'
        f' "actions": [{number}], "number": {number}, "transcript": {number}, "ids": {number}}}\n'
    )
    _cleared(_a_file(root, chance)).write_text(text)


def many_names(root: Path, outside: Path, chance: random.Random) -> None:
    folder = root / "notes" / "many"
    folder.mkdir()
    for number in range(5_000):
        (folder / f"{number}.md").touch()


def odd_names(root: Path, outside: Path, chance: random.Random) -> None:
    for name in (
        b"\x1b]0;owned\x07.md",
        b"a\nb.md",
        b"\xff\xfe.md",
        b"-rf.md",
        b"\xe2\x80\xae.md",
        b"x" * 240 + b".md",
    ):
        (root / "notes" / os.fsdecode(name)).write_text("# odd\n\nharbour siren\n")


def deep_folders(root: Path, outside: Path, chance: random.Random) -> None:
    folder = root / "notes"
    for _ in range(chance.choice((60, 400))):
        folder = folder / "d"
        folder.mkdir()
    (folder / "n.md").write_text("# deep\n\nharbour siren\n")


def slow_patterns(root: Path, outside: Path, chance: random.Random) -> None:
    lines = [
        "*a" * 24 + "*b",
        "**/" * 40 + "x",
        "[" * 5_000,
        "?" * 3_000,
        "(a+)+$",
        "!" + "*" * 500,
    ]
    name = chance.choice((".gitignore", ".hippoignore"))
    _cleared(root / name).write_text("\n".join(lines * chance.choice((1, 200))) + "\n")
    (root / "notes" / ("a" * 60 + ".md")).write_text("# a\n")


def front_matter_bomb(root: Path, outside: Path, chance: random.Random) -> None:
    lines = ["a0: &a0 [x,x,x,x,x,x,x,x,x]"]
    lines += [f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
    bomb = "\n".join(lines)
    _cleared(root / "notes/bomb.md").write_text(
        f"---\n{bomb}\ntags: *a9\n---\n# The siren\n\nharbour\n"
    )
    _cleared(root / OWN / "policies.yaml").write_text(f"{bomb}\nlifecycle_policies: *a9\n")


def zip_bomb(root: Path, outside: Path, chance: random.Random) -> None:
    name = chance.choice(("pending.zip", "history/0001-daily.zip", "history/0099-weekly.zip"))
    path = _cleared(root / OWN / name)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(3):
            with archive.open(f"before/{OWN}/topics/t{number}.md", "w") as member:
                for _ in range(1_000):
                    member.write(bytes(1_000_000))
    if name.endswith("weekly.zip"):
        record = {"number": 99, "cycle": "weekly", "at": "2026-06-09T00:00:00+00:00", "actions": [],
                  "strengths": {}, "stats": {}, "undoes": None, "forced": False}  # fmt: skip
        path.with_suffix(".json").write_text(json.dumps(record))


def zip_names(root: Path, outside: Path, chance: random.Random) -> None:
    names = (
        "../made-by-hippo",
        f"{OWN}/topics/../../../outside/made-by-hippo",
        "/tmp/made-by-hippo",
        "MEMORY.md",
    )
    with zipfile.ZipFile(_cleared(root / OWN / "pending.zip"), "w") as archive:
        archive.writestr(f"after/{chance.choice(names)}", "x")


def recursive_view(root: Path, outside: Path, chance: random.Random) -> None:
    """In the place of a table, and of the table that tells who watches; under the right version."""
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x"
    name = chance.choice(_DATABASES)
    with _database(root / OWN / name) as db:
        tables = [
            row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        table = chance.choice([one for one in tables if "_" not in one] or ["watch"])
        columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")] or ["pid", "since"]
        db.execute(f"DROP TABLE IF EXISTS {table}")
        listed = ", ".join(f"x AS {one}" for one in columns)
        db.execute(f"CREATE VIEW {table} AS SELECT {listed} FROM ({endless} FROM n)")


def trigger(root: Path, outside: Path, chance: random.Random) -> None:
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"
    name, table = chance.choice((("cache/text.sqlite", "files"), ("cache/text.sqlite", "meta")))
    with _database(root / OWN / name) as db:
        for event in ("INSERT", "UPDATE", "DELETE"):
            body = f"BEGIN SELECT ({endless}); END"
            db.execute(f"CREATE TRIGGER t{event} BEFORE {event} ON {table} {body}")


def huge_values(root: Path, outside: Path, chance: random.Random) -> None:
    with _database(root / OWN / "cache/text.sqlite") as db:
        value = chance.choice(
            ("zeroblob(300000000)", "'x'", "-1", "9223372036854775807", "x'ff'", "1e300")
        )
        column = chance.choice(("units", "digests", "title", "first", "stem_count", "parents"))
        db.execute(f"UPDATE sections SET {column} = {value}")


def wrong_rows(root: Path, outside: Path, chance: random.Random) -> None:
    with _database(root / OWN / "cache/text.sqlite") as db:
        db.execute(chance.choice((
            "UPDATE files SET path = '../outside/secret.md' WHERE id = 1",
            "UPDATE meta SET value = '[1, 2'",
            "UPDATE sections SET file = 9999",
            "DELETE FROM sections",
            "UPDATE totals SET sections = -1",
            "DELETE FROM totals",
            "UPDATE passages_data SET block = x'00'",
            "UPDATE passages_data SET block = zeroblob(1000) WHERE id > 1",
            "DELETE FROM passages_docsize",
        )))  # fmt: skip


def other_master_table(root: Path, outside: Path, chance: random.Random) -> None:
    with _database(root / OWN / chance.choice(_DATABASES[:2])) as db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute(chance.choice((
            "UPDATE sqlite_master SET sql = 'CREATE TABLE files(x)' WHERE name = 'files'",
            "UPDATE sqlite_master SET rootpage = 2 WHERE rootpage > 2",
            "UPDATE sqlite_master SET sql = substr(sql, 1, 20)",
            "UPDATE sqlite_master SET sql = replace(sql, 'INTEGER', 'AS (randomblob(1000000000))')",
        )))  # fmt: skip


def named_journal(root: Path, outside: Path, chance: random.Random) -> None:
    """A journal left behind that names another one, which SQLite would delete: the user's own file."""
    database = root / OWN / chance.choice(_DATABASES)
    if not database.is_file() or not database.stat().st_size:
        _cleared(database)
        with sqlite3.connect(database) as db:
            db.execute("CREATE TABLE t(x)")
    with sqlite3.connect(database) as db:
        db.execute("PRAGMA journal_mode = DELETE")
    db.close()
    for ending in ("-wal", "-shm"):
        Path(f"{database}{ending}").unlink(missing_ok=True)
    named = os.fsencode(outside / "secret.md")
    page, size = 1, database.stat().st_size // 4096
    header = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + b"".join(
        number.to_bytes(4, "big") for number in (0, 1234, size, 512, 4096)
    )
    total = sum(named)
    tail = (
        (0x40000000 // 4096 + 1).to_bytes(4, "big")
        + named
        + len(named).to_bytes(4, "big")
        + total.to_bytes(4, "big")
        + b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
    )
    assert page
    Path(f"{database}-journal").write_bytes(header.ljust(512, b"\0") + tail)


def record_out(root: Path, outside: Path, chance: random.Random) -> None:
    place = chance.choice(
        (str(outside / "session.jsonl"), "link.jsonl", f"{root}/../outside/session.jsonl")
    )
    if place == "link.jsonl":
        (root / place).symlink_to(outside / "session.jsonl")
        place = str(root / place)
    record = {
        "transcript": place,
        "format": chance.choice(("pi", "messages", "claude-code")),
        "ids": [["e1", "USER"]],
    }
    path = _cleared(root / OWN / "cache/compactions/0123456789abcdef.jsonl")
    path.write_text(json.dumps(record) + "\n")


def own_key(root: Path, outside: Path, chance: random.Random) -> None:
    embedder = chance.choice(("gemini", "openai"))
    text = (
        f'[embedding]\nembedder = "{embedder}"\nquestion_seconds = 600.0\ntimeout_seconds = 600.0\n'
    )
    _cleared(root / OWN / "config.toml").write_text(text)


def odd_settings(root: Path, outside: Path, chance: random.Random) -> None:
    text = chance.choice((
        "a." * 50_000 + "b = 1",
        "x = " + "[" * 50_000,
        "x = " + "9" * 100_000,
        "\n".join(f"[t{n}]" for n in range(20_000)),
        "[decay]\nrate = nan",
        "[query]\nlimit = 999999999999999999999999",
        '[scan]\ninclude = ["' + "*a" * 30 + '"]',
        '[anchors]\nallow = ["' + "**/" * 50 + 'x"]',
    ))  # fmt: skip
    _cleared(root / OWN / "config.toml").write_text(text)


def long_lines(root: Path, outside: Path, chance: random.Random) -> None:
    _cleared(_a_file(root, chance)).write_text(
        chance.choice(("x", "# ", "<!-- hx: ", "→ ")) * 1_000_000
    )


def endless_words(root: Path, outside: Path, chance: random.Random) -> None:
    pieces = (
        "[](" * 30_000,
        "*" * 100_000,
        "> " * 20_000,
        "`" * 100_000,
        "|" * 50_000,
        "<!--" * 20_000,
        "a@" * 50_000,
    )
    (root / "notes/endless.md").write_text(
        f"# The siren\n\n{chance.choice(pieces)}\n\nharbour siren\n"
    )


CRAFTS: tuple[Craft, ...] = (
    link_out, link_out, link_to_nowhere, link_to_device, loop_of_links, folder_out, folder_out,
    pipe, pipe, folder_in_place, listening, hard_link, sparse, sparse_database, noise, nested,
    odd_numbers, odd_numbers, many_names, odd_names, deep_folders, slow_patterns, front_matter_bomb,
    zip_bomb, zip_names, recursive_view, recursive_view, trigger, huge_values, wrong_rows,
    wrong_rows, other_master_table, named_journal, named_journal, record_out, record_out, own_key,
    odd_settings, long_lines, endless_words,
)  # fmt: skip

_DRIVER = r"""
import json, resource, sys
COMMANDS = (["query", "siren of the harbour"], ["query", "siren", "--json"], ["status"], ["check"], ["list"],
            ["daily"], ["history"], ["undo", "--dry-run"], ["context", "list"], ["fetch", "e1"],
            ["anchors", "lookup", "harbour siren"], ["config"], ["remember", "the siren is red"],
            ["watch", "--once"], ["weekly"], ["report"], ["query", "siren of the harbour"])
wrong = []
for words in COMMANDS:
    _, out, err, bad = hippo(*words)
    wrong += bad
    if sys.argv[1] in out + err:
        wrong.append(f"{' '.join(words)}: printed what is outside")
    if {chr(27), chr(7)} & set(out + err):
        wrong.append(f"{' '.join(words)}: control codes")
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
if memory > int(sys.argv[2]):
    wrong.append(f"{memory // 1000} MB")
print(json.dumps(wrong))
"""


def _database(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file():
        _cleared(path)
    return _Closed(path, isolation_level=None)


class _Closed(sqlite3.Connection):
    def __exit__(self, *what: object) -> bool:  # type: ignore[override]
        self.close()
        return what[0] is not None and issubclass(what[0], sqlite3.Error)  # type: ignore[arg-type]


def handed(subject: Subject, folder: Path, tries: int) -> Outcome:
    """A number of workspaces, each with one to three crafts at places of its own."""
    made = folder / "made"
    _workspace(subject, made)
    wrong = []
    for number in range(tries):
        chance = random.Random(f"handed {number}")
        crafts = [chance.choice(CRAFTS) for _ in range(chance.choice((1, 1, 2, 3)))]
        if number < len(CRAFTS):
            crafts[0] = CRAFTS[(number * 7) % len(CRAFTS)]  # each of them once
        place = folder / str(number)
        found = list(_opened(subject, made, place, crafts, chance))
        if found:
            wrong.append(f"{number} {'+'.join(one.__name__ for one in crafts)}: {found[0][:200]}")
        shutil.rmtree(place, ignore_errors=True)
    return Outcome(tries, len(wrong), "; ".join(wrong[:3]))


def _opened(
    subject: Subject, made: Path, place: Path, crafts: list[Craft], chance: random.Random
) -> Iterator[str]:
    root, outside = place / "w", place / "outside"
    shutil.copytree(made, root, symlinks=True)
    _outside(outside)
    for craft in crafts:
        try:
            craft(root, outside, chance)
        except OSError:  # two crafts may stand in each other's way
            continue
    before = _state(outside)
    words = (SECRET, str(_MOST_MEMORY))
    keyed = Subject(subject.checkout, subject.home)
    try:
        done = keyed.python("-c", _PREFIX + GUARDED + _DRIVER, *words, cwd=root, timeout=120)
    except subprocess.TimeoutExpired:
        yield "it hangs"
        return
    try:
        yield from json.loads(done.stdout.splitlines()[-1])
    except (ValueError, IndexError):
        yield f"it ended: {done.returncode} {done.stderr[-300:]}"
    if _state(outside) != before:
        yield "what is outside was changed"


_PREFIX = 'import os\nos.environ.update(GEMINI_API_KEY="k", OPENAI_API_KEY="k", https_proxy="http://127.0.0.1:9")\n'


def _outside(outside: Path) -> None:
    outside.mkdir()
    (outside / "secret.md").write_text(f"# Secret\n\n## The siren of the harbour\n\n{SECRET}\n")
    message = {"role": "user", "content": f"{SECRET} in the harbour"}
    lines = ({"type": "session", "id": "s"}, {"type": "message", "id": "e1", "message": message})
    (outside / "session.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    with _database(outside / "theirs.sqlite") as db:
        db.execute("CREATE TABLE theirs(x)")
        db.execute("INSERT INTO theirs VALUES('kept')")


def _state(outside: Path) -> list[tuple[str, bytes]]:
    return sorted((path.name, path.read_bytes()) for path in outside.iterdir() if path.is_file())


def _workspace(subject: Subject, root: Path) -> None:
    (root / "notes").mkdir(parents=True)
    (root / "memory").mkdir()
    (root / "MEMORY.md").write_text("# Memory\n\nThe harbour opens at six.\n")
    (root / "memory/2026-06-01.md").write_text("# 2026-06-01\n\n- The siren was quiet.\n")
    for number in range(6):
        text = f"# Note {number}\n\n## The siren of the harbour {number}\n\nThe siren number {number} was tested.\n"
        (root / f"notes/n{number}.md").write_text(text)
    for words in (["bootstrap"], ["query", "siren"], ["anchors", "build"], ["daily"],
                  ["context", "add", "notes/n1.md"]):  # fmt: skip
        subject.run(*words, cwd=root)


ATTACKS = {"handed workspaces": Registered(handed, 1, 100)}
