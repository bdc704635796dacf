"""Tasks as values: what is asked, on which evidence, and what an answer looks like.

The kinds:

- *describe*: a section has no description by somebody who read it. The answer is a summary and phrases by which
  others would ask for it: this is how the index answers what the words of the notes do not.
- *state*: lines of a user in a session or a log may hold beyond the day. The answer quotes those that do, with what
  they speak of; they become beliefs.
- *conflict*: two beliefs of one address have other values. The answer names those that hold now and those that are
  outdated.
- *restate*: a belief was retrieved since it was last looked at. The answer is one sentence.
- *merge*: two entries have the same words as topics. The answer says whether they speak of the same.
- *promote*: a section of a daily log was asked for on several days.
  The answer is the line that MEMORY.md should have.
- *compare*: several places answered a question. The answer names those that hold now and those that are outdated.
  Most of them just speak of several things, so these tasks come last, and only of the questions asked last.
- *topic*: new entries share a word that older ones hardly have. The answer is a title, which becomes a tag of theirs.
"""

from __future__ import annotations

from typing import Any

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.mind.episodes import digest

QUESTIONS = {
    "describe": "Summarise the text in one line (at most 110 characters), and give 4 to 8 phrases of 1 to 5 words"
    " by which somebody would ask for it in other words than its own.",
    "state": "Which of these lines of the user hold beyond today? For each: the quote, word for word, of what it"
    " speaks (subject, attribute, value, in words of the quote; the value is a part of it) and its kind:"
    " preference, rule, fact, decision, open. Leave out the others, and what cannot be understood alone.",
    "conflict": "Do these say different things of the same? Name the places that hold now and those that are"
    " outdated; nothing where both hold.",
    "compare": "Does one of these places say what does not hold any more, because another says how it is now?"
    " Name both; nothing where all hold, or where they speak of different things.",
    "merge": "Do these entries speak of the same thing?",
    "promote": "This was asked for on several days. Which line should MEMORY.md have, below which of its headings?",
    "restate": "Say the statement in one shorter or clearer sentence, without changing what it says.",
    "topic": "What do these entries have in common? Give it a title of 1 to 4 words.",
}
_TEXTS = {"type": "array", "items": {"type": "string"}}
_TEXT = {"type": "string"}


def _object(**properties: Any) -> dict[str, Any]:
    """The schema of an object with just these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


_SIDES = _object(current=_TEXTS, outdated=_TEXTS)
_STATEMENT = _object(quote=_TEXT, subject=_TEXT, attribute=_TEXT, value=_TEXT, kind=_TEXT)
SCHEMAS = {
    "describe": _object(summary=_TEXT, aliases=_TEXTS),
    "state": _object(keep={"type": "array", "items": _STATEMENT}),
    "conflict": _SIDES,
    "compare": _SIDES,
    "merge": _object(same={"type": "boolean"}),
    "promote": _object(line=_TEXT, heading=_TEXT),
    "restate": _object(statement=_TEXT),
    "topic": _object(title=_TEXT),
}


class EvidencePlace(NamedTuple):
    """One quoted place: ``path:line`` or an id, its day and whose words it has."""

    place: str
    date: str
    origin: str
    text: str


class Task(NamedTuple):
    """One task. ``target`` is what it is about, so that it can be asked again: a pointer, a session, a belief."""

    kind: str
    target: str
    evidence: tuple[EvidencePlace, ...]

    @property
    def id(self) -> str:
        """Its kind, its target and a hash of its evidence: another text is another task, another order is not."""
        told = "\n".join(sorted(f"{part.place} {part.text}" for part in self.evidence))
        return f"{self.kind}:{self.target}:{digest(told)[:8]}"

    @property
    def question(self) -> str:
        """What is asked."""
        return QUESTIONS[self.kind]

    @property
    def answer(self) -> dict[str, Any]:
        """The JSON schema of its answer."""
        return SCHEMAS[self.kind]

    def document(self) -> dict[str, Any]:
        """The task as JSON has it."""
        evidence = [part._asdict() for part in self.evidence]
        return {
            "id": self.id,
            "kind": self.kind,
            "question": self.question,
            "evidence": evidence,
            "answer": self.answer,
        }


class AnswerRefused(Exception):
    """An answer that is not applied; the message says why."""
