"""The user's models that turn texts into vectors."""

from hippocampus_cli.embedding.models.places import Models
