"""A lookup: from a message by its anchors to chunks (ANCHOR, ``lookup.py`` and ``rerank.py``).

Anchors are met by their stems, in phrases of up to four words; by words related to those of the message; with an
embedder also by meaning; and, where it only says "it" or "our papers", through the active project. Their lists are
merged, and what is in them is ranked anew against the whole message. It reads the lookup database only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from hippocampus_cli.anchors.chunks import TokenizedChunk, idf
from hippocampus_cli.anchors.extract import ENTITY, is_courtesy, keys_in, keys_of
from hippocampus_cli.anchors.lookup_database import LookupDatabase, batches, marks
from hippocampus_cli.anchors.similarity import NAMED, RELATED, Message, Related, related_to
from hippocampus_cli.text.tokenizer import is_stop, stems
from hippocampus_cli.workspace.database import restored

if TYPE_CHECKING:
    from hippocampus_cli.anchors.dense import Meaning


# Words that stand for what was spoken of before. Those of other languages are the unmistakable ones.
_REFERRING = re.compile(
    r"\b(?:it|its|this|that|these|those|our|ours|we|us|they|them|their|theirs|there|here"
    r"|the (?:project|papers?|repo|repository|codebase|app|product|customer|client|team|other one)"
    r"|unser\w*|dieses|diesem|dessen|notre|nos|ce projet|nuestr[oa]s?|este proyecto|nosso|nossa)\b"
    r"|我们的?|这个|那个|它|この|その|それ|うちの|우리|이것|그것|наш\w*|это|этот|этого",
    re.IGNORECASE,
)


def refers(message: str) -> bool:
    """Whether ``message`` speaks of something that it does not name."""
    return bool(_REFERRING.search(message))


RARE = 20
"""Chunks with a word that is no anchor, up to which it leads to them by itself."""
_MOST_ANCHORS = 64  # of a long message: the rarest, for the others lead everywhere


class AnchorMatch(NamedTuple):
    """An anchor of a message. ``worth`` is what its list counts; ``why`` how it was met.

    By ``words``; as a word ``related`` to one; by ``meaning``; by the ``project``; or ``rare``: then it is a word
    of the notes that is no anchor, in few chunks, without a list and with an ``id`` below 0.
    """

    id: int
    text: str
    worth: float
    why: str


class AnchorMatcher:
    """Meets the anchors of ``twin``. ``deny`` are phrases that are ignored; ``meaning`` compares by vectors."""

    def __init__(
        self, twin: LookupDatabase, deny: Collection[str], meaning: Meaning | None
    ) -> None:
        self._twin = twin
        self._denied = {key for text in deny for key in keys_of(text)}
        self._meaning = meaning

    def related(self, text: str) -> Related:
        """What may stand for the words of a message; nothing stands for one that is denied."""
        found = related_to(text)
        return {stem: near for stem, near in found.items() if stem not in self._denied}

    def met(self, text: str, project: str, related: Related) -> list[AnchorMatch]:
        """The anchors of a message, what counts most first; of a ``project`` too where it refers to one."""
        said = list(self._by_words(text))
        found = chain(said, self._by_other_words(text, related))
        if self._meaning:
            found = chain(found, self._by_meaning(text))
        if project and refers(text) and not self._names_another(said, project):
            found = chain(found, self._of_project(text, project))
        met: dict[int, AnchorMatch] = {}
        for one in found:
            met.setdefault(one.id, one)
        ranked = sorted(met.values(), key=lambda one: (-one.worth, one.text))
        return ranked[:_MOST_ANCHORS]

    def _by_words(self, text: str) -> Iterator[AnchorMatch]:
        keys = [key for key in keys_in(text) if key not in self._denied]
        for id_, anchor, _, key in self._with_keys(keys):
            yield AnchorMatch(id_, anchor, self._worth(key), "words")

    def _by_other_words(self, text: str, related: Related) -> Iterator[AnchorMatch]:
        """The anchors that may stand for words of the message; then its rare words, and what may stand for them."""
        most: dict[str, float] = {}
        for stem, near in related.items():
            worth = idf(self._twin, stem)
            for key, similarity in near.items():
                most[key] = max(most.get(key, 0.0), RELATED * similarity * worth)
        own = {stem: self._worth(stem) for stem in stems(text) if not is_stop(stem)}
        free = [key for key in (*own, *most) if key not in self._denied]
        known: set[str] = set()
        for id_, anchor, _, key in self._with_keys(free):
            known.add(key)
            if key in most:
                yield AnchorMatch(
                    id_, anchor, min(most[key], RELATED * self._worth(key)), "related"
                )
        words = (key for key in dict.fromkeys(free) if key not in known and " " not in key)
        for number, stem in enumerate(words, 1):
            if 0 < self._twin.frequency(stem) <= RARE:
                yield AnchorMatch(-number, stem, own.get(stem) or most[stem], "rare")

    def _by_meaning(self, text: str) -> Iterator[AnchorMatch]:
        assert self._meaning is not None
        for anchor, likeness in self._meaning.near(text):
            keys = keys_of(anchor)
            if keys and not self._denied.intersection(keys):
                for id_, name, _, key in self._with_keys(keys[:1]):
                    if name == anchor:
                        yield AnchorMatch(id_, name, likeness * self._worth(key), "meaning")

    def _of_project(self, text: str, project: str) -> Iterator[AnchorMatch]:
        """The anchors that are the project's name, and those that it makes with a word of the message."""
        name = keys_of(project)
        words = [key for key in keys_in(text) if " " not in key and not is_stop(key)]
        wanted = [*name, *(f"{one} {word}" for one in name for word in words)]
        for id_, anchor, _, key in self._with_keys(wanted):
            if key not in self._denied:
                yield AnchorMatch(id_, anchor, self._worth(key), "project")

    def _names_another(self, said: Sequence[AnchorMatch], project: str) -> bool:
        own = set(keys_of(project))
        for one in said:
            row = self._twin.connection.execute(
                "SELECT kind FROM anchors WHERE id = ?", (one.id,)
            ).fetchone()
            if row and row[0] == ENTITY and not own.intersection(keys_of(one.text)):
                return True
        return False

    def _with_keys(self, keys: Sequence[str]) -> Iterator[tuple[int, str, str, str]]:
        """Id, text, kind and key of the anchors with these keys."""
        for batch in batches(list(dict.fromkeys(keys))):
            query = (
                "SELECT id, text, kind, key FROM keys JOIN anchors ON anchors.id = anchor"
                f" WHERE key IN ({marks(batch)}) ORDER BY key, id"
            )
            for id_, text, kind, key in self._twin.connection.execute(query, batch):
                yield id_, restored(text), kind, key

    def _worth(self, key: str) -> float:
        """How rare the words of an anchor are: what its list counts beside the others."""
        return sum(idf(self._twin, stem) for stem in key.split()) + 1e-6


_MOST_CANDIDATES = 100  # chunks that are compared with the whole message
_SHARE = 0.5  # ANCHOR: final = 0.5 * anchor score + 0.5 * likeness to the message


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


class Bounds(NamedTuple):
    """What a lookup may return. ``allowed`` says so of a path; ``deny`` are phrases that are ignored."""

    max_chunks: int = 30
    per_file: int = 3
    allowed: Callable[[str], bool] | None = None
    deny: Collection[str] = ()


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
        self, twin: LookupDatabase, average: float, bounds: Bounds, meaning: Meaning | None = None
    ) -> None:
        """``average`` is the length of the average chunk in stems; ``meaning`` compares by vectors."""
        self._twin = twin
        self._average = average
        self._bounds = bounds
        self._meaning = meaning
        self._meeting = AnchorMatcher(twin, bounds.deny, meaning)

    def lookup(
        self,
        text: str,
        project: str | None = None,
        expand_pronouns: bool = True,
        rerank: bool = True,
        nightly_only: bool = False,
    ) -> tuple[AnchorHit, ...]:
        """The chunks that ``text`` leads to, best first; none where it has no anchor.

        ``project`` is the active one. The switches are the ablations of CORF: without
        ``expand_pronouns`` the project is left out, without ``rerank`` anchor scores alone decide, with
        ``nightly_only`` what updates brought since the last build is left out.
        """
        hits = self._ranked(text, project, expand_pronouns, rerank, nightly_only)
        return tuple(self._bounded(hits))

    def leads(self, text: str) -> Sequence[AnchorHit]:
        """All that ``text`` leads to, best first: as :meth:`lookup`, with no bound on a file's chunks."""
        return self._ranked(text, None, True, True, False)

    def _ranked(
        self,
        text: str,
        project: str | None,
        expand_pronouns: bool,
        rerank: bool,
        nightly_only: bool,
    ) -> list[AnchorHit]:
        if is_courtesy(text):
            return []
        active = project or ""
        related = self._meeting.related(text)
        met = self._meeting.met(text, active if expand_pronouns else "", related)
        candidates = self._merged(met, nightly_only)
        if any(one.why == "project" for one in met):
            text = f"{text} {active}"
        likeness = self._likeness(text, candidates, related) if rerank else {}
        places = self._places([one.chunk for one in candidates])
        hits = [_hit(one, places[one.chunk], likeness.get(one.chunk)) for one in candidates]
        return sorted(hits, key=_rank)

    @property
    def problem(self) -> str:
        """Why messages are compared by words alone, though the embedder is at hand; else empty."""
        return self._meaning.problem if self._meaning else ""

    def _merged(self, met: Sequence[AnchorMatch], nightly_only: bool) -> list[_Candidate]:
        """The chunks in the lists of ``met``, each with the mean of its scores weighted by worth."""
        whole = sum(one.worth for one in met)
        scores: dict[int, float] = {}
        anchors: dict[int, list[str]] = {}
        lists = self._lists(met)
        barred = self._barred({chunk for one in lists.values() for chunk, _ in one}, nightly_only)
        for one in met:
            for chunk, score in lists[one.id]:
                scores[chunk] = scores.get(chunk, 0.0) + one.worth * score / whole
                anchors.setdefault(chunk, []).append(one.text)
        found = [
            _Candidate(chunk, round(min(score, 1.0), 4), tuple(anchors[chunk]))
            for chunk, score in scores.items()
            if chunk not in barred
        ]
        most = max(_MOST_CANDIDATES, self._bounds.max_chunks)
        return sorted(found, key=lambda one: (-one.score, one.chunk))[:most]

    def _lists(self, met: Sequence[AnchorMatch]) -> dict[int, list[tuple[int, float]]]:
        """The chunks that each leads to, with their scores; a rare word leads to those in which it stands."""
        lists: dict[int, list[tuple[int, float]]] = {one.id: [] for one in met}
        for batch in batches([id_ for id_ in lists if id_ > 0]):
            query = f"SELECT anchor, chunk, score FROM entries WHERE anchor IN ({marks(batch)})"
            for id_, chunk, score in self._twin.connection.execute(query, batch):
                lists[id_].append((chunk, score))
        for one in met:
            if one.id < 0:
                for chunk, words in self._words(self._twin.alike((one.text,), RARE)):
                    for _, share in words.shares_of((one.text,), self._average):
                        lists[one.id].append((chunk, NAMED * share))
        return lists

    def _barred(self, chunks: Collection[int], nightly_only: bool) -> Collection[int]:
        """Those of ``chunks`` that may not be returned."""
        allowed = self._bounds.allowed
        if allowed is None and not nightly_only:
            return ()
        barred: set[int] = set()
        for batch in batches(list(chunks)):
            query = (
                "SELECT chunks.id, path, updated FROM chunks JOIN files ON files.id = file"
                f" WHERE chunks.id IN ({marks(batch)})"
            )
            for chunk, path, updated in self._twin.connection.execute(query, batch):
                if (nightly_only and updated) or (allowed and not allowed(restored(path))):
                    barred.add(chunk)
        return barred

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

    def _words(self, ids: Sequence[int]) -> Iterator[tuple[int, TokenizedChunk]]:
        for batch in batches(ids):
            query = f"SELECT rowid, body, place FROM texts WHERE rowid IN ({marks(batch)})"
            for chunk, body, place in self._twin.connection.execute(query, batch):
                yield chunk, TokenizedChunk(body, place)

    def _places(self, ids: Sequence[int]) -> dict[int, _Place]:
        found = {}
        for batch in batches(ids):
            query = (
                "SELECT chunks.id, path, first, last, source, preview FROM chunks"
                f" JOIN files ON files.id = file WHERE chunks.id IN ({marks(batch)})"
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
