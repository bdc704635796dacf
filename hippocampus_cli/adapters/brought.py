"""What an agent gets before it answers: the brief, and beside a request what the memory is sure of about it.

What notes say stands in a fence, so that it is data. The same request gets the same bytes while the program runs, so
that a model's cache of a prompt stays valid.
"""

from __future__ import annotations

import secrets
from functools import cached_property
from hashlib import sha256

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.workspace.fence import Piece, Random, fenced

_LONGEST = 500  # characters of a request that are used as the question
_MORE = "The memory of this workspace has something on this:"


class Brought:
    """The memory of ``workspace`` as text for a prompt; nothing is written back."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._secret = secrets.token_bytes()
        self._known: dict[str, tuple[str, str]] = {}

    @cached_property
    def brief(self) -> str:
        """The brief, for the beginning of a prompt."""
        return self._workspace.brief().fenced(self._random("brief"))

    def about(self, requests: list[str]) -> list[str]:
        """For each request of a conversation what the memory is sure of about it: empty for nothing, and where an
        earlier request was given the same place."""
        told: set[str] = set()
        texts = []
        for request in requests:
            place, text = self._answer(request.strip()[:_LONGEST])
            texts.append("" if place in told else text)
            told.add(place)
        return texts

    def _answer(self, asked: str) -> tuple[str, str]:
        """The first place and the text for an agent; both are empty for nothing."""
        if asked not in self._known:
            found = self._workspace.recall(asked) if asked else None
            pieces = [
                Piece(f"{each.path}:{each.start_line}", each.text)
                for each in (found.results if found else ())
            ]
            text = f"{_MORE}\n{fenced(pieces, self._random(asked))}" if pieces else ""
            self._known[asked] = (pieces[0].head if pieces else "", text)
        return self._known[asked]

    def _random(self, purpose: str) -> Random:
        """Bytes that no author of notes knows, the same for the same purpose."""
        count = 0

        def made(size: int) -> bytes:
            nonlocal count
            count += 1
            seed = self._secret + bytes([count % 256]) + purpose.encode("utf-8", "replace")
            return sha256(seed).digest()[:size]

        return made
