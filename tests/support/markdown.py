"""Texts of markdown, and of what looks like it."""

from __future__ import annotations

from hypothesis import strategies as st

PIECES = st.sampled_from(
    [
        *("# A", "## B", "text", "", "```", "````", "~~~", "```sh", "- ```", "<!--", "-->", "---"),
        *(
            "===",
            "<!-- x -->",
            "<!-- hx: id=a",
            "key: value",
            "  - x",
            "\ufeff# C",
            "  ```",
            "1. ~~~",
        ),
    ]
)


TEXTS = st.one_of(
    st.lists(st.tuples(PIECES, st.sampled_from(["\n", "\r\n", "\r"])).map("".join)).map("".join),
    st.text(st.characters()),
    st.text("#`~<!->=\n\r \t*\ufeffx:"),
)
