"""The settings of the anchor index, in the words of ANCHOR where it has one."""

from __future__ import annotations

from typing import Annotated

from hippocampus_cli.config.rules import Rule
from hippocampus_cli.light import NamedTuple


class Anchors(NamedTuple):
    """What the anchors of a workspace are and where they lead (ANCHOR, ``config.py``)."""

    sources: Annotated[
        tuple[str, ...], Rule("notes to draw on, as in .gitignore; none: every note")
    ] = ()
    allow: Annotated[
        tuple[str, ...], Rule("notes a lookup may return, as in .gitignore; none: every note")
    ] = ()
    deny: Annotated[tuple[str, ...], Rule("words and phrases that never lead anywhere")] = ()
    project: Annotated[str, Rule("the active project: what `it` and `our` stand for")] = ""
    in_queries: Annotated[bool, Rule("whether `hippo query` goes by the anchors too")] = True
    k: Annotated[int, Rule("chunks an anchor leads to, after a build", 1, 1_000)] = 20
    k_max: Annotated[int, Rule("the same with those of updates; k at least", 1, 10_000)] = 50
    theta: Annotated[
        float,
        Rule("least score of a chunk in an anchor's list; 0: worked out from the notes", 0, 1),
    ] = 0.0
    sem_theta: Annotated[
        float, Rule("least likeness of a message and an anchor; 0: worked out from the notes", 0, 1)
    ] = 0.0
    max_chunks: Annotated[int, Rule("chunks that a lookup returns at most", 1, 1_000)] = 30
    per_file: Annotated[int, Rule("of them from one file at most", 1, 1_000)] = 3
    max_anchors: Annotated[int, Rule("anchors at most, phrases and names first", 1, 1_000_000)] = (
        5_000
    )
    chunk_tokens: Annotated[int, Rule("a longer section is split (tokens)", 50, 100_000)] = 512
    min_tokens: Annotated[
        int, Rule("a shorter chunk is joined with its neighbour (tokens)", 0, 100_000)
    ] = 50
