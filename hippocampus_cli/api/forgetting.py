"""Whether something that was to be forgotten is left, for whoever loads nothing else."""

from hippocampus_cli.maintenance.forgotten_state import is_finished
