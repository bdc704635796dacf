"""Folders and texts that mean harm, or are merely odd (decision D19)."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from hippocampus_cli.errors import AnchorsDamaged, OutsideWorkspace
from hippocampus_cli.workspace.own_files import ANCHOR_INDEX, ANCHOR_META
from tests.support.anchor_notes import FILLER, LATER, NOW, built, files_of, found, keeper, write
from tests.support.processes import hippo

HOSTILE = (
    f"# Red \x1b[31malert\x07\n\n**evil \x1b]0;owned\x07 bold** at \x9b31m noon \u202e.\n{FILLER}\n"
)
CONTROLS = {0x1B, 0x07, 0x9B, 0x202E}
no_links = pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")


def test_escape_sequences_reach_no_terminal(tmp_path: Path) -> None:
    write(tmp_path, {"MEMORY.md": HOSTILE, "b.md": HOSTILE})
    for words in (
        ("build",),
        ("build", "--json"),
        ("lookup", "evil alert"),
        ("lookup", "evil alert", "--json"),
        ("lookup", "evil", "--project", "\x1b[31m"),
        ("lookup", "\x1b[31m"),
        ("update", "b.md"),
        ("update", "\x1b[31m.md"),
        ("status",),
    ):
        done = hippo(tmp_path, "anchors", *words)
        assert b"Traceback" not in done.stderr
        printed = done.stdout.decode() + done.stderr.decode()
        assert not CONTROLS & set(map(ord, printed)), words
    assert hippo(tmp_path, "anchors", "lookup", "evil alert").returncode == 0


@no_links
def test_links_and_ignored_notes_are_not_read(tmp_path: Path) -> None:
    root, outside = tmp_path / "ws", tmp_path / "secret.md"
    outside.write_text(f"# Zeppelin\n\nThe zeppelin zeppelin.\n{FILLER}\n")
    write(
        root,
        {
            "a.md": "# A\n\nzeppelin\n",
            ".gitignore": "hidden/\n",
            "hidden/b.md": outside.read_text(),
        },
    )
    (root / "link.md").symlink_to(outside)
    built(root)
    assert set(json.loads(files_of(root)["hippocampus-meta.json"])["files"]) == {"a.md"}
    with keeper(root) as made:
        done = made.update(["link.md", "hidden/b.md", "../secret.md", str(outside)], LATER)
    assert (done.changed, done.removed) == ((), ())


@no_links
@pytest.mark.parametrize("place", [".hippocampus", ".hippocampus/anchors", ".hippocampus/cache"])
def test_own_folders_that_lead_outside_are_refused(place: str, tmp_path: Path) -> None:
    root, outside = write(tmp_path / "ws"), tmp_path / "outside"
    outside.mkdir()
    (root / place).parent.mkdir(exist_ok=True)
    (root / place).symlink_to(outside, target_is_directory=True)
    with keeper(root) as made, pytest.raises(OutsideWorkspace):
        made.build(NOW)
    assert list(outside.iterdir()) == []


def test_an_index_that_names_files_outside_shows_nothing_of_them(tmp_path: Path) -> None:
    root = built(write(tmp_path / "ws"))
    (tmp_path / "secret.md").write_text("# Label printer\n\nsecret\n" * 9)
    for name in (ANCHOR_INDEX, ANCHOR_META):
        data = (root / name).read_bytes().replace(b"TOOLS.md", b"../secret.md")
        (root / name).write_bytes(data)
    with keeper(root) as made, pytest.raises(AnchorsDamaged):
        made.index()  # the hashes tell
    from hippocampus_cli.anchors.documents import digest

    meta = json.loads((root / ANCHOR_META).read_bytes())
    meta["index_sha256"] = digest((root / ANCHOR_INDEX).read_bytes())
    (root / ANCHOR_META).write_text(json.dumps(meta))
    with keeper(root) as made:
        looked = made.lookup("label printer", NOW)
    assert all("secret" not in one.path + one.preview for one in looked.hits)
    assert b"secret" not in files_of(root)["hippocampus-index.json"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe# U\0T\0F\0",
        b"\0\1\2",
        b"# \xff\xfe bad\n\n**b\xc3**\n",
        b"#\r\n\r\r## A\r\n",
        b"\xef\xbb\xbf# Bom\n",
        b"```\n" * 999,
        b"**" * 20_000,
        b"# " + b"A b " * 20_000,
        b"<!--" * 9_999,
        b"A" * 200_000,
        b"[" * 9_999,
    ],
)
def test_odd_notes_are_built_and_updated(data: bytes, tmp_path: Path) -> None:
    root = write(tmp_path)
    (root / "odd.md").write_bytes(data)
    built(root)
    (root / "odd.md").write_bytes(data + b"\nmore\n")
    with keeper(root) as made:
        made.update(["odd.md"], LATER)
    assert found(root, "label printer")[0] == "TOOLS.md:8"


@pytest.mark.skipif(sys.platform != "linux", reason="names of any bytes")
def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    root = write(tmp_path)
    raw = os.fsencode(root) + b"/\xff\xfe.md"
    Path(os.fsdecode(raw)).write_text(f"# Zeppelin\n\nThe zeppelin.\n{FILLER}\n")
    built(root)
    assert found(root, "zeppelin") == ["\udcff\udcfe.md:1"]
    done = hippo(root, "anchors", "lookup", "zeppelin", "--json")
    assert json.loads(done.stdout)["hits"]


@pytest.mark.parametrize("name", [ANCHOR_INDEX, ANCHOR_META])
@pytest.mark.parametrize(
    "data",
    [b"[]", b"null", b'{"a":1}', b"\xff", b"[" * 100_000, b'{"version":1}', b'{"version":"x"}'],
)
def test_files_of_another_making_are_refused_and_built_again(
    name: str, data: bytes, tmp_path: Path
) -> None:
    root = built(write(tmp_path))
    whole = files_of(root)
    for call, *arguments in (("lookup", "label printer", NOW), ("update", ["TOOLS.md"], NOW)):
        (root / name).write_bytes(data)
        before = files_of(root)
        with keeper(root) as made, pytest.raises(AnchorsDamaged) as caught:
            made.status()
        assert "hippo anchors build" in caught.value.advice and caught.value.exit_code == 6
        assert files_of(root) == before
        with keeper(root) as made:
            (told,) = getattr(made, str(call))(*arguments).notices
        assert told.startswith("the anchor index cannot be read: ")
        assert told.endswith("; built again from the notes")
        assert files_of(root) == whole


def test_files_of_another_version_are_left_alone(tmp_path: Path) -> None:
    root = built(write(tmp_path))
    (root / ANCHOR_META).write_bytes(b'{"version":2}')
    before = files_of(root)
    for call, *arguments in (("lookup", "label printer", NOW), ("update", ["TOOLS.md"], NOW)):
        with keeper(root) as made, pytest.raises(AnchorsDamaged, match="version 2"):
            getattr(made, str(call))(*arguments)
    assert files_of(root) == before


def test_a_lookup_of_a_hundred_kilobytes(tmp_path: Path) -> None:
    root = built(write(tmp_path))
    done = hippo(root, "anchors", "lookup", "label printer " + "blah " * 20_000)
    assert done.returncode == 0


def test_a_lone_surrogate_in_the_arguments(tmp_path: Path) -> None:
    root = built(write(tmp_path))
    done = hippo(root, "anchors", "lookup", b"label \xff\xfe printer", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["hits"][0]["path"] == "TOOLS.md"


def test_a_pattern_that_is_none(tmp_path: Path) -> None:
    root = built(write(tmp_path))
    done = hippo(root, "anchors", "lookup", "printer", HIPPO_ANCHORS_ALLOW="[z-a]")
    assert b"Traceback" not in done.stderr
    assert done.returncode in (1, 2)
