"""Entries that match a query and do not answer it, and why."""

from __future__ import annotations

from collections.abc import Sequence

from hippocampus_cli.config.settings import Bands
from hippocampus_cli.index.decay import Band, band
from hippocampus_cli.index.document import Located
from hippocampus_cli.retrieval.results import Suppressed
from hippocampus_cli.workspace.note import Section
from hippocampus_cli.workspace.resolve import Resolved, Status

_NOWHERE = frozenset((Status.MISSING_FILE, Status.OUTSIDE))


def silent(located: Located, strength: float, bands: Bands) -> Suppressed | None:
    """An entry that has faded too far to be heard (INDEX §6.2, decision D11)."""
    if band(strength, bands) is not Band.SILENT:
        return None
    reason = f"silent: strength {strength:.2f} is below {bands.silent:g}"
    return Suppressed(located.key, round(strength, 4), reason)


def gone(
    located: Located, strength: float, leads: Sequence[Resolved[Section]]
) -> Suppressed | None:
    """An entry of which nothing is left: ``leads`` is what each of its pointers leads to."""
    if any(one.status not in _NOWHERE for one in leads):
        return None
    pairs = zip(located.entry.pointers, leads, strict=True)
    missing = [str(pointer) for pointer, one in pairs if one.status is Status.MISSING_FILE]
    if not missing:
        return None
    others = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
    reason = f"points at {missing[0]}{others}, which {'are' if others else 'is'} gone"
    return Suppressed(located.key, round(strength, 4), reason, "gone")
