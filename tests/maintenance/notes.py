"""Notes of a small workspace."""

from __future__ import annotations

NOTES = {
    "docs/people.md": "# Memory\n\n## Ines\n\nInes runs the workshop in Porto.\n\n## Money\n\n12,500 euros a year.\n",
    "docs/tools.md": "# Tools\n\n## Deploy\n\nmake deploy TARGET=prod\n\n## Backups\n\nrestic runs at four.\n",
    "projects/kelpie/PROJECT.md": "# Kelpie\n\n## Status\n\n23 buoys send data to bittern.\n",
    "memory/2026-07-30.md": "# 2026-07-30\n\n## Firmware\n\nThe watchdog resets buoy seven.\n",
    "memory/2026-07-31.md": "# 2026-07-31\n\n## Invoice\n\nKamps sent the invoice for July.\n",
}
