"""The public API: a workspace as an object.

>>> from hippocampus_cli import open_workspace
>>> ws = open_workspace("~/agent")
>>> for result in ws.query("deploy command", write=False).results:
...     print(result.path, result.start_line, result.text)
"""

from __future__ import annotations

from hippocampus_cli.api.workspace import Workspace, open_workspace
from hippocampus_cli.config import Config
from hippocampus_cli.query.results import QueryResult

__all__ = ["Config", "QueryResult", "Workspace", "open_workspace"]
