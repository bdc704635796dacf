"""hippo: a sparse, human-readable index over an AI agent's folder of markdown memory.

Glossary (the specification's words, used everywhere and only so):

- *workspace*: the folder of notes. *note*: one text file in it. *section*: a heading and its text.
- *index*: ``HIPPOCAMPUS.md``. *entry*: one item of it, pointing at sections of notes.
- *pointer*: ``→ path §section``. *tag*, *relation*: words and entry ids attached to an entry.
- *strength*: how easily an entry is retrieved now, 0 to 1. *base*: strength right after the last access.
- *band*: strong, moderate, weak, decaying, silent. *Decay Queue*: the section where silent entries wait.
- *unit*: the smallest piece of a section that search ranks (bullet, paragraph, table row, code block).
- *view*: a generated list in the index (Quick Access, By Time, ...).
"""

from __future__ import annotations

from hippocampus_cli.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hippocampus_cli.api.workspace import Workspace, open_workspace
    from hippocampus_cli.api.workspace import open_workspace as open

__all__ = ["Workspace", "__version__", "open", "open_workspace"]


def __getattr__(name: str) -> object:
    """The public API, imported when it is first used: ``hippo --version`` needs none of it."""
    if name in __all__:
        from hippocampus_cli.api import workspace

        return getattr(workspace, "open_workspace" if name == "open" else name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
