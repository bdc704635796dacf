"""One step of ``python -m bench scale`` in a process of its own: ``python -m bench.probe STEP FOLDER``, JSON out.

It imports little: the most memory that it held is a figure.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from bench.made_up import age, vocabulary
from bench.metrics import quantile
from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config import Config

NOW = datetime(2030, 1, 1, 9, tzinfo=UTC)  # the morning after the ten years of the notes
_QUESTIONS = 40
_UPDATES = 7
_COMMONEST, _RAREST = 50, 4_000  # ranks of the words that are asked for


def main(arguments: list[str]) -> int:
    """Run the step that is named, and print what it took."""
    step, root = arguments
    steps = {"bootstrap": bootstrap, "build": build, "ask": ask}
    with Workspace(Path(root), Config()) as workspace:
        took = steps[step](workspace)
    json.dump({**took, "peak_mb": peak_megabytes()}, sys.stdout)
    return 0


def bootstrap(workspace: Workspace) -> dict[str, float]:
    """The seconds that the first index takes."""
    started = time.perf_counter()
    workspace.at(NOW).bootstrap()
    return {"seconds": time.perf_counter() - started}


def build(workspace: Workspace) -> dict[str, float]:
    """The seconds until every note can be searched."""
    started = time.perf_counter()
    workspace.library.refresh()
    return {"seconds": time.perf_counter() - started}


def ask(workspace: Workspace) -> dict[str, float]:
    """Warm questions, and what it takes to notice that one note is another, in milliseconds."""
    texts = list(questions(_QUESTIONS))
    workspace.at(NOW).query(texts[0], write=False)
    times = sorted(_asked(workspace, text) for text in texts)
    updates = [_updated(workspace, number) for number in range(_UPDATES)]
    return {
        "p50_ms": quantile(times, 0.5),
        "p95_ms": quantile(times, 0.95),
        "update_ms": median(updates),
    }


def questions(count: int) -> Iterator[str]:
    """Four words each, neither the commonest nor rare; the same ones always."""
    dice = random.Random(2)
    words = vocabulary()[_COMMONEST:_RAREST]
    return (" ".join(dice.sample(words, 4)) for _ in range(count))


def _asked(workspace: Workspace, text: str) -> float:
    started = time.perf_counter()
    workspace.at(NOW).query(text, write=False)
    return (time.perf_counter() - started) * 1000


def _updated(workspace: Workspace, number: int) -> float:
    """A note gets a line, and the notes are met again."""
    paths = [stat.path for stat in workspace.library.found.files if stat.path.startswith("memory/")]
    path = workspace.root / paths[number * 7919 % len(paths)]
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(f"- Seen again, time {number}.\n")
    age(path)
    started = time.perf_counter()
    workspace.library.refresh()
    return (time.perf_counter() - started) * 1000


def peak_megabytes() -> float | None:
    """The most memory that this process has held, and the largest of those it has ended beside it; ``None`` where the
    platform does not tell."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    peak = sum(
        resource.getrusage(who).ru_maxrss
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
