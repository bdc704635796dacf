"""The merge driver in a repository: put in, checked, used by the real git, taken out to the byte."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hippocampus_cli.errors import InstallRefused
from hippocampus_cli.integrations import git
from hippocampus_cli.integrations.install import InstallPlan, carry_out, plan
from hippocampus_cli.integrations.marked_block import edit_block
from hippocampus_cli.schedule.scheduler import ProgramResult, Runner, run_program

PROGRAM = (sys.executable, "-P", "-m", "hippocampus_cli")
TEXTS = st.lists(
    st.sampled_from(["*.md text", "[core]", "\tbare = false", "", "# note", "\r\n", "\n", "\r"]),
    max_size=6,
).map("".join)


def run(*words: str | Path, cwd: Path) -> str:
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def root(tmp_path: Path) -> Path:
    run("git", "init", "-q", "-b", "main", cwd=tmp_path)
    for name, value in (("user.name", "t"), ("user.email", "t@t"), ("core.autocrlf", "false")):
        run("git", "config", name, value, cwd=tmp_path)
    return tmp_path


def install(root: Path, program: tuple[str, ...] = PROGRAM) -> None:
    check = partial(git.check, root, program, run_program)
    carry_out([planned(root, program)], check)


def planned(
    root: Path,
    program: tuple[str, ...] = PROGRAM,
    runner: Runner = run_program,
    installs: bool = True,
) -> InstallPlan:
    return plan("git", git.parts(root, program, runner), installs=installs)


@given(TEXTS)
@example("*.md text")
@example("a\r\nb")
@example("\n\r")
def test_what_is_put_in_is_taken_out_to_the_byte(text: str) -> None:
    for lines in (git._LINES, ('[merge "hippo"]', "\tdriver = x")):
        there = edit_block(git._MARKS, lines, text, True)
        assert edit_block(git._MARKS, (), there, False) == text
        assert edit_block(git._MARKS, (), text, False) == text


@pytest.mark.parametrize("before", [None, b"*.md text\n", b"*.md text", b"* -text\r\n"])
def test_a_repository_gets_it_and_is_as_before_without_it(root: Path, before: bytes | None) -> None:
    attributes, config = root / ".gitattributes", root / ".git/config"
    if before is not None:
        attributes.write_bytes(before)
    was = config.read_bytes()
    install(root)
    assert not planned(root).changes
    said = run(
        "git", "check-attr", "merge", "HIPPOCAMPUS.md", ".hippocampus/topics/a.md", "b.md", cwd=root
    )
    assert [line.rpartition(": ")[2] for line in said.splitlines()] == [
        "hippo",
        "hippo",
        "unspecified",
    ]
    carry_out([planned(root, installs=False)])
    assert config.read_bytes() == was
    assert (attributes.read_bytes() if attributes.exists() else None) == before
    assert not planned(root, installs=False).changes


def test_a_driver_that_does_not_merge_is_not_left_behind(root: Path) -> None:
    was = (root / ".git/config").read_bytes()
    program = (sys.executable, "-c", "raise SystemExit(3)")
    with pytest.raises(InstallRefused, match="merge a test file"):
        install(root, program)
    assert (root / ".git/config").read_bytes() == was
    assert not (root / ".gitattributes").exists()


def test_the_next_command_completes_an_installation_that_was_killed_halfway(root: Path) -> None:
    plan = planned(root)
    (root / ".gitattributes").write_text(plan.changes[0].after)
    rest = planned(root)
    assert rest.changes == plan.changes[1:]
    carry_out([rest])
    assert not planned(root).changes


def test_without_a_repository_or_without_git_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(InstallRefused, match="no git repository"):
        planned(tmp_path)
    with pytest.raises(InstallRefused, match="git is not installed"):
        planned(
            tmp_path, PROGRAM, lambda args, given="": ProgramResult(127, "", "git is not installed")
        )


def test_a_link_out_of_the_workspace_is_refused(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    (root / ".gitattributes").symlink_to(tmp_path_factory.mktemp("other") / "x")
    with pytest.raises(Exception, match="out of the workspace"):
        planned(root)


def test_a_workspace_in_a_folder_of_the_repository_merges_too(root: Path) -> None:
    inner = root / "agents/one"
    inner.mkdir(parents=True)
    install(inner)
    entry = "## A\n→ a.md\n<!-- hx: id=a | created=2026-01-01 | accessed=2026-01-01 | hits={} | str=1.00 -->\n"
    commit(inner, entry.format(1))
    branch(inner, entry.format(2) + "\nMine.\n", entry.format(3))
    run("git", "merge", "-q", "--no-edit", "other", cwd=root)
    assert (inner / "HIPPOCAMPUS.md").read_text("utf-8") == entry.format(4) + "\nMine.\n"


def test_a_file_that_one_branch_renamed_is_merged_under_its_new_name(root: Path) -> None:
    install(root)
    entry = "## A\nSo.\n→ a.md\n<!-- hx: id=a | created=2026-01-01 | accessed=2026-01-01 | hits={} | str=1.00 -->\n"
    topics = root / ".hippocampus/topics"
    topics.mkdir(parents=True)
    (topics / "a.md").write_text(entry.format(1), "utf-8")
    commit(root, "# I\n")
    run("git", "checkout", "-q", "-b", "other", cwd=root)
    run("git", "mv", ".hippocampus/topics/a.md", ".hippocampus/topics/b.md", cwd=root)
    (topics / "b.md").write_text(entry.format(2), "utf-8")
    commit(root, "# I\n")
    run("git", "checkout", "-q", "main", cwd=root)
    (topics / "a.md").write_text(entry.format(3), "utf-8")
    commit(root, "# I\n")
    run("git", "merge", "-q", "--no-edit", "other", cwd=root)
    assert (topics / "b.md").read_text("utf-8") == entry.format(4)


def test_where_hippo_is_gone_git_merges_by_line_and_nobody_loses(root: Path) -> None:
    install(root)
    run("git", "config", "merge.hippo.driver", git.driver(("no-such-hippo",)), cwd=root)
    commit(root, "a\n")
    branch(root, "theirs\n", "mine\n")
    done = subprocess.run(["git", "merge", "other"], cwd=root, capture_output=True, check=False)
    text = (root / "HIPPOCAMPUS.md").read_text("utf-8")
    assert done.returncode == 1 and "mine\n" in text and "theirs\n" in text and "<<<<<<<" in text


def test_conflict_marks_are_named_by_the_git_there_is(root: Path) -> None:
    """Where git is older than 2.44, the marks say ours and theirs."""
    install(root)
    entry = "## A\n{}\n→ a.md\n<!-- hx: id=a | created=2026-01-01 | accessed=2026-01-01 | hits=1 | str=1.00 -->\n"
    commit(root, entry.format("So."))
    branch(root, entry.format("Theirs."), entry.format("Mine."))
    done = subprocess.run(["git", "merge", "other"], cwd=root, capture_output=True, check=False)
    text = (root / "HIPPOCAMPUS.md").read_text("utf-8")
    found = re.search(r"(\d+)\.(\d+)", run("git", "--version", cwd=root))
    is_named = found is not None and (int(found[1]), int(found[2])) >= (2, 44)
    ours, theirs = ("HEAD", "other") if is_named else ("ours", "theirs")
    assert done.returncode == 1
    assert f"<<<<<<< {ours}\nMine.\n" in text and f"Theirs.\n>>>>>>> {theirs}\n" in text


def test_what_two_clones_learned_is_held_in_both(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The chains of both stay as they were written, and the next record follows both."""
    hippo = partial(run, *PROGRAM)
    believe = partial(hippo, "remember", "--believe")
    install(root)
    commit(root, "# I\n")
    believe("The port is 1.", "--subject", "api", "--attribute", "port", cwd=root)
    commit(root, "# I\n")
    other = root.parent / f"{root.name}-clone"
    run("git", "clone", "-q", "-c", "user.name=o", "-c", "user.email=o@o", root, other, cwd=root)
    install(other)
    for clone, likes in ((root, "tea"), (other, "coffee")):
        believe(f"I like {likes}.", cwd=clone)
        believe("Both say this.", cwd=clone)
        # What is said in the same second in the same words is one episode: the other says it later.
        monkeypatch.setenv("HIPPO_NOW", f"{datetime.now().astimezone() + timedelta(minutes=1)}")
        commit(clone, "# I\n")
    monkeypatch.delenv("HIPPO_NOW")
    hippo("mind", "settle", "the-port-is-1", "--retract", cwd=other)
    commit(other, "# I\n")
    run("git", "branch", "mine", cwd=root)
    run("git", "pull", "-q", "--no-rebase", "--no-edit", other, "main", cwd=root)
    run("git", "pull", "-q", "--no-rebase", "--no-edit", root, "mine", cwd=other)
    for clone, more in ((root, "It rains."), (other, "It snows.")):
        hippo("check", cwd=clone)
        believe(more, cwd=clone)
        hippo("undo", cwd=clone)
        commit(clone, "# I\n")
    run("git", "pull", "-q", "--no-rebase", "--no-edit", other, "main", cwd=root)
    assert "no problems" in hippo("check", cwd=root)
    held = hippo("beliefs", cwd=root)
    assert held.count("since") == 3
    assert all(said in held for said in ("Both say this.", "I like tea.", "I like coffee."))
    assert hippo("why", "both-say-this", cwd=root).count("    ep-") == 2


def commit(root: Path, text: str) -> None:
    (root / "HIPPOCAMPUS.md").write_text(text, "utf-8")
    run("git", "add", "-A", cwd=root)
    run("git", "commit", "-q", "--allow-empty", "-m", "x", cwd=root)


def branch(root: Path, theirs: str, ours: str) -> None:
    """Another branch commits one text, and this one another."""
    run("git", "checkout", "-q", "-b", "other", cwd=root)
    commit(root, theirs)
    run("git", "checkout", "-q", "main", cwd=root)
    commit(root, ours)
