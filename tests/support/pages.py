"""The pages of the documentation, README.md and ``docs/``, read by every test that checks what they say.

The ``console`` blocks of a page are one session, from top to bottom, in a copy of a workspace of its own.
A comment at the top of a page may change where and when: ``<!-- workspace: tests/workspaces/acme -->``,
``<!-- now: 2026-02-01T09:00:00+00:00 -->``; ``<!-- before: hippo bootstrap -->`` runs a command that is
not shown.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.generate import fields
from docs.json_shapes import DOCUMENTS, SHARED
from tests.support.replay import DURATION, replay

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
DOCS = ROOT / "docs"
PAGES = [
    README,
    *(ROOT / name for name in ("CONTRIBUTING.md", "bench/README.md")),
    *sorted(DOCS.rglob("*.md")),
]

_WORKSPACE = "fixtures/workspace"
_NOW = "2026-08-01T09:00:00+00:00"
# A block that is drawn on a terminal stands between marks of its own: see test_readme.py.
_CONSOLE = re.compile(
    r"(?<!:begin -->\n)^(?P<fence>`{3,})console\n(?P<session>.*?)^(?P=fence)$", re.M | re.S
)
_FENCED = re.compile(r"^(?P<fence>`{3,}).*?^(?P=fence)$", re.M | re.S)
_HEADING = re.compile(r"^(#{1,6}) (.+)$", re.M)


def name(page: Path) -> str:
    """A page as it is named in the repository: ``docs/query.md``."""
    return page.relative_to(ROOT).as_posix()


def read(page: Path | str) -> str:
    """The text of a page; a string names one below ``docs/``, without its ending."""
    path = page if isinstance(page, Path) else DOCS / f"{page}.md"
    return path.read_text(encoding="utf-8")


def section(text: str, heading: str) -> str:
    """The part of a text below a heading, up to the next heading of its level or above."""
    start = re.search(rf"^(#+) {re.escape(heading)}$", text, re.M)
    assert start, f"no heading {heading!r}"
    end = re.compile(rf"^#{{1,{len(start[1])}}} ", re.M).search(text, start.end())
    return text[start.end() : end.start() if end else None]


def stated(command: str) -> set[str]:
    """The keys that the reference says the documents of a command have, at any depth, such as ``results``."""
    shapes = [
        one.shape for one in DOCUMENTS if command in {name.split()[0] for name in one.commands}
    ]
    rows = [row for shape in (*shapes, *SHARED.values()) for row in fields(shape)]
    return {part for key, *_ in rows for part in re.findall(r"\w+", key)}


def words(text: str) -> set[str]:
    """What stands in backticks in a text and is one word, without a ``[]`` behind it."""
    return set(re.findall(r"`([\w-]+)(?:\[\])?`", text))


def shell(text: str) -> str:
    """What a text would have typed: the lines of its ``sh`` blocks, and the commands of its sessions."""
    typed = re.findall(r"^```sh\n(.*?)^```$", text, re.M | re.S)
    sessions = (block["session"] for block in _CONSOLE.finditer(text))
    return "\n".join([*typed, *(line for one in sessions for line in _commands(one))])


def _commands(session: str) -> list[str]:
    return re.findall(r"^\$ (.*)", session, re.M)


def prose(text: str) -> str:
    """A text without its fenced blocks."""
    return _FENCED.sub("", text)


def anchors(text: str) -> set[str]:
    """The names that links use for the headings of a text."""
    seen: dict[str, int] = {}
    made = set()
    for _, title in _HEADING.findall(prose(text)):
        shown = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title)
        slug = re.sub(r"[^\w\- ]", "", shown.strip().lower()).replace(" ", "-")
        made.add(f"{slug}-{seen[slug]}" if slug in seen else slug)
        seen[slug] = seen.get(slug, 0) + 1
    return made


def has_session(page: Path) -> bool:
    return bool(_CONSOLE.search(read(page)))


def replayed(
    page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, *, update: bool = False
) -> str:
    """The page with every shown command run again, in a copy of its workspace below ``folder``.

    Durations keep the figures of the page; with ``update`` where the rest of their block is unchanged.
    """
    text = read(page)
    workspace = folder / "workspace"
    shutil.copytree(ROOT / _mark(text, "workspace", _WORKSPACE), workspace)
    monkeypatch.chdir(workspace)
    monkeypatch.setenv("HIPPO_WORKSPACE", str(workspace))
    monkeypatch.setenv("HIPPO_NOW", _mark(text, "now", _NOW))
    monkeypatch.setenv("COLUMNS", "80")
    for command in re.findall(r"^<!-- before: (.*?) -->$", text, re.M):
        list(replay(f"$ {command}\n", monkeypatch))

    def again(block: re.Match[str]) -> str:
        fence = block["fence"]
        return f"{fence}console\n{_again(block['session'], monkeypatch, update)}{fence}"

    return _CONSOLE.sub(again, text)


def without_durations(text: str) -> list[str]:
    return DURATION.sub("#", text).splitlines()


def _mark(text: str, key: str, default: str) -> str:
    found = re.search(rf"^<!-- {key}: (\S+) -->$", text, re.M)
    return found[1] if found else default


def _again(block: str, monkeypatch: pytest.MonkeyPatch, update: bool) -> str:
    if update:
        printed = "".join(replay(block, monkeypatch, mask=r"\g<0>"))
        return block if without_durations(printed) == without_durations(block) else printed
    durations: Iterator[str] = iter(DURATION.findall(block))
    printed = "".join(replay(block, monkeypatch, mask="\0"))
    return re.sub("\0", lambda _: next(durations, "(no duration)"), printed)
