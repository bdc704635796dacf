"""Single bits, bytes and lengths of hippo's own files changed at random, as a bad disk or a hand may.

After each change every command still works, an answer is that of a healthy workspace, and what was damaged has been
healed: the second question is answered as the first one, with no notice.
"""

from __future__ import annotations

import json
from pathlib import Path

from tests.attacks import GUARDED, Outcome, Registered, Subject

_DRIVER = r'''
"""Argument: a JSON object with `root`, `tries`, `seed`, `kinds`. Prints one JSON line a try that went wrong."""
import json, os, random, shutil, sys, time
from pathlib import Path

given = json.loads(sys.argv[1])
root, kept = Path(given["root"]), Path(given["root"] + ".kept")
os.chdir(root)
os.environ["TMPDIR"] = given["root"] + ".tmp"
os.makedirs(os.environ["TMPDIR"], exist_ok=True)

OWN = ".hippocampus"
QUERY = ["query", "siren of the harbour", "--no-write", "--json"]
EXACT = ["query", "crane seven inspection", "--no-write", "--json"]
LOOKUP = ["anchors", "lookup", "harbour crane", "--json"]


def answer(words):
    code, out, err, wrong = hippo(*words)
    try:
        said = json.loads(out)
        for quick in ("elapsed_ms", "written"):
            said.pop(quick, None)
    except (ValueError, AttributeError):
        said = out[-300:]
    return json.dumps([code, said, err], sort_keys=True), wrong


def restore():
    shutil.rmtree(root / OWN)
    shutil.copytree(kept / OWN, root / OWN)
    for name in ("HIPPOCAMPUS.md",):
        if (root / name).read_bytes() != (kept / name).read_bytes():
            shutil.copy2(kept / name, root / name)


def build():
    for words in (["bootstrap"], ["anchors", "build"], QUERY, EXACT, LOOKUP, ["daily"],
                  ["query", "siren"], ["query", "tide table"], ["remember", "The ferry leaves at nine"],
                  ["context", "add", "notes/n1.md"], ["weekly"], QUERY, EXACT, LOOKUP):
        code, out, err, wrong = hippo(*words)
        assert not wrong, wrong
    shutil.copytree(root, kept)


def change(data, chance):
    kind = chance.random()
    if not data or kind < 0.1:
        return data[: chance.randrange(len(data) + 1)] or b"\0"
    at = chance.randrange(min(len(data), chance.choice((100, 4096, len(data)))))
    flipped = bytearray(data)
    flipped[at] = flipped[at] ^ (1 << chance.randrange(8)) if kind < 0.7 else chance.randrange(256)
    return bytes(flipped)


build()
files = sorted(
    path.relative_to(root).as_posix() for path in (kept / OWN).rglob("*") for path in [root / path.relative_to(kept)]
    if (kept / path.relative_to(root)).is_file() and (kept / path.relative_to(root)).stat().st_size
    and not path.relative_to(root).as_posix().startswith((OWN + "/topics/", OWN + "/archive/"))
)
restore()
COMMANDS = (["status"], ["check"], ["daily"], ["history"], ["undo", "--dry-run"], ["context", "list"])
healthy = [answer(one)[0] for one in (QUERY, EXACT, LOOKUP)]
for one in COMMANDS:
    hippo(*one)
after = [answer(one)[0] for one in (QUERY, EXACT, LOOKUP)]
chance = random.Random(given["seed"])
for number in range(given["tries"]):
    restore()
    if number % 2:
        hippo(*QUERY)  # as after its own last run: nothing else has touched the file since
    caches = [one for one in files if "sqlite" in one or one.endswith(".db")]
    name = chance.choice(caches if chance.random() < 0.5 else files)
    target = root / name
    if not target.is_file():
        continue
    before = target.read_bytes()
    changed = change(before, chance)
    if changed == before:
        continue
    time.sleep(0.012)  # a tick of the kernel's clock: what changes within one cannot be told by looking
    target.write_bytes(changed)
    wrong = []
    for one, expected in zip((QUERY, EXACT, LOOKUP), healthy):
        said, bad = answer(one)
        wrong += bad
        if said != expected:
            wrong.append(f"{one[0]}: {said[:1500]} ||| {expected[:1500]}")
    for one in COMMANDS:
        wrong += hippo(*one)[3]
    for one, expected in zip((QUERY, EXACT, LOOKUP), after):
        said, bad = answer(one)
        wrong += bad
        if said != expected:
            wrong.append(f"not healed: {one[0]}: {said[:1500]} ||| {expected[:1500]}")
    if wrong:
        at = next((i for i, (a, b) in enumerate(zip(before, changed)) if a != b), len(changed))
        print(json.dumps({"try": number, "file": name, "at": at, "was": len(before), "is": len(changed),
                          "wrong": wrong}), flush=True)
print("done", flush=True)
'''
_HANGS = 10.0  # seconds a try, on average, that a busy machine may need


def flips(subject: Subject, folder: Path, tries: int) -> Outcome:
    """Random changes of every own file of a workspace with everything built."""
    root = folder / "w"
    _notes(root)
    given = {"root": str(root), "tries": tries, "seed": 12}
    done = subject.python(
        "-c", GUARDED + _DRIVER, json.dumps(given), cwd=folder, timeout=60 + tries * _HANGS
    )
    assert "done" in done.stdout, done.stderr[-2_000:]
    wrong = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    note = "; ".join(f"{one['file']}@{one['at']}: {one['wrong'][0][:80]}" for one in wrong[:3])
    return Outcome(tries, len(wrong), note)


def _notes(root: Path) -> None:
    (root / "notes").mkdir(parents=True)
    (root / "MEMORY.md").write_text("# Memory\n\nThe harbour opens at six.\n")
    things = (
        "siren",
        "crane",
        "tide table",
        "pilot boat",
        "lighthouse",
        "ferry",
        "customs",
        "dry dock",
    )
    for number in range(16):
        thing, other = things[number % 8], things[(number * 3 + 1) % 8]
        text = (
            f"# Note {number}\n\n## The {thing} of the harbour\n\nThe {thing} number {number} was tested by Jane."
            f"\n\n## Inspection of {other} seven\n\nThe {other} is inspected (Harbour Port Authority, HPA) each"
            f" {number + 2} weeks. See n{number // 2}.md.\n"
        )
        (root / f"notes/n{number}.md").write_text(text)
    (root / "memory").mkdir()
    for day in range(1, 5):
        (root / f"memory/2026-06-0{day}.md").write_text(
            f"# 2026-06-0{day}\n\n- The crane {day} was repaired; the siren was quiet.\n"
        )


ATTACKS = {"bit flips": Registered(flips, 2, 500)}
