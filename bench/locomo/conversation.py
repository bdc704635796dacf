"""A conversation of LoCoMo as a value: sessions of turns, and questions with the turns that answer them."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
"""The categories that have an answer; 5, adversarial, has none and is left out."""


class Turn(NamedTuple):
    """What somebody said; ``caption`` describes a photo that was sent with it, or is empty."""

    id: str
    speaker: str
    text: str
    caption: str


class Session(NamedTuple):
    """One sitting: ``when`` as the data words it (``1:56 pm on 8 May, 2023``)."""

    number: int
    when: str
    day: date
    turns: tuple[Turn, ...]


class Question(NamedTuple):
    """A question; ``evidence`` are ids of turns that exist, ``unresolved`` counts references that do not."""

    text: str
    category: int
    evidence: tuple[str, ...]
    unresolved: int


class Conversation(NamedTuple):
    """Sessions in order of their numbers, and all questions, those without an answer too."""

    id: str
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...]
