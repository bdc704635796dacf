"""What is counted of an answer: figures that several data sets share, and the scorings made of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bench.dataset import Case, Scoring
from bench.methods import LIMIT, RANKINGS, TOKENS
from bench.metrics import METRICS, Corpus, Ranked, Shown, Span, Value, covered, figures

FIVE = 5
_SURE, _UNSURE, _NONE = "sure", "unsure", "none"


def best_figures(ranked: Ranked, case: Case, corpus: Corpus) -> tuple[float, ...]:
    """The values of :data:`METRICS`: figure by figure the best that any of the right places gives."""
    each = (figures(ranked, right, corpus) for right in case.right)
    return tuple(map(max, zip(*each, strict=True)))


def of_lines(ranked: Ranked, case: Case, corpus: Corpus) -> dict[str, Value]:
    """The values of :data:`METRICS` by name."""
    if not case.right:
        return {}
    return dict(zip(METRICS, best_figures(ranked, case, corpus), strict=True))


def of_results(ranked: Ranked, case: Case, _: Corpus) -> dict[str, Value]:
    """Whether the first result answers, and one of the first five; all five together where several are needed."""
    if is_absent(case):
        return {}
    right = [case.answered_by(one) for one in ranked.results[:FIVE]]
    found: dict[str, Value] = {"first": float(right[:1] == [True]), "five": float(any(right))}
    if case.sides:
        found["all_five"] = float(_has_all(ranked.results[:FIVE], case))
    return found


def _has_all(results: Sequence[Shown], case: Case) -> bool:
    if case.gold:
        return all(any(one.is_in(shown) for shown in results) for one in case.gold)
    shown = {(one.path, line) for result in results for one in result.spans for line in lines(one)}
    return all(side & shown for side in case.sides)


def lines(span: Span) -> range:
    """The numbers of its lines."""
    return range(span.start, span.end + 1)


def of_change(ranked: Ranked, case: Case, _: Corpus) -> dict[str, Value]:
    """For a value that has changed: whether the present one is read before the old one, and whether the old one is
    marked where it is shown. For others: the share of results that are marked, most of them in error."""
    results = ranked.results[:FIVE]
    if not case.stale:
        return {"marked": sum(one.superseded for one in results) / len(results)} if results else {}
    now = next((at for at, one in enumerate(results) if case.answered_by(one)), None)
    old = [at for at, one in enumerate(results) if any(was.is_in(one) for was in case.stale)]
    found: dict[str, Value] = {"current": float(_is_first(now, old, results, case))}
    if old:
        found["old_marked"] = float(all(results[at].superseded or at == now for at in old))
        if old == [now]:  # in the same result: nothing says which of them a mark is for
            found["old_marked"] = None
    return found


def _is_first(now: int | None, old: Sequence[int], results: Sequence[Shown], case: Case) -> bool:
    if now is None or not old or now != old[0]:
        return now is not None and (not old or now < old[0])
    text = results[now].text.casefold()
    at = [text.find(one.text.casefold()) for one in case.gold]
    was = [text.find(one.text.casefold()) for one in case.stale]
    return min((one for one in at if one >= 0), default=0) < min(
        (one for one in was if one >= 0), default=0
    )


def of_confidence(ranked: Ranked, case: Case, _: Corpus) -> dict[str, Value]:
    """What the word for an answer's confidence is worth: of those that are sure, and of those that show nothing, the
    right ones; of the right ones those that are sure; of questions about what is not there those that are sure, and
    those that show nothing."""
    word = ranked.confidence
    if word is None:
        return {}
    sure, nothing = float(word == _SURE), float(word == _NONE)
    if is_absent(case):
        return {
            "absent_sure": sure,
            "absent_none": nothing,
            "sure_right": 0.0 if sure else None,
            "none_right": 1.0 if nothing else None,
        }
    right = any(case.answered_by(one) for one in ranked.results[:FIVE])
    return {
        "sure_right": float(right) if sure else None,
        "right_sure": sure if right else None,
        "none_right": 0.0 if nothing else None,
        "unsure": float(word == _UNSURE),
    }


def is_absent(case: Case) -> bool:
    """Whether nothing in the notes answers."""
    return not case.right and not case.gold


def of_messages(ranked: Ranked, case: Case, corpus: Corpus) -> dict[str, Value]:
    """The share of the right messages among the first five and ten, and of their lines within 1,000 tokens; whether
    something of each side is among the first ten."""
    if not case.right:
        return {}
    given = list(dict.fromkeys(_messages(ranked.best, corpus)))
    gold = set(_holding(case.lines, corpus))
    found: dict[str, Value] = {
        "recall_5": len(gold & set(given[:5])) / len(gold),
        "recall_10": len(gold & set(given[:10])) / len(gold),
        "in_1000": covered(ranked.within(1000), case.lines, corpus, 4000),
    }
    if case.sides:
        ten = set(given[:10])
        found["both_10"] = float(all(ten & set(_holding(side, corpus)) for side in case.sides))
    return found


def _messages(spans: Sequence[Span], corpus: Corpus) -> Iterator[int]:
    """The numbers of the messages that spans show, in order."""
    for span in spans:
        for at, one in enumerate(corpus.messages):
            if one.path == span.path and one.start <= span.end and span.start <= one.end:
                yield at


def _holding(wanted: frozenset[tuple[str, int]], corpus: Corpus) -> Iterator[int]:
    return (
        at
        for at, one in enumerate(corpus.messages)
        if any((one.path, line) in wanted for line in lines(one))
    )


CONFIDENCE = {
    "sure_right": "sure: right",
    "right_sure": "right: sure",
    "none_right": "none: right",
    "unsure": "unsure",
    "absent_sure": "absent: sure",
    "absent_none": "absent: none",
}
SAID_OF_CONFIDENCE = (
    "sure: right, none: right: of the answers that are sure, or show nothing, those that are right to. right: sure: "
    "of the answers with something right among the first five, those that are sure. unsure: of the questions that "
    "have an answer. absent: questions about what is not in the notes, of which none should be sure."
)
BESIDE = ("grep-words", "bm25-sections", "search", "hybrid")
LINES = Scoring(
    METRICS,
    (of_lines,),
    ("files_at_5", "turns_at_10", "cov_1000"),  # files, lines, and lines within a budget
    ("files_at_5", "turns_at_10", "cov_1000"),
    tuple(one.key for one in RANKINGS),
    LIMIT,
    TOKENS,
    "F: share of the right files among the first k files. any, all: whether any of them, or all, are there. "
    "T: share of the right turns among the first k turns. cov: share of the right turns within the first "
    "500, 1,000 and 2,000 tokens (characters / 4): of an answer that hippo makes for so many, of the beginning "
    "of what the others return. ms: one question in a process that has answered before. "
    "tokens: the text of the first five places.",
    "conversations",
    "turns",
)
"""Which lines are found, how early."""

ANSWERS = Scoring(
    {
        "first": "first",
        "five": "five",
        "all_five": "all in five",
        "current": "current first",
        "old_marked": "old marked",
        "marked": "marks",
        **CONFIDENCE,
    },
    (of_results, of_change, of_confidence),
    ("first", "five"),
    ("first", "five"),
    ("grep-files", *BESIDE),
    FIVE,
    2000,
    "first, five: whether what answers can be read in the first result, or in one of the first five. all in five: "
    "the same for questions that need several places, all of them. current first: of values that have changed, the "
    "present one is read and the old one not before it; old marked: where the old one is shown, it is marked. marks: "
    "of the results of other questions those that are marked as superseded. " + SAID_OF_CONFIDENCE,
    "workspaces",
)
"""Whether an answer as an agent gets it can be used."""
