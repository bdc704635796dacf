"""Words as a shell, a crontab and a systemd unit want them written."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence


def for_crontab(words: Iterable[str]) -> str:
    """``words`` as the command of a crontab line.

    Most crons end a command at ``%`` and read ``\\%`` as ``%``; some take ``\\%`` as it is, and some read
    ``\\\\`` as one backslash. So ``\\%`` stands outside of quotes, where a shell reads it as ``%`` too, and no
    backslash of a word is ever followed by a backslash or a percent sign.
    """
    return " ".join(r"\%".join(map(_quoted, word.split("%"))) or "''" for word in words)


def _quoted(piece: str) -> str:
    # shlex puts whatever has a backslash within single quotes: '' closes and opens them again.
    return shlex.quote(piece).replace("\\", "\\''") if piece else ""


def for_systemd(words: Sequence[str]) -> str:
    """``words`` as ``ExecStart=``: in double quotes, with no specifier and no variable in them."""
    program, *rest = words  # systemd looks for variables in all words but the program's
    return " ".join([_in_unit(program), *(_in_unit(word.replace("$", "$$")) for word in rest)])


def _in_unit(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped}"'
