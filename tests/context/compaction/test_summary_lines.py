from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.context.compaction.score import Entry
from hippocampus_cli.context.compaction.summary_format import code, line_of, read_line


def entry(**more: object) -> Entry:
    made = Entry(0, "9987634b", 4, "tool", "tool_result", "bash", 12, 0.3, 0.2, 3)
    return made._replace(**more)  # type: ignore[arg-type]


def test_the_line_of_an_output() -> None:
    line = line_of(entry(), 'Size "x"\n40G', "df -h", 80)
    assert line == '[TOOL:bash] 12tok `df -h` → "Size \\"x\\"\\n40G" #9987634b'


def test_the_line_of_talk() -> None:
    said = entry(role="assistant", type="context", tool="")
    assert line_of(said, "one\ntwo", "", 80) == '[ASSISTANT] "one\\ntwo" #9987634b'


def test_a_long_text_is_cut() -> None:
    line = line_of(entry(role="user", type="user_intent"), "word " * 100, "", 20)
    assert line == '[USER] "word word word word…" #9987634b'


@given(st.text(max_size=60), st.text(max_size=30), st.text(max_size=12))
def test_a_line_is_one_line_and_is_read_again(text: str, call: str, tool: str) -> None:
    line = line_of(entry(tool=tool), text, call, 100)
    assert not set(line) & set("\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")
    found = read_line(line)
    assert found is not None
    assert (found.text, found.id, found.tokens) == (text.strip(), "9987634b", 12)
    assert found.type == "tool_result"


def test_lines_of_the_reference_are_read() -> None:
    line = read_line('• (r=0.45) [TOOL:read] 1200tok → "a "b" c"')
    assert line is not None
    assert (line.retention, line.tool, line.tokens, line.text) == (0.45, "read", 1200, 'a "b" c')
    code = read_line("[ASSISTANT] `ls` shows it")
    assert code is not None
    assert (code.text, code.call) == ("`ls` shows it", "")
    plain = read_line("[ASSISTANT] no quotes")
    assert plain is not None
    assert (plain.role, plain.type, plain.text) == ("assistant", "context", "no quotes")
    assert read_line("words") is None


def test_code_with_backticks_stands_in_more_of_them() -> None:
    assert code("echo `date`") == "`` echo `date` ``"
    assert code("a\nb") == "`a\\nb`"
