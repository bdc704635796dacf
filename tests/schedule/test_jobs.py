"""A job: its name, and its words quoted for each scheduler."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.errors import ScheduleRefused
from hippocampus_cli.schedule.jobs import Job, for_crontab, for_systemd
from tests.schedule.fakes import JOB, NAME


def test_a_name_tells_folders_apart_also_where_they_are_called_the_same() -> None:
    assert JOB.name == NAME
    other = Job("/srv/my agent", JOB.program)
    assert other.name.startswith("hippo-my-agent-") and other.name != NAME


@pytest.mark.parametrize("root", ["/", "/日本", "/---"])
def test_a_folder_without_plain_letters_has_a_name_too(root: str) -> None:
    assert Job(root, ()).name.startswith("hippo-workspace-")


def test_a_long_name_is_cut() -> None:
    assert len(Job("/" + "long-" * 40, ()).name) <= len("hippo-") + 24 + len("-12345678")


def test_the_command() -> None:
    assert JOB.command == (*JOB.program, "maintain", "--due", "--workspace", JOB.root)


@pytest.mark.parametrize(
    ("root", "what"),
    [
        ("/a\nb", "a line break"),
        ("/a\rb", "a line break"),
        ("/a\x1bb", r"'\x1b'"),
        ("/a\udcff", r"'\udcff'"),
    ],
)
def test_a_path_that_no_scheduler_can_hold(root: str, what: str) -> None:
    with pytest.raises(ScheduleRefused) as refused:
        Job(root, ("python",))
    assert f"no scheduler accepts {what} in a path" in refused.value.message
    assert refused.value.advice == "rename the folder"


SPECIAL = "\\%'\"$`! ~*?#&;|<>(){}[]=^\té日🐚"
ANY = st.characters(exclude_characters="\0\n\r", exclude_categories=["Cs"])
TEXTS = (
    st.text("\\%' ", max_size=8)
    | st.text(SPECIAL, max_size=20)
    | st.text(st.sampled_from(SPECIAL) | ANY, max_size=20)
)
WORDS = st.lists(TEXTS, min_size=1, max_size=4)

posix = pytest.mark.skipif(sys.platform == "win32", reason="there is no sh")


def shell(line: str) -> list[str]:
    """The words that a shell makes of ``line``, by a program that prints its arguments."""
    program = f"set -- {line}\nfor word; do printf '%s\\0' \"$word\"; done"
    done = subprocess.run(["sh"], input=program.encode(), capture_output=True, check=True)
    return done.stdout.decode().split("\0")[:-1]


def cronie(command: str) -> str:
    """What cronie (and Debian's cron) give to the shell: ``%`` ends the command, ``\\%`` is ``%``."""
    taken, escaped = "", False
    for char in command:
        if escaped:
            taken = taken[:-1] + char if char == "%" else taken + char
            escaped = False
            continue
        if char == "%":
            return taken
        escaped = char == "\\"
        taken += char
    return taken


def vixie(command: str) -> str:
    """The same with a cron that also reads two backslashes as one."""
    taken, escaped = "", False
    for char in command:
        if escaped and char in "%\\":
            taken, escaped = taken[:-1] + char, False
            continue
        if char == "%":
            return taken
        escaped = char == "\\" and not escaped
        taken += char
    return taken


def busybox(command: str) -> str:
    """A cron that knows nothing of ``%``."""
    return command


@posix
@given(WORDS)
def test_words_come_through_any_cron_and_the_shell(words: list[str]) -> None:
    line = for_crontab(words)
    seen = {cron(line) for cron in (cronie, vixie, busybox)}
    for text in seen:
        assert shell(text) == words


@posix
@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("/home/me/agent", "/home/me/agent"),
        ("/home/me/my agent", "'/home/me/my agent'"),
        ("50%", r"50\%"),
        ("%", r"\%"),
        (r"a\%b", r"'a\'''\%b"),
        ("it's", "'it'\"'\"'s'"),
        ("$HOME", "'$HOME'"),
        ("", "''"),
    ],
)
def test_what_it_looks_like(word: str, line: str) -> None:
    assert for_crontab([word]) == line
    assert shell(line) == [word]


@given(WORDS)
def test_words_come_through_a_unit(words: list[str]) -> None:
    assert unit(for_systemd(words)) == words


def unit(line: str) -> list[str]:
    """The words that systemd makes of ``ExecStart=``: unquoted, then specifiers, then variables."""
    found = re.findall(r'"((?:[^"\\]|\\.)*)"', line, re.DOTALL)
    assert " ".join(f'"{one}"' for one in found) == line
    words = [re.sub(r"\\(.)", r"\1", one, flags=re.DOTALL) for one in found]
    assert not any(re.search(r"(?<!%)(?:%%)*%(?!%)", word) for word in words)
    words = [word.replace("%%", "%") for word in words]
    assert not any(re.search(r"(?<!\$)(?:\$\$)*\$(?!\$)", word) for word in words[1:])
    return [words[0], *(word.replace("$$", "$") for word in words[1:])]
