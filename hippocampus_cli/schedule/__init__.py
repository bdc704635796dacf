"""Upkeep that runs by itself: the machine's own scheduler is told to run ``hippo maintain --due``.

Pure modules make the text (:mod:`crontab`, :mod:`quoting`, the units, the property list), :mod:`planning`
says what would change, and the schedulers read and write through :class:`~.machine.Machine`.
"""
