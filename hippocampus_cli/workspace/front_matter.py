"""The YAML at the top of a note, for reading only: writing it back would sort keys and drop comments."""

from __future__ import annotations

from collections.abc import Sequence

from hippocampus_cli.markdown.blocks import Blocks, Kind

_MAX_CHARACTERS = (
    64_000  # a note's own words about itself; a bigger block is data, and slow to parse
)


def read_front_matter(lines: Sequence[str], blocks: Blocks) -> dict[str, object]:
    """The front matter of ``lines`` by key; empty where it is broken or is not a mapping. Never raises."""
    end = next(
        (at for at, kind in enumerate(blocks.kinds) if kind != Kind.FRONT_MATTER), len(lines)
    )
    text = "".join(lines[1 : end - 1])
    if len(text) > _MAX_CHARACTERS:
        return {}
    from frontmatter.default_handlers import YAMLHandler

    try:
        found = YAMLHandler().load(text)
    except (
        Exception
    ):  # a note may say anything here: impossible dates, unhashable keys, deep nesting
        return {}
    return {str(key): value for key, value in found.items()} if isinstance(found, dict) else {}
