"""``hippo score``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import JSON, PATH, argument, takes

if TYPE_CHECKING:
    from hippocampus_cli.api import Scores


@takes(argument("path", "FILE.md", "A daily log.", kind=PATH), JSON)
def command(session: CommandContext, path: Path) -> None:
    """Score the blocks of a daily log, into FILE.scores.json.

    A block ends at a blank line or before a heading. A comment in it says what it is:
    <!-- hippocampus: type=decision score=0.85 -->. The scores are those of the reference, for the tools
    that read them; the log itself is never written to.

    Examples:
      hippo score memory/2026-02-03.md
      AGENT_ID=r2 hippo score memory/2026-02-03.md --json
    """
    from hippocampus_cli.api.sessions import score_file

    scores = score_file(path, session.environ.get("AGENT_ID") or "unknown", session.now)
    if session.output.as_json:
        session.output.json({"path": str(scores.path), **scores.document})
    else:
        _print(session, path, scores)


def _print(session: CommandContext, path: Path, scores: Scores) -> None:
    stats, line = scores.stats, session.output.line
    line("🧠 hippocampus.md - Memory Scoring\n")
    line(f"  → Scoring: {path.absolute()}\n")
    line(f"  ✓ {stats['total']} entries scored")
    line(f"     → {stats['sparse']} sparse (score < 0.25)")
    line(f"     → {stats['compressed']} compressed (0.25 ≤ score < 0.65)")
    line(f"     → {stats['kept']} kept (score ≥ 0.65)")
    line(f"     → {stats['totalTokens']} total tokens\n")
    line(f"  ✓ Scores written to: {scores.path.absolute()}\n")
