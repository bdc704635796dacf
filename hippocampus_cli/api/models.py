"""The user's models that turn texts into vectors."""

from hippocampus_cli.embedding.models.places import Models
from hippocampus_cli.integrations import encoder_offer
