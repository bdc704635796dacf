"""``hippo ci``."""

from __future__ import annotations

from hippocampus_cli import api
from hippocampus_cli.cli.commands.check import print_finding
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import takes
from hippocampus_cli.cli.output import Output, count

_ESCAPED = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTIES = {**_ESCAPED, ord(":"): "%3A", ord(","): "%2C"}
"""What could end a command of GitHub Actions, or one of its properties."""


@takes()
def command(session: CommandContext) -> int:
    """Check a shared memory before a merge: dead pointers, secrets, open conflicts, an old index.

    Nothing is changed. In GitHub Actions every finding is an annotation at its line. Exit code 1: there is one that
    must not be merged.

    Examples:
      hippo ci
      hippo ci --json
    """
    findings = session.open().findings()
    errors = sum(finding.severity.value == "error" for finding in findings)
    session.output.json({"findings": findings, "errors": errors})
    show = _annotate if "GITHUB_ACTIONS" in session.environ else print_finding
    for finding in findings:
        show(session.output, finding)
    session.output.line(f"{count(errors, 'error')}, {count(len(findings) - errors, 'warning')}")
    return int(bool(errors))


def _annotate(output: Output, found: api.Diagnostic) -> None:
    path, remedy = found.path.translate(_IN_PROPERTIES), f"; next: {found.remedy}"
    message = f"{found.message}{remedy if found.remedy else ''}".translate(_ESCAPED)
    place = f"file={path},line={found.line},title={found.code}"
    output.line(f"::{found.severity.value} {place}::{message}")
