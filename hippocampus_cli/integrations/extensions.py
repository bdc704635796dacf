"""The extension files for Pi, opencode and OpenClaw: their text, and whose a file is."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from hippocampus_cli.errors import InstallRefused
from hippocampus_cli.markdown.lines import encode

_DATA = Path(__file__).parent / "data"
_PARTS = {
    "pi": ("hippo.ts",),
    "opencode": ("ask.js", "hippo.js"),
    "openclaw": ("ask.js", "openclaw.js"),
}
_PROGRAM = re.compile(r"^(const PROGRAM(?:: string\[\])? = )(\[.*\]);", re.MULTILINE)
_HEAD = re.compile(
    r"// Written by `hippo install`; `hippo uninstall` takes it away\. ([0-9a-f]{16})\r?\n"
)


def extension_text(program: Sequence[str], agent: str) -> str:
    """The agent's extension, which runs hippo by ``program``, the words before hippo's own."""
    template = "\n".join((_DATA / name).read_text(encoding="utf-8") for name in _PARTS[agent])
    words = f"{json.dumps(list(program))};"
    body = _PROGRAM.sub(lambda found: found[1] + words, template, count=1)
    return (
        f"// Written by `hippo install`; `hippo uninstall` takes it away. {_digest(body)}\n{body}"
    )


def commands(text: str) -> list[str]:
    """What an extension of ours starts for a hook, as a shell would."""
    found = _PROGRAM.search(text)
    return [f"{shlex.join(json.loads(found[2]))} hook SessionStart"] if found else []


def edit_manifest(_: str, installs: bool) -> str:
    """What OpenClaw reads of its plugin before it runs it."""
    return (_DATA / "openclaw.plugin.json").read_text(encoding="utf-8") if installs else ""


def edit_extension(wanted: str, path: str, text: str, installs: bool) -> str:
    """The ``wanted`` text in the place of an earlier one, or none; a changed line ending is no edit.

    Raises :class:`InstallRefused` where that would lose a person's changes.
    """
    head = _HEAD.match(text)
    edited = head and _digest(text[head.end() :].replace("\r\n", "\n")) != head[1]
    if edited or (text and not head):
        reason = "it was edited" if edited else "another file has this name"
        raise InstallRefused(path=path, reason=reason, advice="move or rename it, then try again")
    return wanted if installs else ""


def _digest(body: str) -> str:
    return sha256(encode(body)).hexdigest()[:16]
