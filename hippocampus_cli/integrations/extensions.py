"""The extension files for Pi, opencode and OpenClaw: their text, and whose a file is."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Literal

from hippocampus_cli.errors import InstallRefused
from hippocampus_cli.markdown.lines import encode

NAME = "hippo.ts"
PLUGIN = "hippo.js"  # opencode's
OPENCLAW_PLUGIN = "openclaw.js"
_ASK = "ask.js"  # what the two begin with
_TEMPLATES = Path(__file__).parent / "data"
_PROGRAM = re.compile(r"^(const PROGRAM(?:: string\[\])? = )(\[.*\]);", re.MULTILINE)
_HEAD = re.compile(
    r"// Written by `hippo install`; `hippo uninstall` takes it away\. ([0-9a-f]{16})\r?\n"
)

State = Literal["absent", "ours", "edited", "foreign"]


def extension_text(program: Sequence[str], name: str = NAME) -> str:
    """The extension that runs hippo by ``program``, the words before hippo's own; ``name`` says for which agent."""
    names = (name,) if name == NAME else (_ASK, name)
    template = "\n".join((_TEMPLATES / one).read_text(encoding="utf-8") for one in names)
    words = f"{json.dumps(list(program))};"
    body = _PROGRAM.sub(lambda found: found[1] + words, template, count=1)
    return (
        f"// Written by `hippo install`; `hippo uninstall` takes it away. {_digest(body)}\n{body}"
    )


def commands(text: str) -> list[str]:
    """What an extension of ours starts for a hook, as a shell would."""
    found = _PROGRAM.search(text)
    return [f"{shlex.join(json.loads(found[2]))} hook SessionStart"] if found else []


def state_of(text: str) -> State:
    """Whose file is in the extension's place; empty text is no file. A changed line ending is no edit."""
    if not text:
        return "absent"
    head = _HEAD.match(text)
    if head is None:
        return "foreign"
    return "ours" if _digest(text[head.end() :].replace("\r\n", "\n")) == head[1] else "edited"


def check_ours(text: str, path: str) -> None:
    """Raises :class:`InstallRefused` where replacing or removing the file would lose a person's changes."""
    state = state_of(text)
    if state in ("edited", "foreign"):
        reason = "it was edited" if state == "edited" else "another file has this name"
        advice = "move or rename it, then try again"
        raise InstallRefused(path=path, reason=reason, advice=advice)


def _digest(body: str) -> str:
    return sha256(encode(body)).hexdigest()[:16]
