"""Programs that tests start: hippo itself, a watch, and what a scheduler asks."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any


def hippo(root: Path, *words: str | bytes, **environ: str) -> subprocess.CompletedProcess[bytes]:
    given = {**os.environ, "HIPPO_NOW": "2026-06-01T12:00:00+00:00", "NO_COLOR": "1", **environ}
    given.pop("HIPPO_WORKSPACE", None)
    command = [os.fsencode(sys.executable), b"-m", b"hippocampus_cli", *map(os.fsencode, words)]
    return subprocess.run(
        command, cwd=root, env=given, capture_output=True, timeout=60, check=False
    )


CRONTAB = """\
[ ! -e FOLDER/denied ] || { echo "not allowed" >&2; exit 1; }
case $1 in
-l) [ -e FOLDER/table ] || { echo "no crontab for me" >&2; exit 1; }; cat FOLDER/table ;;
-r) rm FOLDER/table ;;
-) [ ! -e FOLDER/full ] || { cat >/dev/null; echo "disk full" >&2; exit 1; }; cat > FOLDER/table ;;
esac
"""


def program(machine: Path, name: str, text: str) -> None:
    path = machine / "bin" / name
    path.write_text("#!/bin/sh\n" + text.replace("FOLDER", str(machine)))
    path.chmod(0o755)


SECONDS = 20.0


COMMAND = [sys.executable, "-m", "hippocampus_cli", "watch", "-w"]


ENV = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}


class Process:
    """A running watch; its lines are waited for."""

    def __init__(self, root: Path, *options: str) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, str(root), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=ENV,
        )
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def line(self) -> str:
        return self._lines.get(timeout=SECONDS)

    def event(self, *kinds: str) -> dict[str, Any]:
        """The next event, of these kinds if any are given."""
        while True:
            found: dict[str, Any] = json.loads(self.line())
            if not kinds or found["event"] in kinds:
                return found

    def end(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(SECONDS)

    @property
    def complaints(self) -> str:
        assert self.process.stderr
        return self.process.stderr.read()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(line)
