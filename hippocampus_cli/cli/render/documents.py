"""Values as JSON documents: the names of their fields are the keys."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def document_of(value: DataclassInstance, **more: object) -> dict[str, object]:
    """The fields of a dataclass value, values in it included, and ``more`` after them."""
    return {**asdict(value), **more}
