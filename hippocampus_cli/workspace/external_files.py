"""Text files of other programs, changed together: what is raised meanwhile puts all of them back."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.errors import FileUnwritable, HippoError
from hippocampus_cli.markdown.lines import decode, encode
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.regular import reading, writing


class Change(NamedTuple):
    """A text that is to become another; empty where there is no such file."""

    place: str
    before: str
    after: str

    def diff(self) -> Iterator[str]:
        """The lines that go (``-``), come (``+``) and stay beside them, without their line endings."""
        before, after = self.before.splitlines(), self.after.splitlines()
        yield from list(unified_diff(before, after, n=2, lineterm=""))[3:]


def read_text(path: Path) -> str:
    """The file's text, empty where there is none. Raises :class:`FileUnreadable`."""
    with reading(str(path)):
        return decode(path.read_bytes()) if path.exists() else ""


def difference(path: Path, after: str) -> list[Change]:
    """The change that makes the file ``after``; none where it is that already. Raises :class:`FileUnreadable`."""
    before = read_text(path)
    return [] if before == after else [Change(str(path), before, after)]


@contextlib.contextmanager
def made(changes: Sequence[Change]) -> Iterator[None]:
    """Within, the files are changed; whatever is raised puts them back, but for what somebody else changed since.

    Raises :class:`FileUnreadable` and :class:`FileUnwritable`.
    """
    try:
        for change in changes:
            if read_text(Path(change.place)) != change.before:
                raise FileUnwritable(
                    path=change.place, reason="somebody else changed it in the meantime"
                )
            _put(Path(change.place), change.after)
        yield
    except BaseException:
        with contextlib.suppress(HippoError):
            for change in changes:
                if read_text(Path(change.place)) == change.after:
                    _put(Path(change.place), change.before)
        raise


def _put(path: Path, text: str) -> None:
    """Make ``text`` the file's; an empty one is no file."""
    with writing(str(path)):
        path.parent.mkdir(parents=True, exist_ok=True)
    replace_bytes(path, encode(text) or None, str(path))
