"""The values of options that several benchmarks have; what is none is refused before anything is measured."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from hippocampus_cli.embedding.http_client import checked, is_loopback
from hippocampus_cli.errors import EmbedderUnavailable, UsageError


def whole(least: int = 0, most: int | None = None) -> Callable[[str], int]:
    """For ``type=``: a whole number from ``least`` to ``most``."""

    def number(text: str) -> int:
        digits = text.replace("_", "")
        fits = digits.isascii() and digits.isdigit() and len(digits) < 10
        if not fits or int(digits) < least or (most is not None and int(digits) > most):
            raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a number {_range(least, most)}")
        return int(digits)

    return number


def several(least: int, most: int | None = None) -> Callable[[str], tuple[int, ...]]:
    """For ``type=``: such numbers with commas between, smallest first, each once."""
    one = whole(least, most)
    return lambda text: tuple(sorted({one(part.strip()) for part in text.split(",")}))


def _range(least: int, most: int | None) -> str:
    return f"of {least:,} or more" if most is None else f"from {least:,} to {most:,}"


def chosen(texts: Sequence[str] | None, known: Sequence[str], option: str) -> list[str]:
    """The words of a repeatable option that takes several; raises :class:`UsageError` for one not ``known``."""
    words = [word.strip() for text in texts or () for word in text.split(",")]
    for word in words:
        if word not in known:
            reason = f"{option}: there is no {word[:40]!r}"
            raise UsageError(reason=reason, advice=f"use one of {', '.join(known)}")
    return words


def on_this_machine(url: str | None) -> str | None:
    """``url``; raises :class:`UsageError` where notes sent to it would leave this machine."""
    if url is None:
        return None
    advice = "give a server on this machine, as http://127.0.0.1:8080/v1"
    try:
        address = checked(url)
    except EmbedderUnavailable as error:
        reason = f"--embeddings: {url[:80]!r} is no such URL"
        raise UsageError(reason=reason, advice=advice) from error
    if not is_loopback(address):
        reason = f"--embeddings: {url[:80]!r} is not on this machine"
        raise UsageError(reason=reason, advice=advice)
    return address
