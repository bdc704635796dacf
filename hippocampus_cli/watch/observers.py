"""The system's notifications of changes, through watchdog. Its threads only pass on what stirred."""

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

Stirred = Callable[[str, bool | None], None]
"""Told, on a thread of watchdog's, the path of what stirred and whether it is a folder (None: not known)."""

# It complains on standard error of what is none of a user's business, such as an event after the end.
logging.getLogger("watchdog").addHandler(logging.NullHandler())

# Not among them: that something was opened or read, as every sync does.
_EVENTS: list[type[FileSystemEvent]] = [
    *(DirCreatedEvent, DirDeletedEvent, DirMovedEvent),
    *(FileCreatedEvent, FileDeletedEvent, FileMovedEvent, FileModifiedEvent, FileClosedEvent),
]


class Observing(Protocol):
    """What observes the folders of one workspace."""

    def cover(self, folders: Collection[str], stale: Iterable[str]) -> bool:
        """Observe exactly ``folders``; whether one was new. What lies in ``stale`` ones is begun anew.

        Paths are relative, the root is ``""``, every other one ends in ``/``. Raises OSError, RuntimeError
        where the system refuses.
        """

    def close(self) -> None:
        """End it; nothing is told afterwards."""


class FolderByFolder:
    """An observer of each folder alone: none that is passed over takes up any of the system's watches."""

    def __init__(self, root: str, stirred: Stirred) -> None:
        self._root = root
        self._handler = _Handler(stirred, tells_folders=True)
        self._observer = Observer()
        self._observer.start()
        self._watches: dict[str, ObservedWatch] = {}

    def cover(self, folders: Collection[str], stale: Iterable[str]) -> bool:
        wanted = set(folders)
        begun_anew = tuple(stale)
        for folder in list(self._watches):
            # A folder of the same name is another one: the watch stays with the one that left.
            if folder not in wanted or folder.startswith(begun_anew):
                self._observer.unschedule(self._watches.pop(folder))
        new = sorted(wanted - self._watches.keys())
        for folder in new:
            place = f"{self._root}/{folder}".rstrip("/")
            try:
                self._watches[folder] = self._observer.schedule(
                    self._handler, place, event_filter=_EVENTS
                )
            except FileNotFoundError:  # gone since the scan; what was left there was told
                continue
        return bool(new)

    def close(self) -> None:
        _stop(self._observer)


class WholeTree:
    """One observer of everything below the root, as macOS and Windows offer it."""

    def __init__(self, root: str, stirred: Stirred, *, tells_folders: bool) -> None:
        handler = _Handler(stirred, tells_folders=tells_folders)
        self._observer = Observer()
        self._observer.schedule(handler, root, recursive=True, event_filter=_EVENTS)
        self._observer.start()

    def cover(self, folders: Collection[str], stale: Iterable[str]) -> bool:
        return False

    def close(self) -> None:
        _stop(self._observer)


class _Handler(FileSystemEventHandler):
    def __init__(self, stirred: Stirred, *, tells_folders: bool) -> None:
        self._stirred = stirred
        self._tells_folders = tells_folders

    def on_any_event(self, event: FileSystemEvent) -> None:
        gone = isinstance(event, (FileDeletedEvent, FileMovedEvent))
        folder = None if gone and not self._tells_folders else event.is_directory
        for path in (event.src_path, event.dest_path):
            if path:
                self._stirred(os.fsdecode(path), folder)


def _stop(observer: BaseObserver) -> None:
    observer.stop()
    observer.join()
