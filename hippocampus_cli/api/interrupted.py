"""What a killed run left to do."""

from hippocampus_cli.maintenance.interrupted import settle
