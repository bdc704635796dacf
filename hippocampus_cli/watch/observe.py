"""How a workspace is observed: by the system's notifications, or by looking again and again."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

from hippocampus_cli.config.settings import Scan
from hippocampus_cli.workspace.ignore import GIT_IGNORE, HIPPO_IGNORE
from hippocampus_cli.workspace.own_files import FOLDER, INDEX

POLL_SECONDS = 2.0
NATIVE = {"linux": "inotify", "darwin": "fsevents", "win32": "windows"}

# It writes warnings on standard error that do not concern a user, such as of an event after the end.
logging.getLogger("watchdog").addHandler(logging.NullHandler())
warnings.filterwarnings("ignore", module=r"watchdog\.")

_NO_CHANGE = ("opened", "closed_no_write")  # which every sync does


class Backend(NamedTuple):
    """``kind`` is the system's own notification, or ``polling`` every so many ``seconds``, and ``because`` why."""

    kind: str
    seconds: float = 0.0
    because: str = ""

    @property
    def explanation(self) -> str:
        """Why it polls, and how often; empty where it does not."""
        return f"{self.because}; scanning every {self.seconds:g} s" if self.seconds else ""


class FolderObserver:
    """Observes everything below ``root``; ``on_change`` is called on another thread when a note may have changed."""

    def __init__(self, root: Path, settings: Scan, on_change: Callable[[], None]) -> None:
        self.backend = Backend("polling", POLL_SECONDS)
        self._root = os.path.realpath(root)  # macOS reports paths with every link resolved
        self._handler = _Handler(self._root, settings, on_change)
        self._observer = Observer()

    def open(self, platform: str, poll: float | None) -> None:
        """Begin. ``platform`` is as in ``sys.platform``; with ``poll`` seconds nothing is observed."""
        because = "requested with --poll" if poll else f"{platform} does not report changes"
        if poll or platform not in NATIVE:
            self.backend = Backend("polling", poll or POLL_SECONDS, because)
            return
        self.backend = Backend(NATIVE[platform])
        self._observe()

    def renew(self) -> None:
        """Observe anew where folders came, went or moved; poll where the system reports nothing any more."""
        if self.backend.seconds:
            return
        if not self._observer.is_alive() or not all(
            emitter.is_alive() for emitter in self._observer.emitters
        ):
            self._poll("the system reports no changes any more")
        elif self._handler.folders_changed and self.backend.kind == "inotify":
            # watchdog follows moved folders itself, and now and then loses one.
            self._handler.folders_changed = False
            self.close()
            self._observer = Observer()
            self._observe()

    def _observe(self) -> None:
        """Observe every folder; poll where the system refuses."""
        try:
            self._observer.schedule(self._handler, self._root, recursive=True)
            self._observer.start()
        except (OSError, RuntimeError) as error:  # RuntimeError: no further thread
            self._poll(_refusal(error))

    def _poll(self, because: str) -> None:
        """Give the system's notifications up."""
        self.close()
        self.backend = Backend("polling", POLL_SECONDS, because)

    def close(self) -> None:
        """End it; nothing is reported afterwards."""
        if self._observer.is_alive():
            with contextlib.suppress(KeyError):  # of a folder that it lost
                self._observer.stop()
                self._observer.join()


class _Handler(FileSystemEventHandler):
    """It may report too much, never too little: a sync that finds nothing changed is cheap."""

    def __init__(self, root: str, settings: Scan, on_change: Callable[[], None]) -> None:
        self._root = root
        self._settings = settings
        self._endings = tuple(f".{extension.lower()}" for extension in settings.extensions)
        self._on_change = on_change
        self.folders_changed = False

    def on_any_event(self, event: FileSystemEvent) -> None:
        is_content = event.is_directory and event.event_type == "modified"
        if is_content or event.event_type in _NO_CHANGE:
            return
        # Windows does not say whether what is gone was a folder.
        may_be_folder = event.is_directory or event.event_type in ("deleted", "moved")
        for path in (event.src_path, event.dest_path):
            if path and self._matters(os.fsdecode(path), may_be_folder):
                self.folders_changed |= event.is_directory
                self._on_change()
                return

    def _matters(self, path: str, may_be_folder: bool) -> bool:
        """Whether a note may have changed with ``path``.

        An ignore file or a folder can make notes of other files. What hippo writes itself does not matter: the index,
        its own folder, and temporary files, whose names are hidden.
        """
        relative = os.path.relpath(path, self._root).replace(os.sep, "/")
        *folders, name = relative.split("/")
        if relative == INDEX or any(map(self._is_skipped, folders)):
            return False
        if name == GIT_IGNORE or relative == HIPPO_IGNORE:
            return True
        if self._is_skipped(name):
            return False
        return may_be_folder or name.lower().endswith(self._endings)

    def _is_skipped(self, name: str) -> bool:
        """Whether a scan would pass over a file or a folder of this name."""
        hidden = name.startswith(".") and not self._settings.include_hidden
        return hidden or name == FOLDER or name in self._settings.skip_folders


def _refusal(error: Exception) -> str:
    """Why the system does not report changes, and which limit to raise."""
    code = getattr(error, "errno", None)
    if code == errno.ENOSPC:
        return (
            "the system's limit of observed folders is reached (raise fs.inotify.max_user_watches)"
        )
    if code == errno.EMFILE:
        return "too many programs observe folders (raise fs.inotify.max_user_instances)"
    return f"the system refused to report changes: {error}"
