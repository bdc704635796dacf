"""``python -m bench locomo``: questions about very long conversations, with the turns that answer them.

The original JSON of LoCoMo is a list of samples with ``conversation`` and ``qa``. A conversation becomes an agent's
workspace: a daily file a day, a heading a session, a bullet a turn.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import NamedTuple

from bench import comparison
from bench.corpora import data_folder
from bench.dataset import Case, Dataset, Folder, Reader
from bench.metrics import Corpus, Line, Span
from bench.sheet import Findings
from hippocampus_cli.cli.context import CommandContext as CommandSession
from hippocampus_cli.errors import UsageError

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
"""The categories that have an answer; 5, adversarial, has none and is left out."""
_ADVICE = "give the original file, unpacked and unchanged; `python -m bench locomo --help` names it"
_SESSION = re.compile(r"session_(\d{1,6})")
_DAY = re.compile(r"\bon (\d{1,2}) ([A-Za-z]+),? ([12]\d{3})\b")
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_BETWEEN = re.compile(r"[;,\s]+")  # some references hold several ids in one text
_BREAKS = re.compile(r"\s*[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+\s*")

arguments = comparison.arguments


def measure(session: CommandSession, options: argparse.Namespace) -> Findings:
    """Ask LoCoMo's questions about long conversations: which files and turns answer, how early.

    FILE is data/locomo10.json of the repository snap-research/locomo (CC BY-NC 4.0), as it is there. Each
    conversation becomes a workspace of daily notes, a bullet a turn. Nothing is fetched, nothing is kept. The method
    hybrid-embeddings needs an embedder (hippo embed --install use-multilingual, and
    HIPPO_EMBEDDING_EMBEDDER=use-multilingual). Without FILE it
    is looked for in locomo/ of $BENCH_DATA, or of ../shared/data beside the checkout.
    """
    file = options.file or file_in(data_folder(None, session.environ))
    if file is None:
        advice = "python -m bench locomo locomo10.json"
        raise UsageError(reason="name LoCoMo's file", advice=advice)
    return comparison.measure(read_locomo(file), session, options)


def file_in(data: Path) -> Path | None:
    """The first file of LoCoMo in a folder of downloaded data, None where there is none."""
    return next(iter(sorted((data / "locomo").glob("*.json"))), None)


def read_locomo(path: Path) -> Dataset:
    """A folder for each conversation of a file, with the questions that have an answer whose evidence exists.

    Raises :class:`FileUnreadable`, :class:`DatasetInvalid`.
    """
    reader = _Locomo(path, _ADVICE)
    samples = reader.sequence(reader.load(), "the document")
    if not samples:
        raise reader.refusal("it holds no conversation")
    folders = tuple(reader.folder(one, at) for at, one in enumerate(samples, 1))
    return Dataset("locomo", tuple(CATEGORIES.values()), folders)


class _Session(NamedTuple):
    """One sitting: ``when`` as the data words it (``1:56 pm on 8 May, 2023``), the bullets of its turns by id."""

    number: int
    when: str
    day: date
    turns: tuple[tuple[str, str], ...]


class _Locomo(Reader):
    """Without an answer are questions of category 5; without evidence those none of whose evidence exists."""

    def folder(self, value: object, at: int) -> Folder:
        """Sample number ``at``, from 1."""
        sample = self.mapping(value, f"sample {at}")
        name = str(sample.get("sample_id", at))
        talk = self.mapping(sample.get("conversation"), f"the conversation of sample {name!r}")
        sessions = sorted(self._sessions(talk, name), key=lambda one: one.number)
        if not sessions:
            raise self.refusal(f"the conversation of sample {name!r} has no session")
        corpus, places = _laid_out(sessions)
        asked = self.sequence(sample.get("qa"), f"qa of sample {name!r}")
        skipped = {"without_answer": 0, "without_evidence": 0}
        cases = tuple(case for one in asked for case in self._cases(one, name, places, skipped))
        last = max(session.day for session in sessions)
        morning = datetime.combine(last + timedelta(days=1), time(9), UTC)
        return Folder(name, corpus, morning, cases, skipped=skipped)

    def _sessions(self, talk: dict[str, object], name: str) -> Iterator[_Session]:
        for key, value in talk.items():
            found = _SESSION.fullmatch(key)
            if found is None or not value:
                continue
            what = f"{key} of sample {name!r}"
            when = folded(str(talk.get(f"{key}_date_time", "")))
            day = _day(when)
            if day is None:
                raise self.refusal(f"{what} has no date such as 1:56 pm on 8 May, 2023")
            turns = tuple(self._turn(one, what) for one in self.sequence(value, what))
            yield _Session(int(found[1]), when, day, turns)

    def _turn(self, value: object, what: str) -> tuple[str, str]:
        turn = self.mapping(value, f"a turn in {what}")
        id = turn.get("dia_id")
        if not isinstance(id, str):
            raise self.refusal(f"a turn in {what} has no dia_id")
        speaker, text, caption = (
            folded(str(turn.get(key) or "")) for key in ("speaker", "text", "blip_caption")
        )
        photo = f" [shares a photo: {caption}]" if caption else ""
        return id, f"- {speaker}: {text}{photo}"

    def _cases(
        self, value: object, name: str, places: dict[str, Line], skipped: dict[str, int]
    ) -> Iterator[Case]:
        asked = self.mapping(value, f"a question of sample {name!r}")
        text, category = asked.get("question"), asked.get("category")
        if not isinstance(text, str) or not text.strip() or not isinstance(category, int):
            raise self.refusal(f"a question of sample {name!r} has no text or no category")
        named = self.sequence(asked.get("evidence", []), f"evidence in sample {name!r}")
        ids = [one for text in named for one in _BETWEEN.split(str(text)) if one]
        right = frozenset(places[one] for one in ids if one in places)
        if category not in CATEGORIES:
            skipped["without_answer"] += 1
        elif not right:
            skipped["without_evidence"] += 1
        else:
            unresolved = sum(one not in places for one in ids)
            yield Case(folded(text), (right,), CATEGORIES[category], unresolved)


def _laid_out(sessions: list[_Session]) -> tuple[Corpus, dict[str, Line]]:
    """The sessions as ``memory/YYYY-MM-DD.md`` files, and where each turn stands by its id."""
    files: dict[str, list[str]] = {}
    places: dict[str, Line] = {}
    sections = []
    for session in sessions:
        path = f"memory/{session.day}.md"
        lines = files.setdefault(path, [f"# {session.day}"])
        lines += ["", f"## Session {session.number}, {session.when}", ""]
        start = len(lines) - 1
        for id, bullet in session.turns:
            lines.append(bullet)
            places[id] = (path, len(lines))
        sections.append(Span(path, start, len(lines)))
    return Corpus(files, frozenset(places.values()), tuple(sections)), places


def folded(text: str) -> str:
    """``text`` on one line, without halves of characters, which JSON can hold and a file cannot."""
    return _BREAKS.sub(" ", text.encode("utf-8", "replace").decode("utf-8")).strip()


def _day(when: str) -> date | None:
    """The day in ``1:56 pm on 8 May, 2023``."""
    found = _DAY.search(when)
    if found is None or found[2].lower() not in _MONTHS:
        return None
    try:
        return date(int(found[3]), _MONTHS.index(found[2].lower()) + 1, int(found[1]))
    except ValueError:
        return None
