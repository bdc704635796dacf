from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hippocampus_cli.entries.remember import memory_of, remembered
from hippocampus_cli.errors import UsageError
from hippocampus_cli.markdown.lines import chomp, split_lines
from hippocampus_cli.workspace.note import Note
from tests.support.documents import TEXTS
from tests.support.workspaces import NOW

LOG = "# 2026-02-01\n\n## 08:00 Early\n\n- coffee\n"
SAID = TEXTS.filter(lambda text: bool(text.strip()) and "\0" not in text)
PATH = "memory/2026-02-01.md"


def words_kept(text: str, body: list[str]) -> bool:
    """Whether ``body`` holds the lines of ``text``, as they are or each after a quotation mark."""
    lines = [chomp(line) for line in split_lines(text)]
    while lines and not lines[0].strip():
        lines.pop(0)
    while lines and not lines[-1].strip():
        lines.pop()
    bare = [chomp(line) for line in body]
    quoted = [line.removeprefix(">").removeprefix(" ") for line in bare]
    blank = [line if line.strip() else "" for line in lines]
    return lines == bare or blank == [line if line.strip() else "" for line in quoted]


@given(st.one_of(st.none(), TEXTS), SAID)
@example("```\nopen\n", "```\nx")
@example("<!-- open\n", "a --> b")
@example("---\ntitle: x\n", "a: b\n---\n")
@example("text", "===")
@example(None, "# HIPPOCAMPUS.md\n \n")
@example("a\r", "b")
@example("\ufeff", "b")
def test_the_log_keeps_every_byte_and_the_text_every_word(log: str | None, text: str) -> None:
    memory = memory_of(text, None, NOW)
    new, section = remembered(log, memory, PATH)
    assert new.startswith(log or "")
    before, after = Note(PATH, new[: len(log or "")]), Note(PATH, new)
    kept = [(one.level, one.title, one.start) for one in before.sections]
    assert [(one.level, one.title, one.start) for one in after.sections][: len(kept)] == kept
    assert after.sections[-1] == section
    assert (section.level, section.title) == (2, memory.heading)
    body = after.lines[section.start : section.end]
    while body and not body[0].strip():
        body.pop(0)
    assert words_kept(text, body)


@given(TEXTS, st.lists(SAID, min_size=2, max_size=4))
def test_memories_follow_each_other(log: str, texts: list[str]) -> None:
    titles = []
    for text in texts:
        memory = memory_of(text, None, NOW)
        log, _ = remembered(log, memory, PATH)
        titles.append(memory.heading)
    assert [one.title for one in Note(PATH, log).sections][-len(texts) :] == titles


def test_what_is_harmless_stands_as_it_is() -> None:
    text = "- a list\n  - deeper\n\n```sh\n# no heading\n```\n> said"
    new, _ = remembered(LOG, memory_of(text, "Plan", NOW), PATH)
    assert new == LOG + f"\n## 09:00 Plan\n\n{text}\n"


@pytest.mark.parametrize(
    "text", ["# A heading\n\ntext", "title\n===", "```\nnever closed", "<!-- open"]
)
def test_what_would_break_the_log_is_quoted(text: str) -> None:
    new, _ = remembered(LOG, memory_of(text, "Plan", NOW), PATH)
    quoted = "\n".join(f"> {line}" if line else ">" for line in text.split("\n"))
    assert new == LOG + f"\n## 09:00 Plan\n\n{quoted}\n"


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_the_log_keeps_its_line_endings(newline: str) -> None:
    log = LOG.replace("\n", newline)
    new, _ = remembered(log, memory_of("one\r\ntwo\nthree\rfour", "T", NOW), PATH)
    core = "\n## 09:00 T\n\none\ntwo\nthree\nfour\n"
    assert new == log + core.replace("\n", newline)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Plan\nmore", "Plan"),
        ("The port is 5433. Ask Grace.", "The port is 5433"),
        ("Hi. Grace called. Call back.", "Hi. Grace called"),
        ("\n\n- first\n- second", "first"),
        ("x" * 100, "x" * 59 + "…"),
        ("word " * 30, "word word word word word word word word word word word word…"),
        ("###", "note"),
        ("\u2028\x85 a\x0bb", "a b"),
        ("\udcff\udcfe", "%FF%FE"),
    ],
)
def test_the_first_words_are_the_title(text: str, title: str) -> None:
    assert memory_of(text, None, NOW).title == title


def test_a_title_given_is_one_plain_line() -> None:
    assert memory_of("text", "## a\nb ", NOW).title == "a b"


@pytest.mark.parametrize("text", ["", " \n\t", "\u2028"])
def test_an_empty_text_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        memory_of(text, "a title", NOW)


def test_binary_data_is_refused() -> None:
    with pytest.raises(UsageError, match="binary"):
        memory_of("PNG\0\0", None, NOW)
