"""Scores of a daily log's blocks: ``2026-02-03.md`` → ``2026-02-03.scores.json``.

A block ends before a heading of level 1 or 2 and at a blank line; the last has age 0. ``<!-- hippocampus: type=…
score=… -->`` in a block sets its type or its score.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.config.context import Compaction
from hippocampus_cli.context.compaction.classify import TYPES, Classifier, classifier
from hippocampus_cli.context.compaction.score import Action, DecayParameters, action_of, penalised
from hippocampus_cli.context.transcripts import Message, Part
from hippocampus_cli.errors import FileUnreadable, FileUnwritable
from hippocampus_cli.markdown.lines import encode
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.regular import read_regular

_BLOCKS = re.compile(r"\n(?=##? )|\n\s*\n")
_TYPE = re.compile(r"<!--\s*hippocampus:[^<>]*?\btype=(\w+)")
_SCORE = re.compile(r"<!--\s*hippocampus:[^<>]*?\bscore=(\d*\.?\d+)")
_SUMMARY = 200  # characters
_ACTIONS: dict[Action, str] = {"sparse": "sparse", "compress": "compressed", "keep": "kept"}


class Scores(NamedTuple):
    """Where the scores are, and what they are."""

    path: Path
    document: dict[str, object]
    stats: dict[str, int]


class Block(NamedTuple):
    """A block with its score, 0 to 1 unless its tag says otherwise."""

    type: str
    score: float
    hash: str
    summary: str
    tokens: int


def score_file(path: Path, agent: str, now: datetime, settings: Compaction) -> Scores:
    """Score the log at ``path`` and write the scores beside it; the log is never written over.

    Raises :class:`FileUnreadable`, :class:`FileUnwritable`.
    """
    try:
        text = read_regular(path).decode("utf-8", "replace")
    except OSError as error:
        raise FileUnreadable(path=str(path), reason=error.strerror or str(error)) from error
    except ValueError:  # a NUL in the name
        raise FileUnreadable(path=str(path), reason="no file can have this name") from None
    target = path.with_name(f"{path.name.removesuffix('.md')}.scores.json")
    if target.exists() and target.samefile(path):
        raise FileUnwritable(path=str(target), reason="it is the log itself")
    blocks = score_blocks(text, settings)
    moment = int(now.timestamp() * 1000)
    scores = Scores(target, {}, _stats(blocks, settings))
    scores.document.update(
        generated=now.isoformat(),
        source=str(path),
        agent=agent,
        config={
            "sparseThreshold": settings.sparse_threshold,
            "compressThreshold": settings.compress_threshold,
        },
        stats=scores.stats,
        items=[{"t": moment, **block._asdict()} for block in blocks],
    )
    document = json.dumps(scores.document, ensure_ascii=False, indent=2)
    replace_bytes(target, encode(document), str(target))
    return scores


def score_blocks(text: str, settings: Compaction) -> list[Block]:
    """The scored blocks of a daily log, in its order."""
    parts = [part.strip() for part in _BLOCKS.split(text.replace("\r\n", "\n"))]
    blocks = [
        part for part in parts if part and not (part.startswith("<!--") and part.endswith("-->"))
    ]
    reader = classifier(settings)
    return [
        _scored(block, len(blocks) - 1 - number, reader, settings)
        for number, block in enumerate(blocks)
    ]


def _scored(block: str, age: int, reader: Classifier, settings: Compaction) -> Block:
    given = _TYPE.search(block)
    kind = reader.type_of(Message("", None, "assistant", (Part("text", block),), {}))
    kind = next((name for name in TYPES if given and name == given[1]), kind)
    size = tokens(block)
    if tag := _SCORE.search(block):
        score = float(tag[1])
    else:
        parameters = DecayParameters.of(kind, settings)
        score = parameters.retention(penalised(parameters.importance, size, settings), age)
    digest = sha256(encode(block)).hexdigest()[:8]
    summary = block[:_SUMMARY].replace("\n", " ")
    return Block(kind, round(score, 2), digest, summary, size)


def _stats(blocks: list[Block], settings: Compaction) -> dict[str, int]:
    counts = Counter(action_of(block.score, settings) for block in blocks)
    return {
        "total": len(blocks),
        **{name: counts[action] for action, name in _ACTIONS.items()},
        "totalTokens": sum(block.tokens for block in blocks),
    }
