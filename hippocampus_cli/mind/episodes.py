"""Episodes as values and as files: read, verified, searched. Nothing here writes.

A month's file ``.hippocampus/mind/episodes/2026-08.md`` holds a record an episode, in the order in which they were
appended; each record ends in its own hash, over every byte of it and the hash of the record before: of both, where
two branches of a repository were merged before it was appended. What was said lies beside it, in
``2026-08/ep-….md``: its hash stands in the record, so that it can be emptied (:mod:`hippocampus_cli.mind.erase`) and
the chain stays valid.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.index.metadata import FIELD, escape, unescape
from hippocampus_cli.markdown.lines import whole_number
from hippocampus_cli.mind.beliefs import least_trusted
from hippocampus_cli.mind.errors import EpisodeNotFound, EpisodesDamaged
from hippocampus_cli.workspace.commit import read_or_none
from hippocampus_cli.workspace.own_files import MIND
from hippocampus_cli.workspace.regular import read_regular
from hippocampus_cli.workspace.state import rows

EPISODES = f"{MIND}/episodes"
HEAD = f"{EPISODES}/head"
IMPORTED = f"{EPISODES}/imported"
"""The ids of episodes that came from another memory: they are trusted no more than what is imported."""
REDACTED = f"{EPISODES}/redacted.jsonl"
NOTHING_BEFORE = "0" * 64
_RECORD = pattern(r"(?<=\n)(?=## )")  # where one begins
_STATEMENT = pattern(r"- (\w+)(?:, ([0-9T:.+Z-]+))? #(\S+): (.*)")


class Statement(NamedTuple):
    """One line of an episode: who said it, when, in which message, and what.

    ``moment`` is ISO 8601, empty where nothing says when. ``text`` is on one line.
    """

    origin: str
    moment: str
    source: str
    text: str

    @property
    def line(self) -> str:
        """The line as it is written."""
        when = f", {self.moment}" if self.moment else ""
        return f"- {self.origin}{when} #{self.source}: {self.text}"


class Episode(NamedTuple):
    """One record. ``at`` and ``until`` are when it happened, ``recorded`` when it was written (ISO 8601).

    ``origin`` are the origins of its statements; ``range`` the first and the last message, ``source_sha256`` the hash
    of what they hold; ``text_sha256`` the hash of what lies beside it; ``prev`` those of the records before, with a
    ``+`` between.
    """

    id: str
    at: str
    until: str
    recorded: str
    who: str
    session: str
    origin: str
    source: str
    range: str
    source_sha256: str
    encoder: str
    text_sha256: str
    prev: str
    sha256: str = ""
    file: str = ""
    line: int = 0

    @property
    def text_path(self) -> str:
        """The path of its text."""
        return f"{self.file.removesuffix('.md')}/{self.id}.md"

    @property
    def is_of_log(self) -> bool:
        """Whether it was made of lines of a note."""
        return self.source.startswith(f"{self.session}:")


_FIELDS = Episode._fields[: Episode._fields.index("sha256")]
"""What a record says, in this order; its own hash comes last."""


class Problem(NamedTuple):
    """One finding of :func:`verify`, with its place; ``left`` is the hash of what was changed, as it is now."""

    path: str
    line: int
    what: str
    left: str = ""


def body_of(episode: Episode) -> str:
    """The record of an episode whose ``file`` is set, up to its own hash, which is the hash of this."""
    fields = " | ".join(f"{name}={escape(getattr(episode, name), FIELD)}" for name in _FIELDS)
    heading = f"## {_heading(episode.at, episode.session)}\n→ {episode.text_path}\n"
    return f"{heading}<!-- ep: {fields} | sha256="


def render(episode: Episode) -> str:
    """The record of an episode; its ``sha256`` is worked out, not taken."""
    body = body_of(episode)
    return f"{body}{digest(body)} -->\n\n"


def _heading(at: str, session: str) -> str:
    """When and in which session it happened."""
    return f"{at[:16].replace('T', ' ')} · {escape(session, FIELD)}"


def digest(text: str | bytes) -> str:
    """The SHA-256 of a text, in hexadecimal."""
    data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    return hashlib.sha256(data).hexdigest()


def title_of(month: str) -> str:
    """The beginning of a month's file."""
    return f"# Episodes {month}\n\n"


def text_of(at: str, session: str, statements: Iterable[Statement]) -> str:
    """The text beside a record."""
    lines = "".join(f"{one.line}\n" for one in statements)
    return f"# {_heading(at, session)}\n\n{lines}"


def statements_in(text: str) -> tuple[Statement, ...]:
    """The statements of such a text, in order; none if it was emptied."""
    found = (_STATEMENT.fullmatch(line) for line in text.split("\n"))
    return tuple(Statement(m[1], m[2] or "", m[3], m[4]) for m in found if m)


def united(ours: str, theirs: str) -> str:
    """The months' files of two branches as one: the records of both, each as it was written."""
    return "".join(dict.fromkeys((*_RECORD.split(ours), *_RECORD.split(theirs))))


def months(root: Path) -> list[str]:
    """The months' files, oldest first."""
    return [
        f"{EPISODES}/{file.name}"
        for file in sorted((root / EPISODES).glob("[0-9][0-9][0-9][0-9]-[0-9][0-9].md"))
    ]


def parse(path: str, data: bytes) -> tuple[list[Episode], list[Problem]]:
    """The records of a month's file, and every line in it that is not as it was written.

    The bytes must equal what :func:`render` makes of the records, so that no changed byte goes unnoticed.
    """
    text = data.decode("utf-8", "surrogateescape")
    head = title_of(Path(path).stem)
    found: list[Episode] = []
    wrong: list[Problem] = []
    if not text.startswith(head):
        wrong.append(Problem(path, 1, "its beginning was changed"))
    line = 1 + head.count("\n")
    for block in filter(None, _RECORD.split(text.removeprefix(head))):
        episode = _episode(block, path, line)
        if episode is None or render(episode) != block:
            wrong.append(Problem(path, line, "the record was changed", digest(block)))
        if episode is not None:
            found.append(episode)
        line += block.count("\n")
    return found, wrong


def _episode(block: str, path: str, line: int) -> Episode | None:
    """The record in a block; ``None`` where its fields are others."""
    fields = block.partition("<!-- ep: ")[2].partition(" -->")[0]
    pairs = (part.partition("=") for part in fields.split(" | "))
    try:
        return Episode(**{name: unescape(value) for name, _, value in pairs}, file=path, line=line)
    except TypeError:
        return None


class EpisodeStore:
    """The episodes of a workspace, for reading."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._said: dict[str, tuple[Statement, ...]] = {}

    def all(self) -> list[Episode]:
        """Every record that can be read, oldest first."""
        return [one for path in months(self.root) for one in self.parsed(path)[0]]

    def parsed(self, path: str) -> tuple[list[Episode], list[Problem]]:
        """The records of a month's file, and what is wrong with it: not that something was forgotten out of them."""
        episodes, problems = parse(path, self._read(path))
        return episodes, [wrong for wrong in problems if wrong.left not in self.redacted.values()]

    @cached_property
    def by_id(self) -> Mapping[str, Episode]:
        """The records when one was first asked for, by their ids."""
        return {episode.id: episode for episode in self.all()}

    def get(self, id: str) -> Episode:
        """The record with this id. Raises :class:`EpisodeNotFound`."""
        if episode := self.by_id.get(id):
            return episode
        raise EpisodeNotFound(id=id)

    def text(self, episode: Episode) -> str:
        """What was said; raises :class:`EpisodesDamaged` where it cannot be read."""
        return self._read(episode.text_path).decode("utf-8", "surrogateescape")

    def statements(self, episode: Episode) -> tuple[Statement, ...]:
        """What was said, line by line, each with its moment, or its episode's; of another memory as ``import``. Each
        text is read once."""
        if episode.id not in self._said:
            least = ("import",) if episode.id in self._imported else ()
            self._said[episode.id] = tuple(
                said._replace(
                    origin=least_trusted((said.origin, *least)), moment=said.moment or episode.at
                )
                for said in statements_in(self.text(episode))
            )
        return self._said[episode.id]

    @cached_property
    def _imported(self) -> frozenset[str]:
        """The ids of the episodes that came from elsewhere."""
        return frozenset(self.noted(IMPORTED))

    def resolve(self, reference: str) -> tuple[Episode | None, Statement | None]:
        """What ``ep-….3`` names: the episode, and its third statement (``None`` once that was redacted)."""
        id, _, number = reference.partition(".")
        episode = self.by_id.get(id)
        last = whole_number(number)
        if episode is None or last is None:
            return None, None
        return episode, next(iter(self.statements(episode)[last - 1 : last]), None)

    def head(self) -> str:
        """The hashes of the records that no other follows, as the next record has them before it: one, and one more
        for each branch that was merged since the last."""
        there = self.all()
        followed = {before for episode in there for before in episode.prev.split("+")}
        last = sorted({episode.sha256 for episode in there} - followed)
        return "+".join(last) or NOTHING_BEFORE

    def noted(self, path: str) -> set[str]:
        """The words of a small file beside the episodes; after a merge, those of both branches."""
        return {*(read_or_none(self.root, path) or b"").decode("ascii", "replace").split()}

    def verify(self) -> Iterator[Problem]:
        """Everything that is not as it was written: records, their order and number, and their texts."""
        known, left = {NOTHING_BEFORE}, self.redacted
        for path in months(self.root):
            episodes, found = self.parsed(path)
            yield from found
            for one in episodes:
                if one.sha256 in known or not known.issuperset(one.prev.split("+")):
                    yield Problem(path, one.line, "it does not follow the record before")
                known.add(one.sha256)
                text = read_or_none(self.root, one.text_path)
                hashes = (one.text_sha256, left.get(one.id))
                now = "" if text is None else digest(text)
                if now not in hashes:
                    what = f"the text of {one.file}:{one.line} was changed, or is missing"
                    yield Problem(one.text_path, 1, what, now)
        noted = {word for word in self.noted(HEAD) if not word.isdecimal()}  # once with a count
        if not noted <= known or (len(known) > 1 and not noted):
            what = "the record that is noted as the last is missing or another"
            yield Problem(HEAD, 1, what)

    @cached_property
    def redacted(self) -> Mapping[str, str]:
        """The episodes whose text was emptied, or had something forgotten out of it, by id, and records, by place: of
        each the hash of what was left when this was first asked for."""
        lines = (read_or_none(self.root, REDACTED) or b"").splitlines()
        return dict(rows(lines, lambda row: (str(row["id"]), str(row["left"]))))

    def _read(self, path: str) -> bytes:
        """A file of the store. Raises :class:`EpisodesDamaged` where it cannot be read."""
        try:
            return read_regular(self.root / path)
        except OSError as error:
            raise EpisodesDamaged(path=path, reason=error.strerror or str(error)) from error
