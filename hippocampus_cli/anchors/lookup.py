"""A lookup: from a message by its anchors to chunks (ANCHOR, ``lookup.py`` and ``rerank.py``).

Anchors are met by their stems, in phrases of up to four words; with an embedder also by meaning; and, where a
message only says "it", through the active project. Their lists are merged, and what is in them is ranked anew
against the whole message. It reads the twin only.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from hippocampus_cli.anchors.keys import keys_in, keys_of
from hippocampus_cli.anchors.lexical import NAMED, Message
from hippocampus_cli.anchors.referring import refers
from hippocampus_cli.anchors.relating import Related, related_to
from hippocampus_cli.anchors.terms import ENTITY
from hippocampus_cli.anchors.twin import Twin
from hippocampus_cli.anchors.wording import Worded, idf
from hippocampus_cli.search.rows import restored
from hippocampus_cli.search.tokens import is_stop, stems

if TYPE_CHECKING:
    from hippocampus_cli.anchors.meaning import Meaning

_MOST_ANCHORS = 64  # of a long message: the rarest, for the others lead everywhere
_MOST_CANDIDATES = 200  # chunks that are compared with the whole message
_SHARE = 0.5  # ANCHOR: final = 0.5 * anchor score + 0.5 * likeness to the message
_RELATED = 0.5  # what an anchor counts that only may stand for a word
_RARE = 20  # chunks with a word that is no anchor, up to which it leads to them all the same
_BATCH = 500  # values in one SQL statement


class AnchorHit(NamedTuple):
    """A chunk that a message's anchors lead to: lines ``start_line`` to ``end_line`` of ``path``.

    ``score`` ranks it: half ``anchor_score``, how surely its anchors lead there, half ``likeness``, how much of
    the message it takes up; each from 0 to 1. ``stale``: the file was changed since and cannot be read again.
    """

    path: str
    start_line: int
    end_line: int
    score: float
    anchor_score: float
    likeness: float
    source: str
    preview: str
    anchors: tuple[str, ...]
    stale: bool = False


class Met(NamedTuple):
    """An anchor of a message. ``worth`` is what its list counts; ``why`` how it was met: ``words``, ``meaning``
    or ``project``."""

    id: int
    text: str
    worth: float
    why: str


class Bounds(NamedTuple):
    """What a lookup may return. ``allowed`` says so of a path; ``deny`` are phrases that lead nowhere."""

    max_chunks: int = 30
    per_file: int = 3
    allowed: Callable[[str], bool] | None = None
    deny: Collection[str] = ()
    project: str = ""


class _Candidate(NamedTuple):
    chunk: int
    score: float
    anchors: tuple[str, ...]


class _Place(NamedTuple):
    path: str
    start: int
    end: int
    source: str
    preview: str


class AnchorIndex:
    """The anchors of a workspace, ready to be looked up. Not for two threads at once."""

    def __init__(
        self, twin: Twin, average: float, bounds: Bounds, meaning: Meaning | None = None
    ) -> None:
        """``average`` is the length of the average chunk in stems; ``meaning`` compares by vectors."""
        self._twin = twin
        self._average = average
        self._bounds = bounds
        self._meaning = meaning
        self._denied = {key for text in bounds.deny for key in keys_of(text)}

    def lookup(
        self,
        text: str,
        project: str | None = None,
        expand_pronouns: bool = True,
        rerank: bool = True,
        nightly_only: bool = False,
    ) -> tuple[AnchorHit, ...]:
        """The chunks that ``text`` leads to, best first; none where it has no anchor.

        ``project`` is the active one, else the configured one. The switches are the ablations of CORF: without
        ``expand_pronouns`` the project is left out, without ``rerank`` anchor scores alone decide, with
        ``nightly_only`` what updates brought since the last build is left out.
        """
        active = self._bounds.project if project is None else project
        related = related_to(text)
        met = self._met(text, active if expand_pronouns else "", related)
        candidates = self._merged(met, nightly_only)
        if any(one.why == "project" for one in met):
            text = f"{text} {active}"
        likeness = self._likeness(text, candidates, related) if rerank else {}
        places = self._places([one.chunk for one in candidates])
        hits = [_hit(one, places[one.chunk], likeness.get(one.chunk)) for one in candidates]
        return tuple(self._bounded(sorted(hits, key=_rank)))

    def anchors_in(self, text: str, project: str = "") -> list[Met]:
        """The anchors of a message, the rarest first; of a ``project`` too where the message refers to one."""
        return self._met(text, project, related_to(text))

    def _met(self, text: str, project: str, related: Related) -> list[Met]:
        met = {one.id: one for one in self._by_words(text)}
        for one in (*self._by_related(related), *self._by_rare(text, related)):
            met.setdefault(one.id, one)
        if self._meaning:
            for one in self._by_meaning(text):
                met.setdefault(one.id, one)
        if project and refers(text) and not self._names_another(met, project):
            for one in self._of_project(text, project):
                met.setdefault(one.id, one)
        ranked = sorted(met.values(), key=lambda one: (-one.worth, one.text))
        return ranked[:_MOST_ANCHORS]

    def _by_words(self, text: str) -> Iterator[Met]:
        keys = [key for key in keys_in(text) if key not in self._denied]
        for id_, anchor, _, key in self._with_keys(keys):
            yield Met(id_, anchor, self._worth(key), "words")

    def _by_related(self, related: Related) -> Iterator[Met]:
        """The anchors that may stand for a word, each for the word that it is most similar to."""
        best: dict[str, float] = {}
        for stem, near in related.items():
            worth = idf(self._twin, stem)
            for key, similarity in near.items():
                if key not in self._denied:
                    best[key] = max(best.get(key, 0.0), _RELATED * similarity * min(worth, self._worth(key)))
        for id_, anchor, _, key in self._with_keys(list(best)):
            yield Met(id_, anchor, best[key], "related")

    def _by_rare(self, text: str, related: Related) -> Iterator[Met]:
        """The words that are too rare to be anchors, each by itself the best of leads: ids below 0."""
        worth = {stem: 1.0 for stem in stems(text) if not is_stop(stem)}
        for near in related.values():
            for key, similarity in near.items():
                worth[key] = max(worth.get(key, 0.0), _RELATED * similarity)
        for number, (stem, share) in enumerate(worth.items(), 1):
            rare = " " not in stem and 0 < self._twin.frequency(stem) <= _RARE
            if rare and stem not in self._denied and not self._twin.has_key(stem):
                yield Met(-number, stem, share * self._worth(stem), "text")

    def _by_meaning(self, text: str) -> Iterator[Met]:
        assert self._meaning is not None
        for anchor, likeness in self._meaning.near(text):
            keys = keys_of(anchor)
            if keys and not self._denied.intersection(keys):
                for id_, name, _, key in self._with_keys(keys[:1]):
                    if name == anchor:
                        yield Met(id_, name, likeness * self._worth(key), "meaning")

    def _of_project(self, text: str, project: str) -> Iterator[Met]:
        """The anchors that are the project's name, and those that it makes with a word of the message."""
        name = keys_of(project)
        words = [key for key in keys_in(text) if " " not in key and not is_stop(key)]
        wanted = [*name, *(f"{one} {word}" for one in name for word in words)]
        for id_, anchor, _, key in self._with_keys(wanted):
            if key not in self._denied:
                yield Met(id_, anchor, self._worth(key), "project")

    def _names_another(self, met: dict[int, Met], project: str) -> bool:
        own = set(keys_of(project))
        for one in met.values():
            row = self._twin.connection.execute(
                "SELECT kind FROM anchors WHERE id = ?", (one.id,)
            ).fetchone()
            if row and row[0] == ENTITY and not own.intersection(keys_of(one.text)):
                return True
        return False

    def _with_keys(self, keys: Sequence[str]) -> Iterator[tuple[int, str, str, str]]:
        """Id, text, kind and key of the anchors with these keys."""
        for batch in _batches(list(dict.fromkeys(keys))):
            query = (
                "SELECT id, text, kind, key FROM keys JOIN anchors ON anchors.id = anchor"
                f" WHERE key IN ({_marks(batch)}) ORDER BY key, id"
            )
            for id_, text, kind, key in self._twin.connection.execute(query, batch):
                yield id_, restored(text), kind, key

    def _worth(self, key: str) -> float:
        """How rare the words of an anchor are: what its list counts beside the others."""
        return sum(idf(self._twin, stem) for stem in key.split()) + 1e-6

    def _merged(self, met: Sequence[Met], nightly_only: bool) -> list[_Candidate]:
        """The chunks in the lists of ``met``, each with the mean of its scores weighted by worth."""
        whole = sum(one.worth for one in met)
        scores: dict[int, float] = {}
        anchors: dict[int, list[str]] = {}
        barred = self._barred(nightly_only)
        for one in met:
            for chunk, score in self._list(one):
                scores[chunk] = scores.get(chunk, 0.0) + one.worth * score / whole
                anchors.setdefault(chunk, []).append(one.text)
        found = [
            _Candidate(chunk, round(min(score, 1.0), 4), tuple(anchors[chunk]))
            for chunk, score in scores.items()
            if not barred or not barred(chunk)
        ]
        return sorted(found, key=lambda one: (-one.score, one.chunk))[:_MOST_CANDIDATES]

    def _list(self, one: Met) -> Iterable[tuple[int, float]]:
        """The chunks that an anchor leads to with their scores; of a rare word, those in which it stands."""
        if one.id > 0:
            query = "SELECT chunk, score FROM entries WHERE anchor = ?"
            return self._twin.connection.execute(query, (one.id,))
        found = self._words(self._twin.alike((one.text,), _RARE))
        shares = ((chunk, dict(words.shares_of((one.text,), self._average))) for chunk, words in found)
        return [(chunk, NAMED * share[one.text]) for chunk, share in shares if share]

    def _barred(self, nightly_only: bool) -> Callable[[int], bool] | None:
        allowed = self._bounds.allowed
        if allowed is None and not nightly_only:
            return None
        rows = self._twin.connection.execute("SELECT id, path, updated FROM files")
        files = {
            id_
            for id_, path, updated in rows
            if (nightly_only and updated) or (allowed and not allowed(restored(path)))
        }
        query = "SELECT file FROM chunks WHERE id = ?"
        return lambda chunk: self._twin.connection.execute(query, (chunk,)).fetchone()[0] in files

    def _likeness(
        self, text: str, candidates: Sequence[_Candidate], related: Related
    ) -> dict[int, float]:
        ids = [one.chunk for one in candidates]
        meant = self._meaning.likeness(text, ids) if self._meaning else None
        wanted = [stem for stem in dict.fromkeys(stems(text)) if not is_stop(stem)]
        message = Message(wanted, self._twin, self._average, related)
        said = {chunk: message.likeness(words) for chunk, words in self._words(ids)}
        if meant is not None:  # as in the lists: half what is meant, half what is said
            said = {chunk: (one + meant[chunk]) / 2 for chunk, one in said.items()}
        return {chunk: round(one, 4) for chunk, one in said.items()}

    def _words(self, ids: Sequence[int]) -> Iterator[tuple[int, Worded]]:
        for batch in _batches(ids):
            query = f"SELECT rowid, body, place FROM texts WHERE rowid IN ({_marks(batch)})"
            for chunk, body, place in self._twin.connection.execute(query, batch):
                yield chunk, Worded(body, place)

    def _places(self, ids: Sequence[int]) -> dict[int, _Place]:
        found = {}
        for batch in _batches(ids):
            query = (
                "SELECT chunks.id, path, first, last, source, preview FROM chunks"
                f" JOIN files ON files.id = file WHERE chunks.id IN ({_marks(batch)})"
            )
            for chunk, path, first, last, source, preview in self._twin.connection.execute(
                query, batch
            ):
                found[chunk] = _Place(restored(path), first, last, source, restored(preview))
        return found

    def _bounded(self, ranked: Iterable[AnchorHit]) -> Iterator[AnchorHit]:
        """The best, but for what a file has too much of.

        ANCHOR keeps one chunk a path. A log of a month, or a list of decisions, answers in several places, so
        a few may come from one file; more would push other files out, and asking for the file is one step.
        """
        counts: dict[str, int] = {}
        left = self._bounds.max_chunks
        for one in ranked:
            counts[one.path] = counts.get(one.path, 0) + 1
            if left and counts[one.path] <= self._bounds.per_file:
                left -= 1
                yield one


def _hit(one: _Candidate, place: _Place, likeness: float | None) -> AnchorHit:
    score = one.score if likeness is None else _SHARE * one.score + (1.0 - _SHARE) * likeness
    return AnchorHit(
        path=place.path,
        start_line=place.start,
        end_line=place.end,
        score=round(score, 4),
        anchor_score=one.score,
        likeness=likeness or 0.0,
        source=place.source,
        preview=place.preview,
        anchors=one.anchors,
    )


def _rank(one: AnchorHit) -> tuple[float, str, int]:
    return -one.score, one.path, one.start_line


def _batches(values: Sequence[str] | Sequence[int]) -> Iterator[Sequence[str] | Sequence[int]]:
    for start in range(0, len(values), _BATCH):
        yield values[start : start + _BATCH]


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))
