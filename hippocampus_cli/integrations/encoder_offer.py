"""The offer of an encoder: made once to a user, whatever the answer; and its choice in a workspace's settings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from hippocampus_cli.config import CONFIG_PATH, LARGEST
from hippocampus_cli.embedding.consent import user_folder
from hippocampus_cli.errors import FileUnwritable
from hippocampus_cli.markdown.lines import decode, encode, newline_of
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.own_files import ensure_folder
from hippocampus_cli.workspace.read import read_file
from hippocampus_cli.workspace.regular import writing

_FILE = "encoder-offered"
_TABLE = re.compile(r"^\[embedding\][ \t]*(?:#.*)?$", re.MULTILINE)


def was_made(environ: Mapping[str, str]) -> bool:
    """Whether the user was asked before."""
    return (user_folder(environ) / _FILE).exists()


def remember(environ: Mapping[str, str], answer: str) -> None:
    """Remember that the user was asked, and the answer. Raises :class:`FileUnwritable`."""
    path = user_folder(environ) / _FILE
    with writing(str(path)):
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_bytes(path, f"{answer}\n".encode(), str(path))


def choose(root: Path, embedder: str) -> None:
    """Name the embedder in the workspace's settings, which name none; everything else stays.

    Raises :class:`FileUnreadable`, :class:`FileUnwritable`.
    """
    path = ensure_folder(root, CONFIG_PATH)
    text = decode(read_file(root, CONFIG_PATH, LARGEST)) if path.exists() else ""
    newline, line = newline_of(text), f'embedder = "{embedder}"'
    if re.search(r"^\s*embedder\s*=", text, re.MULTILINE):
        raise FileUnwritable(path=CONFIG_PATH, reason="it names an embedder already")
    found = _TABLE.search(text)
    if found:
        after = f"{text[: found.end()]}{newline}{line}{text[found.end() :]}"
    else:
        gap = newline if text and not text.endswith(("\n", "\r")) else ""
        after = f"{text}{gap}[embedding]{newline}{line}{newline}"
    replace_bytes(path, encode(after), CONFIG_PATH)
