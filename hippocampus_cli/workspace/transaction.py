"""Several files replaced as one, whoever is killed on the way.

Their bytes before and after go into one *pending* file, in one rename; then each file is replaced, and the pending
file removed. Whoever finds one completes the change (:mod:`commit`).
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Sequence

from hippocampus_cli.errors import FileUnreadable
from hippocampus_cli.workspace.atomic import Replacement, Replacements
from hippocampus_cli.workspace.regular import MOST_BYTES

_NOW = (1980, 1, 1, 0, 0, 0)  # the same change makes the same bytes
DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    RuntimeError,
    LookupError,
    OverflowError,
)
"""What reading a zip raises where its bytes are not what was written."""
# As many bytes as are packed; text shrinks to a tenth, and empty megabytes to a thousandth.
_MOST_TIMES = 200
_SMALL = 16_000_000  # bytes that are unpacked whatever they came from


def packed(replacements: Replacements, comment: bytes = b"") -> bytes:
    """Files before and after as one zip: ``before/HIPPOCAMPUS.md``, ``after/HIPPOCAMPUS.md`` and so on."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.comment = comment
        for path, one in sorted(replacements.items()):
            for folder, data in zip(("before/", "after/"), one, strict=True):
                if data is not None:
                    archive.writestr(
                        zipfile.ZipInfo(folder + path, _NOW), data, zipfile.ZIP_DEFLATED, 1
                    )
    return buffer.getvalue()


def unpacked(data: bytes, name: str, is_allowed: Callable[[str], bool]) -> Replacements:
    """What :func:`packed` made. Raises :class:`FileUnreadable`, with ``name``, for anything else, and where a path is
    not allowed: a pending file from elsewhere must not reach further."""
    found: dict[str, list[bytes | None]] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            _check_bounds(archive.infolist(), len(data), name)
            for member in archive.infolist():
                folder, _, path = member.filename.partition("/")
                if folder not in ("before", "after") or not is_allowed(path):
                    raise FileUnreadable(path=name, reason=f"it holds {member.filename[:80]!r}")
                found.setdefault(path, [None, None])[folder == "after"] = archive.read(member)
    except DAMAGED as error:
        raise FileUnreadable(path=name, reason="it is damaged") from error
    return {path: Replacement(*pair) for path, pair in found.items()}


def _check_bounds(members: Sequence[zipfile.ZipInfo], size: int, name: str) -> None:
    """Refuse what no :func:`packed` made, before a byte of it is unpacked: no member gives more than it says."""
    most = min(MOST_BYTES, max(_SMALL, size * _MOST_TIMES))
    ways = {member.compress_type for member in members}
    bounded = sum(member.file_size for member in members) <= most
    single = len({member.filename for member in members}) == len(members)
    if not (bounded and single and ways <= {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}):
        raise FileUnreadable(path=name, reason="it is packed as hippo never packs")
