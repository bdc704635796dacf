"""A change of several files: what is left of it when it comes back, or cannot be carried out."""

from __future__ import annotations

import json
from pathlib import Path

from tests.attacks import Outcome, Registered, Subject
from tests.attacks.in_place_saves import TODAY, build

PROGRAM = """
import json, random, sys
from pathlib import Path
from hippocampus_cli.workspace import commit, store
from hippocampus_cli.workspace.store import IndexStore

root, dice = Path(sys.argv[1]), random.Random(7)
pending, stale, wrong = root / ".hippocampus/pending.zip", [], 0
drop = commit.drop

def keep(folder):
    if pending.exists():
        stale.append(pending.read_bytes())
    drop(folder)

commit.drop = keep
TOPIC, SECTION = ".hippocampus/topics/more.md", ("By Topic",)

def change(index):
    key = dice.choice([one.key for one in index.entries])
    file = dice.choice(["HIPPOCAMPUS.md", TOPIC])
    hits = str(index.by_key[key].entry.hits + 1)
    if index.by_key[key].file != file:
        index = index.moved([key], SECTION, file)
    index = index.set_values({key: {"hits": hits}})
    return (index, None) if hasattr(store, "Result") else index  # an older one takes the index alone

def files():
    return {path: path.read_bytes() for path in sorted(root.rglob("*.md"))}

for _ in range(int(sys.argv[2])):
    for _ in range(6):
        IndexStore(root).change(change)
    if not stale:
        continue
    before = files()
    pending.write_bytes(dice.choice(stale))
    index = IndexStore(root).read()
    ids = [one.entry.id for one in index.entries]
    wrong += files() != before or len(ids) != len(set(ids)) or len(ids) != 4
    for path, data in before.items():
        path.write_bytes(data)
    pending.unlink(missing_ok=True)
print(json.dumps(wrong))
"""


def stale(subject: Subject, folder: Path, tries: int) -> Outcome:
    """A sync service brings back the pending file of a change that was carried out: it changes the index."""
    build(root := folder / "ws", TODAY)
    done = subject.python("-c", PROGRAM, str(root), str(tries), cwd=root, timeout=600)
    assert done.returncode == 0, done.stderr[-2_000:]
    return Outcome(tries, json.loads(done.stdout))


ATTACKS = {"a pending change comes back": Registered(stale, 3, 200)}
