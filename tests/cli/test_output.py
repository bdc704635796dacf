from __future__ import annotations

import io
import json
from datetime import date
from pathlib import PurePosixPath

import pytest

from hippocampus_cli.cli.output import Output, Styled, open_output


class Screen(io.TextIOWrapper):
    """A stream of bytes that may be a terminal."""

    def __init__(self, *, encoding: str = "utf-8", terminal: bool = False) -> None:
        super().__init__(io.BytesIO(), encoding=encoding, newline="\n", write_through=True)
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal

    @property
    def text(self) -> str:
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode(self.encoding)


def opened(
    monkeypatch: pytest.MonkeyPatch, screen: Screen, environ: dict[str, str], **options: bool
) -> Output:
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setattr("sys.stderr", Screen())
    return open_output(environ, **options)


@pytest.mark.parametrize(
    ("terminal", "environ", "shows", "colour"),
    [
        (True, {}, True, True),
        (True, {"NO_COLOR": "1"}, True, False),
        (True, {"NO_COLOR": ""}, True, True),
        (True, {"TERM": "dumb"}, False, False),
        (False, {}, False, False),
        (False, {"FORCE_COLOR": "1"}, False, True),
        (False, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
    ],
)
def test_what_a_stream_can_show(
    monkeypatch: pytest.MonkeyPatch,
    terminal: bool,
    environ: dict[str, str],
    shows: bool,
    colour: bool,
) -> None:
    output = opened(monkeypatch, Screen(terminal=terminal), environ)
    assert (output.terminal, output.colour) == (shows, colour)


def test_plain_output_has_no_codes_whatever_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    opened(monkeypatch, screen, {}).line(Styled("\x1b[31mred", "red"), " and \u202e more\udcff")
    assert screen.text == "␛[31mred and <U+202E> more%FF\n"


def test_a_terminal_gets_our_codes_and_none_of_the_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen(terminal=True)
    output = opened(monkeypatch, screen, {"TERM": "xterm", "COLUMNS": "30"})
    output.line(Styled("[red]\x1b[2J", "bold"), " :smile: ", "x" * 60)
    assert screen.text == "\x1b[1m[red]␛[2J\x1b[0m :smile: " + "x" * 60 + "\n"


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_no_encoding_makes_printing_fail(monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    screen = Screen(encoding=encoding)
    opened(monkeypatch, screen, {}).line("▰▱ → 海馬 é\udcff")
    assert screen.text.endswith("\n")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_json_arrives_whole_in_any_encoding(monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    screen = Screen(encoding=encoding)
    output = opened(monkeypatch, screen, {}, as_json=True)
    output.line("this is for people")
    output.json(
        {"b": "海馬 ▰", "a": PurePosixPath("x/y"), "on": date(2026, 1, 31), "s": {"q", "p"}}
    )
    assert screen.text.count("\n") == 1
    found = json.loads(screen.text)
    assert found == {"b": "海馬 ▰", "a": "x/y", "on": "2026-01-31", "s": ["p", "q"]}
    assert list(found) == ["b", "a", "on", "s"]


def test_json_on_a_terminal_is_indented_and_harmless(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen(terminal=True)
    output = opened(monkeypatch, screen, {}, as_json=True)
    output.json({"text": "\x9b31m \U000e0041"})
    assert screen.text == '{\n  "text": "\\u009b31m \\udb40\\udc41"\n}\n'
    assert json.loads(screen.text) == {"text": "\x9b31m \U000e0041"}


@pytest.mark.parametrize(
    ("columns", "width"), [("120", 120), ("0", 80), ("-1", 80), ("x", 80), ("", 80)]
)
def test_width_is_never_nonsense(monkeypatch: pytest.MonkeyPatch, columns: str, width: int) -> None:
    assert opened(monkeypatch, Screen(), {"COLUMNS": columns}).width == width


@pytest.mark.parametrize("terminal", [False, True])
def test_bytes_go_into_a_pipe_as_they_are_and_harmless_to_a_terminal(
    monkeypatch: pytest.MonkeyPatch, terminal: bool
) -> None:
    screen = Screen(terminal=terminal)
    opened(monkeypatch, screen, {}).raw(b"\x1b[31m \xff\r\n")
    written = screen.buffer.getvalue()  # type: ignore[attr-defined]
    assert written == ("␛[31m \ufffd\n".encode() if terminal else b"\x1b[31m \xff\r\n")


def test_a_quoted_line_is_broken_where_a_terminal_would(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen(terminal=True)
    output = opened(monkeypatch, screen, {"COLUMNS": "14", "NO_COLOR": "1"})
    output.quote("## a heading that goes on")
    output.quote("海馬海馬海馬海馬")
    assert screen.text.splitlines() == [
        *("│ ## a heading", "│ that goes on", "│ 海馬海馬海馬", "│ 海馬")
    ]


def test_a_document_is_a_name_and_its_value_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    document = {
        "at": date(2026, 1, 31),
        "exact": True,
        "left": None,
        "counts": {"a": 1, "b": 2},
        "ids": ["x", "y\x1b"],
        "rows": [{"id": "x", "why": None}, {"id": "y", "why": "gone"}],
    }
    opened(monkeypatch, screen, {}).document(document)
    assert screen.text.splitlines() == [
        "at: 2026-01-31",
        "exact: yes",
        "counts: a 1, b 2",
        "ids: x, y␛",
        "rows",
        "  x",
        "  y\tgone",
    ]


@pytest.mark.parametrize("watched", [False, True])
def test_progress_is_shown_where_somebody_watches_and_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, watched: bool
) -> None:
    output = opened(monkeypatch, Screen(terminal=watched), {"TERM": "xterm"})
    output.err = Screen(terminal=watched)
    monkeypatch.setattr("hippocampus_cli.cli.output._DELAY_SECONDS", 0.0)
    with output.progress("reading notes") as advance:
        advance(1, 2_000)
    assert isinstance(output.err, Screen)
    shown = "\rreading notes: 1 of 2,000\x1b[K\r\x1b[K"
    assert output.err.text == (shown if watched else "")
