"""A memory as one file: notes, index, archive and mind in a zip, with a manifest of hashes.

The same files make the same bytes. ``manifest.json`` comes first and names every file with its SHA-256, the version
of the format, and the head of the episodes' chain. ``signature.json`` is Ed25519 over the manifest's bytes.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from hippocampus_cli.errors import OutsideWorkspace
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index.parse import parse
from hippocampus_cli.markdown.lines import decode, encode
from hippocampus_cli.markdown.safe import bytes_spelled
from hippocampus_cli.mind.beliefs import ARCHIVED, beliefs_of, least_trusted, updated
from hippocampus_cli.mind.episodes import (
    EPISODES,
    IMPORTED,
    NOTHING_BEFORE,
    EpisodeStore,
    digest,
)
from hippocampus_cli.mind.erase import list_redaction
from hippocampus_cli.mind.errors import PackageInvalid
from hippocampus_cli.mind.gate import Gate
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import BELIEFS, FOLDER, INDEX, MIND, make_folders
from hippocampus_cli.workspace.paths import is_absolute, is_possible, normal, real_path
from hippocampus_cli.workspace.regular import read_regular
from hippocampus_cli.workspace.transaction import DAMAGED

FORMAT = 1
_MANIFEST, _SIGNATURE = "manifest.json", "signature.json"
_MOST_BYTES = 500_000_000  # unpacked
_MOST_TIMES, _SMALL = 200, 16_000_000
"""As many times may it unpack to; less than the second is let through whatever it came from."""
_OWN = (f"{FOLDER}/topics/", f"{FOLDER}/archive/", f"{MIND}/")
_NOT_TAKEN = (f"{MIND}/refused.jsonl", f"{MIND}/reviews.jsonl", f"{MIND}/refusals.yaml")
"""Files that belong to this workspace only, and are not exported."""
_INSTRUCTIONS = frozenset(
    ("agents", "claude", "gemini", "soul", "rules", "skill", "heartbeat", "identity")
)
_RUNNABLE = (".sh", ".py", ".js", ".ts", ".rb", ".pl", ".ps1", ".bat", ".cmd", ".exe")
_FOLDERS = frozenset(("scripts", "hooks", "skills", "rules", "commands", "bin"))
_NOW = (1980, 1, 1, 0, 0, 0)
_PLAIN = {"format", "hippo", "files", "head", "episodes"}


class Part(NamedTuple):
    """What becomes of one file of a package: ``new``, ``same``, ``differs`` or ``refused``, and why."""

    path: str
    what: str
    why: str = ""


class Imported(NamedTuple):
    """What an import did, or with ``dry_run`` would do; ``signed`` is the key that signed it, empty for none."""

    parts: tuple[Part, ...]
    signed: str
    head: str
    dry_run: bool


class Exported(NamedTuple):
    """What a package holds."""

    path: str
    files: int
    bytes: int
    head: str
    signed: str


def pack(root: Path, paths: Iterable[str], version: str, private_key: bytes | None = None) -> bytes:
    """The bytes of a package of these files, the same for the same files; signed with an Ed25519 key.

    Raises :class:`FileUnreadable`, :class:`ExtraMissing` for a key without the extra.
    """
    held = {path: read_regular(root / path) for path in sorted(set(paths))}
    count, head = EpisodeStore(root).head()
    manifest = _encoded(
        {
            "format": FORMAT,
            "hippo": version,
            "files": {path: digest(data) for path, data in held.items()},
            "head": head,
            "episodes": count,
        }
    )
    first = {_MANIFEST: manifest}
    if private_key is not None:
        from hippocampus_cli.mind.signature import sign

        first[_SIGNATURE] = _encoded(sign(private_key, manifest))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for path, data in [*first.items(), *((_member(p), d) for p, d in held.items())]:
            member = zipfile.ZipInfo(path, _NOW)
            member.external_attr = 0o600 << 16
            archive.writestr(member, data, zipfile.ZIP_DEFLATED, 6)
    return buffer.getvalue()


def _member(path: str) -> str:
    """The name of a file in the zip."""
    return f"files/{bytes_spelled(path)}"


def own_paths(root: Path) -> list[str]:
    """The files of hippo's own that belong into a package."""
    found = [INDEX] if (root / INDEX).is_file() else []
    for folder in _OWN:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            hidden = any(part.startswith(".") for part in path.relative_to(root / folder).parts)
            if path.is_file() and not path.is_symlink() and not hidden and name not in _NOT_TAKEN:
                found.append(name)
    return found


class Package:
    """A package that was read and verified: every file has the hash that its manifest says."""

    def __init__(self, data: bytes, trusted: bytes | None = None) -> None:
        """``trusted`` is a public key that must have signed it. Raises :class:`PackageInvalid`."""
        self.own = False
        """Whether it is this user's own memory, or signed by whom the user trusts."""
        self.named: frozenset[str] = frozenset()
        """The files that instruct an agent which are wanted."""
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                members = {one.filename: one for one in archive.infolist()}
                most = min(_MOST_BYTES, max(_SMALL, len(data) * _MOST_TIMES))
                if sum(one.file_size for one in members.values()) > most:
                    raise PackageInvalid(reason="it is too large")
                if len(members) != len(archive.infolist()):
                    raise PackageInvalid(reason="a file is in it twice")
                held = {name: archive.read(one) for name, one in members.items()}
        except (*DAMAGED, NotImplementedError) as error:
            raise PackageInvalid(reason=f"it is no package: {error}") from error
        manifest = held.pop(_MANIFEST, b"")
        self.signed = _signer(held.pop(_SIGNATURE, None), manifest, trusted)
        self.head, listed = _read_manifest(manifest)
        members_of = {path: _member(path) for path in listed}
        if held.keys() != set(members_of.values()):
            raise PackageInvalid(reason="its files are not those of its manifest")
        self.files = {path: held[name] for path, name in members_of.items()}
        for path, data in self.files.items():
            if digest(data) != listed[path]:
                raise PackageInvalid(reason=f"{path} is not what was packed")


def import_package(
    root: Path,
    package: Package,
    gate: Gate,
    timeout: float,
    now: datetime,
    *,
    dry_run: bool = False,
) -> Imported:
    """Add what is missing here. Existing files are never overwritten; what the gate refuses is left out.

    Episodes come as a whole, where there are none yet: two chains are not one. Of them, a text that is refused is
    redacted. Raises :class:`OutsideWorkspace` for a path that leads out, before anything is written.
    """
    for path in package.files:
        _require_inside(root, path)
    with locked(root, timeout):
        closed = _closed(root, package, gate)
        parts = [
            _judged(root, path, data, gate, closed, package)
            for path, data in sorted(package.files.items())
        ]
        if not dry_run:
            for one in parts:
                if one.what == "new":
                    data = package.files[one.path]
                    if one.path in (BELIEFS, ARCHIVED) and not package.own:
                        data = _as_imported(data)
                    _add(root, one.path, data)
            if not closed:
                came = any(one.what == "new" and one.path.startswith(EPISODES) for one in parts)
                if came and not package.own and not (root / IMPORTED).exists():
                    ids = "".join(f"{episode.id}\n" for episode in EpisodeStore(root).all())
                    _add(root, IMPORTED, ids.encode())
                _redact(root, {one.path for one in parts if one.what == "refused"}, now)
    return Imported(tuple(parts), package.signed, package.head, dry_run)


def _closed(root: Path, package: Package, gate: Gate) -> str:
    """Why nothing of the mind is taken; empty where it is."""
    if EpisodeStore(root).head()[1] not in (NOTHING_BEFORE, package.head):
        return "there are other episodes here"
    records = (one for one in package.files if one.rpartition("/")[0] == EPISODES and _is_said(one))
    found = (gate.category(package.files[one].decode("utf-8", "replace")) for one in records)
    return next(filter(None, found), "")


def _add(root: Path, path: str, data: bytes) -> None:
    """Write a file that is not there, its folders too."""
    file = root / path
    make_folders(file.parent)
    replace_bytes(file, data, path, None)


def _redact(root: Path, refused: Collection[str], now: datetime) -> None:
    """Empty the refused texts and list them: the chain needs their records."""
    for episode in EpisodeStore(root).all():
        if episode.text_path in refused:
            list_redaction(root, episode, b"", now)
            _add(root, episode.text_path, b"")


def _as_imported(data: bytes) -> bytes:
    """Beliefs of another memory: trusted no more than what is imported."""
    document = parse(decode(data))
    lowered = (
        one.replaced(origin=least_trusted((one.origin, "import"))) for one in beliefs_of(document)
    )
    return encode(updated(document, lowered).text)


def _judged(root: Path, path: str, data: bytes, gate: Gate, closed: str, package: Package) -> Part:
    """What becomes of a file, and why."""
    file = root / path
    if file.exists():
        return (
            Part(path, "same")
            if read_regular(file) == data
            else Part(path, "differs", "it is here already")
        )
    if closed and path.startswith(f"{MIND}/"):
        return Part(path, "refused", closed)
    if _instructs(path) and not package.own and path not in package.named:
        return Part(path, "refused", "it instructs an agent: name it to take it")
    category = gate.category(data.decode("utf-8", "replace")) if _is_said(path) else None
    return Part(path, "new") if category is None else Part(path, "refused", category)


def _instructs(path: str) -> bool:
    """Whether agents follow what a file says, or run it."""
    *folders, name = path.lower().split("/")
    told = name.partition(".")[0] in _INSTRUCTIONS or name.endswith(_RUNNABLE)
    return told or bool(_FOLDERS & {*folders})


def _is_said(path: str) -> bool:
    """Whether it is the mind's, which the gate stands before; a user's notes are the user's."""
    return path.startswith(f"{MIND}/") and path.endswith(".md")


def _require_inside(root: Path, path: str) -> None:
    """Raise :class:`OutsideWorkspace` for a path that a package must not write."""
    plain = (
        is_possible(path) and not is_absolute(path) and normal(path) == path and "\\" not in path
    )
    allowed = not path.startswith(".") or path.startswith(_OWN)
    if (
        not path
        or not plain
        or not allowed
        or path in _NOT_TAKEN
        or real_path(str(root), path) is None
    ):
        raise OutsideWorkspace(path=path, reason="a package must not write there")


def _read_manifest(data: bytes) -> tuple[str, Mapping[str, str]]:
    """The head of the chain, and the hash of each file. Raises :class:`PackageInvalid`."""
    try:
        found = json.loads(data)
        listed, head = found["files"], found["head"]
        if found["format"] != FORMAT:
            raise PackageInvalid(
                reason=f"it is of format {found['format']}, and this is format {FORMAT}"
            )
        if not isinstance(listed, dict) or not isinstance(head, str) or found.keys() != _PLAIN:
            raise ValueError
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise PackageInvalid(reason="it has no manifest") from error
    return head, listed


def _signer(signature: bytes | None, manifest: bytes, trusted: bytes | None) -> str:
    """The public key that signed; empty for none."""
    if signature is None:
        if trusted is not None:
            raise PackageInvalid(reason="it is not signed")
        return ""
    from hippocampus_cli.mind.signature import verified

    return verified(signature, manifest, trusted)


def _encoded(value: Any) -> bytes:
    """A value as JSON, the same bytes for the same value."""
    return (json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1) + "\n").encode(
        "utf-8", "backslashreplace"
    )
