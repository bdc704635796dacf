"""What other programs keep as a memory, as notes for this one: `hippo import` takes them in below ``shared-memory/``.

A folder of markdown (of Claude Code, Codex, basic-memory, Obsidian) is taken file by file; Gemini CLI's memories
stand in its instructions. Chats of ChatGPT and Claude.ai, mem0 and the MCP memory server are JSON, told by what is in
it.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from hippocampus_cli.embedding.digests import digest_of
from hippocampus_cli.errors import UsageError
from hippocampus_cli.index.metadata import slug
from hippocampus_cli.markdown.lines import decode, encode
from hippocampus_cli.mind.errors import PackageInvalid
from hippocampus_cli.redaction.redactor import filled
from hippocampus_cli.text.plain_text import ELSEWHERE
from hippocampus_cli.workspace.kinds import SHARED_FOLDER
from hippocampus_cli.workspace.redaction import redactor_for
from hippocampus_cli.workspace.regular import MOST_BYTES, read_regular, reading
from hippocampus_cli.workspace.transaction import DAMAGED

MOST_NOTES = 20_000
_CLAUDE, _CHATS = "claude-code", "conversations.json"
_GEMINI = "## Gemini Added Memories"
_ROLES = {"user": "User", "human": "User", "assistant": "Assistant"}
Notes = Iterator[tuple[str, str]]
"""Names, with ``/``, and texts."""


def read_foreign(source: Path, root: Path, most_bytes: int) -> tuple[str, Mapping[str, bytes]]:
    """The program whose memory ``source`` is, empty for none that is known, and the bytes of each note by its path in
    the workspace at ``root``, without secrets.

    No bytes are those of a note that is left out: it is empty, a link, or above ``most_bytes``, as for a scan; those
    after ``MOST_NOTES`` are not looked at. Raises
    :class:`PackageInvalid`, :class:`FileUnreadable`, and :class:`UsageError` where the workspace is in it.
    """
    if root.resolve().is_relative_to(source.resolve()):
        raise UsageError(
            reason="this folder holds the workspace itself",
            advice="its notes are in the memory already; name the folder of another program",
        )
    redactor = redactor_for(root)
    made: dict[str, bytes] = {}
    with reading(str(source)):
        kind, notes = _read(source)
        try:
            for name, text in islice(notes, MOST_NOTES):
                data = encode(filled(redactor.redact(text), ELSEWHERE))
                taken = text.strip() and len(data) <= most_bytes
                made[f"{SHARED_FOLDER}/{kind}/{name}"] = data if taken else b""
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise PackageInvalid(reason=f"it is not as {kind} writes it: {error!r}") from error
    return kind, made


def _read(source: Path) -> tuple[str, Notes]:
    if source.is_dir():
        kind = _kind_of_folder(source)
        return kind, _folder(source, kind)
    data = read_regular(source, MOST_BYTES, whole=True)
    if source.suffix.lower() == ".md":
        return "markdown", _markdown(source.name, data)
    items = _items(_chats_of_zip(data) if data.startswith(b"PK") else data)
    for kind, (is_one, read) in KINDS.items():
        if items and is_one(items[0]):
            return kind, read(items)
    return "", iter(())


def _chats_of_zip(data: bytes) -> bytes:
    """The chats of an export as it is downloaded; empty for another zip, and for a broken one."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            sizes = {info.filename: info.file_size for info in archive.infolist()}
            return archive.read(_CHATS) if sizes.get(_CHATS, MOST_BYTES) < MOST_BYTES else b""
    except DAMAGED:
        return b""


def _items(data: bytes) -> list[dict[str, Any]]:
    """The objects of a JSON document, or of one a line; empty for what is neither."""
    text = data.decode("utf-8-sig", "replace")
    try:
        try:
            found = json.loads(text)
        except ValueError:
            found = [json.loads(line) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError):
        return []
    if isinstance(found, dict):
        found = found.get("results") or found.get("memories") or [found]
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _kind_of_folder(folder: Path) -> str:
    marks = {".obsidian": "obsidian", "raw_memories.md": "codex", "GEMINI.md": "gemini"}
    if folder.resolve().name == ".claude" or any(folder.glob("projects/-*/memory")):
        return _CLAUDE
    return next((kind for mark, kind in marks.items() if (folder / mark).exists()), "markdown")


def _folder(folder: Path, kind: str) -> Notes:
    """Its markdown; of Claude Code's own folder what stands at its top, and the memories of projects: neither agents
    nor plans. Nothing hidden, and no link is followed."""
    for base, folders, names in os.walk(folder):
        inside = Path(base).relative_to(folder).parts
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if kind == _CLAUDE and inside[:1] + inside[2:3] not in ((), ("projects", "memory")):
            continue
        for name in sorted(names):
            file = Path(base, name)
            if name.endswith(".md") and not name.startswith("."):
                path = "/".join((*inside, name))
                if path.isprintable() and "\\" not in path:
                    data = b"" if file.is_symlink() else read_regular(file, MOST_BYTES, whole=True)
                    yield from _markdown(path, data)


def _markdown(path: str, data: bytes) -> Notes:
    """A note as it is; of Gemini CLI's instructions the memories in them."""
    text = decode(data)
    memories = text.partition(_GEMINI)[2]
    if memories and path.endswith("GEMINI.md"):
        kept = memories.partition("\n## ")[0]
        path, text = f"{path.rpartition('.')[0]}-memories.md", f"# Memories\n{kept.rstrip()}\n"
    yield path, text


def _chatgpt(items: Iterable[dict[str, Any]]) -> Notes:
    for chat in items:
        steps = [
            step["message"] for step in chat.get("mapping", {}).values() if step.get("message")
        ]
        steps.sort(key=lambda one: one.get("create_time") or 0)
        said = [(one["author"]["role"], one["content"].get("parts", ())) for one in steps]
        yield _chat(chat.get("title"), chat.get("create_time"), said)


def _claude_chats(items: Iterable[dict[str, Any]]) -> Notes:
    for chat in items:
        said = []
        for one in chat.get("chat_messages", ()):
            blocks = [block.get("text") for block in one.get("content", ())]
            said.append((one["sender"], [one["text"]] if one.get("text") else blocks))
        yield _chat(chat.get("name"), chat.get("created_at"), said)


def _chat(title: object, moment: object, said: Iterable[tuple[str, Any]]) -> tuple[str, str]:
    """A conversation as one note, what each said below a label. Tools and the system say nothing."""
    lines = [f"# {title or 'Conversation'}"]
    for role, parts in said:
        text = "\n".join(part for part in parts if isinstance(part, str)).strip()
        if text and role in _ROLES:
            lines.append(f"**{_ROLES[role]}:** {text}")
    text = "\n\n".join(lines) + "\n" if lines[1:] else ""
    return f"{_name(_day(moment), str(title or ''), text)}.md", text


def _mem0(items: Iterable[dict[str, Any]]) -> Notes:
    lines = ["# Memories", ""]
    for one in items:
        lines.append(" ".join(filter(None, ("-", _day(one.get("created_at")), one.get("memory")))))
    yield "memories.md", "\n".join(lines) + "\n"


def _graph(items: Iterable[dict[str, Any]]) -> Notes:
    """One note for each entity: what was observed of it, and what it stands in relation to."""
    notes: dict[str, list[str]] = {}
    for one in items:
        if one.get("type") == "entity":
            kind, seen = one.get("entityType"), one.get("observations") or ()
            notes.setdefault(str(one.get("name")), []).extend(
                [f"A {kind}.", *(f"- {said}" for said in seen)]
            )
        elif one.get("type") == "relation":
            notes.setdefault(str(one.get("from")), []).append(
                f"- {one.get('relationType')}: {one.get('to')}"
            )
    for name, lines in notes.items():
        yield f"{_name('', name, name)}.md", f"# {name}\n\n" + "\n".join(lines) + "\n"


def _name(day: str, title: str, text: str) -> str:
    """A name that two notes of one title do not share, and the same note has each time."""
    words = [part for part in (day, slug(title, 48)) if part]
    return "-".join([*words, digest_of(text).hex()[:6]])


def _day(moment: object) -> str:
    """The day of a moment, in seconds or as ISO 8601; empty for none."""
    try:
        if isinstance(moment, int | float):
            return datetime.fromtimestamp(moment, UTC).date().isoformat()
        return datetime.fromisoformat(str(moment)).date().isoformat()
    except (ValueError, OverflowError, OSError):
        return ""


Reader = Callable[[Iterable[dict[str, Any]]], Notes]
KINDS: Mapping[str, tuple[Callable[[dict[str, Any]], bool], Reader]] = {
    "chatgpt": (lambda item: isinstance(item.get("mapping"), dict), _chatgpt),
    "claude-ai": (lambda item: isinstance(item.get("chat_messages"), list), _claude_chats),
    "mem0": (lambda item: "memory" in item, _mem0),
    "mcp-memory": (lambda item: item.get("type") in ("entity", "relation"), _graph),
}
"""Of each kind of JSON: whether its first object is one, and what reads it."""
