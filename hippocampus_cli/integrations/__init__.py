"""Bridges into agents: what installs hippo in them, and what answers their hooks."""
