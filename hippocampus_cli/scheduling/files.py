"""Files that a scheduler reads, changed together or not at all."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from hippocampus_cli.errors import FileUnwritable, ScheduleRefused
from hippocampus_cli.markdown.lines import decode, encode
from hippocampus_cli.scheduling.scheduler import Change
from hippocampus_cli.workspace.atomic import replace_bytes


def read(path: Path) -> str:
    """The file's text, empty where there is none; raises ScheduleRefused."""
    try:
        return decode(path.read_bytes())
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise _refused(path, error.strerror or str(error)) from error


def difference(path: Path, after: str) -> list[Change]:
    """The change that makes the file ``after``; none where it is that already."""
    before = read(path)
    return [] if before == after else [Change(str(path), before, after)]


@contextlib.contextmanager
def made(changes: Sequence[Change]) -> Iterator[None]:
    """Within, the files are changed; whatever is raised puts them back. Raises ScheduleRefused."""
    done: list[Change] = []
    try:
        for change in changes:
            _put(Path(change.place), change.before, change.after)
            done.append(change)
        yield
    except BaseException:
        for change in reversed(done):
            with contextlib.suppress(ScheduleRefused):
                _put(Path(change.place), change.after, change.before)
        raise


def _put(path: Path, before: str, after: str) -> None:
    if read(path) != before:
        raise _refused(path, "somebody else changed it in the meantime")
    try:
        if after:
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_bytes(path, encode(after), str(path))
        else:
            path.unlink(missing_ok=True)
    except FileUnwritable as error:
        raise _refused(path, error.message) from error
    except OSError as error:
        raise _refused(path, error.strerror or str(error)) from error


def _refused(path: Path, reason: str) -> ScheduleRefused:
    return ScheduleRefused(path=str(path), reason=reason, advice="see to that file, then try again")
