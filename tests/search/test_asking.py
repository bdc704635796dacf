"""Whether a prompt asks for something, by its own text."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.fit.asking import document, fitted, rows
from bench.prompts import PROMPTS, read_prompts
from hippocampus_cli.integrations.recall import asked_by
from hippocampus_cli.search import asking
from hippocampus_cli.search.asking import FILE, asks


@pytest.mark.parametrize(
    ("order", "question"),
    [
        ("run the tests", "which port did we give staging?"),
        ("ok, mach weiter", "wo liegt der Schlüssel vom Lager"),
        ("теперь исправь тесты", "какой пароль от роутера на даче"),
        ("跑一下测试", "我们上次定的供应商是哪家"),
        ("corre los tests", "cuál era el número de la factura del tejado"),
    ],
)
def test_an_order_asks_less_than_a_question(order: str, question: str) -> None:
    assert asks(order) < 0 < asks(question)
    assert not asked_by(order) and asked_by(question)


def test_half_of_what_asks_nothing_is_not_searched_for() -> None:
    silent = [prompt for prompt in read_prompts(PROMPTS) if prompt.held]
    assert sum(not asked_by(prompt.text) for prompt in silent) >= 0.4 * len(silent)


def test_the_weights_are_those_of_the_fit() -> None:
    assert document(fitted(list(rows())), "").partition("\n")[2] == _body(FILE)


@pytest.mark.parametrize("damage", ["", "x y\nzz", "1 a\n00", "{sum} a\n{short}"])
def test_without_weights_nothing_is_known_of_a_prompt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    file = tmp_path / "asking.txt"
    file.write_text(damage.format(sum=FILE.read_text().split()[0], short=_body(FILE)[:-2]))
    monkeypatch.setattr(asking, "FILE", file)
    asking._weights.cache_clear()
    try:
        assert asks("run the tests") == 0.0
    finally:
        asking._weights.cache_clear()


@pytest.mark.parametrize("text", ["", " ", "\ud800", "\x00", "?", "a" * 100_000])
def test_any_text_is_weighed(text: str) -> None:
    assert isinstance(asks(text), float)


def _body(file: Path) -> str:
    return file.read_text(encoding="ascii").partition("\n")[2]
