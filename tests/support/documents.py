"""Texts that try to break the index: pieces of every construct, whole and broken, in any order."""

from __future__ import annotations

from hypothesis import strategies as st

ENDINGS = st.sampled_from(["\n", "\r\n", "\r", "\n\n", "\n \n", ""])
VALUES = st.text(st.sampled_from("ab1 |,>%§`-=<!\n\r2C7é\u2028\udcff"), max_size=12)

PIECES = st.sampled_from(
    [
        "# HIPPOCAMPUS.md — Memory Index",
        "<!-- hippocampus.md v1.0 | entries: 2 | reindexed: 2026-01-31T02:30:00Z -->",
        "## By Topic",
        "### Projects",
        "## Decay Queue",
        "#### Acme deploy",
        "## C#",
        "## closed ##",
        "#nospace",
        "###### deep",
        "Summary of it.",
        "more text",
        "→ TOOLS.md §Vercel | projects/a.md",
        "-> b.md",
        "→",
        "- → c.md",
        "<!-- hx: id=acme | created=2026-01-10 | accessed=2026-01-31\n| hits=2 | str=0.5 -->",
        "<!-- hx: id=acme | hits=1 -->",
        "<!-- hx: id=x | weird=1 | junk | =3 | a=b=c | -->",
        "<!--hx: -->",
        "<!-- hx: id=never | str=1.7",
        "| tags=a,b,, %7C -->",
        "-->",
        "<!--",
        "<!-- plain comment -->",
        "<!-- open\n## hidden\n-->",
        "```",
        "````py",
        "~~~",
        "- Deploy commands → TOOLS.md",
        "- [ ] task → a/b.md §X <!-- hx: id=t | hits=3 -->",
        "- prose → then something",
        "<!-- hippo:begin quick-access -->",
        "<!-- hippo:end quick-access -->",
        "<!-- hippo:begin other -->",
        "   ",
        "\ufeff",
        "\x0b\x0c\u2028\x85",
        "\udcff\udc80",
        "---",
    ]
)

TEXTS = st.one_of(
    st.lists(st.tuples(PIECES, ENDINGS), max_size=30).map(
        lambda pairs: "".join(piece + ending for piece, ending in pairs)
    ),
    st.text(max_size=200),
)

_BLOCKS = st.builds(
    lambda level, topic, body, id_, nl: nl.join(
        [
            "#" * level + " " + topic,
            *body,
            f"<!-- hx: id={id_} | hits=1 | str=0.5 | tags=a,b -->",
            "",
        ]
    ),
    st.integers(2, 6),
    st.sampled_from(["Acme deploy", "C#", "Ünïcode 🚀", "closed ##", ""]),
    st.lists(
        st.sampled_from(
            ["Summary line.", "second line", "→ a.md §B | c.md", "-> d.md", "", "```", "<!-- x -->"]
        ),
        max_size=4,
    ),
    st.sampled_from(["acme", "b", "c-3", "", "acme~2"]),
    st.sampled_from(["\n", "\r\n"]),
)

DOCUMENTS = st.lists(
    st.one_of(st.tuples(_BLOCKS, st.just("")), st.tuples(PIECES, ENDINGS)), min_size=1, max_size=16
).flatmap(
    lambda pairs: st.builds(
        lambda first, last: first + "".join(a + b for a, b in pairs) + last,
        _BLOCKS,
        st.one_of(st.just(""), _BLOCKS),
    )
)
