"""Upkeep that runs by itself, also of a workspace that is gone."""

from hippocampus_cli.schedule.schedule import Schedule
