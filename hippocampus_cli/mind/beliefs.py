"""Beliefs as values, and as entries of ``.hippocampus/mind/beliefs.md``: the index's own lossless format.

The heading and the line below it are the statement, the pointers lead to the episodes it is derived from, and the
``hx`` comment holds the rest. Hand edits are welcome; every other byte stays as it is (decision D1).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.fast_types import Frozen
from hippocampus_cli.index import merge_entry, metadata
from hippocampus_cli.index.document import Document, Located
from hippocampus_cli.index.edit import add_entries, set_many
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.pointers import Pointer, format_pointers
from hippocampus_cli.markdown.lines import decode
from hippocampus_cli.mind.errors import BeliefNotFound
from hippocampus_cli.text.plain_text import shorten
from hippocampus_cli.workspace.atomic import read_whole
from hippocampus_cli.workspace.note_store import change_note
from hippocampus_cli.workspace.own_files import BELIEFS, MIND, ensure_folder

ARCHIVE_BELOW = 0.05
FIRST = 0.9
"""What a new belief weighs."""
NEW = "# Beliefs\n"
VERSIONS = f"{MIND}/versions"
_PATIENCE = 2.0  # seconds that a question waits
Status = Literal["held", "superseded", "retracted", "archived"]
TRUST = ("unknown", "tool", "import", "assistant", "file", "user")
"""The origins, the least trusted first: a page that a tool read must not replace a note that the user keeps."""
Result = TypeVar("Result")


def trust(origin: str) -> int:
    """How far an origin is trusted; an unknown one counts least."""
    return TRUST.index(origin) if origin in TRUST else 0


def least_trusted(origins: Iterable[str]) -> str:
    """The origin of a belief with several sources."""
    return min(origins, key=trust, default="unknown")


class Belief(Frozen):
    """One belief; ``derived_from`` are references such as ``ep-….3``. ``weight`` is right after the last evidence
    (``verified``); ``restated`` when its words were last looked at; ``by`` the belief that superseded it; ``tags``
    are names that it is asked by. ``subject``, ``attribute`` and ``value`` are its address, where somebody gave one.
    """

    id: str
    statement: str
    derived_from: tuple[str, ...]
    origin: str
    since: date
    created: date
    verified: date
    weight: float
    significance: float
    version: int = 1
    status: Status = "held"
    until: date | None = None
    by: str = ""
    restated: date | None = None
    tags: tuple[str, ...] = ()
    subject: str = ""
    attribute: str = ""
    value: str = ""

    @property
    def address(self) -> tuple[str, str] | None:
        """What it says something of; ``None`` where nobody said."""
        if not (self.subject and self.attribute):
            return None
        return self.subject.casefold(), self.attribute.casefold()

    @property
    def said(self) -> str:
        """What it says of its address, to be compared."""
        return " ".join((self.value or self.statement).casefold().split())

    @property
    def episodes(self) -> tuple[str, ...]:
        """The episodes that it is derived from, each once."""
        return tuple(dict.fromkeys(ref.partition(".")[0] for ref in self.derived_from))

    def ended(self, day: date, by: str = "") -> Belief:
        """The belief as it is once another one superseded it, or, without one, the user took it back."""
        return self.replaced(status="superseded" if by else "retracted", until=day, by=by)


_TEXT = metadata.write_text, metadata.read_text
_DAY = lambda day: metadata.write_date(day) if day else "", metadata.read_day
_UNIT = "{:.4g}".format, lambda raw: metadata.read_unit(raw) or 0.0
_HELD: Status = "held"
_FIELDS: Sequence[tuple[str, str, Callable[[Any], str], Callable[[str], Any]]] = (
    ("created", "created", *_DAY),
    ("verified", "accessed", *_DAY),
    ("weight", "str", *_UNIT),
    (
        "derived_from",
        "from",
        "+".join,
        lambda raw: tuple(dict.fromkeys(filter(None, raw.split("+")))),
    ),
    ("origin", "origin", str, lambda raw: raw or "unknown"),
    ("significance", "sig", *_UNIT),
    ("since", "since", *_DAY),
    ("until", "until", *_DAY),
    (
        "status",
        "status",
        lambda status: "" if status == _HELD else status,
        lambda raw: raw if raw in get_args(Status) else _HELD,
    ),
    ("by", "by", *_TEXT),
    (
        "version",
        "ver",
        lambda version: "" if version == 1 else str(version),
        lambda raw: metadata.read_int(raw) or 1,
    ),
    ("restated", "restated", *_DAY),
    ("subject", "subject", *_TEXT),
    ("attribute", "attribute", *_TEXT),
    ("value", "value", *_TEXT),
    ("tags", "tags", metadata.write_list, metadata.read_list),
)
"""Each value of a belief, its key in the ``hx`` comment, how it is written there, and how it is read again."""


def values_of(belief: Belief) -> dict[str, str]:
    """The raw ``hx`` values."""
    values = {key: write(getattr(belief, name)) for name, key, write, _ in _FIELDS}
    return {"id": metadata.write_text(belief.id), **values, "hits": "0"}


def block(belief: Belief, paths: Mapping[str, str]) -> str:
    """The entry of a new belief; ``paths`` are where episodes' texts lie, by id."""
    pointers = tuple(Pointer(paths[id], None) for id in belief.episodes if id in paths)
    raw = [f"{key}={value}" for key, value in values_of(belief).items() if value]
    statement = metadata.plain_line(belief.statement)
    lines = [
        f"## {shorten(statement, 80)}",
        statement,
        *([format_pointers(pointers)] if pointers else []),
    ]
    return "\n".join([*lines, f"<!-- hx: {' | '.join(raw[:5])}\n| {' | '.join(raw[5:])} -->"])


def belief_of(located: Located) -> Belief | None:
    """The belief in an entry; ``None`` if it has no source or no dates."""
    raw = located.entry.values
    values = {name: read(raw.get(key, "")) for name, key, _, read in _FIELDS}
    created = values["created"]
    if not (created and values["derived_from"] and located.entry.summary):
        return None
    dates = {name: values[name] or created for name in ("since", "verified")}
    return Belief(id=located.key, statement=located.entry.summary, **values | dates)


def beliefs_of(document: Document) -> list[Belief]:
    """The beliefs of a document, in the order of the file."""
    return [belief for belief in map(belief_of, document.entries) if belief is not None]


def keep_sources(key: str, base: str, ours: str, theirs: str) -> str | None:
    """The value of a field of a belief that two branches changed; ``None`` where a person must decide."""
    if key == "from":
        return "+".join(dict.fromkeys(f"{ours}+{theirs}".split("+")))
    if key == "origin":
        return least_trusted((ours, theirs))
    return merge_entry.keep_both(key, base, ours, theirs)


def decay(weight: float, hours: float, significance: float, rate: float = 1.0) -> float:
    """The weight of a belief ``hours`` after its last evidence.

    ``significance`` (0 to 1) slows it, ``rate`` (0.25 to 4, one for all beliefs) is the user's. Monotone in
    ``hours``, within 0 to ``weight``; it is worked out from what is stored and never stored itself.
    """
    exponent = -0.3 * (1 - 0.7 * significance)
    return weight * (1 + 0.1 * hours * rate) ** exponent  # type: ignore[no-any-return]


def weight_at(belief: Belief, now: datetime, rate: float) -> float:
    """The weight of a belief by now; whole days count, as in the index (decision D9)."""
    hours = max((now.date() - belief.verified).days, 0) * 24.0
    return decay(belief.weight, hours, belief.significance, rate)


class BeliefStore:
    """Beliefs on disk. Changes: lock, read again, apply, verify, compare, replace."""

    def __init__(self, root: Path, timeout: float) -> None:
        self.root = root
        self._timeout = timeout

    def document(self) -> Document:
        """The file as entries; an empty one where there is none."""
        return parse(self.text())

    def text(self) -> str:
        """The file; empty where there is none."""
        return decode(read_whole(self.root / BELIEFS, BELIEFS, _PATIENCE) or b"")

    def all(self) -> list[Belief]:
        """Every belief, in the order of the file."""
        return beliefs_of(self.document())

    def get(self, id: str) -> Belief:
        """The belief of this id. Raises :class:`BeliefNotFound`."""
        belief = next((belief for belief in self.all() if belief.id == id), None)
        if belief is None:
            raise BeliefNotFound(id=id)
        return belief

    def held(self) -> list[Belief]:
        """What is held now."""
        return [belief for belief in self.all() if belief.status == "held"]

    def change(self, change: Callable[[Document], tuple[Document, Result]]) -> Result:
        """Apply ``change``, which is pure and may run again, and write it. Raises as a change of the index."""
        results: list[Result] = []

        def changed(text: str | None) -> str:
            old = parse(NEW if text is None else text)
            new, result = change(old)
            results.append(result)
            if parse(new.text) != new:
                raise IndexRefused(path=BELIEFS, reason="the change would not be read back")
            return new.text if new != old else text or ""

        ensure_folder(self.root, BELIEFS)
        change_note(self.root, BELIEFS, changed, self._timeout)
        return results[-1]

    def revise(self, ids: Collection[str], revise: Callable[[Belief], Belief]) -> list[Belief]:
        """Give these beliefs new values, from what they are by then; the new ones."""

        def change(document: Document) -> tuple[Document, list[Belief]]:
            new = [revise(belief) for belief in beliefs_of(document) if belief.id in ids]
            return updated(document, new), new

        return self.change(change) if ids else []


def added(document: Document, beliefs: Iterable[Belief], paths: Mapping[str, str]) -> Document:
    """The document with more beliefs at its end."""
    blocks = [block(belief, paths) for belief in beliefs]
    return add_entries(document, (), blocks)


def updated(document: Document, beliefs: Iterable[Belief]) -> Document:
    """The document with new values of beliefs that it holds; their statements stay."""
    return set_many(document, {belief.id: values_of(belief) for belief in beliefs})
