"""``hippo ci``."""

from __future__ import annotations

from collections.abc import Sequence

from hippocampus_cli import api
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import takes
from hippocampus_cli.cli.output import Output, count

_ESCAPED = {"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"}


@takes()
def command(session: CommandContext) -> int:
    """Check a shared memory before a merge: dead pointers, secrets, open conflicts, an old index.

    Nothing is changed. In GitHub Actions every finding is an annotation at its line. Exit code 1: there is one that
    must not be merged.

    Examples:
      hippo ci
      hippo ci --json
    """
    found = session.open_as_is().findings()
    errors = sum(one.severity.value == "error" for one in found)
    session.output.json({"findings": found, "errors": errors})
    _print(session.output, found, "GITHUB_ACTIONS" in session.environ)
    session.output.line(f"{count(errors, 'error')}, {count(len(found) - errors, 'warning')}")
    return int(bool(errors))


def _print(output: Output, found: Sequence[api.Diagnostic], annotated: bool) -> None:
    for one in found:
        remedy = f"; next: {one.remedy}" if one.remedy else ""
        if annotated:
            place = f"file={_escaped(one.path)},line={one.line},title={one.code}"
            output.line(f"::{one.severity.value} {place}::{_escaped(one.message + remedy)}")
        else:
            output.line(f"{one.path}:{one.line}: {one.code} {one.message}{remedy}")


def _escaped(text: str) -> str:
    """A text that cannot end the command of GitHub Actions that it stands in."""
    return "".join(_ESCAPED.get(letter, letter) for letter in text)
