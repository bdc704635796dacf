"""A memory as one file: notes, index, archive and mind in a zip, with a manifest of hashes.

The same files make the same bytes. ``manifest.json`` names every file with its SHA-256, the version
of the format, and the head of the episodes' chain. ``signature.json`` is Ed25519 over the manifest's bytes. The
zip is that of a change which makes these files.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from hippocampus_cli.errors import ExtraMissing, FileUnreadable, OutsideWorkspace
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index.parse import parse
from hippocampus_cli.markdown.lines import decode, encode
from hippocampus_cli.markdown.safe import bytes_spelled
from hippocampus_cli.mind.beliefs import beliefs_of, least_trusted, updated
from hippocampus_cli.mind.episodes import (
    EPISODES,
    IMPORTED,
    NOTHING_BEFORE,
    EpisodeStore,
    digest,
)
from hippocampus_cli.mind.episodes import parse as parse_records
from hippocampus_cli.mind.erase import list_redaction
from hippocampus_cli.mind.errors import PackageInvalid, PlaceUnfit
from hippocampus_cli.mind.gate import Gate
from hippocampus_cli.workspace.atomic import Replacement, replace_bytes
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import BELIEFS, FOLDER, INDEX, MIND, make_folders
from hippocampus_cli.workspace.paths import inner_path, real_path
from hippocampus_cli.workspace.regular import MOST_BYTES, read_regular, reading
from hippocampus_cli.workspace.state import SENSELESS, encoded
from hippocampus_cli.workspace.transaction import packed, unpacked

FORMAT = 1
KEY_BYTES = 32
_MANIFEST, _SIGNATURE = "manifest.json", "signature.json"
_OWN = (f"{FOLDER}/topics/", f"{FOLDER}/archive/", f"{MIND}/")
_NOT_TAKEN = (f"{MIND}/refused.jsonl", f"{MIND}/refusals.yaml")
"""Files that belong to this workspace only, and are not exported."""
_INSTRUCTIONS = frozenset(
    ("agents", "claude", "gemini", "soul", "rules", "skill", "heartbeat", "identity")
)
_RUNNABLE = (".sh", ".py", ".js", ".ts", ".rb", ".pl", ".ps1", ".bat", ".cmd", ".exe")
_FOLDERS = frozenset(("scripts", "hooks", "skills", "rules", "commands", "bin"))


class Part(NamedTuple):
    """What becomes of one file of a package: ``new``, ``same``, ``differs`` or ``refused``, and why."""

    path: str
    what: str
    why: str = ""


class Imported(NamedTuple):
    """What an import did, or with ``dry_run`` would do; ``signed`` is the key that signed it, empty for none.

    ``kind`` is the program whose memory it is: ``hippo`` for a package.
    """

    parts: tuple[Part, ...]
    signed: str
    head: str
    dry_run: bool
    kind: str = "hippo"


class Exported(NamedTuple):
    """What a package holds."""

    path: str
    files: int
    bytes: int
    head: str
    signed: str


def export(
    root: Path, file: Path, version: str, notes: Iterable[str], key_file: Path | None
) -> Exported:
    """Write notes, index, archive and mind into one file that is not there yet. ``version`` is hippo's.

    Raises :class:`PlaceUnfit`, :class:`FileUnreadable`, :class:`ExtraMissing` to sign without it.
    """
    if os.path.lexists(file):
        raise PlaceUnfit(
            path=str(file),
            reason="it is there already",
            advice="name another file, or remove this one first",
        )
    key = _key(key_file) if key_file else None
    paths = {*own_paths(root), *notes}
    data = pack(root, paths, version, key)
    _write(file, data)
    return Exported(
        str(file),
        len(paths),
        len(data),
        EpisodeStore(root).head(),
        public_key(key) if key else "",
    )


def _key(file: Path) -> bytes:
    """The private key in a file; a new one where there is none."""
    if not os.path.lexists(file):
        key = os.urandom(KEY_BYTES)
        public_key(key)  # without the extra no key is left behind
        _write(file, key)
    with reading(str(file)):
        key = read_regular(file, 1_000)
    if len(key) != KEY_BYTES:
        raise FileUnreadable(path=str(file), reason=f"it is no key of {KEY_BYTES} bytes")
    return key


def _write(file: Path, data: bytes) -> None:
    """Write a file that only its owner may read."""
    if not file.parent.is_dir():
        raise PlaceUnfit(
            path=str(file),
            reason="there is no such folder",
            advice="create the folder first, or name another",
        )
    replace_bytes(file, data, str(file), None, mode=0o600)


def pack(root: Path, paths: Iterable[str], version: str, private_key: bytes | None = None) -> bytes:
    """The bytes of a package of these files, the same for the same files; signed with an Ed25519 key.

    Raises :class:`FileUnreadable`, :class:`ExtraMissing` for a key without the extra.
    """
    held = {path: read_regular(root / path) for path in sorted(set(paths))}
    head = EpisodeStore(root).head()
    hashes = {path: digest(data) for path, data in held.items()}
    manifest = encoded({"format": FORMAT, "hippo": version, "files": hashes, "head": head})
    members = {_MANIFEST: manifest}
    if private_key is not None:
        members[_SIGNATURE] = encoded(sign(private_key, manifest))
    members |= {bytes_spelled(path): data for path, data in held.items()}
    return packed({name: Replacement(None, data) for name, data in members.items()})


def own_paths(root: Path) -> list[str]:
    """The files of hippo's own that belong into a package."""
    found = [INDEX] if (root / INDEX).is_file() else []
    for path in (path for folder in _OWN for path in sorted((root / folder).rglob("*"))):
        name = path.relative_to(root).as_posix()
        if path.is_symlink() or "/." in name or name in _NOT_TAKEN:
            continue
        if path.is_file():
            found.append(name)
    return found


class Package(NamedTuple):
    """What is brought in: the bytes of each file by its path, the head of its episodes, and who signed it."""

    files: Mapping[str, bytes]
    head: str = ""
    signed: str = ""


def unpack(data: bytes, signed_by: str = "") -> Package:
    """A package that was verified: every file has the hash that its manifest says.

    ``signed_by`` is a public key that must have signed it. Raises :class:`PackageInvalid`.
    """
    try:
        held = {
            name: each.after or b""
            for name, each in unpacked(data, _MANIFEST, lambda path: True).items()
        }
    except FileUnreadable as error:
        raise PackageInvalid(
            reason=f"it is no package nor what `hippo import --help` names: {error.facts['reason']}"
        ) from error
    manifest, signature = held.pop(_MANIFEST, b""), held.pop(_SIGNATURE, b"")
    if signed_by and not signature:
        raise PackageInvalid(reason="it is not signed")
    signed = verified(signature, manifest, signed_by) if signature else ""
    try:
        found = json.loads(manifest)
        head, listed, format = str(found["head"]), dict(found["files"]), found["format"]
    except SENSELESS as error:
        raise PackageInvalid(reason="it has no manifest") from error
    if format != FORMAT:
        raise PackageInvalid(reason=f"it is not of format {FORMAT}")
    hashes = {name: digest(content) for name, content in held.items()}
    if hashes != {bytes_spelled(path): sha for path, sha in listed.items()}:
        raise PackageInvalid(reason="its files are not those of its manifest")
    return Package({path: held[bytes_spelled(path)] for path in listed}, head, signed)


def read_package(file: Path, signed_by: str) -> Package:
    """Read and verify a package. Raises :class:`PackageInvalid`, :class:`FileUnreadable`, :class:`ExtraMissing`."""
    with reading(str(file)):
        return unpack(read_regular(file, MOST_BYTES, whole=True), signed_by)


class Import(NamedTuple):
    """What is imported, where to, and how: ``own`` says that it is this user's memory, or signed by whom the user
    trusts; ``named`` are the files that instruct an agent which are wanted."""

    root: Path
    package: Package
    gate: Gate
    own: bool = False
    named: Collection[str] = ()

    def parts(self) -> Iterator[Part]:
        """What becomes of each file. Raises :class:`OutsideWorkspace` for a path that leads out."""
        files = self.package.files
        refused = {
            path: why
            for path, data in files.items()
            if path.startswith(f"{MIND}/") and path.endswith(".md")  # notes are their user's
            if (why := self.gate.category(data.decode("utf-8", "replace")))
        }
        # Where a record is refused, or another chain is here, nothing of the mind is taken.
        closed = next((why for path, why in refused.items() if _is_record(path)), "")
        if EpisodeStore(self.root).head() not in (NOTHING_BEFORE, self.package.head):
            closed = "there are other episodes here"
        for path, data in sorted(files.items()):
            _require_inside(self.root, path)
            file = self.root / path
            if file.exists():
                if read_regular(file) == data:
                    yield Part(path, "same")
                else:
                    yield Part(path, "differs", "it is here already")
                continue
            why = closed if path.startswith(f"{MIND}/") else ""
            if not data and not self.package.head:  # of another program
                why = "it is empty, a link or too large"
            if _instructs(path) and not self.own and path not in self.named:
                why = why or "it instructs an agent: name it to take it"
            why = why or refused.get(path, "")
            yield Part(path, "refused" if why else "new", why)

    def carry_out(self, parts: Iterable[Part], now: datetime) -> None:
        """Write what is new, first whose word it is: a kill leaves nothing that is trusted more.

        Of episodes that come, a text that is refused is redacted: the chain needs its record.
        """
        files = {part.path: self.package.files[part.path] for part in parts if part.what == "new"}
        episodes = [
            episode
            for path in filter(_is_record, files)
            for episode in parse_records(path, files[path])[0]
        ]
        if episodes and not self.own and not (self.root / IMPORTED).exists():
            _add(self.root, IMPORTED, "".join(f"{one.id}\n" for one in episodes).encode())
        for path, data in files.items():
            if path == BELIEFS and not self.own:
                data = _as_imported(data)
            _add(self.root, path, data)
        refused = {part.path for part in parts if part.what == "refused"}
        for episode in episodes:
            if episode.text_path in refused:
                list_redaction(self.root, episode, b"", now)
                _add(self.root, episode.text_path, b"")


def import_package(wanted: Import, timeout: float, now: datetime, *, dry_run: bool) -> Imported:
    """Add what is missing here. Existing files are never overwritten; what the gate refuses is left out.

    Episodes come as a whole, where there are none yet: two chains are not one.
    """
    with locked(wanted.root, timeout):
        parts = tuple(wanted.parts())
        if not dry_run:
            wanted.carry_out(parts, now)
    return Imported(parts, wanted.package.signed, wanted.package.head, dry_run)


def _add(root: Path, path: str, data: bytes) -> None:
    """Write a file that is not there, its folders too."""
    make_folders((root / path).parent)
    replace_bytes(root / path, data, path, None)


def _as_imported(data: bytes) -> bytes:
    """Beliefs of another memory: trusted no more than what is imported."""
    document = parse(decode(data))
    lowered = (
        belief.replaced(origin=least_trusted((belief.origin, "import")))
        for belief in beliefs_of(document)
    )
    return encode(updated(document, lowered).text)


def _is_record(path: str) -> bool:
    """Whether it is a month of the episodes."""
    return path.rpartition("/")[0] == EPISODES and path.endswith(".md")


def _instructs(path: str) -> bool:
    """Whether agents follow what a file says, or run it."""
    *folders, name = path.lower().split("/")
    runs = name.endswith(_RUNNABLE) or bool(_FOLDERS & {*folders})
    return runs or name.partition(".")[0] in _INSTRUCTIONS


def _require_inside(root: Path, path: str) -> None:
    """Raise :class:`OutsideWorkspace` for a path that a package must not write."""
    plain = inner_path(path) == path != ""
    hidden = path.startswith(".") and not path.startswith(_OWN)
    reachable = plain and "\\" not in path and real_path(str(root), path) is not None
    if not reachable or hidden or path in _NOT_TAKEN:
        raise OutsideWorkspace(path=path, reason="a package must not write there")


def _primitives() -> Any:
    """The module of signatures. Raises :class:`ExtraMissing`."""
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError as error:
        raise ExtraMissing(feature="a signed package", extra="sign") from error
    return ed25519


def public_key(private: bytes) -> str:
    """The public key of a private one, as text. Raises :class:`ExtraMissing`."""
    key = _primitives().Ed25519PrivateKey.from_private_bytes(private)
    return _text(key.public_key().public_bytes_raw())


def sign(private: bytes, manifest: bytes) -> dict[str, str]:
    """A signature, with the public key that verifies it."""
    key = _primitives().Ed25519PrivateKey.from_private_bytes(private)
    return {"key": public_key(private), "signature": _text(key.sign(manifest))}


def verified(signature: bytes, manifest: bytes, trusted: str) -> str:
    """The public key that signed; ``trusted`` must be that one, if not empty. Raises :class:`PackageInvalid`."""
    ed25519 = _primitives()
    try:
        found = json.loads(signature)
        key, said = base64.b64decode(found["key"]), base64.b64decode(found["signature"])
        ed25519.Ed25519PublicKey.from_public_bytes(key).verify(said, manifest)
    except Exception as error:
        raise PackageInvalid(reason="its signature does not fit") from error
    if trusted not in ("", _text(key)):
        raise PackageInvalid(reason="somebody else signed it")
    return _text(key)


def _text(data: bytes) -> str:
    """Bytes as text."""
    return base64.b64encode(data).decode()
