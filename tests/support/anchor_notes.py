"""Small workspaces for anchors."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from hippocampus_cli.anchors.lookup import AnchorHit
from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config import Config, load

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


def configured(settings: str = "", **fixed: int) -> Config:
    """The defaults with ``settings`` below ``[anchors]``, and other ``fixed`` numbers."""
    config = load(f"[anchors]\n{settings}\n", {})
    return config.replaced(anchors=config.anchors._replace(**fixed))


def exported(root: Path, settings: str = "", **fixed: int) -> dict[str, bytes]:
    """The files of the anchors, which are written first, by name."""
    with Workspace(root, configured(settings, **fixed)) as workspace:
        workspace.at(NOW).anchors.build()
    return files_of(root)


def files_of(root: Path) -> dict[str, bytes]:
    """The files of the anchors, by name."""
    folder = root / ".hippocampus/anchors"
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def hits_of(
    root: Path, text: str, settings: str = "", project: str | None = None, **fixed: int
) -> tuple[AnchorHit, ...]:
    """What ``text`` leads to."""
    with Workspace(root, configured(settings, **fixed)) as workspace:
        return workspace.anchors.lookup(text, project=project).hits


def places_of(
    root: Path, text: str, settings: str = "", project: str | None = None, **fixed: int
) -> list[str]:
    """The places that ``text`` leads to: ``path:line``."""
    hits = hits_of(root, text, settings, project, **fixed)
    return [f"{hit.path}:{hit.start_line}" for hit in hits]
