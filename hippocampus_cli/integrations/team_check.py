"""What must not reach a memory that several people share by git: `hippo ci` asks before a merge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from hippocampus_cli.config import Config
from hippocampus_cli.index.checks import Diagnostic, Severity
from hippocampus_cli.markdown.lines import decode
from hippocampus_cli.markdown.safe import safe_line
from hippocampus_cli.mind.held import Contradiction
from hippocampus_cli.redaction.redactor import Redactor, secrets_in
from hippocampus_cli.workspace.regular import read_regular
from hippocampus_cli.workspace.scan import scan

_STOPS = ("missing-section", "secret")
"""Codes of `hippo check` that are warnings for one person, and errors for a team."""


def findings(
    root: Path,
    config: Config,
    checked: Iterable[Diagnostic],
    changes: int,
    conflicts: Iterable[Contradiction],
) -> Iterator[Diagnostic]:
    """Every finding: those of `hippo check`, secrets in notes, an index that lacks ``changes``, open conflicts."""
    for one in dict.fromkeys((*checked, *_secrets(root, config))):
        yield one.replaced(severity=Severity.ERROR) if one.code in _STOPS else one
    if changes:
        message = f"the index lacks {changes:,} changes of the notes"
        yield Diagnostic(1, "out-of-date", message, remedy="hippo maintain --daily")
    for clash in conflicts:
        both = safe_line(f"{clash.belief.statement} / {clash.text}")
        message = f"it is not said which of these holds: {both}"
        yield Diagnostic(1, "conflict", message, remedy="hippo curate conflict")


def _secrets(root: Path, config: Config) -> Iterator[Diagnostic]:
    """Where notes hold what looks like a secret; its kind is said, never the secret."""
    for note in scan(root, config.scan).files:
        text = ""
        with suppress(OSError):
            text = decode(read_regular(root / note.path, config.scan.max_file_bytes))
        for span in Redactor((secrets_in,)).spans(text):
            line = text.count("\n", 0, span.start) + 1
            message = f"it holds a secret ({span.kind}): say where it is, not what it is"
            yield Diagnostic(line, "secret", message, path=note.path)
