"""Text files of other programs, changed together or not at all."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from difflib import unified_diff
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.errors import FileUnreadable, FileUnwritable, HippoError
from hippocampus_cli.markdown.lines import decode, encode
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.regular import read_regular
from hippocampus_cli.workspace.transaction import Replacement, Replacements, Transaction, unpacked

Refuse = Callable[[str, str], HippoError]
"""Makes the error that is raised, of a file's path and a reason."""


class Change(NamedTuple):
    """A text that is to become another; empty where there is no such file."""

    place: str
    before: str
    after: str

    def diff(self) -> Iterator[str]:
        """The lines that go (``-``), come (``+``) and stay beside them, without their line endings."""
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
def made(changes: Sequence[Change], refuse: Refuse, journal: Path | None = None) -> Iterator[None]:
    """Within, the files are changed; whatever is raised puts them back.

    Several files need a ``journal``, in a folder that nobody can hand over with a workspace: after a kill halfway
    :func:`undo_interrupted` reads there what to put back.
    """
    places = [Path(change.place) for change in changes]
    change = _transaction(journal or Path(), places, refuse)
    files = {
        place.name: Replacement(_data(one.before), _data(one.after))
        for place, one in zip(places, changes, strict=True)
    }
    try:
        if journal is not None and len(files) > 1:
            _begin(change, files, refuse)
            change.apply(files)
            _end(change, refuse)
        else:
            change.apply(files)
        yield
    except BaseException:
        with contextlib.suppress(HippoError):
            change.undo(files)
            if journal is not None:
                change.end()
        raise


def undo_interrupted(journal: Path, places: Sequence[Path], refuse: Refuse) -> None:
    """Put back what a killed process changed of these files; of no others, whatever the journal holds.

    Its new name is the claim to it: where the process lives after all, it finds the journal gone and undoes the
    change itself.
    """
    claimed = journal.with_suffix(".undo")
    with contextlib.suppress(OSError):
        journal.replace(claimed)
    change = _transaction(claimed, places, refuse)
    try:
        allowed = {one.name for one in places}
        change.undo(unpacked(read_regular(claimed), claimed.name, allowed.__contains__))
    except FileNotFoundError:
        return
    except (OSError, FileUnreadable):  # not hippo's: it writes a journal whole
        pass
    change.end()


def _transaction(pending: Path, places: Sequence[Path], refuse: Refuse) -> Transaction:
    """A change of these files, which their names tell apart."""
    at = {place.name: place for place in places}

    def read(name: str) -> bytes | None:
        return _data(read_text(at[name], refuse))

    def write(name: str, data: bytes | None, expected: bytes | None) -> None:
        if read(name) != expected:
            raise refuse(str(at[name]), "somebody else changed it in the meantime")
        _put(at[name], data, refuse)

    return Transaction(pending, str(pending), read, write)


def _begin(change: Transaction, files: Replacements, refuse: Refuse) -> None:
    with _refusing(change.pending, refuse):
        change.pending.parent.mkdir(parents=True, exist_ok=True)
        change.begin(files)


def _end(change: Transaction, refuse: Refuse) -> None:
    with _refusing(change.pending, refuse):
        change.pending.unlink()  # gone: another process took this one for killed


def _put(path: Path, data: bytes | None, refuse: Refuse) -> None:
    with _refusing(path, refuse):
        if data is None:
            path.unlink(missing_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_bytes(path, data, str(path))


@contextlib.contextmanager
def _refusing(path: Path, refuse: Refuse) -> Iterator[None]:
    try:
        yield
    except FileUnwritable as error:
        raise refuse(str(path), str(error.facts["reason"])) from error
    except OSError as error:
        raise refuse(str(path), error.strerror or str(error)) from error


def _data(text: str) -> bytes | None:
    """The bytes of a file's text; an empty one is no file."""
    return encode(text) if text else None


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []
