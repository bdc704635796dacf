"""What a benchmark refuses."""

from __future__ import annotations

from hippocampus_cli.errors import FileUnreadable


class DatasetInvalid(FileUnreadable):
    """The file is readable, but not valid data for a benchmark."""

    code = "dataset"
    what = "the data is not valid: {reason}"
    next = "{advice}"
