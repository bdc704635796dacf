"""A memory as one file, written and read: which files go into it, whose key signs it, whose passphrase locks it."""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Sequence
from pathlib import Path

from hippocampus_cli.config.settings import Scan as ScanSettings
from hippocampus_cli.errors import FileUnreadable, UsageError
from hippocampus_cli.mind.episodes import EpisodeStore
from hippocampus_cli.mind.errors import PlaceUnfit
from hippocampus_cli.mind.package import Exported, Package, own_paths, pack
from hippocampus_cli.mind.signature import decrypt, encrypt, is_encrypted, new_key, public_key
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.ignore import matcher
from hippocampus_cli.workspace.own_files import MIND
from hippocampus_cli.workspace.regular import read_regular
from hippocampus_cli.workspace.scan import scan

_KEY_BYTES = 32
_MOST_BYTES = 2_000_000_000


def export(
    root: Path,
    file: Path,
    version: str,
    notes: Sequence[str] | None,
    key_file: Path | None,
    passphrase: str | None,
) -> Exported:
    """Write notes, index, archive and mind into one file that is not there yet; without ``notes`` the mind alone.
    ``version`` is hippo's.

    Raises :class:`UsageError`, :class:`FileUnwritable`, :class:`ExtraMissing` to sign or encrypt without it.
    """
    if os.path.lexists(file):
        advice = "name another file, or remove this one first"
        raise PlaceUnfit(path=str(file), reason="it is there already", advice=advice)
    if passphrase == "":
        raise UsageError(reason="there is no passphrase", advice="set HIPPO_PASSPHRASE")
    own = own_paths(root)
    chosen = (
        [path for path in own if path.startswith(f"{MIND}/")] if notes is None else [*own, *notes]
    )
    key, signed = (_key(key_file) if key_file else None), ""
    data = pack(root, chosen, version, key)
    if key is not None:
        signed = base64.b64encode(public_key(key)).decode()
    if passphrase is not None:
        data = encrypt(data, passphrase, os.urandom)
    _write(file, data)
    return Exported(str(file), len(set(chosen)), len(data), EpisodeStore(root).head()[1], signed)


def read_package(file: Path, signed_by: str, passphrase: str) -> Package:
    """Read and verify a package. Raises :class:`PackageInvalid`, :class:`FileUnreadable`, :class:`ExtraMissing`."""
    try:
        trusted = base64.b64decode(signed_by, validate=True) if signed_by else None
        data = read_regular(file, _MOST_BYTES, whole=True)
    except binascii.Error:
        raise UsageError(reason="this is no public key", advice="it is what export shows") from None
    except OSError as error:
        raise FileUnreadable(path=str(file), reason=error.strerror or str(error)) from error
    return Package(decrypt(data, passphrase) if is_encrypted(data) else data, trusted)


def notes_matching(root: Path, settings: ScanSettings, patterns: Sequence[str]) -> list[str]:
    """The paths of the notes, with ``patterns`` (as in ``.gitignore``) of those that fit."""
    paths = [stat.path for stat in scan(root, settings).files]
    return list(filter(matcher(patterns), paths)) if patterns else paths


def _key(file: Path) -> bytes:
    """The private key in a file; a new one where there is none."""
    try:
        key = read_regular(file, 1_000)
    except FileNotFoundError:
        key = new_key(os.urandom)
        public_key(key)  # without the extra no key is left behind
        _write(file, key)
    except OSError as error:
        raise FileUnreadable(path=str(file), reason=error.strerror or str(error)) from error
    if len(key) != _KEY_BYTES:
        raise FileUnreadable(path=str(file), reason="it is no key of 32 bytes")
    return key


def _write(file: Path, data: bytes) -> None:
    """Write a file that only its owner may read."""
    if not file.parent.is_dir():
        advice = "create the folder first, or name another"
        raise PlaceUnfit(path=str(file), reason="there is no such folder", advice=advice)
    replace_bytes(file, data, str(file), None, mode=0o600)
