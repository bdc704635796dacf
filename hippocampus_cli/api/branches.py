"""Two branches of a file, merged as git asks for it."""

from hippocampus_cli.maintenance.branches import merge_files
