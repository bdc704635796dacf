"""Beliefs as values, and as entries of ``.hippocampus/mind/beliefs.md``: the index's own lossless format.

The heading and the line below it are the statement, the pointers lead to the episodes it is derived from, and the
``hx`` comment holds the rest. Hand edits are welcome; every other byte stays as it is (decision D1).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Literal, TypeVar, get_args

from hippocampus_cli.errors import BeingWritten, FileUnreadable, IndexRefused
from hippocampus_cli.fast_types import Frozen
from hippocampus_cli.index import metadata
from hippocampus_cli.index.document import Document, Located
from hippocampus_cli.index.edit import add_entries, free_id, remove_entries, set_many
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.pointers import Pointer, format_pointers
from hippocampus_cli.markdown.lines import decode, encode
from hippocampus_cli.mind.errors import BeliefNotFound
from hippocampus_cli.workspace.atomic import Rounds, replace_bytes
from hippocampus_cli.workspace.lease import InUse, read_settled
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import BELIEFS, MIND, ensure_folder

ARCHIVED = f"{MIND}/archived.md"
VERSIONS = f"{MIND}/versions"
NEW = {BELIEFS: "# Beliefs\n", ARCHIVED: "# Archived beliefs\n"}
_PATIENCE = 2.0
Status = Literal["held", "superseded", "disputed", "retracted"]
STATUSES: tuple[Status, ...] = get_args(Status)
TRUST = ("unknown", "tool", "import", "assistant", "file", "user")
"""The origins, the least trusted first: a page that a tool read must not replace a note that the user keeps."""
Result = TypeVar("Result")


def trust(origin: str) -> int:
    """How far an origin is trusted; an unknown one counts least."""
    return TRUST.index(origin) if origin in TRUST else 0


def least_trusted(origins: Iterable[str]) -> str:
    """The origin of a belief with several sources."""
    return min(origins, key=trust, default="unknown")


class Lineage(tuple[str, ...]):
    """What a belief is derived from: references such as ``ep-….3``. It cannot be empty."""

    __slots__ = ()

    def __new__(cls, references: Iterable[str]) -> Lineage:
        """Raises :class:`ValueError` for none."""
        made = super().__new__(cls, dict.fromkeys(filter(None, references)))
        if not made:
            raise ValueError("a belief is derived from something")
        return made


class Belief(Frozen):
    """One belief. ``weight`` is right after the last evidence (``verified``); ``due`` since when it waits to be
    restated; ``by`` the belief that superseded or disputes it; ``sha`` tells a hand edit; ``tags`` are names
    that it is asked by. ``subject``, ``attribute`` and ``value`` are its address, where somebody gave one.
    """

    id: str
    statement: str
    derived_from: Lineage
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
    due: date | None = None
    sha: str = ""
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
    def is_living(self) -> bool:
        """Whether it is held, or disputed."""
        return self.status in ("held", "disputed")

    @property
    def is_edited(self) -> bool:
        """Whether somebody changed the statement by hand since hippo wrote it."""
        return bool(self.sha) and self.sha != fingerprint(self.statement)

    @property
    def episodes(self) -> tuple[str, ...]:
        """The episodes that it is derived from, each once."""
        return tuple(dict.fromkeys(ref.partition(".")[0] for ref in self.derived_from))

    def rests_on(self, episode: str) -> bool:
        """Whether it is derived from a statement of this episode."""
        return episode in self.episodes


def fingerprint(statement: str) -> str:
    """A digest that tells whether a statement was edited."""
    data = metadata.plain_line(statement).encode("utf-8", "surrogateescape")
    return hashlib.sha256(data).hexdigest()[:12]


def values_of(belief: Belief) -> dict[str, str]:
    """The raw ``hx`` values."""
    return {
        "id": metadata.write_text(belief.id),
        "created": metadata.write_date(belief.created),
        "accessed": metadata.write_date(belief.verified),
        "hits": "0",
        "str": f"{belief.weight:.4g}",
        "from": "+".join(belief.derived_from),
        "origin": belief.origin,
        "sig": f"{belief.significance:.4g}",
        "since": metadata.write_date(belief.since),
        "until": metadata.write_date(belief.until) if belief.until else "",
        "status": "" if belief.status == "held" else belief.status,
        "by": metadata.write_text(belief.by),
        "ver": "" if belief.version == 1 else str(belief.version),
        "due": metadata.write_date(belief.due) if belief.due else "",
        "sha": belief.sha or fingerprint(belief.statement),
        "subject": metadata.write_text(belief.subject),
        "attribute": metadata.write_text(belief.attribute),
        "value": metadata.write_text(belief.value),
        "tags": metadata.write_list(belief.tags),
    }


def block(belief: Belief, paths: Mapping[str, str]) -> str:
    """The entry of a new belief; ``paths`` are where episodes' texts lie, by id."""
    pointers = tuple(Pointer(paths[id], None) for id in belief.episodes if id in paths)
    raw = [f"{key}={value}" for key, value in values_of(belief).items() if value]
    statement = metadata.plain_line(belief.statement)
    title = statement if len(statement) <= 80 else f"{statement[:79]}…"
    lines = [f"## {title}", statement, *([format_pointers(pointers)] if pointers else [])]
    return "\n".join([*lines, f"<!-- hx: {' | '.join(raw[:5])}\n| {' | '.join(raw[5:])} -->"])


def belief_of(located: Located) -> Belief | None:
    """The belief in an entry; ``None`` if it has no source or no dates."""
    entry, values = located.entry, located.entry.values
    created, verified = _day(values.get("created", "")), _day(values.get("accessed", ""))
    references = list(filter(None, values.get("from", "").split("+")))
    if created is None or not references or not entry.summary:
        return None
    status = values.get("status", "held")
    return Belief(
        id=located.key,
        statement=entry.summary,
        derived_from=Lineage(references),
        origin=values.get("origin", "unknown"),
        since=_day(values.get("since", "")) or created,
        created=created,
        verified=verified or created,
        weight=_unit(values.get("str", "")),
        significance=_unit(values.get("sig", "")),
        version=entry.ver or 1,
        status=status if status in STATUSES else "held",
        until=_day(values.get("until", "")),
        by=metadata.read_text(values.get("by", "")),
        due=_day(values.get("due", "")),
        sha=values.get("sha", ""),
        tags=entry.tags,
        subject=metadata.read_text(values.get("subject", "")),
        attribute=metadata.read_text(values.get("attribute", "")),
        value=metadata.read_text(values.get("value", "")),
    )


def beliefs_of(document: Document) -> list[Belief]:
    """The beliefs of a document, in the order of the file."""
    return [belief for belief in map(belief_of, document.entries) if belief is not None]


def _day(raw: str) -> date | None:
    """The day of a date."""
    return metadata.day_of(metadata.read_date(raw))


def _unit(raw: str) -> float:
    """A number from 0 to 1; 0 for what is none."""
    return min(max(metadata.read_float(raw) or 0.0, 0.0), 1.0)


def hours_since(day: date, now: datetime) -> float:
    """Whole days, in hours, as the index counts them (decision D9)."""
    return max((now.date() - day).days, 0) * 24.0


class BeliefStore:
    """Beliefs on disk. Changes: lock, read again, apply, verify, compare, replace."""

    def __init__(self, root: Path, timeout: float, path: str = BELIEFS) -> None:
        self.root = root
        self.path = path
        self._timeout = timeout

    def document(self) -> Document:
        """The file as entries; an empty one where there is none."""
        return parse(self.text())

    def text(self) -> str:
        """The file; empty where there is none."""
        return decode(self._bytes() or b"")

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

    def unsupported(self) -> list[Located]:
        """Entries that are not beliefs, because they have no source."""
        return [located for located in self.document().entries if belief_of(located) is None]

    def change(self, change: Callable[[Document], tuple[Document, Result]]) -> Result:
        """Apply ``change``, which is pure and may run again, and write it. Raises as a change of the index."""
        rounds = Rounds(self.path)
        with locked(self.root, self._timeout):
            while True:
                with rounds:
                    before = self._bytes()
                    old = parse(decode(before if before is not None else NEW[self.path].encode()))
                    new, result = change(old)
                    data = encode(new.text)
                    if parse(new.text) != new:
                        reason = "the change would not be read back"
                        raise IndexRefused(path=self.path, reason=reason)
                    if data != before and (before is not None or new != old):
                        file = ensure_folder(self.root, self.path)
                        replace_bytes(file, data, self.path, before)
                    return result

    def _bytes(self) -> bytes | None:
        """The file, ``None`` where there is none. Raises :class:`BeingWritten`, :class:`FileUnreadable`."""
        file = self.root / self.path
        try:
            return read_settled(file, _PATIENCE)
        except FileNotFoundError:
            return None
        except InUse as error:
            raise BeingWritten(path=self.path) from error
        except OSError as error:
            reason = "it is a folder" if file.is_dir() else error.strerror or str(error)
            raise FileUnreadable(path=self.path, reason=reason) from error


def added(document: Document, beliefs: Iterable[Belief], paths: Mapping[str, str]) -> Document:
    """The document with more beliefs at its end."""
    blocks = [block(belief, paths) for belief in beliefs]
    return add_entries(document, (), blocks) if blocks else document


def updated(document: Document, beliefs: Iterable[Belief]) -> Document:
    """The document with new values of beliefs that it holds; their statements stay."""
    return set_many(document, {belief.id: values_of(belief) for belief in beliefs})


def removed(document: Document, ids: Iterable[str]) -> Document:
    """The document without these."""
    return remove_entries(document, ids)


def id_for(statement: str, taken: set[str]) -> str:
    """A free id made from the words of a statement."""
    return free_id(metadata.slug(statement) or "belief", taken)
