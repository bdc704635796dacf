"""Transcripts in: Pi and OpenClaw sessions, Claude Code transcripts, plain message lists, one value for all."""

from __future__ import annotations

from hippocampus_cli.context.transcripts.message import Message, MessagePart, Messages, Session
from hippocampus_cli.context.transcripts.session import FORMATS, Format, Transcript

__all__ = ["FORMATS", "Format", "Message", "MessagePart", "Messages", "Session", "Transcript"]
