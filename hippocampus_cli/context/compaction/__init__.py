"""Sessions compacted: scored, faded, and told again within a budget (COMPACT)."""

from __future__ import annotations

from hippocampus_cli.context.compaction.compact import Compaction, compact
from hippocampus_cli.context.compaction.judging import Judged

__all__ = ["Compaction", "Judged", "compact"]
