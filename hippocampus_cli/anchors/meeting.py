"""The anchors of a message: those it names, those that may stand for its words, those it only refers to (ANCHOR)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from hippocampus_cli.anchors.keys import keys_in, keys_of
from hippocampus_cli.anchors.lexical import RELATED
from hippocampus_cli.anchors.referring import refers
from hippocampus_cli.anchors.relating import Related, related_to
from hippocampus_cli.anchors.tables import batches, marks
from hippocampus_cli.anchors.terms import ENTITY
from hippocampus_cli.anchors.twin import Twin
from hippocampus_cli.anchors.wording import idf
from hippocampus_cli.search.rows import restored
from hippocampus_cli.search.tokens import is_stop, stems

if TYPE_CHECKING:
    from hippocampus_cli.anchors.meaning import Meaning

RARE = 20
"""Chunks with a word that is no anchor, up to which it leads to them by itself."""
_MOST_ANCHORS = 64  # of a long message: the rarest, for the others lead everywhere


class Met(NamedTuple):
    """An anchor of a message. ``worth`` is what its list counts; ``why`` how it was met.

    By ``words``; as a word ``related`` to one; by ``meaning``; by the ``project``; or ``rare``: then it is a word
    of the notes that is no anchor, in few chunks, without a list and with an ``id`` below 0.
    """

    id: int
    text: str
    worth: float
    why: str


class Meeting:
    """Meets the anchors of ``twin``. ``deny`` are phrases that lead nowhere; ``meaning`` compares by vectors."""

    def __init__(self, twin: Twin, deny: Collection[str], meaning: Meaning | None) -> None:
        self._twin = twin
        self._denied = {key for text in deny for key in keys_of(text)}
        self._meaning = meaning

    def related(self, text: str) -> Related:
        """What may stand for the words of a message; nothing stands for one that is denied."""
        found = related_to(text)
        return {stem: near for stem, near in found.items() if stem not in self._denied}

    def met(self, text: str, project: str, related: Related) -> list[Met]:
        """The anchors of a message, what counts most first; of a ``project`` too where it refers to one."""
        said = list(self._by_words(text))
        found = chain(said, self._by_other_words(text, related))
        if self._meaning:
            found = chain(found, self._by_meaning(text))
        if project and refers(text) and not self._names_another(said, project):
            found = chain(found, self._of_project(text, project))
        met: dict[int, Met] = {}
        for one in found:
            met.setdefault(one.id, one)
        ranked = sorted(met.values(), key=lambda one: (-one.worth, one.text))
        return ranked[:_MOST_ANCHORS]

    def _by_words(self, text: str) -> Iterator[Met]:
        keys = [key for key in keys_in(text) if key not in self._denied]
        for id_, anchor, _, key in self._with_keys(keys):
            yield Met(id_, anchor, self._worth(key), "words")

    def _by_other_words(self, text: str, related: Related) -> Iterator[Met]:
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
                yield Met(id_, anchor, min(most[key], RELATED * self._worth(key)), "related")
        words = (key for key in dict.fromkeys(free) if key not in known and " " not in key)
        for number, stem in enumerate(words, 1):
            if 0 < self._twin.frequency(stem) <= RARE:
                yield Met(-number, stem, own.get(stem) or most[stem], "rare")

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

    def _names_another(self, said: Sequence[Met], project: str) -> bool:
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
