"""The names of the files that hold entries, from the workspace's root (INDEX §9.2)."""

MASTER = "HIPPOCAMPUS.md"
FOLDER = ".hippocampus/"
TOPICS = f"{FOLDER}topics/"
ARCHIVE = f"{FOLDER}archive/"
