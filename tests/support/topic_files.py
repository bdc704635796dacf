"""An index of a master file and topic files."""

from __future__ import annotations

TOPIC = ".hippocampus/topics/projects.md"


JULY = ".hippocampus/archive/2026-07.md"


def block(key: str, extra: str = "") -> str:
    return f"#### {key.upper()}\nAbout {key}.\n→ {key}.md §One\n<!-- hx: id={key} | hits=1{extra} -->\n"


def master(*keys: str) -> str:
    blocks = "\n".join(map(block, keys))
    header = f"<!-- hippocampus.md v1.0 | entries: {len(keys)} -->\n# Index\n"
    return f"{header}\n## By Topic\n\n### Projects\n\n{blocks}\nMy own words.\n"
