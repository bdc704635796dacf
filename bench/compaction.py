"""``python -m bench compaction``: how long a long session takes, and how much memory a huge one."""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from bench.arguments import whole
from bench.sheet import Column, Findings, Sheet
from hippocampus_cli.cli.context import CommandContext

_COLUMNS = (
    Column("messages", "messages", ",d"),
    Column("megabytes", "MB", ",.1f"),
    Column("seconds", "s", ".2f"),
    Column("busy_s", "s of processor", ".2f"),
    Column("peak_mb", "peak MB", ",.0f"),
)
_WORDS = [
    "the",
    "build",
    "keeps",
    "failing",
    "because",
    "cold",
    "starts",
    "are",
    "slow",
    "when",
    "caches",
]
_NAMES = [
    f"{verb}_{noun}" for verb in ("parse", "load", "merge") for noun in ("args", "entry", "cache")
]
_PATHS = [f"src/{part}/{name}.py" for part in ("core", "cli") for name in ("main", "store", "view")]
# The peak is asked of the process itself, in its own units: kilobytes, on macOS bytes.
_MEASURED = """
import resource, runpy, sys, time
sys.argv = ["hippo", *sys.argv[1:]]
try:
    runpy.run_module("hippocampus_cli", run_name="__main__")
finally:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    megabytes = peak / (1024 * 1024 if sys.platform == "darwin" else 1024)
    sys.stderr.write(f"\\n{time.process_time()} {megabytes}\\n")
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``python -m bench compaction``."""
    add = parser.add_argument
    add("--messages", type=whole(1), default=10_000)
    add("--output", type=whole(), default=3_000, help="characters of a tool's output")
    add("--rounds", type=whole(1), default=5)


def measure(session: CommandContext, options: argparse.Namespace) -> Findings:
    """Make up sessions of Pi and compact them in whole processes."""
    with tempfile.TemporaryDirectory(prefix="hippo-bench-") as scratch:
        path = Path(scratch) / "session.jsonl"
        write_session(path, options.messages, options.output)
        size = path.stat().st_size / 1e6
        found = [_measure(path) for _ in range(options.rounds)]
    seconds, busy = (median(one[at] for one in found) for at in (0, 1))
    row = (options.messages, size, seconds, busy, max(one[2] for one in found))
    sheet = Sheet("whole processes", _COLUMNS, (row,))
    keys = (column.key for column in _COLUMNS)
    document = {"benchmark": "compaction", "rows": [dict(zip(keys, row, strict=True))]}
    return Findings(document, (sheet,), (), sheet)


def write_session(path: Path, messages: int, output: int, seed: int = 7) -> None:
    """A session of wishes, tool calls, outputs and answers; the same one for the same arguments."""
    dice = random.Random(seed)
    with path.open("w", encoding="utf-8") as file:
        file.write('{"type":"session","version":3,"id":"made-up"}\n')
        parent = None
        for at, message in zip(range(messages), _messages(dice, output), strict=False):
            entry = {"type": "message", "id": f"{at:08x}", "parentId": parent, "message": message}
            file.write(f"{json.dumps(entry)}\n")
            parent = entry["id"]


def _messages(dice: random.Random, output: int) -> Iterator[dict[str, object]]:
    call = 0
    while True:
        yield {"role": "user", "content": f"Please fix {dice.choice(_NAMES)}: {_line(dice)}"}
        for _ in range(dice.randint(1, 4)):
            call += 1
            command = {"command": f"grep -n {dice.choice(_NAMES)} {dice.choice(_PATHS)}"}
            block = {"type": "toolCall", "id": f"c{call}", "name": "bash", "arguments": command}
            yield {"role": "assistant", "content": [block]}
            lines = "\n".join(_line(dice) for _ in range(output // 60))
            content = [{"type": "text", "text": lines}]
            yield {
                "role": "toolResult",
                "toolCallId": f"c{call}",
                "toolName": "bash",
                "content": content,
            }
        said = "I decided on" if dice.random() < 0.2 else "Done with"
        text = f"{said} {dice.choice(_NAMES)} in {dice.choice(_PATHS)}. {_line(dice)}"
        yield {"role": "assistant", "content": [{"type": "text", "text": text}]}


def _line(dice: random.Random) -> str:
    telling = (dice.choice(_NAMES), dice.choice(_PATHS), f"{dice.getrandbits(32):08x}")
    return " ".join([*dice.choices(_WORDS, k=7), *dice.sample(telling, 2)])


def _measure(path: Path) -> tuple[float, float, float]:
    """Seconds, seconds of processor time and peak megabytes of one process, start included."""
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", _MEASURED, "compact", str(path), "--no-write"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        check=True,
    )
    busy, peak = map(float, done.stderr.split()[-2:])
    return time.perf_counter() - started, busy, peak
