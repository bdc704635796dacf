"""What an agent gets before it answers: the brief, and beside a request what the memory likely has on it.

What notes say stands in a fence, so that it is data. The same request gets the same bytes while the program runs, so
that a model's cache of a prompt stays valid.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.errors import ExtraMissing
from hippocampus_cli.integrations.recall import HAS, asked_by, random_of
from hippocampus_cli.query.results import Result
from hippocampus_cli.workspace.fence import Piece, fenced

_MORE = "The memory of this workspace {} something on this:"


class Brought:
    """The memory of ``workspace`` as text for a prompt; nothing is written back."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._secret = secrets.token_hex()
        self._known: dict[str, tuple[str, str]] = {}

    @cached_property
    def brief(self) -> str:
        """The brief, for the beginning of a prompt."""
        return self._workspace.brief().fenced(random_of(self._secret))

    def about(self, requests: list[str]) -> list[str]:
        """For each request of a conversation what is likely to answer it: empty for nothing, and where an earlier
        request was given the same place."""
        told: set[str] = set()
        texts = []
        for request in requests:
            place, text = self._answer(request)
            texts.append("" if place in told else text)
            told.add(place)
        return texts

    def _answer(self, request: str) -> tuple[str, str]:
        """The first place and the text for an agent; both are empty for nothing."""
        if request not in self._known:
            place, text, asked = "", "", asked_by(request)
            if asked and (found := self._workspace.recall(asked[0], odds=asked[1])):
                pieces = [
                    Piece(f"{each.path}:{each.start_line}", each.text) for each in found.results
                ]
                quoted = fenced(pieces, random_of(self._secret + request))
                place, text = pieces[0].head, f"{_MORE.format(HAS[found.sure])}\n{quoted}"
            self._known[request] = place, text
        return self._known[request]


def places(
    workspace: Workspace, question: str, limit: int, tokens: int, write: bool = False
) -> list[tuple[Result, dict[str, Any]]]:
    """The places that answer, best first, each with what a framework keeps beside its text."""
    found = workspace.query(question, limit=limit, tokens=tokens, write=write)
    return [
        (
            one,
            {
                "path": one.path,
                "line": one.start_line,
                "section": one.section,
                "score": one.score,
                "origin": one.origin,
                "superseded": bool(one.superseded),
                "sure": found.sure,
            },
        )
        for one in found.results
    ]


@contextmanager
def of_extra(extra: str, feature: str) -> Iterator[None]:
    """Around the imports of a framework. Raises :class:`ExtraMissing` where it is not installed."""
    try:
        yield
    except ImportError as error:
        raise ExtraMissing(feature=feature, extra=extra) from error
