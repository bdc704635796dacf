"""Sessions compacted: scored, faded, and told again within a budget (COMPACT)."""

from __future__ import annotations

from hippocampus_cli.context.compaction.compact import CompactedSession, compact
from hippocampus_cli.context.compaction.score import Judged

__all__ = ["CompactedSession", "Judged", "compact"]
