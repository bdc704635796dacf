"""A headless Chromium to look at a page with, spoken to over a pipe: no port is opened."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def installed() -> str | None:
    """The program of a Chromium, or None."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


# A copy of each pipe first: its number may be one of those that are about to be taken.
_START = """
import os, sys
orders, answers = (os.dup(int(number)) for number in sys.argv[1:3])
for number, pipe in ((3, orders), (4, answers)):
    os.dup2(pipe, number)
    os.set_inheritable(number, True)
os.execv(sys.argv[3], sys.argv[3:])
"""


class Page:
    """One tab. Everything that the browser reports while it is used is kept in ``events``."""

    def __init__(self, reading: int, writing: int) -> None:
        self._reading, self._writing = reading, writing
        self._left = b""
        self._count = 0
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []

    def attach(self) -> None:
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: object) -> dict[str, Any]:
        """Ask the browser to do something, and wait until it has answered."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._writing, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._count:
                assert "error" not in answer, answer
                return answer["result"]  # type: ignore[no-any-return]
            self.events.append(answer)

    def open(self, url: str, *, width: int, height: int, scheme: str) -> None:
        """Show ``url`` on a screen so wide and high, in a ``light`` or ``dark`` surrounding."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        media = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", features=media)
        self.events.clear()
        self.call("Page.navigate", url=url)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._next())

    def ask(self, expression: str) -> Any:
        """The value of a JavaScript expression in the page."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def seen(self, method: str) -> list[dict[str, Any]]:
        """The parameters of every event of a kind since the page was opened."""
        return [event["params"] for event in self.events if event.get("method") == method]

    def close(self) -> None:
        """End the browser with all its processes."""
        self._session = None
        self.call("Browser.close")

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._left:
            piece = os.read(self._reading, 1 << 20)
            assert piece, "the browser has gone"
            self._left += piece
        message, _, self._left = self._left.partition(b"\0")
        return json.loads(message)  # type: ignore[no-any-return]


@contextmanager
def browser(program: str, profile: Path) -> Iterator[Page]:
    """A page in a Chromium of its own. It reads its orders from descriptor 3 and answers on 4."""
    orders, ours = os.pipe()
    theirs, answers = os.pipe()
    options = (
        *("--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu"),
        *("--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars"),
        *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
        f"--user-data-dir={profile}",
    )
    process = subprocess.Popen(
        [sys.executable, "-c", _START, str(orders), str(answers), program, *options],
        pass_fds=(orders, answers),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(orders)
    os.close(answers)
    try:
        page = Page(theirs, ours)
        page.attach()
        yield page
        page.close()
        process.wait(timeout=60)
    finally:
        process.kill()
        process.wait()
        os.close(ours)
        os.close(theirs)
