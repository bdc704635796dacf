"""An agent that asks until its input ends (``python -m tests.maintenance.asking FOLDER SEED``).

It prints what its queries said they wrote: how often each entry was hit, and the notices, as JSON.
"""

from __future__ import annotations

import json
import random
import sys
import threading
from collections import Counter
from datetime import timedelta
from pathlib import Path

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config.settings import Config
from tests.maintenance.notebook import QUESTIONS
from tests.support.upkept import NOW

COUNTED = ("hit", "created")
"""A new entry begins with the hit that made it."""


def main() -> None:
    ended = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
    dice, hits, notices, now = random.Random(int(sys.argv[2])), Counter[str](), [], NOW
    print("ready", flush=True)
    with Workspace(
        Path(sys.argv[1]), Config(lock=Config().lock._replace(timeout_seconds=60))
    ) as ws:
        while not ended.wait(0.02):
            now += timedelta(minutes=7)
            found = ws.at(now).query(dice.choice(QUESTIONS))
            hits.update(one.entry for one in found.written if one.change in COUNTED)
            notices += found.notices
    print(json.dumps({"hits": hits, "notices": notices}))


if __name__ == "__main__":
    main()
