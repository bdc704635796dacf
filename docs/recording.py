"""``make recording``: a session of twenty seconds as a picture that moves, docs/recording.svg, written from a real run.

Each scene is a command and what it printed in a copy of ``fixtures/workspace``. Times that a run took are left out, so
that the same code draws the same picture.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "recording.svg"
COMMANDS = (
    "hippo bootstrap",
    'hippo query "deploy command" --or "how do we release" --limit 1',
    'hippo remember "The spare key is with Frau Petersen." --title "Office key"',
    'hippo query "who has the spare key" --limit 1',
)
_NOW = "2026-08-01T09:00:00+00:00"
_SECONDS = 5
"""How long a scene stands."""
_COLUMNS, _ROWS = 100, 22
_CELL, _LINE = 8.4, 20
_DURATION = re.compile(r" in \d+(?:\.\d+)? m?s\b")


def scenes(folder: Path) -> Iterator[tuple[str, Sequence[str]]]:
    """Each command with the lines that it prints, in a copy of the fixture in ``folder``."""
    shutil.copytree(ROOT / "fixtures/workspace", folder)
    width = {"COLUMNS": str(_COLUMNS), "NO_COLOR": "1"}
    environment = {**os.environ, **width, "HIPPO_NOW": _NOW, "HIPPO_WORKSPACE": str(folder)}
    for command in COMMANDS:
        words = [sys.executable, "-m", "hippocampus_cli", *shlex.split(command)[1:]]
        run = subprocess.run(
            words, cwd=folder, env=environment, capture_output=True, check=True, timeout=120
        )
        yield command, _DURATION.sub("", run.stdout.decode("utf-8")).splitlines()


def drawn(shown: Sequence[tuple[str, Sequence[str]]]) -> str:
    """The picture: one scene after another, for ever."""
    width, height = _COLUMNS * _CELL + 40, (_ROWS + 1) * _LINE + 40
    whole = _SECONDS * len(shown)
    parts = [_scene(number, *scene) for number, scene in enumerate(shown)]
    part = 100 / len(shown)
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" role="img">
<title>hippo: {escape("; ".join(command for command, _ in shown))}</title>
<style>
text {{ font: 14px ui-monospace, Menlo, Consolas, monospace; fill: #d7dae0; white-space: pre; }}
.command {{ fill: #98c379; }}
g {{ opacity: 0; animation: scene {whole}s linear infinite; }}
g g {{ animation-name: answer; }}
@keyframes scene {{ 0%, {part - 0.5:g}% {{ opacity: 1; }} {part:g}%, 100% {{ opacity: 0; }} }}
@keyframes answer {{ 0%, 4% {{ opacity: 0; }} 5%, 100% {{ opacity: 1; }} }}
</style>
<rect width="100%" height="100%" rx="8" fill="#1e2127"/>
{"".join(parts)}</svg>
"""


def _scene(number: int, command: str, lines: Sequence[str]) -> str:
    """A command, and a second later what it printed."""
    delay = f'style="animation-delay: {number * _SECONDS}s"'
    kept = [*lines[: _ROWS - 2], "…"] if len(lines) > _ROWS - 1 else lines
    answer = "".join(_text(line, row) for row, line in enumerate(kept, 1))
    return f"<g {delay}>{_text(f'$ {command}', 0, 'command')}<g {delay}>\n{answer}</g></g>\n"


def _text(line: str, row: int, kind: str = "") -> str:
    shown = line if len(line) <= _COLUMNS else f"{line[: _COLUMNS - 1]}…"
    named = f' class="{kind}"' if kind else ""
    return f'<text x="20" y="{row * _LINE + 34}"{named}>{escape(shown)}</text>\n' if shown else ""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        picture = drawn(list(scenes(Path(folder) / "workspace")))
    PICTURE.write_text(picture, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
