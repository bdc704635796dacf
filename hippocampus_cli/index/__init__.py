"""Where the files of an index are, from the root of its workspace; apart, for hooks that read none of them."""

MASTER = "HIPPOCAMPUS.md"
FOLDER = ".hippocampus/"
TOPICS = f"{FOLDER}topics/"
ARCHIVE = f"{FOLDER}archive/"
