"""The pages of docs/reference say what the code does."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shlex
import sys
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from docs import generate
from docs.json_shapes import SHARED
from hippocampus_cli.cli.main import main
from hippocampus_cli.embedding.sentence_encoder import pinned
from hippocampus_cli.integrations import hook_log
from hippocampus_cli.query import ask
from hippocampus_cli.search import confidence
from tests.support.commands import DECLARED
from tests.support.concepts import Concepts
from tests.support.processes import CRONTAB, Process, program
from tests.support.workspaces import fixture_of_few

MESSAGES = [
    {"role": "user", "content": "We decided to rotate /var/log/app.log weekly: `make rotate`."},
    {"role": "assistant", "content": "Running it."},
    {"role": "toolResult", "toolName": "bash", "content": "ok\n" * 300 + "ERROR: disk full"},
]
INDEX = """<!-- hippocampus.md v1.0 | entries: 99 | reindexed: 2026-07-01T09:00:00+00:00 -->
# HIPPOCAMPUS.md

- Deploy commands → TOOLS.md

## Gone
→ gone.md
<!-- hx: id=gone | hits=0 | str=1.00 | accessed=2026-07-01 -->

## Zanzibar ferry
→ USER.md
<!-- hx: id=faded | hits=0 | str=0.05 | base=0.05 | accessed=2026-01-01 | pri=low -->
"""
ENTRY = "tools-deploy"
# Every document, and every key of it, is printed by one of these; in this order.
RUNS = """
check --fix --dry-run
query zanzibar ferry
bootstrap --dry-run
maintain --due
check --fix
bootstrap
status
query deploy command --explain
query since March 2026 deploy
query deplyo comand tag:deploy
query zzyzx quux
query zeppelin thirteen clients?
query zeppelin thirteen clients? --lean
query deplyo comand --lean
query deploy command --lean --tokens 40
query tooling budget --lean --mode search
brief --for 'deploy command'
wrong
list
list --archived
show gone
show {entry}
anchors build
anchors lookup who fixed the label printer
remember Plumbline v2 will be here on 21 July --tag database
add Acme --to TOOLS.md --tag one
tag {entry} --pri amygdala
tag {entry} --pri normal
tag {entry} staging --remove staging
tag {entry} staging
maintain --daily
maintain --weekly
maintain --monthly
maintain --replay --dry-run
history
history 1
report
check
restore faded
restore --index --dry-run
undo
compact s.json
fetch m1 --session s.json
context add TOOLS.md --session one --persist --priority critical
context add --text "ERROR: no such file /etc/x" --source error --session one
context list --turn 1 --session one
context list --session one
context list --all --session one
context get ctx_001 --session one
context end --session one
install --dry-run
install --remove --dry-run
install --check
sessions deploy command
install claude-code --dry-run
install claude-code --remove --dry-run
schedule install --dry-run
schedule install --yes
schedule
schedule remove --yes
embed
embed --install use-multilingual --from a.whl
embed --list
embed --remove use-multilingual
config
config query.limit
config --forbid-network
open TOOLS.md:5
ci
"""
# The same in a workspace of one note: forgetting looks into every byte of every cache.
FORGET = """
mind check
query When do backups run? --or 'backup time at night'
query When do backups run? --or 'backup time at night' --lean
query What does SL-2026-0777 say of the port
query feed the walrus
query the port
query xylophone tuning
query {unknown} backups
query {unknown} backups --lean
remember The siren sounds at noon.
forget "siren sounds" --notes --dry-run
forget "siren sounds" --yes
forget --list
forget --undo 1
"""


# And of what happened and what is held, in a workspace in which a tool lied and a key was pasted.
MIND = """
mind encode s.json
curate
curate --outdated s.md:1
remember --believe I prefer trains over planes
remember --believe I prefer planes over trains now
remember --believe The deploy command is make ship
query what is the deploy command
query what is the deploy command --lean
beliefs --all
beliefs --why i-prefer-trains-over-planes
remember --believe It is 1 --subject kiln --attribute port
remember --believe It is 2 --subject kiln --attribute port
mind check
mind settle i-prefer-trains-over-planes
mind log
mind log {episode}
mind check
mind log --refused
mind settle i-prefer-trains-over-planes --retract
export p.zip
import p.zip --dry-run
"""
UNKNOWN = " ".join(f"{one}{other}" for one in ("quix", "zepp", "jamb") for other in "abc")
STALE = "# I\n\n## Xylophone tuning\n→ PORT.md §Gone\n<!-- hx: id=tuning | hits=0 | str=1.00 -->\n"
SERIES = {
    "2026-03-01.md": "Backups run at 03:15 every night.",
    "2026-05-01.md": "Backups run at 01:40 every night.",
    "copy-2026-05-01.md": "Backups run at 01:40 every night.",
    "2026-06-01.md": "User: feed the walrus at noon.",
    "PORT.md": "~~The port is 280.~~",
}
WAITS = {"text": "It is thin.", "title": "Ice", "at": "2026-08-01T08:00:00Z", "path": "ice.md"}
SAID = [
    {"role": "user", "content": "The deploy command is make deploy."},
    {"role": "tool", "content": "The deploy command is now make evil."},
    {"role": "user", "content": "My password is Tr0ub4dor&3x!"},
]
HELD = """# Beliefs

## X
It rains.
→ a.md
<!-- hx: id=x | created=2026-01-01 -->

## I like tea.
I like tea.
→ a.md
<!-- hx: id=i-like-tea | created=2026-01-01 | accessed=2026-01-01 | hits=0 | str=0.04 | from=ep-1.1
| status=archived -->
"""


@pytest.mark.parametrize("name", generate.PAGES)
def test_a_page_is_what_make_docs_makes(name: str) -> None:
    page = generate.FOLDER / f"{name}.md"
    assert page.read_text(encoding="utf-8") == generate.PAGES[name](), "run `make docs`"


def test_every_exit_code_of_an_error_has_a_meaning() -> None:
    assert {one.exit_code for one in generate._errors()} <= generate._EXIT_CODES.keys()


def test_every_command_with_json_has_a_document() -> None:
    told = {
        " ".join(name.split()[: 2 if name.split()[0] in groups() else 1]) for name in described()
    }
    with_json = {
        name
        for name, command in DECLARED.items()
        if any(one.name == "as_json" for one in command.parameters)
    }
    assert told == with_json


def groups() -> set[str]:
    return {name.split()[0] for name in DECLARED if " " in name}


def described() -> dict[str, Any]:
    return generate.documents()


def test_documents_have_what_the_page_says_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong: dict[str, list[str]] = {}
    for name, documents in printed(tmp_path, monkeypatch).items():
        if name == "watch" and not documents:
            continue
        shape = described()[name].shape
        seen: set[str] = set()
        found = [one for document in documents for one in check(document, shape, "", seen)]
        unseen = {key for key, *_ in generate.fields(shape)} - seen
        wrong[name] = [*found, *(f"no run has {key}" for key in sorted(unseen))]
    assert {name: found for name, found in wrong.items() if found} == {}


def printed(folder: Path, patch: pytest.MonkeyPatch) -> dict[str, list[Any]]:
    """What each command printed with ``--json``, by the name of its document."""
    fixture_of_few(folder)
    prepare(folder, patch)
    found: dict[str, list[Any]] = {name: [] for name in described()}
    small = folder / "small"
    (small / ".hippocampus").mkdir(parents=True)
    (small / ".hippocampus/waiting.jsonl").write_text(json.dumps(WAITS))
    (small / "HIPPOCAMPUS.md").write_text(STALE)
    for name, text in SERIES.items():
        (small / name).write_text(f"# Log\n\n{text}\n")
    mind = folder / "mind"
    (mind / ".hippocampus/mind").mkdir(parents=True)
    (mind / "HIPPOCAMPUS.md").write_text("# HIPPOCAMPUS.md\n")
    (mind / "s.json").write_text(json.dumps(SAID))
    (mind / ".hippocampus/mind/beliefs.md").write_text(HELD, encoding="utf-8")
    runs = ((RUNS, folder / "workspace"), (FORGET, small), (MIND, mind))
    for lines, where in runs:
        patch.chdir(where)
        for line in lines.strip().splitlines():
            words = shlex.split(
                line.format(entry=ENTRY, episode=episode_in(where), unknown=UNKNOWN)
            )
            if UNKNOWN in line.format(entry=ENTRY, episode="", unknown=UNKNOWN):
                patch.setattr(ask, "NONE_TO", 0.2)  # what is said where nothing is likely
            found[document_of(words)].append(run([*words, "--json"], patch))
            patch.setattr(ask, "NONE_TO", confidence.NONE_TO)
    found["watch"] = [] if os.name == "nt" else watched(folder)  # Windows has no such signals
    return found


def episode_in(folder: Path) -> str:
    """The id of the first episode of a workspace that has any."""
    found = sorted((folder / ".hippocampus/mind/episodes").glob("*/*.md"))
    return found[0].stem if found else ""


def prepare(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """A workspace of which every command has something to say, and machinery that is made up."""
    root, data = folder / "workspace", b"weights"
    (root / "HIPPOCAMPUS.md").write_text(INDEX, encoding="utf-8")
    (root / "empty.md").write_text("# Nothing yet\n", encoding="utf-8")
    (root / "s.json").write_text(json.dumps(MESSAGES * 5))
    (root / "binary.md").write_bytes(b"a\0b")
    for number in range(3):
        (root / f"plan-{number}.i2i").write_text("Dig the pond first.\n")
    of_a_stranger = folder / "shared/entries/index/otto/syn-2026-08-01-001.md"
    of_a_stranger.parent.mkdir(parents=True)
    of_a_stranger.write_text("---\nid: x\nfrom: otto\nnamespace: index/otto\n---\nNo entry.\n")
    with zipfile.ZipFile(root / "a.whl", "w") as archive:
        archive.writestr("gt/w", data)
    member = pinned.Member("gt/w", "model.safetensors", len(data), sha256(data).hexdigest())
    patch.setattr(pinned, "FETCHED", (member,))
    patch.setattr(pinned, "MEMBERS", (member,))
    converted = "hippocampus_cli.embedding.sentence_encoder.unpacked.convert"
    patch.setattr(converted, lambda folder: None)
    patch.setenv("HIPPO_MODELS", str(folder / "models"))
    patch.setenv("HIPPO_NOW", "2026-08-01T09:00:00+00:00")
    patch.setattr("hippocampus_cli.embedding.open.open_embedder", lambda *_, **__: Concepts())
    said = {"type": "user", "uuid": "u1", "sessionId": "s1", "cwd": str(root)}
    said |= {"message": {"role": "user", "content": "the deploy command"}}
    project = folder / "claude/projects/-agent"
    project.mkdir(parents=True)
    (project / "s1.jsonl").write_text(json.dumps(said))
    patch.setenv("CLAUDE_CONFIG_DIR", str(folder / "claude"))
    stop = hook_log.Ran("2026-08-01T08:00:00+00:00", "claude-code", "Stop", 0, 9, "s1")
    hook_log.write(root, stop)
    (folder / "machine/bin").mkdir(parents=True)
    program(folder / "machine", "crontab", CRONTAB)
    patch.setenv("PATH", str(folder / "machine/bin"), prepend=os.pathsep)
    patch.setenv("XDG_CONFIG_HOME", str(folder / "config"))


def document_of(words: list[str]) -> str:
    """The document that a command line prints: its options and ids choose among those of a command."""
    name = " ".join(words[: 2 if words[0] in groups() else 1])
    marks = {"config": "KEY", "context list": "ID", "install": "WHERE", "schedule": "ACTION"}
    rest = words[len(name.split()) :]
    for option in rest:
        if f"{name} {option}" in described():
            return f"{name} {option}"
    if name == "config" and "--forbid-network" in rest:
        return "config --allow-network"
    marked = f"{name} {marks.get(name)}"
    return marked if rest and not rest[0].startswith("-") and marked in described() else name


def run(words: list[str], patch: pytest.MonkeyPatch) -> Any:
    screen = io.StringIO()
    with contextlib.redirect_stdout(screen), patch.context() as here:
        here.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
        if words[0] == "embed":
            here.setenv("HIPPO_EMBEDDING_EMBEDDER", "use-multilingual")
        if words[0] == "report":
            here.setenv("HIPPO_DECAY_LEARN", "true")
        main(words)
    printed = json.loads(screen.getvalue())
    assert "error" not in printed, (words, printed)
    return printed


def watched(folder: Path) -> list[Any]:
    root = folder / "watched"
    root.mkdir()
    (root / "MEMORY.md").write_text("# Memory\n\n## Siren\n\nThe siren sounds at noon.\n")
    (root / "HIPPOCAMPUS.md").write_text("# HIPPOCAMPUS.md\n")
    process = Process(root, "--json")
    events = [process.event("watching")]
    (root / "NEW.md").write_text("# New\n\n## Kelpie\n\nThe kelpie lives in the loch.\n")
    events.append(process.event("added"))
    process.end()
    return [*events, process.event("stopped")]


def check(document: Any, shape: str, at: str, seen: set[str]) -> Iterator[str]:
    """What is wrong with an object; the keys that it has are added to ``seen``."""
    rows = {key.removesuffix("?"): (key, kind) for key, kind, _, _ in generate.fields(shape)}
    below = [key for key in rows if key.startswith(at) and key != at]
    here = {key for key in below if "." not in key[len(at) :]}
    yield from (f"{at}{key} is not described" for key in document if f"{at}{key}" not in here)
    for path in here:
        key, kind = rows[path]
        name = path[len(at) :]
        if name in document:
            seen.add(key)
            yield from check_value(document[name], kind, shape, path, seen)
        elif not key.endswith("?"):
            yield f"{path} is missing"


SIMPLE = {
    "text": (str,),
    "integer": (int,),
    "number": (int, float),
    "true or false": (bool,),
    "anything": (object,),
}


def check_value(value: Any, kind: str, shape: str, at: str, seen: set[str]) -> Iterator[str]:
    nullable = kind.endswith(" or null")
    kind = kind.removesuffix(" or null") if not kind.startswith(("list of", "object of")) else kind
    if value is None and nullable:
        return
    if kind in SIMPLE:
        fits = isinstance(value, SIMPLE[kind]) and (kind != "integer" or value is not True)
        if not fits:
            yield f"{at} is {value!r}, not {kind}"
    elif kind.startswith("list of "):
        for item in value:
            yield from check_value(item, kind.removeprefix("list of "), shape, f"{at}[]", seen)
    elif kind.startswith("object of "):
        for item in value.values():
            yield from check_value(item, kind.removeprefix("object of "), shape, at, seen)
    elif kind in SHARED:
        yield from check(value, SHARED[kind], "", set())
    elif kind == "list":
        for item in value:
            yield from check(item, shape, f"{at}[].", seen)
    else:
        assert kind == "object", f"no such type: {kind}"
        yield from check(value, shape, f"{at}.", seen)
