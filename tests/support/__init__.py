"""Builders that tests of several folders share: workspaces, indexes, sessions, programs, failures."""
