"""hippo in agents and in git, with or without a workspace."""

from hippocampus_cli.integrations.agents import Agents
from hippocampus_cli.integrations.hook_log import note_opened
