"""Small workspaces, and an embedder that needs no model."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.anchors.store import AnchorStore
from hippocampus_cli.config import load
from hippocampus_cli.text.tokenizer import is_stop, stems

if TYPE_CHECKING:
    from hippocampus_cli.anchors.dense import Vectoriser
    from hippocampus_cli.embedding.embedder import Vectors

NOW = datetime(2026, 8, 1, 9, tzinfo=UTC)
LATER = datetime(2026, 8, 2, 9, tzinfo=UTC)

FILLER = (
    "Nothing of it matters much, though it fills a few lines and keeps the chunk from being joined. "
    * 3
)
NOTES = {
    "TOOLS.md": (
        "# Tools\n\n## Deploy\n\nRun `kelpctl release` from a clean checkout, then watch the **canary** for"
        f" ten minutes.\n{FILLER}\n\n## Label printer\n\nHold the feed button until the lamp is green."
        f" The label printer hates humid days.\n{FILLER}\n"
    ),
    "projects/kelpie/PROJECT.md": (
        "# Kelpie\n\n## Sensors\n\nThe oxygen probe drifts when barnacles grow on the membrane."
        f" Torunn Hagen wants weekly cleaning.\n{FILLER}\n\n## Papers\n\nTwo papers on biofouling are with the"
        f" journal; Torunn Hagen reviews the kelpie draft.\n{FILLER}\n"
    ),
    "projects/gannet/PROJECT.md": (
        f"# Gannet\n\n## Papers\n\nOne paper on gliders is accepted.\n{FILLER}\n\n"
        f"## Hull\n\nThe hull is carbon fibre; the keel bolt is titanium.\n{FILLER}\n"
    ),
    "memory/2026-07-30.md": (
        "# 2026-07-30\n\n## Canary\n\nThe canary caught a bad migration of the ledger before the release.\n"
        f"{FILLER}\n\n## Barnacles\n\nScraped barnacles off the membrane of the oxygen probe.\n{FILLER}\n"
    ),
    "memory/2026-07-31.md": (
        f"# 2026-07-31\n\n## Ledger\n\nThe ledger migration is done; the release went out.\n{FILLER}\n"
    ),
}


def write(root: Path, notes: Mapping[str, str] = NOTES) -> Path:
    """Write ``notes`` below ``root``."""
    for path, text in notes.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return root


@contextmanager
def keeper(
    root: Path, settings: str = "", vectoriser: Vectoriser | None = None, **fixed: int
) -> Iterator[AnchorStore]:
    """The anchors of ``root`` with ``settings`` below ``[anchors]``, and other ``fixed`` numbers."""
    config = load(f"[anchors]\n{settings}\n", {})
    config = config.replaced(anchors=config.anchors._replace(**fixed))
    with closing(AnchorStore(root, config, vectoriser)) as made:
        yield made


def built(root: Path, settings: str = "", **fixed: int) -> Path:
    """``root`` with its anchors built."""
    with keeper(root, settings, **fixed) as made:
        made.build(NOW)
    return root


def found(root: Path, text: str, settings: str = "", **switches: object) -> list[str]:
    """The places that ``text`` leads to: ``path:line``."""
    with keeper(root, settings) as made:
        hits = made.lookup(text, NOW, **switches).hits  # type: ignore[arg-type]
    return [f"{one.path}:{one.start_line}" for one in hits]


def files_of(root: Path) -> dict[str, bytes]:
    """The files of the index, by name."""
    folder = root / ".hippocampus/anchors"
    return {one.name: one.read_bytes() for one in sorted(folder.iterdir())}


MEANINGS = {"ship": "releas", "rollout": "releas", "mollusc": "barnacl"}
"""What the embedder below takes for the same word."""


def vectors(texts: Sequence[str]) -> Vectors:
    """The words of each text in directions of their own, synonyms in one."""
    import numpy as np

    rows = np.zeros((len(texts), 64), dtype=np.float32)
    for row, text in zip(rows, texts, strict=True):
        for stem in stems(text):
            if not is_stop(stem):
                dice = np.random.default_rng(zlib.crc32(MEANINGS.get(stem, stem).encode()))
                row += dice.standard_normal(64, dtype=np.float32)
        row /= max(float(np.linalg.norm(row)), 1e-9)
    return rows


def vectoriser(name: str = "fake-1") -> Vectoriser:
    """An embedder of that name."""
    from hippocampus_cli.anchors.dense import Vectoriser

    return Vectoriser(name, vectors)
