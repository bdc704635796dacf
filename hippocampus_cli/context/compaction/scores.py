"""A daily log's scores as a file beside it: ``2026-02-03.md`` → ``2026-02-03.scores.json``."""

from __future__ import annotations

import json
import re
import stat
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.context.compaction.daily import Block, score_blocks
from hippocampus_cli.context.compaction.reference.settings import defaults
from hippocampus_cli.context.compaction.reference.summary import action_of
from hippocampus_cli.errors import FileUnreadable, FileUnwritable
from hippocampus_cli.markdown.lines import encode
from hippocampus_cli.workspace.atomic import replace_bytes

_SURROGATE = re.compile("[\ud800-\udfff]")


class Scores(NamedTuple):
    """Where the scores are, and what they are: the reference's document."""

    path: Path
    document: dict[str, object]
    stats: dict[str, int]


def score_file(path: Path, agent: str, now: datetime) -> Scores:
    """Score the log at ``path`` and write the scores beside it; the log is never written over.

    Raises :class:`FileUnreadable`, :class:`FileUnwritable`.
    """
    blocks = score_blocks(_read(path))
    stats = _stats(blocks)
    target = path.with_name(f"{path.name.removesuffix('.md')}.scores.json")
    document = _document(str(path), blocks, stats, agent, now)
    if target.exists() and target.samefile(path):
        raise FileUnwritable(path=str(target), reason="it is the log itself")
    text = json.dumps(document, ensure_ascii=False, indent=2)
    text = _SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)
    replace_bytes(target, encode(text), str(target))
    return Scores(target, document, stats)


def _read(path: Path) -> str:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise FileUnreadable(path=str(path), reason="not a regular file")
        return path.read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise FileUnreadable(path=str(path), reason=error.strerror or str(error)) from error
    except ValueError:  # a NUL in the name
        raise FileUnreadable(path=str(path), reason="no file can have this name") from None


def _stats(blocks: list[Block]) -> dict[str, int]:
    low, high = defaults()["sparseThreshold"], defaults()["compressThreshold"]
    counts = Counter(action_of(block.score, low, high) for block in blocks)
    return {
        "total": len(blocks),
        "sparse": counts["sparse"],
        "compressed": counts["compress"],
        "kept": counts["keep"],
        "totalTokens": sum(block.tokens for block in blocks),
    }


def _document(
    source: str, blocks: list[Block], stats: dict[str, int], agent: str, now: datetime
) -> dict[str, object]:
    thresholds = {key: defaults()[key] for key in ("sparseThreshold", "compressThreshold")}
    moment = int(now.timestamp() * 1000)
    return {
        "generated": now.isoformat(),
        "source": source,
        "agent": agent,
        "config": thresholds,
        "stats": stats,
        "items": [{"t": moment, **block._asdict()} for block in blocks],
    }
