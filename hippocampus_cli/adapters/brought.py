"""What an agent gets before it answers: the brief, and what the memory is sure of about the last request.

In a fence, so that it is data; with the same marker while the program runs, so that a model's cache of the
beginning of a prompt stays valid.
"""

from __future__ import annotations

import secrets
from hashlib import sha256

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.workspace.fence import Piece, fenced

_LONGEST = 500  # characters of a request that are used as the question


class Brought:
    """The memory of ``workspace`` as text for the beginning of a prompt; nothing is written back."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._secret = secrets.token_bytes()

    def text(self, request: str = "") -> str:
        """The brief and, if the memory is sure of something about ``request``, that too, between two markers."""
        count = 0

        def made(size: int) -> bytes:
            nonlocal count
            count += 1
            return sha256(self._secret + bytes([count % 256])).digest()[:size]

        brief = self._workspace.brief(request.strip()[:_LONGEST])
        return fenced([Piece("the memory of this workspace", brief.text)], made)
