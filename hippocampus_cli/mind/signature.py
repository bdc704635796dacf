"""Ed25519 signatures of a package's manifest, with the extra ``sign`` installed."""

from __future__ import annotations

import base64
import json
from typing import Any

from hippocampus_cli.errors import ExtraMissing
from hippocampus_cli.mind.errors import PackageInvalid

KEY_BYTES = 32


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
    """The public key that signed; ``trusted`` must be that one, unless it is empty. Raises :class:`PackageInvalid`."""
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
