"""``HIPPOCAMPUS.md`` as a value. Pure: text in, text out, no disk, no clock (INDEX §5, §13).

Here is where its files are, from the root of a workspace: apart, for hooks that read none of them.
"""

MASTER = "HIPPOCAMPUS.md"
FOLDER = ".hippocampus/"
TOPICS = f"{FOLDER}topics/"
ARCHIVE = f"{FOLDER}archive/"
