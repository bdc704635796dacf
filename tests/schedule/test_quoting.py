from __future__ import annotations

import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.schedule.jobs import for_crontab, for_systemd

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
