"""Scores of a daily log's blocks, each scored as a message: ``2026-02-03.md`` → ``2026-02-03.scores.json``.

A block ends before a heading of level 1 or 2 and at a blank line; the last has age 0. ``<!-- hippocampus: type=…
score=… -->`` in a block sets its type or its score.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from hippocampus_cli.config.context import Compaction
from hippocampus_cli.context.compaction.classify import TYPES, classifier
from hippocampus_cli.context.compaction.score import DecayParameters, action_of, penalised
from hippocampus_cli.context.transcripts.message import Part, message
from hippocampus_cli.errors import FileUnreadable, FileUnwritable
from hippocampus_cli.markdown.lines import encode
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.regular import read_regular

_BLOCKS = re.compile(r"\n(?=##? )|\n\s*\n")
_COMMENT = re.compile(r"<!--(?:(?!-->).)*-->", re.DOTALL)
_TYPE = re.compile(r"<!--\s*hippocampus:[^<>]*?\btype=(\w+)")
_SCORE = re.compile(r"<!--\s*hippocampus:[^<>]*?\bscore=(\d*\.?\d+)")
_SUMMARY = 200  # characters


class Scores(NamedTuple):
    """Where the scores are, and what they are."""

    path: Path
    document: dict[str, object]
    stats: dict[str, int]


def score_file(path: Path, agent: str, now: datetime, settings: Compaction) -> Scores:
    """Score the log at ``path`` and write the scores beside it; the log is never written over.

    Raises :class:`FileUnreadable`, :class:`FileUnwritable`.
    """
    try:
        text = read_regular(path).decode("utf-8", "replace")
    except (OSError, ValueError) as error:  # a NUL in the name
        reason = getattr(error, "strerror", None) or str(error)
        raise FileUnreadable(path=str(path), reason=reason) from error
    target = path.with_name(f"{path.name.removesuffix('.md')}.scores.json")
    if target.exists() and target.samefile(path):
        raise FileUnwritable(path=str(target), reason="it is the log itself")
    blocks = list(score_blocks(text, settings))
    actions = Counter(action_of(block["score"], settings) for block in blocks)
    stats = {
        "total": len(blocks),
        "sparse": actions["sparse"],
        "compressed": actions["compress"],
        "kept": actions["keep"],
        "totalTokens": sum(block["tokens"] for block in blocks),
    }
    document: dict[str, object] = {
        "generated": now.isoformat(),
        "source": str(path),
        "agent": agent,
        "config": {
            "sparseThreshold": settings.sparse_threshold,
            "compressThreshold": settings.compress_threshold,
        },
        "stats": stats,
        "items": [{"t": int(now.timestamp() * 1000), **block} for block in blocks],
    }
    replace_bytes(target, encode(json.dumps(document, ensure_ascii=False, indent=2)), str(target))
    return Scores(target, document, stats)


def score_blocks(text: str, settings: Compaction) -> Iterator[dict[str, Any]]:
    """The blocks of a daily log with their types, scores and sizes, in its order."""
    parts = map(str.strip, _BLOCKS.split(text.replace("\r\n", "\n")))
    blocks = [part for part in parts if part and not _COMMENT.fullmatch(part)]
    reader = classifier(settings)
    for place, block in enumerate(blocks, 1):
        tag, given, size = _TYPE.search(block), _SCORE.search(block), tokens(block)
        guessed = reader.type_of(message("assistant", (Part("text", block),), {}))
        kind = next((name for name in TYPES if tag and name == tag[1]), guessed)
        fading = DecayParameters.of(kind, settings)
        importance = penalised(fading.importance, size, settings)
        score = float(given[1]) if given else fading.retention(importance, len(blocks) - place)
        summary = block[:_SUMMARY].replace("\n", " ")
        yield {"type": kind, "score": round(score, 2), "summary": summary, "tokens": size}
