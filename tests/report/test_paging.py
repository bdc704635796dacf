from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from hippocampus_cli.errors import FileUnwritable, UsageError
from hippocampus_cli.report import pages
from hippocampus_cli.report.pages import write_page


@pytest.mark.parametrize("mark", [pages.MARK, pages.PAGE_MARK])
def test_only_a_report_is_written_over(tmp_path: Path, mark: str) -> None:
    path = tmp_path / "report"
    write_page(path, f"{mark} first")
    write_page(path, f"{mark} second")
    assert path.read_text() == f"{mark} second"
    assert list(tmp_path.iterdir()) == [path]


def test_a_note_is_not(tmp_path: Path) -> None:
    note = tmp_path / "MEMORY.md"
    note.write_text("# Memory\n")
    with pytest.raises(UsageError, match="is not a report written by hippo"):
        write_page(note, pages.MARK)
    assert note.read_text() == "# Memory\n"


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "no folder/report.html"):
        with pytest.raises(FileUnwritable):
            write_page(path, pages.PAGE_MARK)


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes need a privilege on Windows")
def test_links_stay_and_pipes_are_written_into(tmp_path: Path) -> None:
    target, link, pipe = tmp_path / "target.md", tmp_path / "link.md", tmp_path / "pipe"
    target.write_text(pages.MARK)
    link.symlink_to(target)
    write_page(link, f"{pages.MARK} new")
    assert link.is_symlink() and target.read_text() == f"{pages.MARK} new"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_page(pipe, "text")
        assert os.read(reader, 100) == b"text"
    finally:
        os.close(reader)
    assert pipe.is_fifo()
