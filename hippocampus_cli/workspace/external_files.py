"""Text files of other programs, changed together or not at all."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from difflib import unified_diff
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.errors import FileUnwritable, HippoError
from hippocampus_cli.markdown.lines import decode, encode
from hippocampus_cli.workspace.atomic import replace_bytes

Refuse = Callable[[str, str], HippoError]
"""Makes the error that is raised, of a file's path and a reason."""


class Change(NamedTuple):
    """A text that is to become another; empty where there is no such file."""

    place: str
    before: str
    after: str

    def diff(self) -> Iterator[str]:
        """The lines that go (``-``), come (``+``) and stand beside them, without their line endings."""
        before, after = _lines(self.before), _lines(self.after)
        yield from list(unified_diff(before, after, n=2, lineterm=""))[3:]


def read_text(path: Path, refuse: Refuse) -> str:
    """The file's text, empty where there is none."""
    try:
        return decode(path.read_bytes())
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise refuse(str(path), error.strerror or str(error)) from error


def difference(path: Path, after: str, refuse: Refuse) -> list[Change]:
    """The change that makes the file ``after``; none where it is that already."""
    before = read_text(path, refuse)
    return [] if before == after else [Change(str(path), before, after)]


@contextlib.contextmanager
def made(changes: Sequence[Change], refuse: Refuse) -> Iterator[None]:
    """Within, the files are changed; whatever is raised puts them back."""
    done: list[Change] = []
    try:
        for change in changes:
            _put(Path(change.place), change.before, change.after, refuse)
            done.append(change)
        yield
    except BaseException:
        for change in reversed(done):
            with contextlib.suppress(HippoError):
                _put(Path(change.place), change.after, change.before, refuse)
        raise


def _put(path: Path, before: str, after: str, refuse: Refuse) -> None:
    if read_text(path, refuse) != before:
        raise refuse(str(path), "somebody else changed it in the meantime")
    try:
        if after:
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_bytes(path, encode(after), str(path))
        else:
            path.unlink(missing_ok=True)
    except FileUnwritable as error:
        raise refuse(str(path), str(error.facts["reason"])) from error
    except OSError as error:
        raise refuse(str(path), error.strerror or str(error)) from error


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []
