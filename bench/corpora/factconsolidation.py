"""FactConsolidation: numbered facts of which later ones overrule earlier ones (MemoryAgentBench; MIT).

As notes: forty facts a day, a bullet each. Asked for is the value that holds at the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import NamedTuple

from bench.corpora.notes import corpus_of, morning_after
from bench.dataset import Case, Dataset, Folder, Quote, Reader, Scoring
from bench.metrics import Corpus, Ranked, Value
from bench.scoring import of_change

_FACT = re.compile(r"^(\d+)\. (.+)$", re.MULTILINE)
_WORD = re.compile(r"\w+")
_FIRST, _A_DAY = date(2020, 1, 1), 40
_ADVICE = "give the file as it was made: a list of sets with context, questions and answers"
_LEGEND = (
    "first: the first passage of the first result holds an answer; five: one of the first five results does. current "
    "first: the statement with the present value is shown among the first five, and no older one before it. old "
    "marked: an older one is marked where it is shown. sure: the share of sure answers; sure: right: of those the "
    "ones with an answer first; right: sure: of those with an answer first the sure ones."
)


class _Fact(NamedTuple):
    """One statement; ``line`` is where it stands."""

    text: str
    path: str
    line: int


def read(data: Path) -> Dataset | None:
    """The sets of ``factconsolidation/*.json``, a folder each."""
    files = sorted((data / "factconsolidation").glob("*.json"))
    if not files:
        return None
    answers: dict[str, Sequence[str]] = {}
    folders = tuple(one for file in files for one in _Facts(file, _ADVICE).folders(answers))
    kinds = tuple(dict.fromkeys(folder.name for folder in folders))
    return Dataset("factconsolidation", kinds, folders, scoring=_scoring(answers))


def _scoring(answers: Mapping[str, Sequence[str]]) -> Scoring:
    return Scoring(
        {
            "first": "first",
            "five": "five",
            "current": "current first",
            "old_marked": "old marked",
            "sure": "sure",
            "sure_right": "sure: right",
            "right_sure": "right: sure",
        },
        (partial(_of_answer, answers), of_change),
        ("first", "current"),
        ("first", "five", "current", "old_marked", "sure_right"),
        ("grep-words", "bm25-turns", "bm25-newest", "search", "hybrid"),
        5,
        2000,
        _LEGEND,
        "sets",
        "facts",
    )


def _of_answer(
    answers: Mapping[str, Sequence[str]], ranked: Ranked, case: Case, corpus: Corpus
) -> dict[str, Value]:
    """Whether the first passage, or one of the first five results, holds an answer."""
    wanted = [one.casefold() for one in answers[case.id]]
    passage = next((span for one in ranked.results[:1] for span in one.spans), None)
    first = corpus.text(passage).casefold() if passage else ""
    five = [one.text.casefold() for one in ranked.results[:5]]
    right = any(one in first for one in wanted)
    found: dict[str, Value] = {
        "first": float(right),
        "five": float(any(one in text for one in wanted for text in five)),
    }
    if ranked.confidence is not None:
        sure = ranked.confidence == "sure"
        found["sure"] = float(sure)
        found["sure_right"] = float(right) if sure else None
        found["right_sure"] = float(sure) if right else None
    return found


class _Facts(Reader):
    def folders(self, answers: dict[str, Sequence[str]]) -> Iterator[Folder]:
        """A folder a set; ``answers`` gets what answers each question, by id."""
        for at, value in enumerate(self.sequence(self.load(), "the document"), 1):
            one = self.mapping(value, f"set {at}")
            name = str(one.get("set", at))
            facts = _facts_in(str(one.get("context", "")))
            if not facts:
                raise self.refusal(f"set {name!r} has no numbered facts")
            questions = self.sequence(one.get("questions"), f"questions of {name!r}")
            right = self.sequence(one.get("answers"), f"answers of {name!r}")
            if len(questions) != len(right):
                raise self.refusal(f"set {name!r} has not one answer a question")
            cases = []
            for number, (text, given) in enumerate(zip(questions, right, strict=True), 1):
                answers[id := f"{name}-{number}"] = list(map(str, given))
                cases.append(_case(id, name, str(text), answers[id], facts))
            yield _folder(name, facts, cases)


def _facts_in(context: str) -> list[_Fact]:
    texts = [text.strip() for _, text in _FACT.findall(context)]
    return [_Fact(text, _path(at), at % _A_DAY + 3) for at, text in enumerate(texts)]


def _path(at: int) -> str:
    return f"memory/{_FIRST + timedelta(at // _A_DAY)}.md"


def _folder(name: str, facts: Sequence[_Fact], cases: Sequence[Case]) -> Folder:
    files: dict[str, list[str]] = {}
    for fact in facts:
        lines = files.setdefault(fact.path, [f"# {fact.path[7:-3]}", ""])
        lines.append(f"- {fact.text}")
    return Folder(name, corpus_of(files), morning_after(files), tuple(cases))


def _case(id: str, kind: str, text: str, answers: Sequence[str], facts: Sequence[_Fact]) -> Case:
    """A question; of single-hop ones the statement that answers is known, and those that it overrules. To others some
    statements have the words of the answer, which may be chance."""
    holding = [fact for fact in facts if any(one in fact.text for one in answers)]
    quotes = tuple(Quote(fact.path, fact.text) for fact in holding)
    if not kind.startswith("sh") or not holding:
        return Case(text, (), kind, gold=quotes or (Quote("", answers[0]),), id=id)
    best = max(holding, key=lambda fact: (_common(text, fact.text, answers), fact[1:]))
    stale = _overruled(best, answers, facts)
    gold = (Quote(best.path, best.text),)
    lines = frozenset({(best.path, best.line)})
    return Case(text, (lines,), kind, 0, gold, stale, id=id)


def _common(question: str, fact: str, answers: Sequence[str]) -> float:
    """How much of a statement, without its value, the question says."""
    for one in answers:
        fact = fact.replace(one, " ")
    words = set(_WORD.findall(fact.casefold()))
    return len(words & set(_WORD.findall(question.casefold()))) / (len(words) or 1)


def _overruled(best: _Fact, answers: Sequence[str], facts: Sequence[_Fact]) -> tuple[Quote, ...]:
    """The earlier statements that say the same up to their value."""
    before = next(best.text.partition(one)[0] for one in answers if one in best.text)
    if len(_WORD.findall(before)) < 2:
        return ()
    earlier = facts[: facts.index(best)]
    same = (one for one in earlier if one.text.startswith(before) and one.text != best.text)
    return tuple(Quote(one.path, one.text) for one in same)
