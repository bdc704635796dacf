"""Reading the original JSON of LoCoMo: a list of samples with ``conversation`` and ``qa``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from bench.locomo.conversation import Conversation, Question, Session, Turn
from hippocampus_cli.errors import DatasetInvalid, FileUnreadable

_SESSION = re.compile(r"session_(\d{1,6})")
_DAY = re.compile(r"\bon (\d{1,2}) ([A-Za-z]+),? ([12]\d{3})\b")
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_BETWEEN = re.compile(r"[;,\s]+")  # some references hold several ids in one text
_BREAKS = re.compile(r"\s*[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+\s*")


def read_conversations(path: Path) -> tuple[Conversation, ...]:
    """The conversations of a file. Raises :class:`FileUnreadable`, :class:`DatasetInvalid`."""
    try:
        data = json.loads(path.read_bytes())
    except OSError as error:
        raise FileUnreadable(path=str(path), reason=error.strerror or str(error)) from error
    except json.JSONDecodeError as error:
        reason = f"{error.msg} (column {error.colno})"
        raise _refusal(path, reason, error.lineno) from error
    except (UnicodeDecodeError, RecursionError) as error:
        raise _refusal(path, "it is no JSON text") from error
    reader = _Reader(path)
    samples = reader.sequence(data, "the document")
    if not samples:
        raise reader.refusal("it holds no conversation")
    return tuple(reader.conversation(one, at) for at, one in enumerate(samples, 1))


class _Reader:
    """Takes the JSON apart; what is not as it should be is named."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def conversation(self, value: object, at: int) -> Conversation:
        """Sample number ``at``, from 1."""
        sample = self.mapping(value, f"sample {at}")
        name = str(sample.get("sample_id", at))
        talk = self.mapping(sample.get("conversation"), f"the conversation of sample {name!r}")
        sessions = tuple(sorted(self._sessions(talk, name), key=lambda one: one.number))
        if not sessions:
            raise self.refusal(f"the conversation of sample {name!r} has no session")
        known = {turn.id for session in sessions for turn in session.turns}
        asked = self.sequence(sample.get("qa"), f"qa of sample {name!r}")
        questions = tuple(self._question(one, name, known) for one in asked)
        return Conversation(name, sessions, questions)

    def mapping(self, value: object, what: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise self.refusal(f"{what} is no object")
        return value

    def sequence(self, value: object, what: str) -> list[Any]:
        if not isinstance(value, list):
            raise self.refusal(f"{what} is no list")
        return value

    def refusal(self, reason: str) -> DatasetInvalid:
        return _refusal(self.path, reason)

    def _sessions(self, talk: dict[str, Any], name: str) -> Iterator[Session]:
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
            yield Session(int(found[1]), when, day, turns)

    def _turn(self, value: object, what: str) -> Turn:
        turn = self.mapping(value, f"a turn in {what}")
        if not isinstance(turn.get("dia_id"), str):
            raise self.refusal(f"a turn in {what} has no dia_id")
        speaker, text, caption = (
            folded(str(turn.get(key) or "")) for key in ("speaker", "text", "blip_caption")
        )
        return Turn(turn["dia_id"], speaker, text, caption)

    def _question(self, value: object, name: str, known: set[str]) -> Question:
        asked = self.mapping(value, f"a question of sample {name!r}")
        text, category = asked.get("question"), asked.get("category")
        if not isinstance(text, str) or not text.strip() or not isinstance(category, int):
            raise self.refusal(f"a question of sample {name!r} has no text or no category")
        named = self.sequence(asked.get("evidence", []), f"evidence in sample {name!r}")
        ids = [one for text in named for one in _BETWEEN.split(str(text)) if one]
        found = tuple(dict.fromkeys(one for one in ids if one in known))
        return Question(folded(text), category, found, sum(one not in known for one in ids))


def _refusal(path: Path, reason: str, line: int | None = None) -> DatasetInvalid:
    advice = (
        "give the original file, unpacked and unchanged; `python -m bench locomo --help` names it"
    )
    return DatasetInvalid(path=str(path), line=line, reason=reason, advice=advice)


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
