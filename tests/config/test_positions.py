from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.config.positions import key_lines

TEXT = '''# a comment with [brackets] and "quotes
top.level = 1
[decay] # [not.a.table]
rate = """
[bands]
weak = 1
"""
"quoted \\u006bey" = [
  "]", # ]
  1,
]

[ "a.b" . 'c d' ]
inline = { x = 1, y = "}" }
after = \'\'\'it\'s
here\'\'\'\'
[[list]]
one = 1
[[list]]
two = 2
'''


def test_each_key_stands_on_its_line() -> None:
    tomllib.loads(TEXT)
    assert key_lines(TEXT) == {
        ("top",): 2,
        ("top", "level"): 2,
        ("decay",): 3,
        ("decay", "rate"): 4,
        ("decay", "quoted key"): 8,
        ("a.b",): 13,
        ("a.b", "c d"): 13,
        ("a.b", "c d", "inline"): 14,
        ("a.b", "c d", "after"): 15,
        ("list",): 17,
        ("list", "one"): 18,
        ("list", "two"): 20,
    }


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_line_endings_do_not_matter(newline: str) -> None:
    assert key_lines(newline.join(("", "[a]", "b = 1"))) == {("a",): 2, ("a", "b"): 3}


keys = st.text("ab-_ .#[]\"'\\é\U0001f99b", min_size=1, max_size=5)
values = st.sampled_from(
    [
        "1",
        '"x # ] \\" y"',
        "'x \" ['",
        "[1, [2,\n 3] # ]\n]",
        '"""\n[t]\nk = 1\n"""',
        "'''\n''a\n'''",
    ]
)


@given(st.dictionaries(keys, st.dictionaries(keys, values, max_size=4), max_size=4))
def test_every_key_of_a_generated_text_is_found_where_it_was_written(
    tables: dict[str, dict[str, str]],
) -> None:
    lines: list[str] = []
    written = {}
    for table, named in tables.items():
        lines.append(f"[{_quoted(table)}]")
        written[(table,)] = len("\n".join(lines).split("\n"))
        for name, value in named.items():
            written[(table, name)] = len("\n".join(lines).split("\n")) + 1
            lines.append(f"{_quoted(name)} = {value}")
    text = "\n".join(lines)
    tomllib.loads(text)
    assert key_lines(text) == written


def _quoted(key: str) -> str:
    return '"' + key.replace("\\", "\\\\").replace('"', '\\"') + '"'
