"""What may be the id of a session. Apart, because every hook asks it and few need more of a session."""

from __future__ import annotations

import re

from hippocampus_cli.errors import UsageError

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")


def is_id(key: str) -> bool:
    """Whether a session may have this id."""
    return _ID.fullmatch(key) is not None


def check_id(key: str) -> str:
    """``key`` as a session's id. Raises :class:`UsageError`."""
    if not is_id(key):
        raise UsageError(
            reason=f"{key[:40]!r} is not a valid session id",
            advice="letters, digits, - and _, at most 80 of them",
        )
    return key
