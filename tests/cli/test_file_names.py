"""Names of notes that are hard to write down: what hippo writes of them is UTF-8, and leads back to them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from hippocampus_cli.cli.main import main
from hippocampus_cli.index.parse import parse
from hippocampus_cli.workspace.read import read_note
from tests.support.command_line import Hippo

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
NAMES = [
    *(b"b\xff.md", b"d\xfe/c.md", b"\xd6\xd0\xce\xc4.md", b"2026-05-2\xe9.md", b"half\xc3.md"),
    *(b"b%FF.md", b"caf%C3%A9.md", b"%25FF.md", b"nl\nx.md", b"cr\rx.md", b"a | b.md"),
    *(b"s \xc2\xa7x.md", b"a \xe2\x86\x92 b.md", b"c <!-- x.md", b"c --> x.md", b" lead.md"),
    *(b"trail .md", b"bell\x07\x1b[31m.md", b"caf\xc3\xa9.md", b"cafe\xcc\x81.md"),
    *(b"A.md", b"a.md", "é".encode() * 126 + b".md"),
]
TREES = (
    "oak ash elm fir yew box bay fig lime pear plum palm pine teak sloe rowan beech larch maple"
    " aspen hazel cedar alder"
)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "MEMORY.md").write_text("# Memory\n")
    for name, tree in zip(NAMES, TREES.split(), strict=True):
        path = tmp_path / os.fsdecode(name)
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"# The {tree} gate\n\nThe gate is of {tree}.\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_is_asked_first_has_words(tmp_path: Path, hippo: Hippo) -> None:
    for name in ("21273c63-3936-407a-8c49-7ac086b07bb9", "lamps"):
        (tmp_path / f"{name}.md").write_text(f"The lamp {name} is green and bright.\n")
    assert "hippo query Lamps" in hippo("bootstrap", "-w", str(tmp_path)).out


def written(root: Path) -> bytes:
    """All text that hippo wrote."""
    kept = [root / "HIPPOCAMPUS.md", *(root / ".hippocampus").rglob("*")]
    ours = [one for one in kept if one.is_file() and one.suffix not in (".sqlite", ".zip")]
    return b"".join(one.read_bytes() for one in ours)


def test_every_note_has_a_pointer_that_leads_back_to_it(root: Path, hippo: Hippo) -> None:
    hippo("bootstrap")
    entries = parse((root / "HIPPOCAMPUS.md").read_text("utf-8")).entries
    paths = {os.fsencode(one.path) for entry in entries for one in entry.entry.pointers}
    assert paths == set(NAMES)


def test_what_hippo_writes_and_says_is_utf8(
    root: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    (root / "latin.md").write_bytes(
        b"# Caf\xe9 hours\n\nThe caf\xe9 opens at nine.\n\n## \xdcber\n\nUs.\n"
    )
    for words in (
        "bootstrap",
        "check",
        "list --json",
        "daily",
        "weekly",
        "status --json",
        "report --json",
    ):
        assert main(words.split()) == 0
    out, err = capfdbinary.readouterr()
    assert written(root).decode() and out.decode() and not err
    assert b"\\ud" not in out  # a lone surrogate, which strict readers of JSON refuse


def test_a_line_break_in_a_name_is_seen(root: Path, hippo: Hippo) -> None:
    hippo("bootstrap")
    assert "\nnl\\nx.md:1  " in f"\n{hippo('query', 'gate of lime').out}"


@pytest.mark.parametrize("given", ["d%FE/c.md", "d\udcfe/c.md", "d%FE/*"])
def test_a_question_for_one_of_them(root: Path, given: str, hippo: Hippo) -> None:
    hippo("bootstrap")
    (found,) = hippo("query", "gate of ash", "--path", given, "--json").json["results"]
    assert found["path"] == "d%FE/c.md"
    assert found["entry"] == "ash-gate"


@pytest.mark.parametrize("path", ["d%FE/c.md", "d\udcfe/c.md"])
def test_an_agent_reads_what_it_was_told_of(root: Path, path: str) -> None:
    assert read_note(root, path, 1_000).text == "# The ash gate\n\nThe gate is of ash.\n"
    assert read_note(root, "b%FF.md", 1_000).text.startswith("# The box gate")  # its name in full


def test_an_entry_added_by_hand_for_one_of_them(root: Path, hippo: Hippo) -> None:
    hippo("bootstrap")
    hippo("check")
    (root / "HIPPOCAMPUS.md").write_text(
        "# Index\n\n## Gate\n→ b%FF.md §The oak gate\n<!-- hx: id=g -->\n"
    )
    assert "The gate is of oak" in hippo("show g").out


def test_an_index_with_raw_bytes_stays_byte_for_byte(root: Path, hippo: Hippo) -> None:
    index = root / "HIPPOCAMPUS.md"
    before = (
        b"# Index\n\n## Gate\n\xe2\x86\x92 d\xfe/c.md \xc2\xa7The ash gate\n<!-- hx: id=g -->\n"
    )
    index.write_bytes(before)
    hippo("check")
    hippo("bootstrap")
    assert before in index.read_bytes()


def test_a_package_carries_them(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    package, other = tmp_path_factory.mktemp("p") / "all.hippo", tmp_path_factory.mktemp("other")
    assert main(["bootstrap"]) == 0
    (root / "b%FF.md").unlink()  # in a package both would have one name
    assert main(["export", str(package)]) == 0
    assert main(["--workspace", str(other), "import", str(package)]) == 0
    assert (
        other / os.fsdecode(b"d\xfe/c.md")
    ).read_text() == "# The ash gate\n\nThe gate is of ash.\n"
