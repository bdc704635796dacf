"""Which modules of hippo a command line runs, in which order, and which of them call each other."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]

_PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv.pop(1))
from hippocampus_cli.cli.main import main

def inside(frame):
    return frame.f_globals.get("__name__", "").startswith("hippocampus_cli")

def see(frame, event, _):
    if event != "call" or not inside(frame) or frame.f_code.co_name == "<module>":
        return
    module, caller = frame.f_globals["__name__"], frame.f_back
    run[module] = None
    while caller is not None and not inside(caller):
        caller = caller.f_back
    if caller is None or caller.f_code.co_name == "<module>":
        return
    above = caller.f_globals["__name__"]
    calls[above, module] = None
    if above == module:
        return
    while caller is not None:
        name = caller.f_globals["__name__"]
        if caller.f_code.co_name == "<module>" and name.startswith("hippocampus_cli"):
            return
        if name.startswith("hippocampus_cli"):
            under.setdefault((name, module), None)
        caller = caller.f_back

run, calls, under = {}, {}, {}
sys.setprofile(see)
try:
    main(sys.argv[1:])
except SystemExit:
    pass
sys.setprofile(None)
loaded = sorted(name for name in sys.modules if name.startswith("hippocampus_cli"))
json.dump({"run": list(run), "loaded": loaded, "calls": list(calls), "under": list(under)}, sys.stderr)
"""


class Calls(NamedTuple):
    """What one run of a command used; ``run`` and ``calls`` are in the order of the first call."""

    run: list[str]
    loaded: list[str]
    calls: list[tuple[str, str]]
    under: list[tuple[str, str]]
    """A module, and one that ran while a function of the first was not done."""

    def both_ways(self) -> list[tuple[str, str]]:
        """The pairs of modules that call each other."""
        calls = set(self.calls)
        return sorted(pair for pair in calls if pair[0] < pair[1] and pair[::-1] in calls)


def calls_of(folder: Path, *argv: str) -> Calls:
    """Run ``hippo`` with these words in ``folder`` and watch."""
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, str(ROOT), *argv],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    seen = json.loads(done.stderr.splitlines()[-1])
    calls, under = ([(first, then) for first, then in seen[key]] for key in ("calls", "under"))
    return Calls(seen["run"], seen["loaded"], calls, under)
