"""The output of a command: plain text, a terminal with colours and columns, or one JSON document."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TextIO

from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.markdown.safe import safe as safe
from hippocampus_cli.markdown.safe import safe_json
from hippocampus_cli.markdown.safe import safe_line as safe_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

_DEFAULT_WIDTH = 80
GUTTER, _ASCII_GUTTER = "│", ">"
_WIDEST = 10_000  # columns of what is whole
_LEAST = 12  # columns of a text, however narrow the screen
_DELAY_SECONDS = 1.0
BAND_STYLES = {
    "strong": "green",
    "moderate": "cyan",
    "weak": "yellow",
    "decaying": "magenta",
    "silent": "dim",
}
_LEAD = pattern(r" *(?:hippo: |next: |at )?")
_TYPED = pattern(r"`[^`]*`|\(hippo [^()]*\)")  # commands, which are copied as they stand
_HELD = "\ue000"  # for a blank where no line is broken; private use, so it is rare in a text
_FIGURES = pattern(r"[-–$\d.,%+k]*")


class Styled(NamedTuple):
    """Text with a style for terminals, in rich's words: ``Styled("deploy", "bold cyan")``."""

    text: str
    style: str


Part = str | Styled
Advance = Callable[[int, int], None]
"""Called with how much is done, and of how much."""


def dim(text: str) -> Styled:
    """What stands aside: a remark, a hint."""
    return Styled(text, "dim")


def bold(text: str) -> Styled:
    """What is looked for first."""
    return Styled(text, "bold")


def cyan(text: str) -> Styled:
    """What is to be copied: an id, a place."""
    return Styled(text, "cyan")


def yellow(text: str) -> Styled:
    """What needs attention."""
    return Styled(text, "yellow")


class Output:
    """The two streams and what they can show.

    ``width`` is in columns. ``narrow`` is a width below that of a usual terminal, which COLUMNS may give for a pipe
    too; text is ``bounded`` there and on terminals: broken, or cut in a table. What a script reads is not.

    Every part of a line is made harmless and put on one line, so that text of a workspace can be in it.
    """

    def __init__(
        self, out: TextIO, err: TextIO, as_json: bool, terminal: bool, colour: bool, width: int
    ) -> None:
        self.out = out
        self.err = err
        self.as_json = as_json
        self.terminal = terminal
        self.colour = colour
        self.width = width
        self.narrow = width < _DEFAULT_WIDTH
        self.bounded = terminal or self.narrow

    def line(self, *parts: Part) -> None:
        """Print one line of hippo's own; not with ``--json``."""
        if self.as_json:
            return
        if text_of(parts).startswith(self.gutter):  # a file may be called so
            parts = (f"<U+{ord(self.gutter):04X}>", text_of(parts)[1:])
        self._print(parts)

    def beside(self, lead: Part, *parts: Part) -> None:
        """Print one line of a label and what it says; where that is too long, broken in a column of its own."""
        if not self.bounded or columns_of(text_of((lead, *parts))) <= self.width:
            self.line(lead, *parts)
            return
        indent = columns_of(text_of((lead,)))
        styles = {part.style for part in map(_styled, parts) if part.text}
        style = styles.pop() if len(styles) == 1 else ""
        for line in self.wrapped(text_of(parts), max(_LEAST, self.width - indent)):
            self.line(lead, Styled(line, style))
            lead = " " * indent

    def facts(
        self, rows: Iterable[tuple[str, *tuple[Part, ...]]], width: int, *, indent: int = 0
    ) -> None:
        """Print values beside their names, in a column of ``width``; a value that says nothing is left out."""
        for title, *parts in rows:
            if text_of(parts):
                self.beside(dim(" " * indent + title.ljust(width)), *parts)

    def table(
        self,
        rows: Sequence[Sequence[Part]],
        heads: Sequence[str] = (),
        *,
        cut: Sequence[int] = (),
        between: str = "\t",
        indent: int = 0,
    ) -> None:
        """Print rows in columns, figures to the right; into a pipe with ``between`` between them, and without heads.

        On a terminal the columns ``cut`` are shortened until a row fits. With nothing ``between`` them a pipe gets
        the same columns, whole.
        """
        if self.as_json:
            return
        blank = " " * indent
        if between and not self.terminal:
            for row in rows:
                self.text(blank + between.join(safe_line(text_of((cell,))) for cell in row))
            return
        from rich.table import Table
        from rich.text import Text

        table = Table(box=None, pad_edge=False, header_style="dim", show_header=bool(heads))
        for number, column in enumerate(zip(*rows, strict=True)):
            is_figures = all(_FIGURES.fullmatch(text_of((cell,))) for cell in column)
            table.add_column(
                heads[number] if heads else "",
                justify="right" if is_figures else "left",
                no_wrap=number not in cut,
                overflow="ellipsis",
            )
        for row in rows:
            cells = (
                Text(safe_line(part.text), part.style, no_wrap=True, overflow="ellipsis")
                for part in map(_styled, row)
            )
            table.add_row(*cells)
        console = self.console if self.terminal else self._console_of(_WIDEST)
        with console.capture() as capture:
            console.print(table, no_wrap=True, width=console.width - indent)
        self.out.writelines(f"{blank}{line.rstrip()}\n" for line in capture.get().splitlines())

    def quote(self, text: str, style: str = "") -> None:
        """Print text of a workspace, each line behind a gutter that no other line begins with; not with ``--json``.

        Where text is bounded, a line that is too long is broken here: a terminal would break it without a gutter.
        """
        if self.as_json:
            return
        for line in safe(text).split("\n"):
            fits = not self.bounded or (line.isascii() and len(line) <= self.quote_width)
            lines = [line] if fits else self.wrapped(line.expandtabs(), max(self.quote_width, 2))
            for part in lines:
                self._print([dim(f"{self.gutter} " if part else self.gutter), Styled(part, style)])

    def quote_line(self, text: str, style: str = "") -> None:
        """Print text of a workspace as one line behind the gutter, cut on a terminal."""
        self.quote(fit(text, self.quote_width) if self.terminal else safe_line(text), style)

    def text(self, text: str) -> None:
        """Print text of a workspace alone or within a fence: as it is, made harmless; not with ``--json``."""
        if not self.as_json:
            self.out.write(f"{safe(text)}\n")

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

    def json(self, value: object, *, one_line: bool = False) -> None:
        """Print ``value`` as one JSON document: indented on a terminal, else compact, on ``one_line``."""
        import json

        # A stream that is not Unicode would turn what it cannot hold into question marks.
        encoding = (self.out.encoding or "").lower().replace("-", "")
        indented = self.terminal and not one_line
        text = json.dumps(
            plain(value),
            ensure_ascii=not encoding.startswith("utf"),
            allow_nan=False,
            indent=2 if indented else None,
            separators=(",", ": " if indented else ":"),
        )
        self.out.write(f"{safe_json(text)}\n")

    def raw(self, data: bytes) -> None:
        """Print bytes as they are into a pipe or a file; on a terminal as text made harmless."""
        if self.out.isatty():
            self.out.write(safe(data.decode("utf-8", "replace")).rstrip("\n") + "\n")
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
        lines, lead = [line], ""
        if shown and len(line) > self.width:
            rest = _LEAD.sub("", line, count=1)
            lead = line[: -len(rest)]
            lines = self.wrapped(rest, max(_LEAST, self.width - len(lead)))
        before, after = ("\x1b[2m", "\x1b[0m") if dim and self.colour and shown else ("", "")
        for part in lines:
            self.err.write(f"{before}{lead}{part}{after}\n")
            lead = " " * len(lead)

    def notices(self, notices: Iterable[str]) -> None:
        """Print what a person should know, each on a line beside the result."""
        for notice in notices:
            self.note(f"hippo: {notice}")

    @contextmanager
    def progress(self, label: str) -> Iterator[Advance]:
        """A progress bar on a terminal once a second has passed; elsewhere nothing is shown."""
        if not self.err.isatty() or not self.terminal or self.as_json:
            yield lambda done, total: None
            return
        bar = _Bar(self.err, label)
        try:
            yield bar
        finally:
            bar.close()

    def _print(self, parts: Sequence[Part]) -> None:
        if not self.colour:
            self.out.write(f"{safe_line(text_of(parts))}\n")
            return
        from rich.text import Text

        styled = (Text(safe_line(part.text), part.style) for part in map(_styled, parts))
        self.console.print(Text().join(styled), soft_wrap=True)

    @cached_property
    def console(self) -> Console:
        """The rich console of this output, made when first needed. Give it only text made safe."""
        return self._console_of(self.width if self.bounded else _WIDEST)

    def _console_of(self, width: int) -> Console:
        from rich.console import Console

        return Console(
            file=self.out,
            width=width,
            force_terminal=self.terminal or self.colour,
            color_system="auto" if self.colour else None,
            highlight=False,
            markup=False,
            emoji=False,
        )

    def wrapped(self, text: str, width: int) -> list[str]:
        """``text`` made safe, as lines of at most ``width`` columns, broken at spaces.

        A longer word is broken anywhere on a terminal, and never elsewhere; a command only if it must.
        """
        if not self.terminal:
            from textwrap import wrap

            return wrap(safe(text), width, break_long_words=False, break_on_hyphens=False) or [""]
        from rich.text import Text

        def hold(found: re.Match[str]) -> str:
            return found[0].replace(" ", _HELD) if len(found[0]) <= width else found[0]

        lines = Text(_TYPED.sub(hold, safe(text))).wrap(self.console, width)
        return [line.plain.rstrip().replace(_HELD, " ") for line in lines] or [""]


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
    colour = (terminal or environ.get("FORCE_COLOR")) and not environ.get("NO_COLOR")
    colour = bool(colour) and not as_json
    return Output(sys.stdout, sys.stderr, as_json, terminal, colour, _width(environ))


def shows_terminal(environ: Mapping[str, str]) -> bool:
    """Whether standard output is a terminal that can do more than print characters."""
    return sys.stdout.isatty() and environ.get("TERM") != "dumb"


class _Bar:
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


def text_of(parts: Iterable[Part]) -> str:
    """The parts of a line without their styles."""
    return "".join(part.text if isinstance(part, Styled) else part for part in parts)


def plain(value: Any) -> Any:
    """``value`` as JSON knows it; of a value with fields an object."""
    fields = getattr(value, "_fields", None) or getattr(value, "__dataclass_fields__", None)
    if fields:
        return {name: plain(getattr(value, name)) for name in fields}
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        ordered = sorted(value) if isinstance(value, (set, frozenset)) else value
        return [plain(each) for each in ordered]
    if isinstance(value, PurePath):
        return value.as_posix()
    return value.isoformat() if hasattr(value, "isoformat") else value


def row(value: object, names: str, **more: object) -> dict[str, object]:
    """The fields of ``value`` that ``names`` lists, and more, as an object of JSON."""
    return {name: getattr(value, name) for name in names.split()} | more


def fit(text: str, width: int) -> str:
    """``text`` made safe, on one line, cut with ``…`` to at most ``width`` columns."""
    from rich.cells import cell_len, set_cell_size

    line = safe_line(text)
    if cell_len(line) <= width:
        return line
    return set_cell_size(line, max(0, width - 1)).rstrip() + "…" if width > 0 else ""


def columns_of(text: str) -> int:
    """How many columns ``text`` takes once it is safe: an emoji or a Chinese character takes two."""
    line = safe_line(text)
    if line.isascii():
        return len(line)
    from rich.cells import cell_len

    return cell_len(line)


def count(number: int, noun: str) -> str:
    """``1 entry``, ``2,000 entries``."""
    if number != 1:
        noun = f"{noun[:-1]}ies" if noun.endswith(("ry", "py")) else f"{noun}s"
    return f"{number:,} {noun}"


def named(texts: Sequence[str], most: int) -> str:
    """The first ``most`` of ``texts`` on one line, and how many more there are."""
    more = f" and {len(texts) - most:,} more" if len(texts) > most else ""
    return ", ".join(texts[:most]) + more


def strength_bar(strength: float) -> str:
    """Five cells, filled for each whole fifth of ``strength``: ``▰▰▰▰▱`` for 0.92."""
    filled = int(min(strength, 1.0) * 5 + 1e-9) if strength > 0 else 0  # nan included
    return "▰" * filled + "▱" * (5 - filled)


def _styled(part: Part) -> Styled:
    return part if isinstance(part, Styled) else Styled(part, "")


def _width(environ: Mapping[str, str]) -> int:
    given = environ.get("COLUMNS", "")
    if given.isascii() and given.isdigit() and int(given[:5]) > 0:
        return int(given[:5])
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or _DEFAULT_WIDTH
    except (OSError, ValueError):  # not a terminal, or a stream without a descriptor
        return _DEFAULT_WIDTH
