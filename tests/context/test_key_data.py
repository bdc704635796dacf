from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.context.key_data import KINDS, LONGEST, KeyDatum, key_data


def of(kind: str, text: str) -> list[str]:
    return [datum.text for datum in key_data(text) if datum.kind == kind]


@pytest.mark.parametrize(
    ("kind", "text", "found"),
    [
        ("command", "$ npm install @acme/pkg@1.2.3", ["npm install @acme/pkg@1.2.3"]),
        ("command", "Run `make deploy ENV=prod`, not `deploy`.", ["make deploy ENV=prod"]),
        ("command", "``echo `date` ``", ["echo `date`"]),
        ("path", "see src/core/app.py:42 and ./run", ["src/core/app.py", "./run"]),
        ("path", "in /var/log/app.log, ~/notes.", ["/var/log/app.log", "~/notes"]),
        ("path", r"at C:\Users\me\a.txt", [r"C:\Users\me\a.txt"]),
        ("path", "TOOLS.md and package.json", ["TOOLS.md", "package.json"]),
        ("path", "and/or, 1/2, e.g. i.e. n/a", []),
        ("path", "make 2>/dev/null", []),
        ("path", "--- a/src/app.py\n+++ b/src/app.py", ["src/app.py"]),
        ("url", "on https://x.io:8443/status?y=1.", ["https://x.io:8443/status?y=1"]),
        ("url", "postgres://u:p@db/x", ["postgres://u:p@db/x"]),
        ("error", "fine\nValueError: bad thing\nfine", ["ValueError: bad thing"]),
        ("error", "ENOENT: no such file, open 'x'", ["ENOENT: no such file, open 'x'"]),
        ("error", "this example terrorised nobody", []),
        ("identifier", "commit a1b2c3d, then deadbeef", ["a1b2c3d"]),
        ("identifier", "JIRA-123 by mira@example.com", ["JIRA-123", "mira@example.com"]),
        ("identifier", "parse_args camelCase PascalCase HTTP_PROXY", None),
        ("identifier", "on 2026-02-03 at v1.2.3-rc1", ["2026-02-03", "v1.2.3-rc1"]),
        ("identifier", "well-known words", []),
        ("number", "gzip at level 6 on port 8443", ["level 6", "port 8443"]),
        ("number", "40 MB in 15% of $29.99 at 12:30", ["40 MB", "15%", "$29.99", "12:30"]),
        ("number", "retries=3, timeout: 30 s", ["retries=3", "timeout: 30 s"]),
    ],
)
def test_what_is_found(kind: str, text: str, found: list[str] | None) -> None:
    assert of(kind, text) == (text.split() if found is None else found)


def test_a_part_of_something_longer_is_not_named_again() -> None:
    found = key_data("$ curl https://x.io/a/b.txt\nhttps://x.io/a/b.txt v1.2.3")
    assert found == (
        KeyDatum("command", "curl https://x.io/a/b.txt"),
        KeyDatum("identifier", "v1.2.3"),
    )


def test_only_the_kinds_asked_for() -> None:
    assert {datum.kind for datum in key_data("a/b.py at 40 MB", ("number",))} == {"number"}


def test_a_stack_trace_is_told_by_its_last_line_first() -> None:
    trace = "Traceback (most recent call last):\n" + "  failed here\n" * 9 + "KeyError: 'x'\n"
    assert of("error", trace)[0] == "KeyError: 'x'"
    assert len(of("error", trace)) <= 3


@given(st.text(max_size=400))
def test_a_datum_stands_in_the_text_to_the_letter(text: str) -> None:
    for datum in key_data(text):
        assert datum.text in text
        assert datum.kind in KINDS
        assert 0 < len(datum.text) <= LONGEST


@pytest.mark.parametrize(
    "piece", ["a", "1", "a/", "a_", "a-1", "`", "a.b", "1,", "1.", "1:", "$ ", "@a", "aB", "x://"]
)
def test_no_text_is_slow(piece: str) -> None:
    """Nested repetition would take minutes here."""
    key_data(piece * 30_000)
