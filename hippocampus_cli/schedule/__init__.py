"""Scheduled upkeep: the machine's own scheduler is set to run ``hippo maintain --due``.

:mod:`schedule` says what would change, and the schedulers read and write through :class:`~.scheduler.Machine`.
"""
