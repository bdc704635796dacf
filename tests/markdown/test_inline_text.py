from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.markdown.safe import inline_text


@pytest.mark.parametrize(
    "name",
    [
        *(
            "__init__.py",
            "call __init__.",
            "__main__",
            "__all__ = [x]",
            "snake_case",
            "_private it",
        ),
        *("fetch_tides()", "rules/INIT_RULES.md", "_config_.yml", "src/_build_/x", "self.__dict__"),
        *("https://a.b/x_y_z", "$HOME_DIR/_build", "2*3*4", "2 ** 3", "foo*bar*baz", "5 * 6 * 7"),
        *(
            "*.py and *.md",
            "a _ b",
            "x_",
            "List<T> of <NAME>",
            "x < y > z",
            "a__b__c",
            "**",
            "~~280~~ 400",
        ),
    ],
)
def test_names_and_formulas_are_kept(name: str) -> None:
    assert inline_text(name) == name


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("**bold** and _emphasis_, *this* too.", "bold and emphasis, this too."),
        ("***both*** **_x y_** *_foo_*", "both x y foo"),
        ("__two words__ but __init__", "two words but __init__"),
        ('(_x_), "_y_".', '(x), "y".'),
        ("*a **b** c*", "a b c"),
        ("これは**重要**です", "これは重要です"),
        ("API**重要**です", "API重要です"),
        ("**use `x_y` now**", "use x_y now"),
        ("`a_b*c*` ``x`y`` ` d_e ", "a_b*c* x`y ` d_e "),
        ("`` `x` ``", "`x`"),
        (r"\*x\* \_a\_ `\*`", r"*x* _a_ \*"),
        ("[a_b](x_y.md) ![c_d](e.png) [![f_g](h)](i_j)", "a_b c_d f_g"),
        ("[the _plan_](http://x/y_(z))", "the plan"),
        ("[[people/eirik_b|Eirik_B]] [[nord_fjord]]", "Eirik_B nord_fjord"),
        ("<https://x.y/_a_> <me_too@x.yz>", "https://x.y/_a_ me_too@x.yz"),
        ("<b>a_b</b><br/> x<!-- not shown --> &amp; &lt;b>", "a_b x & <b>"),
        ("\ue000 `a` \ue000", "\ue000 a \ue000"),
    ],
)
def test_markdown_reads_as_text(markdown: str, text: str) -> None:
    assert inline_text(markdown) == text


@given(
    st.text(alphabet="ab_", min_size=1, max_size=20), st.sampled_from(["", ".", " x", ".py", "()"])
)
def test_underscores_inside_a_word_are_kept(word: str, behind: str) -> None:
    assert inline_text(f"x{word}y{behind}") == f"x{word}y{behind}"


@given(st.text(alphabet="*_`[]()<>!\\ a.", max_size=80))
def test_any_signs_give_a_text_with_the_same_letters(text: str) -> None:
    assert inline_text(text).count("a") <= text.count("a")
