"""Real processes that take answers, killed in the middle: all of an answer or nothing, and none twice."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from hippocampus_cli import open_workspace
from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.workspace.own_files import BELIEFS, CURATION, FOLDER, OUTDATED
from tests.curation.test_curation import NOW, SAID, session, tasks, told, ws
from tests.support.model_server import Answer, Asked, Stub, serving
from tests.support.tries import tries

__all__ = ["ws"]
ENV = {**os.environ, "HIPPO_NOW": NOW.isoformat()}
COMMAND = [sys.executable, "-m", "hippocampus_cli", "curate", "-w"]


def killed(root: Path, dice: random.Random, longest: float, *words: str, **env: str) -> None:
    """Start ``hippo curate``, and kill it at any moment, or while the files of a change are replaced."""
    pending, end = root / FOLDER / "pending.zip", time.monotonic() + dice.random() * longest
    middle = dice.random() < 0.6
    with subprocess.Popen(
        [*COMMAND, str(root), *words], env=ENV | env, stdout=subprocess.DEVNULL
    ) as process:
        while process.poll() is None and time.monotonic() < end + longest * middle:
            if middle and pending.exists():
                time.sleep(dice.random() * 0.003)
                break
            time.sleep(0.0005)
        process.kill()


def state(root: Path) -> dict[str, bytes]:
    """What answers change, journal of tasks and history included."""
    own = (BELIEFS, OUTDATED, CURATION, "HIPPOCAMPUS.md")
    paths = [*map(root.joinpath, own), *(root / FOLDER).glob("history/*.json")]
    paths += (root / FOLDER).glob("topics/*")
    return {
        path.relative_to(root).as_posix(): path.read_bytes() for path in paths if path.is_file()
    }


def answered(root: Path) -> Counter[str]:
    lines = (root / CURATION).read_text().splitlines() if (root / CURATION).exists() else []
    return Counter(row["task"] for row in map(json.loads, lines) if row["outcome"] == "applied")


def test_a_kill_leaves_all_of_the_answers_or_none(ws: Workspace, tmp_path: Path) -> None:
    session(ws)
    for port in (1, 2):
        ws.mind.believe(f"The port is {port}.", subject="staging", attribute="port", now=NOW)
    [first], [clash] = tasks(ws, "state"), tasks(ws, "conflict")
    old, new = (part.place for part in clash.evidence)
    given: list[tuple[str, Any]] = [
        (first.id, {"keep": [told(SAID[1], "staging", "port", "5433")]})
    ]
    given.append((clash.id, {"current": [new], "outdated": [old]}))
    good = {"summary": "Of the harbour", "aliases": ["some other words"]}
    given += [(task.id, good) for task in tasks(ws, "describe")]
    file, dice = tmp_path / "answers.json", random.Random(1)
    file.write_text(json.dumps({"answers": [{"id": id, "answer": one} for id, one in given]}))
    whole, killed_at, started = tmp_path / "whole", tmp_path / "killed", time.monotonic()
    shutil.copytree(ws.root, whole)
    command = [*COMMAND, str(whole), "--answer", str(file)]
    subprocess.run(command, env=ENV, check=False, stdout=subprocess.DEVNULL)
    longest, seen = time.monotonic() - started, Counter[str]()
    before, after = state(ws.root), state(whole)
    assert before != after
    for _ in range(tries(2, 60)):
        shutil.rmtree(killed_at, ignore_errors=True)
        shutil.copytree(ws.root, killed_at)
        killed(killed_at, dice, longest, "--answer", str(file))
        seen["middle"] += (killed_at / FOLDER / "pending.zip").exists()
        open_workspace(killed_at).index()  # the next who looks finishes what took hold
        assert state(killed_at) in (before, after)
        seen["before" if state(killed_at) == before else "after"] += 1
        subprocess.run(
            [*COMMAND, str(killed_at), *command[5:]],
            env=ENV,
            check=False,
            stdout=subprocess.DEVNULL,
        )
        assert state(killed_at) == after
        assert open_workspace(killed_at).mind.verify() == []
    assert seen["middle"] >= tries(0, 10), "hardly any kill came in the middle"


def test_a_killed_round_of_a_model_goes_on_where_it_was(ws: Workspace, tmp_path: Path) -> None:
    def answer(asked: Asked) -> Answer:
        content = json.dumps({"summary": "Of the harbour", "aliases": ["some other words"]})
        return Answer({"message": {"content": content}})

    dice, words = random.Random(2), ("--with", "ollama:m", "describe")
    wanted = {task.id for task in tasks(ws, "describe")}
    with serving(Stub(answer)) as stub:
        for _ in range(tries(1, 25)):
            root = tmp_path / "again"
            shutil.rmtree(root, ignore_errors=True)
            shutil.copytree(ws.root, root)
            for _ in range(2):
                killed(root, dice, 2.0, *words, HIPPO_MIND_URL=stub.url)
            subprocess.run(
                [*COMMAND, str(root), *words], env=ENV | {"HIPPO_MIND_URL": stub.url}, check=True
            )
            assert answered(root) == dict.fromkeys(wanted, 1)
            assert open_workspace(root).check(now=NOW).errors == 0
