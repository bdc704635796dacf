from __future__ import annotations

import io

from bench.deliver import print_notes, print_sheet
from bench.sheet import Column, Sheet, as_csv
from hippocampus_cli.cli.output import Output

SHEET = Sheet(
    "three methods",
    (
        Column("name", "method"),
        Column("hit", "hit@1", ".2f"),
        Column("cost", "a month", "$,.2f"),
        Column("files", "files", ",d"),
    ),
    (("grep", 0.5, 1234.5, 1000), ("花 search", None, 0.25, 7)),
)


def printed(width: int, terminal: bool) -> list[str]:
    screen = io.StringIO()
    output = Output(screen, screen, False, terminal=terminal, colour=False, width=width)
    print_sheet(output, SHEET)
    return screen.getvalue().splitlines()


def test_a_table_that_fits() -> None:
    assert printed(80, terminal=True) == [
        "three methods",
        "method     hit@1    a month  files",
        "grep        0.50  $1,234.50  1,000",
        "花 search      –      $0.25      7",
    ]


def test_a_table_that_does_not_fit_is_folded() -> None:
    assert printed(30, terminal=True) == [
        "three methods",
        "method     hit@1    a month",
        "grep        0.50  $1,234.50",
        "花 search      –      $0.25",
        "",
        "method     files",
        "grep       1,000",
        "花 search      7",
    ]
    assert len(printed(1, terminal=True)) == 1 + 3 * 3 + 2


def test_a_file_gets_whole_lines() -> None:
    assert printed(30, terminal=False) == printed(80, terminal=True)


def test_notes_are_wrapped() -> None:
    screen = io.StringIO()
    output = Output(screen, screen, False, terminal=True, colour=False, width=20)
    print_notes(output, ["One sentence that is long.", "Another."])
    assert screen.getvalue().splitlines() == ["One sentence that is", "long.", "Another."]


def test_a_table_as_csv() -> None:
    assert as_csv(SHEET) == "name,hit,cost,files\ngrep,0.5,1234.5,1000\n花 search,,0.25,7\n"
