"""Restate a retrieved belief in its present context, if three checks confirm that its meaning stays the same.

First a guard that needs no model: numbers, names, negation, quantifiers and order are those of the statement, or of
what its sources say. Then likeness of topic. Then a model's verdict, against the sources and version 1, never only
against the last version. Where one fails, the old version stays and the attempt is noted without content. Without a
model nothing is restated. This module cannot reach what writes episodes (an import rule).
"""

from __future__ import annotations

import json
import math
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from hippocampus_cli.errors import HippoError
from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.index.document import Document
from hippocampus_cli.index.edit import change_entries
from hippocampus_cli.index.metadata import plain_line
from hippocampus_cli.markdown.safe import safe_line
from hippocampus_cli.mind.beliefs import (
    Belief,
    BeliefStore,
    beliefs_of,
    fingerprint,
    updated,
)
from hippocampus_cli.mind.episodes import EpisodeStore
from hippocampus_cli.mind.gate import Gate
from hippocampus_cli.text.tokenizer import is_stop, stem_text
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.fence import Piece
from hippocampus_cli.workspace.own_files import MIND, ensure_folder
from hippocampus_cli.workspace.regular import read_regular

VERSIONS = f"{MIND}/versions"
REVIEWS = f"{MIND}/reviews.jsonl"
LEAST_LIKE = 0.55
_LONGEST = 400  # characters of a restatement
_NUMBER = pattern(r"\d+(?:[.,:/-]\d+)*")
_NAME = pattern(r"(?<![.!?]\s)(?<!^)\b[A-ZÄÖÜ][\wäöüß-]+|`[^`]+`")
_NEGATION = pattern(
    r"\b(?:not|no|never|none|nobody|nothing|without|cannot|nor|neither|nicht|kein\w*"
    r"|nie|niemals|ohne)\b|n't\b"
    r"|\bno longer\b|不|没|无|别",
    2,
)
_QUANTIFIER = pattern(
    r"\b(?:all|every|each|always|any|some|sometimes|often|rarely|most|many|few|only"
    r"|at least|at most|before|after|until"
    r"|since|alle|jede\w*|immer|manche\w*|manchmal|oft|selten|nur|mindestens|höchstens"
    r"|vor|nach|bis|seit)\b"
    r"|所有|每|总是|有时|经常|只|至少|最多|之前|之后",
    2,
)
_DIFF_HEAD = """\
# What is left in this file is kept. Without its + line a belief stays as it is;
# in other words it stands in yours. Lines that begin with # count for nothing.
"""
_RESTATE = (
    "Restate the belief in one sentence, shorter or clearer, in its own language. Change n"
    "o number, name, date,"
    " negation, quantifier or order, and add nothing. Answer with the key statement."
)
_JUDGE = (
    "Do the two statements say exactly the same, given the sources? Answer same=true only "
    "if each follows from the"
    " other and from the sources."
)


class LanguageModel(Protocol):
    """The model that restates and judges."""

    def ask(
        self, instruction: str, pieces: Sequence[Piece], schema: Mapping[str, Any]
    ) -> dict[str, Any]: ...


class Review(NamedTuple):
    """What became of a belief: ``outcome`` is ``restated``, ``kept``, ``edited``; ``why`` the check that failed."""

    id: str
    before: str
    after: str
    outcome: str
    why: str = ""


Edit = Callable[[str], str]


def waits(belief: Belief) -> bool:
    """Whether a belief waits for a review: it was retrieved, or edited by hand."""
    return belief.status == "held" and (belief.due is not None or belief.is_edited)


def as_diff(found: Sequence[Review]) -> str:
    """What would be restated, for a person to edit."""
    parts = [
        f"{one.id}\n- {_line(one.before)}\n+ {_line(one.after)}\n"
        for one in found
        if one.outcome == "restated"
    ]
    return "\n".join([_DIFF_HEAD, *parts])


def from_diff(text: str) -> dict[str, str]:
    """The statements that the person left in the file, by id."""
    found: dict[str, str] = {}
    id = ""
    for line in text.splitlines():
        if line.startswith("+ ") and id and line[2:].strip():
            found[id] = line[2:].strip()
        elif line.strip() and not line.startswith(("#", "-", "+")):
            id = line.strip()
    return found


def _line(text: str) -> str:
    return " ".join(safe_line(text).split())


def guard(statement: str, restated: str, sources: Sequence[str]) -> str:
    """The name of what a restatement changes but must keep; empty for nothing. Deterministic."""
    told = "\n".join((statement, *sources))
    if not restated.strip() or len(restated) > _LONGEST or "\n" in restated:
        return "form"
    if Counter(_NUMBER.findall(statement)) != Counter(_NUMBER.findall(restated)):
        return "numbers"
    if not _names(restated) <= _names(f". {told}") | _first(told) or not _names(
        statement
    ) <= _words(restated):
        return "names"
    if len(_NEGATION.findall(statement)) % 2 != len(_NEGATION.findall(restated)) % 2:
        return "negation"
    if _lowered(_QUANTIFIER, statement) != _lowered(_QUANTIFIER, restated):
        return "quantifiers"
    before, after = _content(statement), _content(restated)
    if set(after) - set(_content(told)):
        return "new words"
    shared = [stem for stem in before if stem in after]
    if shared != [stem for stem in after if stem in shared]:
        return "order"
    return ""


def likeness(one: str, other: str) -> float:
    """The cosine of two texts' content stems."""
    first, second = Counter(_content(one)), Counter(_content(other))
    if not first or not second:
        return 0.0
    dot = sum(count * second[stem] for stem, count in first.items())
    lengths = (math.sqrt(sum(n * n for n in each.values())) for each in (first, second))
    return dot / math.prod(lengths)


def _content(text: str) -> list[str]:
    return list(dict.fromkeys(stem for stem in stem_text(text).split() if not is_stop(stem)))


def _names(text: str) -> set[str]:
    return {one.strip("`") for one in _NAME.findall(text)}


def _first(text: str) -> set[str]:
    return {line.split()[0].strip("`") for line in text.splitlines() if line.split()}


def _words(text: str) -> set[str]:
    return (
        _names(f". {text}")
        | {one.strip("`.,;:!?\"'") for one in text.split()}
        | set(pattern(r"`([^`]+)`").findall(text))
    )


def _lowered(found: Any, text: str) -> Counter[str]:
    return Counter(one.lower() for one in found.findall(text))


class Reviewer:
    """Drains the queue of one workspace."""

    def __init__(
        self, root: Path, store: BeliefStore, gate: Gate, model: LanguageModel | None, now: datetime
    ) -> None:
        self._root = root
        self._store = store
        self._gate = gate
        self._model = model
        self._now = now
        self._episodes = EpisodeStore(root)

    def drain(self, *, dry_run: bool = False, edit: Edit | None = None) -> list[Review]:
        """Review every belief that is due, or was edited by hand; what fails stays as it was.

        ``edit`` is a person who is given what would be restated, as a diff; what is left there is kept.
        """
        waiting = [one for one in self._store.all() if waits(one)]
        found = [(one, self._review(one)) for one in waiting]
        proposed = [one for _, one in found if one.outcome == "restated"]
        if edit is not None and proposed:
            wanted = from_diff(edit(as_diff(proposed)))
            found = [(belief, self._chosen(review, wanted)) for belief, review in found]
        if dry_run:
            return [review for _, review in found]
        return [self._write(belief, review) for belief, review in found]

    def _chosen(self, review: Review, wanted: Mapping[str, str]) -> Review:
        """The review as the person left it; the gate stands before their own words too."""
        if review.outcome != "restated":
            return review
        after = wanted.get(review.id, review.before)
        is_left_out = after == review.before or not plain_line(after)
        why = "left out" if is_left_out else self._gate.category(after)
        if why:
            return review._replace(after=review.before, outcome="kept", why=why)
        return review._replace(after=after)

    def _review(self, belief: Belief) -> Review:
        kept = Review(belief.id, belief.statement, belief.statement, "kept")
        if belief.is_edited:
            return kept._replace(outcome="edited")
        if self._model is None:
            return kept._replace(why="no model")
        sources = self._sources(belief)
        first = sources[0] if sources else belief.statement
        quoted = [Piece("belief", belief.statement), *(Piece("source", one) for one in sources)]
        try:
            said = self._model.ask(_RESTATE, quoted, schema_of(statement="string"))
            restated = " ".join(str(said["statement"]).split())
            why = self._failed(belief.statement, restated, first, sources)
            if not why and restated != belief.statement:
                pair = [
                    Piece("first", first),
                    Piece("last", belief.statement),
                    Piece("new", restated),
                ]
                verdict = self._model.ask(_JUDGE, [*pair, *quoted[1:]], schema_of(same="boolean"))
                why = "" if verdict["same"] is True else "verdict"
        except HippoError as error:
            return kept._replace(why=error.code)
        if why or restated == belief.statement:
            return kept._replace(why=why)
        return Review(belief.id, belief.statement, restated, "restated")

    def _failed(self, statement: str, restated: str, first: str, sources: Sequence[str]) -> str:
        """The first check that fails; the guard holds against the last version and against the first."""
        if why := guard(statement, restated, sources):
            return why
        if (
            statement != first
            and _NUMBER.findall(first)
            and guard(first, restated, sources) == "numbers"
        ):
            return "numbers"
        if likeness(statement, restated) < LEAST_LIKE:
            return "topic"
        return self._gate.category(restated) or ""

    def _sources(self, belief: Belief) -> list[str]:
        found = (self._episodes.resolve(one) for one in belief.derived_from)
        return [one[1].text for one in found if one and one[1]]

    def _write(self, belief: Belief, review: Review) -> Review:
        """Apply a review; what became of it. The earlier version is kept before it is replaced."""
        place = f"{VERSIONS}/{belief.id.replace('/', '-')}.md"
        before = _read(self._root / place)
        if review.outcome != "kept":
            self._keep_version(place, before, belief)
        if not self._store.change(lambda document: _applied(document, belief, review)):
            if review.outcome != "kept":
                self._replace(place, before)
            review = review._replace(after=review.before, outcome="kept", why="changed meanwhile")
        self._note(review)
        return review

    def _keep_version(self, place: str, before: bytes, belief: Belief) -> None:
        head = before or f"# {belief.id}\n".encode()
        text = f"\n## Version {belief.version}, until {self._now.date()}\n\n{belief.statement}\n"
        self._replace(place, head + text.encode("utf-8", "surrogateescape"))

    def _note(self, review: Review) -> None:
        line = {"at": self._now.isoformat(timespec="seconds"), "id": review.id}
        line |= {"outcome": review.outcome, "why": review.why}
        before = _read(self._root / REVIEWS)
        self._replace(REVIEWS, before + json.dumps(line).encode() + b"\n")

    def _replace(self, place: str, data: bytes) -> None:
        replace_bytes(ensure_folder(self._root, place), data, place)


def _applied(document: Document, belief: Belief, review: Review) -> tuple[Document, bool]:
    """The document after a review, and whether the belief was still as it was reviewed: else it waits again."""
    if belief not in beliefs_of(document):
        return document, False
    made = belief.replaced(due=None)
    if review.outcome != "kept":
        made = made.replaced(version=belief.version + 1, sha=fingerprint(review.after))
    document = updated(document, [made])
    if review.outcome != "restated":
        return document, True
    restated = {belief.id: lambda entry: entry.with_summary(review.after)}
    return change_entries(document, restated), True


def versions(root: Path, id: str) -> str:
    """The earlier versions of a belief, as they were; empty for none."""
    return _read(root / VERSIONS / f"{id.replace('/', '-')}.md").decode("utf-8", "surrogateescape")


def _read(path: Path) -> bytes:
    return read_regular(path) if os.path.lexists(path) else b""


def schema_of(**kinds: str) -> Mapping[str, Any]:
    """The JSON schema of an object that has these keys, each of a kind, and no others."""
    return {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in kinds.items()},
        "required": list(kinds),
        "additionalProperties": False,
    }
