"""DevMemBench: questions over the sessions of a developer with an agent (MIT; not part of hippo).

A session becomes a note of its day: a heading with its project, and a paragraph a message. Right is what its sessions
say.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.corpora.notes import corpus_of, morning_after
from bench.dataset import Case, Dataset, Folder, Reader, Scoring
from bench.metrics import Corpus, Ranked, Value
from bench.scoring import BESIDE, CONFIDENCE, SAID_OF_CONFIDENCE, of_confidence

_ADVICE = "give the files as they were made: sessions.json and questions.json"
_FIVE = 5


def _of_sessions(ranked: Ranked, case: Case, _: Corpus) -> dict[str, Value]:
    """Whether the first result is of one of the right sessions, and whether five results are of all of them."""
    wanted = [{path for path, _ in side} for side in case.sides]
    if not wanted:
        return {}
    shown = [result.path for result in ranked.results[:_FIVE]]
    first = any(side & set(shown[:1]) for side in wanted)
    return {"any_1": float(first), "all_5": float(all(side & set(shown) for side in wanted))}


SCORING = Scoring(
    {"any_1": "any@1", "all_5": "all@5", **CONFIDENCE},
    (_of_sessions, of_confidence),
    ("any_1", "all_5"),
    ("any_1", "all_5", "sure_right"),
    BESIDE,
    _FIVE,
    2000,
    "any@1: the first result is of one of the right sessions. all@5: five results are of all of them. "
    + SAID_OF_CONFIDENCE,
    "developers",
    "sessions",
)


def read(data: Path) -> Dataset | None:
    """The sessions of ``devmembench``, one folder."""
    folder = data / "devmembench"
    if not (folder / "questions.json").is_file():
        return None
    files: dict[str, list[str]] = {}
    sessions = {}
    reader = Reader(folder / "sessions.json", _ADVICE)
    for value in reader.sequence(reader.load(), "the sessions"):
        session = reader.mapping(value, "a session")
        about = reader.mapping(session.get("metadata"), "metadata")
        path = f"memory/{about.get('date')}.md"
        sessions[session.get("sessionId")] = path
        files[path] = list(_lines(reader, session, str(about.get("project"))))
    corpus = corpus_of(files)
    cases = tuple(_cases(Reader(folder / "questions.json", _ADVICE), corpus, sessions))
    kinds = tuple(dict.fromkeys(case.kind for case in cases))
    one = Folder("developer", corpus, morning_after(files), cases)
    return Dataset("devmembench", kinds, (one,), scoring=SCORING)


def _lines(reader: Reader, session: dict[str, Any], project: str) -> Iterator[str]:
    yield f"# {project}"
    for value in reader.sequence(session.get("messages"), "the messages"):
        message = reader.mapping(value, "a message")
        yield ""
        yield from f"**{message.get('role')}**: {message.get('content')}".split("\n")


def _cases(reader: Reader, corpus: Corpus, sessions: dict[Any, str]) -> Iterator[Case]:
    for value in reader.sequence(reader.load(), "the questions"):
        one = reader.mapping(value, "a question")
        named = reader.sequence(one.get("haystackSessionIds"), "the sessions of a question")
        paths = {sessions[session] for session in named if session in sessions}
        sides = tuple(
            frozenset(unit for unit in corpus.units if unit[0] == path) for path in sorted(paths)
        )
        right = frozenset().union(*sides)
        text, kind = str(one.get("question")), str(one.get("questionType"))
        yield Case(
            text, (right,) if right else (), kind, sides=sides, id=str(one.get("questionId"))
        )
