"""What ``hippo bench make-corf`` prints."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from hippocampus_cli.cli.render.output import Output
from hippocampus_cli.cli.render.safe import safe_line
from hippocampus_cli.cli.render.sheets import print_notes


def print_made(
    output: Output, file: Path, workspace: str, kinds: Mapping[str, int], warning: str
) -> None:
    """The file that was written, how many questions of each kind, and what they cannot show."""
    questions = sum(kinds.values())
    if output.as_json:
        output.json(
            {
                "file": str(file),
                "workspace": workspace,
                "questions": questions,
                "kinds": dict(kinds),
                "warning": warning,
            }
        )
        return
    said = ", ".join(f"{count:,} {kind}" for kind, count in kinds.items())
    output.line(f"wrote {safe_line(str(file))}: {questions:,} questions ({said})")
    print_notes(output, (warning,))
