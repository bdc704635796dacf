"""One example a kind: what must be in the window for it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.context.extract import Extract, fit
from hippocampus_cli.context.extract import shown as said
from hippocampus_cli.context.extract.choose import extract, extract_binary
from hippocampus_cli.markdown.tokens import tokens

TRACE = """\
collected 3 items
Traceback (most recent call last):
  File "app/main.py", line 12, in <module>
    run()
  File "app/db.py", line 3, in run
    raise ValueError("no such table: users")
ValueError: no such table: users
Command exited with code 1
"""
LOG = "".join(f"2026-03-01 10:00:{n:02} INFO request {n}\n" for n in range(40)) + (
    "2026-03-01 10:01:00 ERROR cannot reach db:5432 (src/db.py:44)\n"
    "2026-03-01 10:01:01 WARN retrying\n"
)
ARIA = """\
- Page URL: https://crabot.test/users
- Page Title: Crabot
- banner [ref=e1]:
  - heading "Users" [level=1] [ref=e2]
  - button "Submit" [ref=e12] [cursor=pointer]
  - textbox "Search" [ref=e13]
  - button "Submit" [ref=e14]
"""
HTML = """\
<!doctype html><html><head><title>Crabot &amp; friends</title>
<script>document.write("<button ref=e9>no</button>")</script></head>
<body><h1>Users</h1><nav ref="e3">Menu</nav><button ref='e12'>Submit</button>
<input placeholder="Search" ref=e44><a href="/x" id="home">Home</a></body></html>
"""
PYTHON = '''\
"""The door to the database."""

import sqlite3


class Door:
    def open(self) -> None: ...


def knock() -> None: ...
'''
TREE = "src\n├── app\n│   ├── main.py\n│   └── db.py\n├── README.md\n└── setup.cfg\n"
LS = """\
total 24
drwxr-xr-x 2 ada ada 4096 Mar  1 10:00 docs
-rw-r--r-- 1 ada ada  120 Mar  1 10:00 README.md
-rw-r--r-- 1 ada ada  450 Mar  1 10:00 app.py
-rw-r--r-- 1 ada ada  450 Mar  1 10:00 my notes.txt
"""
PATHS = "/srv/app/a.py\n/srv/app/b.py\n/srv/app/web/c.js\n/srv/app/Makefile\n"
USERS = json.dumps(
    {
        "users": [{"id": f"u{n}", "name": f"name {n}"} for n in range(19)],
        "total": 19,
        "page": {"next": "abc"},
        "ok": True,
    }
)


def read(text: str, hint: str = "") -> Extract:
    return extract(text, hint)


def test_json_gives_counts_values_and_ids() -> None:
    found = read(USERS)
    assert (
        found.summary
        == "JSON object of 4 keys: total, users (19 items of id, name), page (1 key), ok"
    )
    assert found.key_data["values"] == {
        "total": "19",
        "users": "19 items",
        "ok": "true",
        "page.next": "abc",
    }
    assert found.key_data["users.id"] == [f"u{n}" for n in range(19)]


def test_json_lines_are_read_even_where_one_is_broken() -> None:
    lines = [json.dumps({"id": n, "level": "info"}) for n in range(5)]
    found = read("\n".join([*lines, '{"id": 6, "lev']))
    assert found.summary == "JSON lines: 5 items of id, level"
    assert found.key_data["items.id"] == ["0", "1", "2", "3", "4"]


def test_a_snapshot_keeps_the_refs_of_its_controls() -> None:
    found = read(ARIA)
    assert found.kind == "markup"
    assert found.summary == "page snapshot: Crabot\nheadings: Users\ncontrols: 2 button, 1 textbox"
    assert found.key_data["url"] == "https://crabot.test/users"
    refs = found.key_data["refs"]
    assert refs == {"Submit": "e12", "Search": "e13", "banner": "e1", "Users": "e2"}
    assert list(refs)[:2] == ["Submit", "Search"]  # controls come first


def test_a_page_gives_title_headings_and_controls() -> None:
    found = read(HTML)
    assert found.summary.split("\n")[:2] == ["HTML page: Crabot & friends", "headings: Users"]
    assert found.key_data["refs"] == {
        "Submit": "e12",
        "Search": "e44",
        "Home": "#home",
        "Menu": "e3",
    }


def test_the_snapshot_of_the_specification() -> None:
    """CONTEXT §1.4."""
    rows = "".join(f'<element ref="e{n}" role="row">User {n}</element>' for n in range(20, 60))
    page = (
        '<browser_snapshot><element ref="e1" role="banner">Crabot</element>'
        f'<element ref="e12" role="button">Submit</element>{rows}</browser_snapshot>'
    )
    refs = read(page, "browser.snapshot").key_data["refs"]
    assert isinstance(refs, dict)
    assert refs["Submit"] == "e12"


def test_a_listing_keeps_its_paths() -> None:
    found = read(PATHS)
    assert (found.kind, found.summary.split("\n")[0]) == ("text", "/srv/app/a.py")
    assert found.key_data["paths"] == PATHS.split()


@pytest.mark.parametrize(
    "text",
    [PYTHON, "".join(f"{n:6}\t{line}" for n, line in enumerate(PYTHON.splitlines(True), 1))],
    ids=["plain", "numbered"],
)
@pytest.mark.parametrize("hint", ["door.py", "read"])
def test_source_gives_its_symbols_with_their_lines(text: str, hint: str) -> None:
    found = read(text, hint)
    assert found.kind == "source"
    assert found.summary == "source, 11 lines: Door, open, knock"
    assert found.key_data == {"symbols": {"Door": "6", "open": "7", "knock": "10"}}


@pytest.mark.parametrize(
    ("hint", "text", "symbols"),
    [
        ("a.ts", "export interface A {}\nexport const b = (x: number) => x\n", ["A", "b"]),
        ("a.go", "package a\n\nfunc (s *S) Run() {}\ntype T struct {}\n", ["Run", "T"]),
        ("a.rs", "pub fn go() {}\npub(crate) struct S;\nimpl S {}\n", ["go", "S"]),
        ("a.sh", "#!/bin/sh\ndeploy() {\n}\n", ["deploy"]),
        ("a.java", "public final class A {\n  private void b() {}\n}\n", ["A"]),
    ],
)
def test_symbols_of_other_languages(hint: str, text: str, symbols: list[str]) -> None:
    assert list(read(text, hint).key_data["symbols"]) == symbols


def test_a_trace_gives_what_was_raised_and_the_exit_code() -> None:
    found = read(TRACE)
    assert found.kind == "error"
    assert found.key_data["exit_code"] == "1"
    assert "ValueError: no such table: users" in found.key_data["errors"]
    assert found.key_data["paths"] == ["app/main.py", "app/db.py"]


def test_a_log_gives_its_errors() -> None:
    found = read(LOG)
    assert found.kind == "text"
    assert found.summary.split("\n")[0] == "43 lines"
    assert found.key_data["errors"] == [
        "2026-03-01 10:01:00 ERROR cannot reach db:5432 (src/db.py:44)"
    ]


def test_of_a_text_instructions_come_first() -> None:
    text = "Hello there. How are you? Look at src/app.py, see https://a.test/x. Never deploy on a Friday!"
    found = extract(text, "", ("never",))
    assert found.summary.split("\n")[0] == "Never deploy on a Friday!"
    assert found.key_data == {"urls": ["https://a.test/x"], "paths": ["src/app.py"]}


def test_a_note_with_a_log_in_it_is_a_note() -> None:
    note = f"# Night\n\nThe database was down.\n\n## Log\n\n```\n{TRACE}```\n"
    found = read(note, "memory/2026-03-01.md")
    assert found.kind == "text"
    assert found.summary.split("\n")[:2] == ["headings: Night, Log", "The database was down."]


def test_what_is_no_text_is_named() -> None:
    assert extract_binary(b"\0\1\2", "a.png").summary == "binary data, 3 bytes (a.png)"


@pytest.mark.parametrize("text", ["", " \n", "a", "{", "[]", "{}", "null", "<", "<a>", "|", "a,b"])
def test_little_text_is_no_special_case(text: str) -> None:
    assert extract(text).kind in ("text", "json")


PIECES = [ARIA, HTML, LOG, LS, PYTHON, TRACE, TREE, USERS, "a,b\n1,2\n", "| a | b |\n|---|---|\n"]
SIZE = 300_000
HOSTILE = {
    "one-line": "a" * SIZE,
    "less-than": "<" * SIZE,
    "open-tags": "<a " * (SIZE // 3),
    "comments": "<!--" * (SIZE // 4),
    "attributes": "<a " + "b=" * SIZE + "><b><c><d>",
    "bars": "|   " * (SIZE // 4),
    "rules": "-" * SIZE + "\n" + "|-" * SIZE,
    "brackets": "[" * SIZE,
    "braces": '{"a":' * (SIZE // 5),
    "newlines": "\n" * SIZE,
    "def": "def x(" + ")" * SIZE,
    "interface": "interface " + "a" * SIZE,
    "exports": "export " * (SIZE // 7),
    "frames": "    at " * (SIZE // 7),
    "files": ' File "' * (SIZE // 7),
    "slashes": "a/" * (SIZE // 2),
    "tree": "├── " * (SIZE // 4),
    "quotes": '"' * SIZE + ",\n" * 3,
    "failed": "FAILED " * (SIZE // 7),
    "errors": "Error" * (SIZE // 5),
    "nodes": "- a [ref=e1]\n" * (SIZE // 13),
}


@given(
    st.text(max_size=500) | st.lists(st.sampled_from(PIECES)).map("".join),
    st.sampled_from(["", "a.py", "a.csv", "a.log", "browser.snapshot", "error"]),
    st.integers(20, 300),
)
def test_any_text_gives_an_extract_within_the_budget(text: str, hint: str, budget: int) -> None:
    found = fit(extract(text, hint, ("never",)), budget)
    assert tokens(said(found.summary, found.key_data)) <= budget


@given(
    st.text(),
    st.dictionaries(st.text(max_size=9), st.text() | st.lists(st.text())),
    st.integers(30, 200),
)
def test_what_fits_is_left_alone(
    summary: str, data: dict[str, str | list[str]], budget: int
) -> None:
    given = Extract("text", summary, data)
    if tokens(said(summary, data)) <= budget:
        assert fit(given, budget) == given
    else:
        assert tokens(said(*fit(given, budget)[1:])) <= budget


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_takes_no_time_to_speak_of(name: str) -> None:
    """Nothing is measured here: with a pattern that backtracks this would run for hours."""
    assert fit(extract(HOSTILE[name]), 200).kind


@given(st.text() | st.sampled_from([*PIECES, "see src/app.py or https://a.test/b c"]), st.data())
def test_no_control_character_comes_through(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    found = extract(text[:at] + "\x1b[31m\x07" + text[at:])
    whole = said(found.summary, found.key_data)
    assert "\x1b" not in whole and "\x07" not in whole
