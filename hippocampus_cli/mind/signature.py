"""Ed25519 signatures of a package's manifest, and encryption with a passphrase; with the extra ``sign`` installed."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

from hippocampus_cli.errors import ExtraMissing
from hippocampus_cli.mind.errors import PackageInvalid

_MAGIC = b"hippo-encrypted-1\n"
_SALT, _NONCE = 16, 12
_COST = 2**15  # of scrypt: 32 MB, a tenth of a second


def _primitives() -> Any:
    """The module of signatures. Raises :class:`ExtraMissing`."""
    try:
        from cryptography.hazmat.primitives import asymmetric, ciphers, kdf  # noqa: F401
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError as error:
        raise ExtraMissing(feature="a signed or encrypted package", extra="sign") from error
    return ed25519


def new_key(random: Callable[[int], bytes]) -> bytes:
    """A private key: 32 bytes of ``random``."""
    return random(32)


def public_key(private: bytes) -> bytes:
    """The public key of a private one. Raises :class:`ExtraMissing`."""
    made: bytes = (
        _primitives().Ed25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()
    )
    return made


def sign(private: bytes, manifest: bytes) -> dict[str, str]:
    """A signature, with the public key that verifies it."""
    key = _primitives().Ed25519PrivateKey.from_private_bytes(private)
    return {"key": _text(public_key(private)), "signature": _text(key.sign(manifest))}


def verified(signature: bytes, manifest: bytes, trusted: bytes | None) -> str:
    """The public key that signed; ``trusted`` must be that one. Raises :class:`PackageInvalid`."""
    ed25519 = _primitives()
    try:
        found = json.loads(signature)
        key, said = base64.b64decode(found["key"]), base64.b64decode(found["signature"])
        ed25519.Ed25519PublicKey.from_public_bytes(key).verify(said, manifest)
    except Exception as error:
        raise PackageInvalid(reason="its signature does not fit") from error
    if trusted is not None and key != trusted:
        raise PackageInvalid(reason="somebody else signed it")
    return _text(key)


def is_encrypted(data: bytes) -> bool:
    """Whether these bytes need a passphrase."""
    return data.startswith(_MAGIC)


def encrypt(data: bytes, passphrase: str, random: Callable[[int], bytes]) -> bytes:
    """``data`` by ChaCha20-Poly1305 under a key from the passphrase (scrypt). Raises :class:`ExtraMissing`."""
    salt, nonce = random(_SALT), random(_NONCE)
    return _MAGIC + salt + nonce + bytes(_cipher(passphrase, salt).encrypt(nonce, data, _MAGIC))


def decrypt(data: bytes, passphrase: str) -> bytes:
    """The inverse. Raises :class:`PackageInvalid` for another passphrase, or where a byte was changed."""
    body = data.removeprefix(_MAGIC)
    salt, nonce, rest = body[:_SALT], body[_SALT : _SALT + _NONCE], body[_SALT + _NONCE :]
    try:
        return bytes(_cipher(passphrase, salt).decrypt(nonce, rest, _MAGIC))
    except ExtraMissing:
        raise
    except Exception as error:
        raise PackageInvalid(reason="the passphrase is another, or it was changed") from error


def _cipher(passphrase: str, salt: bytes) -> Any:
    """The cipher of a passphrase."""
    _primitives()
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    return ChaCha20Poly1305(Scrypt(salt, 32, _COST, 8, 1).derive(passphrase.encode()))


def _text(data: bytes) -> str:
    """Bytes as text."""
    return base64.b64encode(data).decode()
