"""A query's terms as the stems to look up, each with what it is worth: rare words are worth more.

A word that is nowhere in the workspace is taken for one that is like it. Beside a word stand those that may mean the
same: by the thesaurus, or written apart or together.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import log

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.search import ranking_weights
from hippocampus_cli.search.query_parser import Query
from hippocampus_cli.search.term_statistics import Group, QueryTerms
from hippocampus_cli.text.thesaurus import LONGEST, thesaurus
from hippocampus_cli.text.tokenizer import Term, forms, is_stop
from hippocampus_cli.workspace.database import Connection

_SHORTEST = 4  # characters of a beginning that is completed; a misspelt word needs one more
_CUT_OFF = 80.0  # rapidfuzz ratio: one wrong letter, or two swapped, in six
_CUT_OFF_SHORT = 85.0  # in a word of five letters: one too many or too few
_CLOSE = 5.0  # what may be worse than the best by this much is offered too
_MOST = 3
_AT_ONCE = 500  # words in one statement; older SQLite takes no more than 999


class Frequency(NamedTuple):
    """In how many sections a stem stands, and how many times in all; both 0 if nowhere."""

    sections: int = 0
    times: int = 0


def frequencies(db: sqlite3.Connection, stems: Iterable[str]) -> dict[str, Frequency]:
    """How common each of ``stems`` is."""
    wanted = list(dict.fromkeys(stems))
    known = db.kept() if isinstance(db, Connection) else {}
    missing = [stem for stem in wanted if stem not in known]
    for at in range(0, len(missing), _AT_ONCE):  # counting a common word takes a millisecond
        known.update(_counted(db, missing[at : at + _AT_ONCE]))
    return {stem: known[stem] for stem in wanted}


def _counted(db: sqlite3.Connection, stems: Sequence[str]) -> dict[str, Frequency]:
    """How common these are, asked at once: opening the vocabulary takes longer than to find a word in it."""
    query = "SELECT term, doc, cnt FROM vocabulary WHERE term IN"
    rows = db.execute(f"{query} ({','.join('?' * len(stems))})", tuple(stems))
    return dict.fromkeys(stems, Frequency()) | {term: Frequency(*row) for term, *row in rows}


def idf(units: int, times: int) -> float:
    """How much a stem says that stands ``times`` in a workspace of ``units``, and never nothing."""
    return log(1.0 + (max(units - times, 0) + 0.5) / (times + 0.5))


def corrected(db: sqlite3.Connection, stem: str) -> list[str]:
    """The words of the workspace nearest to ``stem``, which is none of them; best first."""
    if len(stem) < _SHORTEST or not stem.isalpha() or not stem.isascii():
        return []
    known = db.kept() if isinstance(db, Connection) else {}
    key = ("corrected", stem)
    if key not in known:
        known[key] = _without_umlauts(db, stem) or _begun_by(db, stem) or _near(db, stem)
    return list(known[key])


def _without_umlauts(db: sqlite3.Connection, stem: str) -> list[str]:
    """``muller`` for ``mueller``: stems have lost their dots, and who types has no ``ü``."""
    plain = re.sub("(?<=[aou])e", "", stem)
    known = plain != stem and frequencies(db, [plain])[plain].times
    return [plain] if known else []


def _begun_by(db: sqlite3.Connection, stem: str) -> list[str]:
    query = "SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ?"
    rows = db.execute(query, (stem, stem + "\x7f")).fetchall()
    return [term for term, _ in sorted(rows, key=lambda row: (-row[1], row[0]))[:_MOST]]


def _near(db: sqlite3.Connection, stem: str) -> list[str]:
    slack = max(1, len(stem) // 4)
    docs: dict[str, int] = {}
    # a person hardly ever gets the first letter wrong, but may swap it with the second
    for begin in (stem[0], stem[1] + stem[0]):
        for term, doc in _beginning(db, begin):
            if abs(len(term) - len(stem)) <= slack and term.isalpha() and not is_stop(term):
                docs[term] = doc
    short = len(stem) <= _SHORTEST + 1
    if short and (swapped := [term for term in docs if _is_swapped(term, stem)]):
        return sorted(swapped, key=lambda term: (-docs[term], term))[:_MOST]
    if len(stem) <= _SHORTEST:
        return []
    from rapidfuzz import fuzz, process

    cut_off = _CUT_OFF_SHORT if short else _CUT_OFF
    found = process.extract(stem, list(docs), scorer=fuzz.ratio, score_cutoff=cut_off, limit=10)
    best = max((score for _, score, _ in found), default=0.0)
    close = [(-score, -docs[term], term) for term, score, _ in found if score >= best - _CLOSE]
    return [term for _, _, term in sorted(close)[:_MOST]]


def _beginning(db: sqlite3.Connection, begin: str) -> list[tuple[str, int]]:
    """The words that begin so, each with the number of its sections: a tenth of a vocabulary takes long to count."""
    known = db.kept() if isinstance(db, Connection) else {}
    key = ("beginning", begin)
    if key not in known:
        query = "SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ?"
        last = begin[:-1] + chr(ord(begin[-1]) + 1)
        known[key] = db.execute(query, (begin, last)).fetchall()
    found: list[tuple[str, int]] = known[key]
    return found


def _is_swapped(one: str, other: str) -> bool:
    """Whether two words are the same but for two letters next to each other in the other order."""
    differ = [at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b]
    if len(one) != len(other) or len(differ) != 2 or differ[1] != differ[0] + 1:
        return False
    first = differ[0]
    return one[first] == other[first + 1] and one[first + 1] == other[first]


TOGETHER = 0.9
"""How similar ``work space`` and ``workspace`` are."""
_SHORTEST_PART = 5  # letters of what is written together
_PART = 2
_LONGEST = 24


class RelatedWords:
    """All sources of one cache behind the thesaurus' face."""

    def __init__(self, db: sqlite3.Connection, asked: Iterable[str] = ()) -> None:
        """``asked`` are words that it will be asked about: looking them up together takes a third of the time."""
        self._db = db
        self._parted([cut for stem in asked if " " not in stem for cut in _cuts(stem)])

    def related(self, stems: str) -> dict[str, float]:
        """What ``stems`` is related to, with similarities 0 to 1; empty if nothing is known."""
        return {**self._respelled(stems), **thesaurus().related(stems)}

    def _respelled(self, stems: str) -> dict[str, float]:
        """The same letters with the space put in or left out, where the notes have it so."""
        if " " not in stems:
            found = self._parted(_cuts(stems))
            return {pair: TOGETHER for pair in found if self._stand_together(pair)}
        letters = stems.replace(" ", "")
        if not _is_plain(letters):
            return {}
        whole = forms(letters)[0]
        known = stems.count(" ") == 1 and not is_stop(whole) and self._known([whole])
        return {whole: TOGETHER} if known else {}

    def _parted(self, cuts: Sequence[tuple[str, str]]) -> list[str]:
        """Those of ``cuts`` whose parts both stand in the notes, with a space between."""
        begun = self._known(left for left, _ in cuts)
        ended = self._known(end for left, end in cuts if left in begun)
        return [f"{left} {end}" for left, end in cuts if left in begun and end in ended]

    def _known(self, stems: Iterable[str]) -> set[str]:
        """Those of ``stems`` that stand in the notes."""
        found = frequencies(self._db, stems)
        return {stem for stem, frequency in found.items() if frequency.times}

    def _stand_together(self, pair: str) -> bool:
        query = "SELECT 1 FROM passages WHERE passages MATCH ? LIMIT 1"
        return self._db.execute(query, (f'"{pair}"',)).fetchone() is not None


def _is_plain(letters: str) -> bool:
    return _SHORTEST_PART <= len(letters) <= _LONGEST and letters.isascii() and letters.isalpha()


def _cuts(stem: str) -> list[tuple[str, str]]:
    """A word cut in two wherever it can be; none of what is short or no plain word."""
    if not _is_plain(stem):
        return []
    cuts = range(_PART, len(stem) - _PART + 1)
    # the stem of "workspace" has lost the letter that the stem of "space" has kept
    return [(stem[:at], end) for at in cuts for end in (stem[at:], f"{stem[at:]}e")]


class WeightedTerm(NamedTuple):
    """One term and its idf.

    It is found whole by its own stem, nearly so by the others in ``stems``, in part by ``parts`` or by what is
    ``related`` to it.
    """

    term: Term
    worth: float
    stems: Mapping[str, float]
    parts: Mapping[str, float]
    related: Mapping[str, float]

    def share(self, found: frozenset[str]) -> float:
        """How much of the term is among ``found``, 0 to 1."""
        if (whole := self._as_word(found)) >= 1.0:
            return whole
        parts = len(found.intersection(self.parts)) / len(self.parts) if self.parts else 0.0
        near = (self.related[stem] for stem in found.intersection(self.related))
        return max([whole, parts, *near])

    def missing(self, known: frozenset[str]) -> float:
        """How much of it no stem in ``known`` makes up for, 0 to 1."""
        return 1.0 - self._as_word(known) if known.isdisjoint(self.parts) else 0.0

    def _as_word(self, found: frozenset[str]) -> float:
        """1 where the term itself is among ``found``, less where a correction of it is, 0 without one."""
        return max((self.stems[stem] for stem in found.intersection(self.stems)), default=0.0)


class Lookup(NamedTuple):
    """``values`` says what each stem of the query is worth; ``common`` ones choose no candidates.

    ``wishes`` holds them all, with what stands for them. ``related`` are those of the latter that are rare
    enough to choose candidates.
    """

    wanted: tuple[WeightedTerm, ...]
    values: Mapping[str, float]
    wishes: QueryTerms
    common: frozenset[str]
    related: tuple[str, ...]
    corrections: Mapping[str, list[str]]

    def judged(self, found: frozenset[str]) -> tuple[frozenset[str], float]:
        """The stems of the terms that are among ``found`` as a whole, corrected or in all parts, and the share of the
        terms that are, rare ones counting more and corrected ones less; 0 to 1."""
        shares = [(one, one.share(found)) for one in self.wanted]
        matched = frozenset(
            one.term.stem
            for one, share in shares
            if share >= 1.0 or not found.isdisjoint(one.stems)
        )
        there = sum(one.worth * share for one, share in shares)
        return matched, there / self.wishes.total if self.wishes.total else 0.0

    @property
    def unknown(self) -> float:
        """The share of the terms that stand nowhere, rare ones counting more; 0 to 1. One that had to be corrected
        stands there in part only."""
        known = frozenset(self.values)
        missing = sum(one.worth * one.missing(known) for one in self.wanted)
        return missing / self.wishes.total if self.wishes.total else 0.0


def related_words(
    related: Callable[[str], Mapping[str, float]], words: Sequence[str], terms: Iterable[Term]
) -> dict[str, dict[str, float]]:
    """By the stem of each of ``terms``, what it is related to, and how similar that is.

    What a phrase of ``words`` is related to, each of its terms is.
    """
    found = {term.stem: dict(related(term.stem)) for term in terms}
    for length in range(2, LONGEST + 1):
        for at in range(len(words) - length + 1):
            phrase = words[at : at + length]
            for stem, similarity in related(" ".join(phrase)).items():
                for near in (found[word] for word in phrase if word in found):
                    near[stem] = max(near.get(stem, 0.0), similarity)
    return found


def look_up(
    db: sqlite3.Connection, query: Query, sections: int, units: int, related: float
) -> Lookup:
    """Weigh the terms of ``query`` in a workspace of that many sections and units.

    ``related`` is the weight of a word that is wholly similar to one of the query, 0 for none.
    """
    terms: Sequence[Term] = query.terms
    known = frequencies(db, (stem for term in terms for stem in (term.stem, *term.parts)))
    terms = [one for one in terms if known[one.stem].times or one.stem not in query.dated]
    terms = _most_informative(terms, known)
    corrections = _corrections(db, terms, known)
    known |= frequencies(db, (stem for near in corrections.values() for stem in near))
    near = {}
    if related > 0:
        source = RelatedWords(db, [term.stem for term in terms])
        near = _weighed(related_words(source.related, query.words, terms), related)
    known |= _run_frequencies(db, {run for runs in near.values() for run in runs} - known.keys())
    worths = {stem: idf(units, frequency.times) for stem, frequency in known.items()}
    wanted = tuple(
        _wanted(term, corrections.get(term.stem, []), near.get(term.stem, {}), known, worths)
        for term in terms
    )
    values = _values(wanted, worths, known)
    common = _common(values, known, sections)
    substitutes = _substitutes(wanted, values, worths)
    rare = dict.fromkeys(
        stem
        for group in substitutes
        for stem in group
        if known[stem].sections <= ranking_weights.RELATED_COMMON
    )
    groups = tuple(_groups(wanted, substitutes, known, worths))
    total = sum(one.worth for one in wanted)
    wishes = QueryTerms(groups, total, _pairs(query, worths))
    return Lookup(wanted, values, wishes, common, tuple(rare), corrections)


def _common(values: Iterable[str], known: Mapping[str, Frequency], sections: int) -> frozenset[str]:
    """The stems that choose no candidates: those in half of all sections, and, once the rarer ones have given
    enough to choose from, all others. Going through every place of a common word is what takes long."""
    many = max(sections // 2, ranking_weights.COMMON)
    common, places = [], 0
    for number, stem in enumerate(sorted(values, key=lambda stem: known[stem].sections)):
        places += known[stem].sections
        if known[stem].sections > many or (
            number >= ranking_weights.CHOOSING and places > ranking_weights.PLACES
        ):
            common.append(stem)
    return frozenset(common)


def _corrections(
    db: sqlite3.Connection, terms: Iterable[Term], known: Mapping[str, Frequency]
) -> dict[str, list[str]]:
    """What the first few terms that are nowhere in the workspace were meant to be. A word that the thesaurus knows
    is meant as it is: the notes do not have it."""
    corrections: dict[str, list[str]] = {}
    for term in terms:
        if len(corrections) == ranking_weights.MOST_CORRECTED:
            break
        unknown = not any(known[stem].times for stem in (term.stem, *term.parts))
        if unknown and not thesaurus().related(term.stem) and (near := corrected(db, term.stem)):
            corrections[term.stem] = near
    return corrections


def _weighed(near: Mapping[str, Mapping[str, float]], weight: float) -> dict[str, dict[str, float]]:
    return {
        term: {stem: weight * similarity for stem, similarity in others.items()}
        for term, others in near.items()
    }


def _run_frequencies(db: sqlite3.Connection, runs: Iterable[str]) -> dict[str, Frequency]:
    """How common words and phrases are; of a phrase that is what its rarest word is."""
    split = {run: run.split() for run in sorted(runs)}
    single = frequencies(db, (stem for stems in split.values() for stem in stems))
    return {
        run: min((single[stem] for stem in stems), key=lambda frequency: frequency.times)
        for run, stems in split.items()
    }


def _substitutes(
    wanted: Iterable[WeightedTerm], values: Mapping[str, float], worths: Mapping[str, float]
) -> list[dict[str, float]]:
    """For each term what may stand for it, with its value: the most valuable ones of the query.

    What stands for a common word says no more than that word, however rare it is itself.
    """
    found = [
        {
            stem: weight * min(worths[one.term.stem], worths[stem])
            for stem, weight in one.related.items()
            if stem not in values
        }
        for one in wanted
    ]
    best = {stem: value for group in found for stem, value in sorted(group.items())}
    kept = set(sorted(best, key=lambda stem: (-best[stem], stem))[: ranking_weights.MOST_RELATED])
    return [{stem: value for stem, value in group.items() if stem in kept} for group in found]


def _groups(
    wanted: Iterable[WeightedTerm],
    substitutes: Iterable[Mapping[str, float]],
    known: Mapping[str, Frequency],
    worths: Mapping[str, float],
) -> Iterator[Group]:
    """A group for each term with what may stand for it, and one for each part of a compound.

    Parts are worth something of their own only where the compound as a whole is nowhere.
    """
    for one, others in zip(wanted, substitutes, strict=True):
        there = {stem: weight for stem, weight in one.stems.items() if known[stem].times}
        parts = {stem: weight for stem, weight in one.parts.items() if known[stem].times}
        whole = bool(there) or not parts
        stems = {stem: weight * worths[stem] for stem, weight in there.items()}
        if stems or others:
            yield Group(one.worth if whole else 0.0, stems, others)
        for stem, weight in parts.items():
            yield Group(0.0 if whole else one.worth / len(parts), {stem: weight * worths[stem]}, {})


def _pairs(query: Query, worths: Mapping[str, float]) -> dict[str, float]:
    """The pairs of stems that stand next to each other in the query, each worth what its stems are on average."""
    found: dict[str, float] = {}
    for one, other in zip(query.words, query.words[1:], strict=False):
        if not (is_stop(one) and is_stop(other)) and len(found) < ranking_weights.MOST_PAIRS:
            worth = worths.get(one, 0.0) + worths.get(other, 0.0)
            found[f"{one} {other}"] = worth / 2
    return found


def _most_informative(terms: Sequence[Term], known: Mapping[str, Frequency]) -> Sequence[Term]:
    """Of too many terms the rarest, in the query's order; those that are nowhere come last."""
    if len(terms) <= ranking_weights.MOST_TERMS:
        return terms
    ranked = sorted(
        terms, key=lambda term: (not known[term.stem].times, known[term.stem].times, term.stem)
    )
    kept = frozenset(term.stem for term in ranked[: ranking_weights.MOST_TERMS])
    return [term for term in terms if term.stem in kept]


def _wanted(
    term: Term,
    near: Sequence[str],
    related: Mapping[str, float],
    known: Mapping[str, Frequency],
    worths: Mapping[str, float],
) -> WeightedTerm:
    whole = known[term.stem].times > 0
    stems = {term.stem: 1.0} | dict.fromkeys(near, ranking_weights.CORRECTED)
    parts = dict.fromkeys(term.parts, ranking_weights.PART if whole else 1.0)
    if whole:
        worth = worths[term.stem]
    else:
        worth = max((worths[stem] for stem in near or term.parts), default=worths[term.stem])
    there = {stem: weight for stem, weight in related.items() if known[stem].times}
    return WeightedTerm(term, worth, stems, parts, there)


def _values(
    wanted: Iterable[WeightedTerm], worths: Mapping[str, float], known: Mapping[str, Frequency]
) -> dict[str, float]:
    values: dict[str, float] = {}
    for one in wanted:
        for stem, weight in (*one.parts.items(), *one.stems.items()):
            if known[stem].times:
                values[stem] = max(values.get(stem, 0.0), weight * worths[stem])
    return values
