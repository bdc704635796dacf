from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.anchors.extract import keys_in, keys_of


@pytest.mark.parametrize(
    ("anchor", "message"),
    [
        ("deploy", "who deploys it?"),
        ("label printer", "the Label-Printer blinks"),
        ("label printer", "two labelprinters? no: label printers"),
        ("follow-up call", "the followup call"),
        ("follow up", "a follow-up"),
        ("node.js", "Node JS"),
        ("kelpctl release", "does KELPCTL releases work"),
        ("部署流程", "请问部署流程是什么"),
        ("配置", "怎么配置"),
        ("büro-umzug", "BÜRO UMZUG"),
        ("café", "the cafe"),
        ("2026-04-14", "on 2026-04-14"),
        ("rule of three", "the rule of three"),
    ],
)
def test_a_message_meets_an_anchor(anchor: str, message: str) -> None:
    assert set(keys_of(anchor)) & set(keys_in(message))


@pytest.mark.parametrize(
    ("anchor", "message"),
    [
        ("label printer", "the printer has a label"),
        ("deploy", "deplorable"),
        ("one two three", "one and two and three"),
    ],
)
def test_a_message_does_not(anchor: str, message: str) -> None:
    assert not set(keys_of(anchor)) & set(keys_in(message))


@pytest.mark.parametrize("text", ["", "the", "of the", "?!", "a b c d e f g h"])
def test_what_says_nothing_is_no_anchor(text: str) -> None:
    assert keys_of(text) == ()


def test_a_hundred_kilobytes_are_read_to_some_point() -> None:
    assert len(keys_in("deploy the printer " * 6_000)) < 100
    many = " ".join(f"w{number}x" for number in range(10_000))
    assert len(keys_in(many)) < 20_000


@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_an_anchor_is_met_wherever_it_stands(before: str, anchor: str, after: str) -> None:
    keys = keys_of(anchor)
    met = set(keys_in(f"{before} \u2022 {anchor} \u2022 {after}"))
    assert not keys or met & set(keys)
