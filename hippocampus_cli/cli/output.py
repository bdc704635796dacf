"""The output of a command: plain text, a terminal with colours and columns, or one JSON document."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import PurePath
from typing import Any, TextIO

from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.markdown.safe import safe as safe
from hippocampus_cli.markdown.safe import safe_json
from hippocampus_cli.markdown.safe import safe_line as safe_line

_DEFAULT_WIDTH = 80
GUTTER, _ASCII_GUTTER = "│", ">"
_DELAY_SECONDS = 1.0
_LISTED = 12  # texts that are named to a person
BAND_STYLES = {
    "strong": "green",
    "moderate": "cyan",
    "weak": "yellow",
    "decaying": "magenta",
    "silent": "dim",
}
_CODES = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "blue": "34",
    "magenta": "35",
    "cyan": "36",
}
"""The codes of a terminal for each word of a style."""
_BREAKS = {ord("\n"): "\\n", ord("\r"): "\\r"}
_FIGURES = pattern(r"[-–$\d.,%+k]*")


class Styled(NamedTuple):
    """Text with a style for terminals: ``Styled("deploy", "bold cyan")``."""

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
    return Styled(visible(text), "cyan")


def visible(path: str) -> str:
    """A path whose line breaks can be seen."""
    return path.translate(_BREAKS)


def yellow(text: str) -> Styled:
    """What needs attention."""
    return Styled(text, "yellow")


class Output:
    """The two streams and what they can show; ``width`` is in columns.

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

    def line(self, *parts: Part) -> None:
        """Print one line of hippo's own; not with ``--json``."""
        if self.as_json:
            return
        if text_of(parts).startswith(self.gutter):  # a file may be called so
            parts = (f"<U+{ord(self.gutter):04X}>", text_of(parts)[1:])
        self._print(parts)

    def facts(
        self, rows: Iterable[tuple[str, *tuple[Part, ...]]], width: int, *, indent: int = 0
    ) -> None:
        """Print values beside their names, in a column of ``width``; a value that says nothing is left out, and a
        name that stands above."""
        above = ""
        for title, *parts in rows:
            if text_of(parts):
                name = title if title != above else ""
                self.wrapped(*parts, head=" " * indent + name.ljust(width))
                above = title

    def wrapped(self, *parts: Part, head: str = "") -> None:
        """Print one line behind ``head``; what a terminal has no room for goes on below, in the style of the first
        part."""
        whole, style = text_of(parts), _styled(parts[0]).style
        for line in self._chopped(whole, len(head)):
            self.line(dim(head), *(parts if line == whole else [Styled(line, style)]))
            head = " " * len(head)

    def table(
        self,
        rows: Sequence[Sequence[Part]],
        heads: Sequence[str] = (),
        *,
        cut: Sequence[int] = (),
        indent: int = 0,
    ) -> None:
        """Print rows in columns, figures to the right; into a pipe with tabs between them, and without heads.

        On a terminal the columns ``cut`` are shortened until a row fits.
        """
        if self.as_json:
            return
        blank = " " * indent
        if not self.terminal:
            for row in rows:
                line = "\t".join(safe_line(text_of((cell,))) for cell in row)
                self.text(blank + line.removesuffix("\t"))  # of a last remark that is not there
            return
        from rich.console import Console
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
        console = Console(
            width=self.width - indent,
            force_terminal=True,
            color_system="standard" if self.colour else None,
        )
        with console.capture() as capture:
            console.print(table, no_wrap=True)
        self.out.writelines(f"{blank}{line.rstrip()}\n" for line in capture.get().splitlines())

    def quote(self, text: str, style: str = "") -> None:
        """Print text of a workspace, each line behind a gutter that no other line begins with; not with ``--json``.

        On a terminal a line that is too long is broken here: the terminal would break it without a gutter.
        """
        if self.as_json:
            return
        for line in safe(text).split("\n"):
            for part in self._chopped(line, 2):
                self._print([dim(f"{self.gutter} " if part else self.gutter), Styled(part, style)])

    def _chopped(self, line: str, beside: int) -> list[str]:
        """The line in parts that a terminal has room for ``beside`` so many columns."""
        width = max(self.width - beside, 2)
        if not self.terminal or (line.isascii() and len(line) <= width and "\t" not in line):
            return [line]
        from rich.console import Console
        from rich.text import Text

        parts = Text(line.expandtabs()).wrap(Console(width=width), width)
        return [part.plain.rstrip() for part in parts]

    def quote_line(self, text: str) -> None:
        """Print text of a workspace as one line behind the gutter, cut on a terminal."""
        self.quote(fit(text, max(self.width - 2, 1)) if self.terminal else safe_line(text))

    def text(self, text: str) -> None:
        """Print text of a workspace alone or within a fence: as it is, made harmless; not with ``--json``."""
        if not self.as_json:
            self.out.write(f"{safe(text)}\n")

    def strength(self, strength: float, band: str) -> Styled:
        """How strong an entry is; on a terminal behind five cells, one for each whole fifth: ``▰▰▰▰▱ 0.92``."""
        filled = int(min(strength, 1.0) * 5 + 1e-9) if strength > 0 else 0  # nan included
        bar = "▰" * filled + "▱" * (5 - filled) + " " if self.terminal else ""
        return Styled(f"{bar}{strength:.2f}", BAND_STYLES.get(band, ""))

    @property
    def gutter(self) -> str:
        """What every line of a workspace's text begins with."""
        try:
            GUTTER.encode(self.out.encoding or "utf-8")
        except (LookupError, UnicodeEncodeError):
            return _ASCII_GUTTER
        return GUTTER

    def json(self, value: object, *, one_line: bool = False) -> None:
        """Print ``value`` as one JSON document: indented on a terminal, else compact, on ``one_line``; only with
        ``--json``."""
        if not self.as_json:
            return
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

    def document(self, value: object) -> None:
        """Print a document as JSON, or for a person: a name and its value a line, a list of rows as a table."""
        known = plain(value)
        self.json(known)
        for name, each in known.items():
            if isinstance(each, list) and each and isinstance(each[0], dict):
                self.line(bold(name))
                rows = [[*map(_shown, row.values())] for row in each]
                self.table(rows, [*each[0]], cut=range(1, 99), indent=2)
            elif text := _shown(each):
                self.line(dim(f"{name}: "), text)
        if not any(known.values()):
            self.line("nothing")

    def raw(self, data: bytes) -> None:
        """Print bytes as they are into a pipe or a file; on a terminal as text made harmless."""
        if self.out.isatty():
            self.out.write(safe(data.decode("utf-8", "replace")).rstrip("\n") + "\n")
            return
        self.out.flush()
        self.out.buffer.write(data)
        self.out.buffer.flush()

    def note(self, text: str) -> None:
        """Print one line beside the result, on standard error, so that pipes and ``--json`` stay clean."""
        self.err.write(f"{safe_line(text)}\n")

    def notices(self, notices: Iterable[str]) -> None:
        """Print what a person should know, each on a line beside the result."""
        for notice in notices:
            self.note(f"hippo: {notice}")

    @contextmanager
    def progress(self, label: str) -> Iterator[Advance]:
        """How much is done, on a terminal once a second has passed; it leaves nothing behind."""
        due = time.monotonic() + _DELAY_SECONDS
        watched = self.err.isatty() and self.terminal and not self.as_json

        def advance(done: int, total: int) -> None:
            if watched and time.monotonic() >= due:
                self.err.write(f"\r{label}: {done:,} of {total:,}\x1b[K")
                self.err.flush()

        try:
            yield advance
        finally:
            if watched:
                self.err.write("\r\x1b[K")

    def _print(self, parts: Iterable[Part]) -> None:
        self.out.write("".join(self._coloured(part) for part in map(_styled, parts)) + "\n")

    def _coloured(self, part: Styled) -> str:
        text = safe_line(part.text)
        if not (self.colour and part.style and text):
            return text
        codes = ";".join(_CODES[word] for word in part.style.split())
        return f"\x1b[{codes}m{text}\x1b[0m"


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


def _shown(value: Any) -> str:
    """A value of a document in a line."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {text}" for name, each in value.items() if (text := _shown(each)))
    if isinstance(value, list):
        return named([*map(_shown, value)])
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


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


def count(number: int, noun: str) -> str:
    """``1 entry``, ``2,000 entries``."""
    if number != 1:
        noun = f"{noun[:-1]}ies" if noun.endswith(("ry", "py")) else f"{noun}s"
    return f"{number:,} {noun}"


_WORDS = {"kind": "not notes", "folder": "folders", "too-large": "too large", "link": "links"}


def counts(numbers: Mapping[str, int]) -> str:
    """Numbers with the names of what they count, in plain words."""
    return ", ".join(f"{number:,} {_WORDS.get(name, name)}" for name, number in numbers.items())


def named(texts: Sequence[str], most: int = _LISTED) -> str:
    """The first ``most`` of ``texts`` on one line, and how many more there are."""
    more = f" and {len(texts) - most:,} more" if len(texts) > most else ""
    return visible(", ".join(texts[:most])) + more


def _styled(part: Part) -> Styled:
    return part if isinstance(part, Styled) else Styled(part, "")


def _width(environ: Mapping[str, str]) -> int:
    try:
        given = environ.get("COLUMNS") or os.get_terminal_size(sys.stdout.fileno()).columns
        return max(0, int(given)) or _DEFAULT_WIDTH
    except (OSError, ValueError):  # not a terminal or a number, or a stream without a descriptor
        return _DEFAULT_WIDTH
