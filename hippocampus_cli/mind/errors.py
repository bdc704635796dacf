"""What can go wrong with episodes and beliefs."""

from __future__ import annotations

from hippocampus_cli.errors import (
    EntryNotFound,
    FileUnreadable,
    FileUnwritable,
    HippoError,
)


class EpisodesDamaged(FileUnreadable):
    """The episodes are not as they were written. Nothing is appended, and nothing is repaired."""

    code = "episodes-damaged"
    exit_code = 22
    what = "the episodes are not as they were written: {reason}"
    next = "`hippo check` names every place; restore the file from version control or a backup"


class EpisodeNotFound(EntryNotFound):
    code = "no-episode"
    what = "no episode with the id {id!r}"
    next = "`hippo mind log` lists every episode"


class BeliefNotFound(EntryNotFound):
    code = "no-belief"
    what = "no belief with the id {id!r}"
    next = "`hippo beliefs` shows every id"


class WriteRefused(HippoError):
    """The gate refused it: nothing was written, and only its category is kept."""

    code = "refused"
    exit_code = 23
    what = "this is not kept: {category}"
    next = "`hippo mind log --refused` explains the category"


class RulesInvalid(HippoError):
    """The operator's rules of refusal cannot be used; the floor holds without them, and nothing is encoded."""

    code = "refusal-rules"
    exit_code = 9
    what = "the rules of refusal cannot be used: {reason}"
    next = "rules can only add: correct the line named"


class PackageInvalid(FileUnreadable):
    """A package was not imported; nothing was changed."""

    code = "package"
    exit_code = 24
    what = "the package cannot be imported: {reason}"
    next = "get it again from where it was exported; nothing was changed"


class PlaceUnfit(FileUnwritable):
    """A file cannot be created: it exists, or its folder is missing."""

    code = "place"
    next = "{advice}"
