"""PrecisionMemBench: which of 35 beliefs must come back, and which must not (tenurehq/precisionMemBench; MIT).

Its own adapters give every tool the same: pinned facts and open questions come from the fixture, and a tool answers
only for the relevant beliefs. Here a scope is a folder of notes, a belief a note with its aliases as tags; what
hippo shows within its limit is what it returns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from bench.corpora.notes import corpus_of
from bench.dataset import Case, Dataset, Folder, Reader, Scoring
from bench.metrics import Corpus, Line, Ranked, Value
from bench.scoring import BESIDE

_USER, _NOW = "test-user", datetime(2026, 10, 8, 9, tzinfo=UTC)
_MOST = 20  # beliefs, where a case says nothing else
_ADVICE = "give the files of the repository's fixtures, unchanged"
_LEGEND = (
    "passed: exactly the beliefs come back that a case wants. sure only: the same where an answer that is not sure "
    "is taken for none. precision, recall: of the relevant beliefs; superseded: cases in which a superseded belief "
    "came back."
)


class _Case(NamedTuple):
    """What a case wants; ``pinned`` are the facts that are always there, ``most`` how many there may be."""

    expected: frozenset[str] | None
    required: frozenset[str]
    excluded: frozenset[str]
    pinned: tuple[str, ...]
    most: int


_Row = Mapping[str, Any]
_ById = Mapping[str, _Row]


class Beliefs(NamedTuple):
    """The beliefs by id, and the cases by theirs."""

    by_id: _ById
    cases: Mapping[str, _Case]


def read(data: Path) -> Dataset | None:
    """The cases and session turns of ``precisionmembench/``, a folder for the beliefs of each scope."""
    root = data / "precisionmembench"
    if not (root / "retrieval.cases.json").is_file():
        return None
    asked = _asked_in(root)
    cases: dict[str, _Case] = {}
    stages: dict[tuple[str, ...], tuple[_ById, list[Case]]] = {}
    for row, there in asked:
        case = cases[str(row["caseId"])] = _case(row, there)
        key = (str(row.get("userId", _USER)), *map(str, row["scope"]), str(row.get("stage", "")))
        stages.setdefault(key, (there, []))[1].append(_asked(row, case, there))
    folders = tuple(_folder(key, found, there) for key, (there, found) in stages.items())
    kinds = tuple(dict.fromkeys(str(row["category"]) for row, _ in asked))
    scoring = _scoring(Beliefs(asked[-1][1], cases))
    return Dataset("precisionmembench", kinds, folders, scoring=scoring)


def _asked_in(root: Path) -> list[tuple[_Row, _ById]]:
    """The cases, then the turns of sessions, each with the beliefs that there are by then."""
    beliefs = {str(one["_id"]): one for one in _rows(root / "beliefs.seed.json")}
    asked: list[tuple[_Row, _ById]] = [
        (row, beliefs) for row in _rows(root / "retrieval.cases.json")
    ]
    sessions = root / "session-retrieval.cases.json"
    return asked + (_turns(_rows(sessions), beliefs) if sessions.is_file() else [])


Held = Callable[[Path, Sequence[_Row]], Callable[[str], list[str]]]
"""Tells beliefs to a fresh folder, and gives what answers a question with their ids."""


def judge(data: Path, held: Held) -> Iterator[tuple[str, str, bool]]:
    """The kind and the name of every case, and whether it passes with what ``held`` holds."""
    answers: dict[str, Callable[[str], list[str]]] = {}
    with ExitStack() as scratch:
        for row, there in _asked_in(data / "precisionmembench"):
            user, scope = str(row.get("userId", _USER)), row["scope"]
            told = [
                one
                for one in there.values()
                if _is_in(one, user, scope) and one["type"] != "open_question"
            ]
            key = repr((user, scope, [(one["_id"], one.get("aliases")) for one in told]))
            if key not in answers:
                folder = scratch.enter_context(TemporaryDirectory(prefix="hippo-bench-"))
                answers[key] = held(Path(folder), told)
            wanted = _case(row, there)
            given = answers[key](str(row["query"])) if wanted.most else []
            shown = _relevant(given, wanted, Beliefs(there, {}))
            yield str(row["category"]), str(row["caseId"]), _passes(shown, wanted)


def _turns(sessions: Sequence[Mapping[str, Any]], beliefs: _ById) -> list[tuple[_Row, _ById]]:
    """The turns of sessions as cases, each with the beliefs there are by then."""
    found: list[tuple[_Row, _ById]] = []
    for session in sessions:
        for turn in session["turns"]:
            expect = turn["expect"]
            wanted = dict(expect.get("relevantBeliefs") or {})
            noise = (expect.get("noiseCheck") or {}).get("mustNotSurface", ())
            wanted["mustExclude"] = [*wanted.get("mustExclude", ()), *noise]
            row = {
                "caseId": f"{session['caseId']} {turn['turnIndex']}",
                "category": "Session",
                "query": turn["userMessage"],
                "scope": turn["scope"],
                "expect": {"relevantBeliefs": wanted},
                "stage": len(found),
            }
            found.append((row, beliefs))
            beliefs = _after(turn, beliefs)
    return found


def _after(turn: Mapping[str, Any], beliefs: _ById) -> _ById:
    """The beliefs after a turn: one more, or one with further aliases."""
    if new := turn.get("createBeliefAtTurn"):
        beliefs = {**beliefs, str(new["_id"]): new}
    if change := turn.get("updateBeliefAtTurn"):
        one = beliefs[change["beliefId"]]
        more = [*(one.get("aliases") or []), *change.get("addAliases", ())]
        beliefs = {**beliefs, change["beliefId"]: {**one, "aliases": more}}
    return beliefs


def _scoring(beliefs: Beliefs) -> Scoring:
    return Scoring(
        {
            "passed": "passed",
            "passed_sure": "sure only",
            "precision": "precision",
            "recall": "recall",
            "superseded": "superseded",
        },
        (partial(_of_beliefs, beliefs),),
        ("passed", "passed_sure", "recall"),
        ("passed", "recall"),
        BESIDE,
        5,
        2000,
        _LEGEND,
        "scopes",
    )


def _rows(file: Path) -> list[dict[str, Any]]:
    reader = Reader(file, _ADVICE)
    rows = reader.sequence(reader.load(), "the document")
    return [reader.mapping(one, f"row {at}") for at, one in enumerate(rows, 1)]


def _is_in(belief: Mapping[str, Any], user: str, scope: Iterable[str]) -> bool:
    return belief.get("user_id", _USER) == user and not set(scope).isdisjoint(belief["scope"])


def _case(row: Mapping[str, Any], beliefs: _ById) -> _Case:
    wanted = row["expect"].get("relevantBeliefs") or {}
    only = wanted.get("shouldOnlyInclude")
    user = str(row.get("userId", _USER))
    pinned = tuple(
        id
        for id, one in beliefs.items()
        if _is_in(one, user, row["scope"])
        and one.get("pinned")
        and one.get("type") != "open_question"
        and not one.get("superseded_by")
        and not one.get("resolved_at")
    )
    return _Case(
        None if only is None else frozenset(only),
        frozenset(wanted.get("mustInclude", ())),
        frozenset(wanted.get("mustExclude", ())),
        pinned,
        int(row.get("budget", {}).get("maxBeliefs", _MOST)),
    )


def _asked(row: Mapping[str, Any], case: _Case, beliefs: _ById) -> Case:
    gold = [id for id in sorted(case.expected or case.required) if id in beliefs]
    places = tuple(_said_in(id, beliefs[id]) for id in gold)
    return Case(str(row["query"]), places, str(row["category"]), id=str(row["caseId"]))


def _folder(key: tuple[str, ...], asked: Sequence[Case], beliefs: _ById) -> Folder:
    user, *scope, stage = key
    there = {_path(id): _note(one) for id, one in beliefs.items() if _is_in(one, user, scope)}
    return Folder(" ".join(filter(None, (*scope, stage))), corpus_of(there), _NOW, tuple(asked))


def _said_in(id: str, belief: Mapping[str, Any]) -> frozenset[Line]:
    """The lines of a belief's note."""
    return frozenset((_path(id), number) for number in range(1, len(_note(belief)) + 1))


def _path(id: str) -> str:
    return f"beliefs/{id}.md"


def _note(belief: Mapping[str, Any]) -> list[str]:
    """A belief as a note: what it is called, what else it is called, what it says and why that matters."""
    name, aliases = str(belief["canonical_name"]).replace("_", " "), belief.get("aliases") or []
    tags = [f"tags: [{', '.join(aliases)}]"] if aliases else []
    head = [
        "---",
        f"type: {belief['type']}",
        f"date: {str(belief['updated_at'])[:10]}",
        *tags,
        "---",
    ]
    also = [f"Also: {', '.join(aliases)}."] if aliases else []
    said = [str(belief["content"]), "", f"Why: {belief.get('why_it_matters') or ''}".rstrip(": ")]
    return [*head, f"# {name}", "", *also, *said]


def _of_beliefs(beliefs: Beliefs, ranked: Ranked, case: Case, _: Corpus) -> dict[str, Value]:
    wanted = beliefs.cases[case.id]
    given = [Path(one.path).stem for one in ranked.results] if wanted.most else []
    shown = _relevant(given, wanted, beliefs)
    sure = shown if ranked.confidence in (None, "sure") else []
    expected = wanted.expected or wanted.required
    right = len(expected & set(shown))
    superseded = any(beliefs.by_id[id].get("superseded_by") for id in shown)
    return {
        "passed": float(_passes(shown, wanted)),
        "passed_sure": float(_passes(sure, wanted)) if ranked.confidence else None,
        "precision": right / len(shown) if shown else (0.0 if expected else None),
        "recall": right / len(expected) if expected else None,
        "superseded": float(superseded),
    }


def _relevant(given: Sequence[str], wanted: _Case, beliefs: Beliefs) -> list[str]:
    """What a tool's answer becomes: without pinned facts, with what relations are between, up to the budget."""
    there = [id for id in dict.fromkeys(given) if id in beliefs.by_id and id not in wanted.pinned]
    for id in list(there):
        for other in _parties(beliefs.by_id[id], beliefs):
            if other not in there and other not in wanted.pinned:
                there.append(other)
    return there[: max(0, wanted.most - len(wanted.pinned[: wanted.most]))]


def _parties(one: Mapping[str, Any], beliefs: Beliefs) -> list[str]:
    """The beliefs between which a relation is, but for open questions and those of another scope."""
    if one.get("type") != "relation":
        return []
    there = ((id, beliefs.by_id.get(id)) for id in one.get("participants") or ())
    return [
        id
        for id, it in there
        if it and it["type"] != "open_question" and _is_in(it, _USER, one["scope"])
    ]


def _passes(shown: Sequence[str], wanted: _Case) -> bool:
    every = {*shown, *wanted.pinned}
    if wanted.expected is not None and set(shown) != wanted.expected:
        return False
    return wanted.required <= every and not wanted.excluded & every
