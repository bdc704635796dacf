"""The output of a command: plain text, a terminal with colours, or one JSON document."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.markdown.safe import safe, safe_json, safe_line

if TYPE_CHECKING:
    from _typeshed import DataclassInstance
    from rich.console import Console
    from rich.progress import Progress


def document_of(value: DataclassInstance, **more: object) -> dict[str, object]:
    """The fields of a dataclass value, values in it included, and ``more`` after them."""
    from dataclasses import asdict

    return {**asdict(value), **more}


def picked(value: object, *names: str) -> dict[str, object]:
    """Some fields of a value, in this order."""
    return {name: getattr(value, name) for name in names}


_DEFAULT_WIDTH = 80
GUTTER, _ASCII_GUTTER = "│", ">"


class Styled(NamedTuple):
    """Text with a style for terminals, in rich's words: ``Styled("deploy", "bold cyan")``."""

    text: str
    style: str


class Output:
    """The two streams and what they can show.

    ``width`` is in columns; lines are cut on terminals alone. ``narrow`` is a width below that of a usual terminal,
    which COLUMNS may give for a pipe too: prose is broken there, what a script reads line by line is not.
    """

    def __init__(
        self,
        out: TextIO,
        err: TextIO,
        as_json: bool,
        terminal: bool,
        colour: bool,
        width: int,
    ) -> None:
        self.out = out
        self.err = err
        self.as_json = as_json
        self.terminal = terminal
        self.colour = colour
        self.width = width
        self.narrow = width < _DEFAULT_WIDTH
        self._console: Console | None = None

    def line(self, *parts: str | Styled) -> None:
        """Print one line of hippo's own (or several, where a part holds newlines) made harmless; not with ``--json``.

        Text of a workspace is in it on one line, through ``safe_line``; longer text goes to :meth:`quote`.
        """
        if self.as_json:
            return
        if text_of(parts).startswith(self.gutter):  # a file may be called so
            parts = (f"<U+{ord(self.gutter):04X}>", Styled(text_of(parts)[1:], ""))
        if self.colour:
            self._print_styled(parts)
        else:
            self._write(self.out, "".join(map(_plain, parts)))

    def quote(self, text: str, style: str = "") -> None:
        """Print text of a workspace, each line behind a gutter that no other line begins with; not with ``--json``.

        On a terminal, or where it is narrow, a line that is too long is broken here: a terminal would break it
        without a gutter.
        """
        if self.as_json:
            return
        gutter = self.gutter
        for line in safe(text).split("\n"):
            for part in self._broken(line):
                lead = Styled(f"{gutter} " if part else gutter, "dim")
                if self.colour:
                    self._print_styled((lead, Styled(part, style)))
                else:
                    self._write(self.out, f"{lead.text}{part}")

    def text(self, text: str) -> None:
        """Print text of a workspace alone or within a fence: as it is, made harmless; not with ``--json``."""
        if not self.as_json:
            self._write(self.out, safe(text))

    @property
    def quote_width(self) -> int:
        """Columns of a line of quoted text on a terminal."""
        return max(self.width - 2, 1)

    @property
    def gutter(self) -> str:
        """What every line of a workspace's text begins with."""
        try:
            GUTTER.encode(self.out.encoding or "utf-8")
        except (LookupError, UnicodeEncodeError):
            return _ASCII_GUTTER
        return GUTTER

    def _broken(self, line: str) -> list[str]:
        if not self.terminal and not self.narrow:
            return [line]
        line = line.expandtabs()
        if line.isascii() and len(line) <= self.quote_width:
            return [line]
        return list(_parts(line, max(self.quote_width, 2)))

    def json(self, value: object, *, one_line: bool = False) -> None:
        """Print ``value`` as one JSON document: indented on a terminal, else compact, on ``one_line``."""
        import json

        # A stream that is not Unicode would turn what it cannot hold into question marks.
        ascii_only = not _unicode(self.out)
        indented = self.terminal and not one_line
        text = json.dumps(
            value,
            ensure_ascii=ascii_only,
            allow_nan=False,
            default=_jsonable,
            indent=2 if indented else None,
            separators=(",", ": " if indented else ":"),
        )
        self._write(self.out, safe_json(text))

    def raw(self, data: bytes) -> None:
        """Print bytes as they are into a pipe or a file; on a terminal as text made harmless."""
        if self.out.isatty():
            self._write(self.out, safe(data.decode("utf-8", "replace")).rstrip("\n"))
            return
        self.out.flush()
        self.out.buffer.write(data)
        self.out.buffer.flush()

    def note(self, text: str, *, dim: bool = False) -> None:
        """Print one line beside the result, on standard error, so that pipes and ``--json`` stay clean; on a terminal
        several where it is too long.

        ``dim``: as an aside, on a terminal that has colours.
        """
        line, shown = safe_line(text), self.err.isatty()
        for part in _hinted(line, self.width) if shown and len(line) > self.width else [line]:
            faint = dim and self.colour and shown
            self._write(self.err, f"\x1b[2m{part}\x1b[0m" if faint else part)

    @contextmanager
    def progress(self, label: str) -> Iterator[Advance]:
        """A progress bar on a terminal once a second has passed; elsewhere nothing is shown."""
        if not self.err.isatty() or not self.terminal or self.as_json:
            yield _silent
            return
        bar = _Bar(self.err, label)
        try:
            yield bar
        finally:
            bar.close()

    def _print_styled(self, parts: tuple[str | Styled, ...]) -> None:
        from rich.text import Text

        text = Text()
        for part in parts:
            if isinstance(part, Styled):
                text.append(safe(part.text), part.style)
            else:
                text.append(safe(part))
        self.console.print(text, soft_wrap=True)

    @property
    def console(self) -> Console:
        """The rich console of a terminal, made when first needed. Give it only text made safe."""
        if self._console is None:
            from rich.console import Console

            self._console = Console(
                file=self.out,
                width=self.width,
                force_terminal=True,
                highlight=False,
                markup=False,
                emoji=False,
            )
        return self._console

    def _write(self, stream: TextIO, text: str) -> None:
        stream.write(f"{text}\n")


def open_output(environ: Mapping[str, str], *, as_json: bool = False) -> Output:
    """The output of this process as its streams and ``environ`` are.

    NO_COLOR, FORCE_COLOR and TERM=dumb are honoured; a character that the stream's encoding lacks is
    replaced, not an error.
    """
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    terminal = shows_terminal(environ)
    colour = terminal or (bool(environ.get("FORCE_COLOR")) and not environ.get("NO_COLOR"))
    return Output(
        out=sys.stdout,
        err=sys.stderr,
        as_json=as_json,
        terminal=terminal,
        colour=colour and not environ.get("NO_COLOR") and not as_json,
        width=_width(environ),
    )


def shows_terminal(environ: Mapping[str, str]) -> bool:
    """Whether standard output is a terminal that can do more than print characters."""
    return sys.stdout.isatty() and environ.get("TERM") != "dumb"


class Advance:
    """Called with how much is done, and of how much; this one shows nothing."""

    def __call__(self, done: int, total: int) -> None:
        """Show ``done`` of ``total``."""


_silent = Advance()
_DELAY_SECONDS = 1.0


class _Bar(Advance):
    """Shown on ``stream`` from the second second on; ``close`` leaves nothing behind."""

    def __init__(self, stream: TextIO, label: str) -> None:
        self._stream = stream
        self._label = label
        self._due = time.monotonic() + _DELAY_SECONDS
        self._progress: Progress | None = None

    def __call__(self, done: int, total: int) -> None:
        if self._progress is None and time.monotonic() >= self._due:
            from rich.console import Console
            from rich.progress import Progress  # takes longer to load than most work takes

            self._progress = Progress(console=Console(file=self._stream), transient=True)
            self._task = self._progress.add_task(self._label, total=None)
            self._progress.start()
        if self._progress is not None:
            self._progress.update(self._task, completed=done, total=total)

    def close(self) -> None:
        if self._progress is not None:
            self._progress.stop()


def _parts(line: str, width: int) -> Iterator[str]:
    """A line as parts of at most ``width`` columns, broken at the last space; a longer word anywhere."""
    from rich.cells import chop_cells

    while True:
        near = line[: 4 * width]
        head, *rest = chop_cells(near, width) or [""]
        if not rest and near == line:
            yield head
            return
        at = len(head)
        if line[at] != " ":
            at = head.rfind(" ") + 1 if head.strip() and " " in head.strip() else at
        yield line[:at].rstrip(" ") or line[:at]
        line = line[at:].removeprefix(" ")


_LEAD = pattern(r" *(?:hippo: |next: |at )?")
_WORDS = pattern(r"`[^`]*`\S*|\S+")


def _hinted(line: str, width: int) -> list[str]:
    """A line of hippo's own as several, broken at spaces below where it begins; what is to be typed stays whole."""
    lead = found.group() if (found := _LEAD.match(line)) else ""
    lines = [lead]
    for word in _WORDS.findall(line[len(lead) :]):
        if lines[-1].strip() and len(lines[-1]) + 1 + len(word) > width and lines != [lead]:
            lines.append(" " * len(lead) + word)
        else:
            lines[-1] += word if lines[-1] == lead else f" {word}"
    return lines


def text_of(parts: Iterable[str | Styled]) -> str:
    """The parts of a line without their styles."""
    return "".join(part.text if isinstance(part, Styled) else part for part in parts)


def _plain(part: str | Styled) -> str:
    return safe(part.text if isinstance(part, Styled) else part)


def _unicode(stream: TextIO) -> bool:
    return (stream.encoding or "").lower().replace("-", "").startswith("utf")


def _jsonable(value: object) -> object:
    from pathlib import PurePath

    if isinstance(value, PurePath):
        return value.as_posix()
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if hasattr(value, "isoformat"):
        return value.isoformat()
    raise TypeError(f"no JSON for {type(value).__name__}")


def _width(environ: Mapping[str, str]) -> int:
    given = environ.get("COLUMNS", "")
    if given.isascii() and given.isdigit() and int(given[:5]) > 0:
        return int(given[:5])
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or _DEFAULT_WIDTH
    except (OSError, ValueError):  # not a terminal, or a stream without a descriptor
        return _DEFAULT_WIDTH
