"""``python -m hippocampus_cli`` is ``hippo``."""

from __future__ import annotations

import sys

from hippocampus_cli.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
