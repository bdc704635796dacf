from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.markdown.safe import inline_text, safe, safe_json, safe_line

any_text = st.text(st.characters(codec=None))


@given(any_text)
def test_nothing_that_a_terminal_acts_on_is_left(text: str) -> None:
    shown = safe(text)
    shown.encode()
    assert not [char for char in shown if unicodedata.category(char) == "Cc" and char not in "\t\n"]
    assert not set(shown) & set(
        "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029"
    )


def test_marks_and_spaces_that_nobody_sees_are_shown_and_joiners_stay() -> None:
    assert safe("a\u200bb\u200ec\u200fd\u2060") == "a<U+200B>b<U+200E>c<U+200F>d<U+2060>"
    assert safe("a\u200cb\u200dc") == "a\u200cb\u200dc"


@given(any_text)
def test_safe_text_is_safe_already(text: str) -> None:
    assert safe(safe(text)) == safe(text)


@given(any_text)
def test_one_line_stays_one_line(text: str) -> None:
    assert len(safe_line(text).splitlines()) <= 1


@given(st.recursive(any_text, lambda inner: st.lists(inner) | st.dictionaries(any_text, inner)))
def test_a_json_document_keeps_its_meaning_but_for_lone_surrogates(value: object) -> None:
    document = safe_json(json.dumps(value, ensure_ascii=False))
    assert safe(document) == document
    plain = json.dumps(value)
    if "\\ud" not in plain:
        assert json.loads(document) == value


def test_a_byte_that_is_no_utf8_is_spelled_in_a_document_that_strict_readers_take() -> None:
    value = {"path": 'lat\udcff"na\\me.md', "unread": ["\udc80.md"], "text": "half \ud83d"}
    document = safe_json(json.dumps(value, ensure_ascii=False)).encode()
    spelled = {"path": 'lat%FF"na\\me.md', "unread": ["%80.md"], "text": "half \ufffd"}
    assert json.loads(document) == spelled


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, grün, 海馬, 🦛", "plain, grün, 海馬, 🦛"),
        ("a\tb\r\nc\n", "a\tb\nc\n"),
        ("\x1b]0;title\x07", "␛]0;title␇"),
        ("over\rwritten", "over␍written"),
        ("\x9b31m\x7f", "<U+009B>31m␡"),
        ("abc\u202edcb", "abc<U+202E>dcb"),
        ("bad \udcff byte", "bad %FF byte"),
        ("half \ud83d", "half \ufffd"),
        ("tag\U000e0041", "tag<U+E0041>"),
        ("👩\u200d💻", "👩\u200d💻"),
    ],
)
def test_examples(text: str, shown: str) -> None:
    assert safe(text) == shown


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
