"""BEAM: questions about chats of 100,000 tokens, by ability (Tavakoli and others; CC BY-SA 4.0, not part of hippo).

A chat becomes a workspace: a file a batch, named by its first day, a heading an exchange, and a paragraph a message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.corpora.notes import corpus_of, morning_after
from bench.dataset import Case, Dataset, Folder, Reader, Scoring
from bench.metrics import Corpus, Line, Ranked, Span, Value
from bench.scoring import (
    BESIDE,
    CONFIDENCE,
    LINES,
    SAID_OF_CONFIDENCE,
    of_change,
    of_confidence,
    of_messages,
)

ABSTENTION, ORDER, SUMMARY = "abstention", "event_ordering", "summarization"
_MOST_ORDERED = 20  # messages: a question after the order of more is left out
_DAYS = ("%B-%d-%Y", "%b-%d-%Y", "%Y-%m-%d")
_HEADING = re.compile(r"^(#{1,6})(?=\s)")
_MARKED = re.compile(r"\s*(#|`{3}|~{3}|\||[-*+]\s|\d+[.)]\s|>)")  # which has to begin a line
_FENCE = re.compile(r"\s*(```|~~~)")
_ADVICE = "give the files as they were made, a chat each"


def _of_update(ranked: Ranked, case: Case, _: Corpus) -> dict[str, Value]:
    """Of an updated value: whether the first of the two statements that is shown is the newer one."""
    if case.kind != "knowledge_update" or len(case.sides) < 2:
        return {}
    old, new = case.sides[0], case.sides[-1]
    for span in ranked.shown:
        shown = {(span.path, line) for line in range(span.start, span.end + 1)}
        if shown & new:
            return {"current": 1.0}
        if shown & old:
            return {"current": 0.0}
    return {"current": 0.0}


SCORING = Scoring(
    {
        "recall_5": "R@5",
        "recall_10": "R@10",
        "in_1000": "in 1k",
        "both_10": "both in 10",
        "current": "update first",
        "marked": "marks",
        **CONFIDENCE,
    },
    (of_messages, of_change, of_confidence, _of_update),
    ("recall_10", "in_1000"),
    ("recall_10", "in_1000", "both_10", "sure_right"),
    ("bm25-messages", *BESIDE),
    LINES.limit,
    LINES.tokens,
    "R: share of the right messages among the first five or ten. in 1k: share of their lines within 1,000 tokens. "
    "both in 10: of questions about what is contradicted, or needs two statements, something of each is among the "
    "first ten. update first: a newer statement comes before the older one. " + SAID_OF_CONFIDENCE,
    "chats",
    "lines",
)


def read(data: Path) -> Dataset | None:
    """The chats of ``beam/*.json``, a folder each."""
    files = sorted((data / "beam").glob("*.json"))
    if not files:
        return None
    folders = tuple(_Chat(file, _ADVICE).folder() for file in files)
    kinds = dict.fromkeys(case.kind for folder in folders for case in folder.cases)
    return Dataset("beam", tuple(kinds), folders, scoring=SCORING)


class _Chat(Reader):
    def folder(self) -> Folder:
        """The chat as notes, and what is asked of it."""
        document = self.mapping(self.load(), "the document")
        files: dict[str, list[str]] = {}
        messages: dict[int, Span] = {}
        day = None
        for at, value in enumerate(self.sequence(document.get("batches"), "batches"), 1):
            batch = self.mapping(value, f"batch {at}")
            turns = self.sequence(batch.get("turns"), f"the turns of batch {at}")
            day = self._day(turns, day)
            messages |= self._written(files, f"memory/{day}.md", turns)
        corpus = corpus_of(files, messages.values())
        asked = self.mapping(document.get("questions"), "questions")
        cases = tuple(self._cases(asked, messages))
        return Folder(self.path.stem, corpus, morning_after(files), cases)

    def _day(self, turns: list[Any], before: date | None) -> date:
        """The first day that the batch names; days only go up, and there is one a batch."""
        anchors = (one.get("time_anchor") for turn in turns for one in turn)
        named = next((day for day in map(_day_in, anchors) if day), None)
        if before is None:
            if named is None:
                raise self.refusal("the first batch has no time anchor")
            return named
        return max(named or before, before + timedelta(1))

    def _written(self, files: dict[str, list[str]], path: str, turns: list[Any]) -> dict[int, Span]:
        lines = files[path] = [f"# {path[7:-3]}"]
        found = {}
        for number, turn in enumerate(turns, 1):
            lines += ["", f"## Exchange {number}"]
            for value in self.sequence(turn, "a turn"):
                message = self.mapping(value, "a message")
                text = _demoted(str(message.get("content") or ""))
                lines.append("")
                start = len(lines) + 1
                between = "\n\n" if _MARKED.match(text) else " "
                lines += f"**{message.get('role')}**:{between}{text}".split("\n")
                found[int(message["id"])] = Span(path, start, len(lines))
        return found

    def _cases(self, asked: dict[str, Any], messages: dict[int, Span]) -> Iterator[Case]:
        for kind, values in asked.items():
            for at, value in enumerate(self.sequence(values, kind), 1):
                one = self.mapping(value, "a question")
                named = one.get("source_chat_ids") or []
                sides = list(named.values()) if isinstance(named, dict) else [named]
                places = [frozenset(_lines_of(side, messages)) for side in sides]
                right = frozenset().union(*places)
                many = len(set(_ids(named)))
                if kind == SUMMARY or (kind == ORDER and many > _MOST_ORDERED):
                    continue
                if not right and kind != ABSTENTION:
                    continue
                together = tuple(filter(None, places)) if len(places) > 1 else ()
                text = str(one.get("question") or "")
                yield Case(
                    text, (right,) if right else (), kind, 0, sides=together, id=f"{kind}-{at}"
                )


def _lines_of(named: object, messages: dict[int, Span]) -> Iterator[Line]:
    for id in _ids(named):
        if span := messages.get(id):
            yield from ((span.path, line) for line in range(span.start, span.end + 1))


def _ids(named: object) -> Iterator[int]:
    """The numbers in what names messages: one, a list, or a dictionary of lists."""
    if isinstance(named, int):
        yield named
    elif isinstance(named, dict):
        yield from _ids(list(named.values()))
    elif isinstance(named, list):
        for one in named:
            yield from _ids(one)


def _demoted(text: str) -> str:
    """A message with its headings below those of exchanges."""
    lines, fenced = [], False
    for line in re.split(r"\r\n|\r|\n", text.encode("utf-8", "replace").decode("utf-8")):
        if _FENCE.match(line):
            fenced = not fenced
        lines.append(line if fenced else _HEADING.sub(_below, line))
    return "\n".join(lines)


def _below(heading: re.Match[str]) -> str:
    """Two levels down, as far as there are any."""
    return "#" * min(6, len(heading[1]) + 2)


def _day_in(anchor: object) -> date | None:
    for form in _DAYS:
        try:
            return datetime.strptime(str(anchor), form).date()
        except ValueError:
            continue
    return None
