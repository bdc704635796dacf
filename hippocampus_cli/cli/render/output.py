"""Moved."""

from typing import Any

from hippocampus_cli.cli.output import Advance, Output, Styled, open_output, text_of


def document_of(value: Any, **more: object) -> dict[str, object]:
    from dataclasses import asdict

    return {**asdict(value), **more}


def picked(value: object, *names: str) -> dict[str, object]:
    return {name: getattr(value, name) for name in names}


__all__ = ["Advance", "Output", "Styled", "document_of", "open_output", "picked", "text_of"]
