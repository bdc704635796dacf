"""Scheduled upkeep: the machine's own scheduler is set to run ``hippo maintain --due``.

Pure code makes the text of each scheduler, :mod:`plan` says what would change, and the schedulers read and write
through :class:`~.scheduler.Machine`.
"""
