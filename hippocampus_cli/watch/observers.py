"""The system's notifications of changes, through watchdog. Its threads only pass on the changed paths."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Collection, Iterable
from typing import Protocol

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver, ObservedWatch

OnChange = Callable[[str, bool | None], None]
"""Called on a thread of watchdog with a changed path and whether it is a folder (None: not known)."""

# It writes warnings on standard error that do not concern a user, such as of an event after the end.
logging.getLogger("watchdog").addHandler(logging.NullHandler())

# Without those of opening and reading, which every sync does.
_EVENTS: list[type[FileSystemEvent]] = [
    *(DirCreatedEvent, DirDeletedEvent, DirMovedEvent),
    *(FileCreatedEvent, FileDeletedEvent, FileMovedEvent, FileModifiedEvent, FileClosedEvent),
]


class Observing(Protocol):
    """What observes the folders of one workspace."""

    def cover(self, folders: Collection[str], stale: Iterable[str]) -> bool:
        """Observe exactly ``folders``; whether one was new. ``stale`` ones are observed anew.

        Paths are relative, the root is ``""``, every other one ends in ``/``. Raises OSError, RuntimeError
        where the system refuses.
        """

    def close(self) -> None:
        """End it; nothing is reported afterwards."""


class FolderByFolder:
    """An observer of each folder alone: a skipped folder uses none of the system's watches."""

    def __init__(self, root: str, on_change: OnChange) -> None:
        self._root = root
        self._handler = _Handler(on_change, reports_folders=True)
        self._observer = Observer()
        self._observer.start()
        self._watches: dict[str, ObservedWatch] = {}

    def cover(self, folders: Collection[str], stale: Iterable[str]) -> bool:
        wanted = set(folders)
        anew = tuple(stale)
        for folder in list(self._watches):
            # A new folder of the same name is another one: the watch stays with the removed one.
            if folder not in wanted or folder.startswith(anew):
                self._observer.unschedule(self._watches.pop(folder))
        new = sorted(wanted - self._watches.keys())
        for folder in new:
            place = f"{self._root}/{folder}".rstrip("/")
            try:
                self._watches[folder] = self._observer.schedule(
                    self._handler, place, event_filter=_EVENTS
                )
            except FileNotFoundError:  # removed since the scan, which was reported
                continue
        return bool(new)

    def close(self) -> None:
        _stop(self._observer)


class WholeTree:
    """One observer of everything below the root, as macOS and Windows offer it."""

    def __init__(self, root: str, on_change: OnChange, *, reports_folders: bool) -> None:
        handler = _Handler(on_change, reports_folders=reports_folders)
        self._observer = Observer()
        self._observer.schedule(handler, root, recursive=True, event_filter=_EVENTS)
        self._observer.start()

    def cover(self, folders: Collection[str], stale: Iterable[str]) -> bool:
        return False

    def close(self) -> None:
        _stop(self._observer)


class _Handler(FileSystemEventHandler):
    def __init__(self, on_change: OnChange, *, reports_folders: bool) -> None:
        self._on_change = on_change
        self._reports_folders = reports_folders

    def on_any_event(self, event: FileSystemEvent) -> None:
        gone = isinstance(event, (FileDeletedEvent, FileMovedEvent))
        folder = None if gone and not self._reports_folders else event.is_directory
        for path in (event.src_path, event.dest_path):
            if path:
                self._on_change(os.fsdecode(path), folder)


def _stop(observer: BaseObserver) -> None:
    observer.stop()
    observer.join()
