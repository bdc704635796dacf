"""Text files of other programs, changed together: what is raised meanwhile puts all of them back."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from difflib import unified_diff
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.errors import FileUnwritable, HippoError
from hippocampus_cli.markdown.lines import decode, encode
from hippocampus_cli.workspace.atomic import replace_or_remove
from hippocampus_cli.workspace.regular import reason_of, writing

Refuse = Callable[[str, str], HippoError]
"""Makes the error that is raised, of a file's path and a reason."""


class Change(NamedTuple):
    """A text that is to become another; empty where there is no such file."""

    place: str
    before: str
    after: str

    def diff(self) -> Iterator[str]:
        """The lines that go (``-``), come (``+``) and stay beside them, without their line endings."""
        before, after = self.before.splitlines(), self.after.splitlines()
        yield from list(unified_diff(before, after, n=2, lineterm=""))[3:]


def read_text(path: Path, refuse: Refuse) -> str:
    """The file's text, empty where there is none."""
    try:
        return decode(path.read_bytes())
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise refuse(str(path), reason_of(error)) from error


def difference(path: Path, after: str, refuse: Refuse) -> list[Change]:
    """The change that makes the file ``after``; none where it is that already."""
    before = read_text(path, refuse)
    return [] if before == after else [Change(str(path), before, after)]


@contextlib.contextmanager
def made(changes: Sequence[Change], refuse: Refuse) -> Iterator[None]:
    """Within, the files are changed; whatever is raised puts them back, but for what somebody else changed since."""
    try:
        for change in changes:
            if read_text(Path(change.place), refuse) != change.before:
                raise refuse(change.place, "somebody else changed it in the meantime")
            _put(Path(change.place), change.after, refuse)
        yield
    except BaseException:
        with contextlib.suppress(HippoError):
            for change in changes:
                if read_text(Path(change.place), refuse) == change.after:
                    _put(Path(change.place), change.before, refuse)
        raise


def _put(path: Path, text: str, refuse: Refuse) -> None:
    """Make ``text`` the file's; an empty one is no file."""
    try:
        with writing(str(path)):
            path.parent.mkdir(parents=True, exist_ok=True)
        replace_or_remove(path, encode(text) or None, str(path))
    except FileUnwritable as error:
        raise refuse(str(path), str(error.facts["reason"])) from error
