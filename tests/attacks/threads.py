"""Threads and forks: one `Workspace` used by several at once, and several of them on one folder.

Each try is a round; some share a process. A crash of the interpreter ends the process, counts as wrong, and another
goes on.
"""

from __future__ import annotations

import json
import subprocess
from functools import partial
from pathlib import Path

from tests.attacks import Outcome, Registered, Subject

_SECONDS = 60.0
_ROUNDS = 10  # of a process
_PROGRAM = r"""
import json, os, sqlite3, sys, tempfile, threading, time, warnings
from pathlib import Path
from hippocampus_cli import open_workspace
from hippocampus_cli.errors import Busy, HippoError

warnings.simplefilter("ignore")
KIND, ROUNDS, PLACE = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
WORDS = ("deploy release", "backup copies", "vpn office", "siren noon", "budget money")
wrong = []


def made():
    root = Path(tempfile.mkdtemp(dir=PLACE))
    for name, words in zip("ABCDE", WORDS):
        lines = "".join(f"## Part {n}\n\nThe {words} of day {n}.\n\n" for n in range(8))
        (root / f"{name}.md").write_text(f"# {name}\n\n{lines}")
    with open_workspace(root) as workspace:
        workspace.bootstrap()
        return root, [one.id for one in workspace.entries.list()]


def guarded(work):
    try:
        work()
    except BaseException as error:
        wrong.append(f"{type(error).__name__}: {error}")


def together(works):
    threads = [threading.Thread(target=guarded, args=(work,)) for work in works]
    for one in threads:
        one.start()
    for one in threads:
        one.join(50)
    if any(one.is_alive() for one in threads):
        wrong.append("a thread hangs")
        print(json.dumps(wrong), flush=True)
        os._exit(3)


def asks(workspace, times, write=False):
    for n in range(times):
        if not workspace.query(WORDS[n % 5], write=write).results:
            wrong.append("nothing found")


def kept(root, said):
    text = "".join(path.read_text() for path in (root / "memory").glob("*.md")) if said else ""
    index = (root / "HIPPOCAMPUS.md").read_text()
    lost = [one for one in said if one not in text]
    if lost or "hippocampus.md" not in index:
        wrong.append(f"lost: {lost}")
    caches = list((root / ".hippocampus/cache").glob("*.sqlite"))
    for path in caches:
        state = sqlite3.connect(path).execute("PRAGMA integrity_check").fetchone()[0]
        if state != "ok":
            wrong.append(f"{path.name}: {state[:60]}")


def two():
    root, _ = made()
    with open_workspace(root) as workspace:
        together([lambda: asks(workspace, 10)] * 2)
    kept(root, [])


def eight():
    root, ids = made()
    workspace = open_workspace(root)
    said = [f"Zebra number {n} ran away." for n in range(4)]
    together([
        lambda: asks(workspace, 8),
        lambda: asks(workspace, 8, write=True),
        lambda: [workspace.remember(one) for one in said[:2]],
        lambda: [workspace.remember(one) for one in said[2:]],
        lambda: [workspace.entries.tag(key, priority="amygdala") for key in ids[:3]],
        lambda: workspace.upkeep.run("daily"),
        lambda: [(workspace.close(), time.sleep(0.01)) for _ in range(20)],
        lambda: [workspace.status(), workspace.check(), workspace.entries.list()],
    ])
    workspace.close()
    kept(root, said)


def several():
    root, _ = made()
    said = [f"Zebra number {n} ran away." for n in range(4)]

    def work(one):
        with open_workspace(root) as workspace:
            asks(workspace, 2)
            workspace.remember(one)
            asks(workspace, 1, write=True)

    together([lambda one=one: work(one) for one in said])
    kept(root, said)


def fork():
    root, _ = made()
    workspace = open_workspace(root)
    asks(workspace, 1)
    said = ["Zebra of the parent.", "Zebra of the child."]

    def child():
        pid = os.fork()
        if not pid:
            guarded(lambda: asks(workspace, 3, write=True))
            guarded(lambda: workspace.remember(said[1]))
            os.write(2, json.dumps(wrong).encode() + b"\n" if wrong else b"")
            os._exit(bool(wrong))
        until = time.monotonic() + 10
        while time.monotonic() < until:
            done, state = os.waitpid(pid, os.WNOHANG)
            if done:
                if state:
                    wrong.append(f"the child ended with {state}")
                return
            time.sleep(0.01)
        os.kill(pid, 9)
        os.waitpid(pid, 0)
        wrong.append("the child hangs")

    together([
        lambda: asks(workspace, 8, write=True),
        lambda: asks(workspace, 8),
        lambda: workspace.remember(said[0]),
        child,
    ])
    workspace.close()
    kept(root, said)


for _ in range(ROUNDS):
    wrong.clear()
    globals()[KIND]()
    print(json.dumps(wrong), flush=True)
"""


def attack(kind: str, subject: Subject, folder: Path, tries: int) -> Outcome:
    program = folder / "program.py"
    program.write_text(_PROGRAM)
    done, wrong, notes = 0, 0, set[str]()
    while done < tries:
        rounds = min(_ROUNDS, tries - done)
        lines, code = _run(subject, program, kind, rounds)
        bad = [line for line in lines if line]
        if len(lines) < rounds and not (bad and code == 3):
            bad.append([f"the interpreter ended with {code}"])
            lines.append(bad[-1])
        done += len(lines)
        wrong += len(bad)
        notes |= {one.split("[")[0][:60] for line in bad for one in line}
    return Outcome(done, wrong, "; ".join(sorted(notes)[:4]))


def _run(subject: Subject, program: Path, kind: str, rounds: int) -> tuple[list[list[str]], object]:
    words = (str(program), kind, str(rounds), str(program.parent))
    try:
        ended = subject.python(*words, cwd=program.parent, timeout=_SECONDS)
        said, code = ended.stdout, ended.returncode
    except subprocess.TimeoutExpired as late:
        said, code = _text(late.stdout), "no answer"
    return [json.loads(line) for line in said.splitlines()], code


def _text(said: bytes | str | None) -> str:
    return said if isinstance(said, str) else (said or b"").decode()


ATTACKS = {
    "threads: two query one Workspace": Registered(partial(attack, "two"), 3, 150),
    "threads: eight mix query, remember, pin, maintain, close": Registered(
        partial(attack, "eight"), 1, 150
    ),
    "threads: a Workspace each on one folder": Registered(partial(attack, "several"), 2, 100),
    "threads: a fork in the middle": Registered(partial(attack, "fork"), 2, 100),
}
