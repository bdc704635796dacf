"""The MCP server of a bundle: ``server.py FOLDER`` is ``hippo mcp --workspace FOLDER``."""

import sys

from hippocampus_cli.cli.main import main

sys.argv = ["hippo", "mcp", "--workspace", *sys.argv[1:]]
main()
