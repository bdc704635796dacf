"""How many secrets are found, and how often something is taken for one: floors on the labelled sample."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

import pytest

from hippocampus_cli.redaction.detector import find_secrets
from tests.redaction.notes_batch import notes_with_secrets, notes_without
from tests.support.secrets import ALNUM, Labelled, chars, half, negatives, positives

RECALL, FALSE_ALARMS = 0.97, 0.02


def covered(one: Labelled) -> bool:
    """Whether every secret of a text is found whole."""
    spans = find_secrets(one.text)
    places = [(one.text.find(secret), len(secret)) for secret in one.secrets]
    return all(
        any(span.start <= at and at + size <= span.end for span in spans) for at, size in places
    )


def share(samples: Sequence[Labelled], found: Sequence[bool]) -> float:
    return sum(found) / len(samples)


@pytest.mark.parametrize("unseen", [False, True])
def test_secrets_are_found(unseen: bool) -> None:
    samples = half(list(positives()), unseen)
    assert len(samples) > 700
    recall = share(samples, [covered(one) for one in samples])
    missed = sorted({one.kind for one in samples if not covered(one)})
    assert recall >= RECALL, (recall, missed)


@pytest.mark.parametrize("unseen", [False, True])
def test_what_is_none_is_left_alone(unseen: bool) -> None:
    samples = half(list(negatives()), unseen)
    assert len(samples) > 150
    wrong = [one for one in samples if find_secrets(one.text)]
    assert len(wrong) / len(samples) <= FALSE_ALARMS, [one.text[:80] for one in wrong]


def test_notes_are_read_as_people_write_them() -> None:
    held, free = list(notes_with_secrets()), list(notes_without())
    assert len(held) > 300 and len(free) > 250
    missed = [one for one in held if not hidden(one)]
    assert len(missed) / len(held) <= 0.03, [one.kind for one in missed]
    wrong = [one.kind for one in free if find_secrets(one.text)]
    assert len(wrong) / len(free) <= FALSE_ALARMS, wrong


def hidden(one: Labelled) -> bool:
    """Whether no letter and no digit of a secret is outside of what was found."""
    found = {at for span in find_secrets(one.text) for at in range(span.start, span.end)}
    start = 0
    for secret in one.secrets:
        start = one.text.index(secret, start)
        if any(
            one.text[at].isalnum() and at not in found for at in range(start, start + len(secret))
        ):
            return False
        start += len(secret)
    return True


@pytest.mark.parametrize(
    "text",
    [
        "xoxb-{}-123456789012-kT4mQz81LpWx0VbNc7RsYdHf",
        "sk-ant-{}abcdefgh-kT4mQz81LpWx0VbNc7RsYdHfkT4mQz81LpWx",
        "sk_live_{}12345678kT4mQz81LpWx0VbN",
        "Schluessel: {}kT4mQz81LpWx0VbNc7RsYdHf",
        "Schlüssel: {}kT4mQz81LpWx0VbNc7RsYdHf",
    ],
)
def test_counting_excuses_no_key(text: str) -> None:
    assert find_secrets(text.format(""))


@pytest.mark.parametrize(
    "text",
    [
        "AKIA{}IOSFODNN7EXAMPLE",
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY{}EXAMPLEKEY",
        "ghp_{}1234567890abcdefghijklmnopqrstuvwxyz",
        "sk-ant-your-{}api-key-goes-here",
    ],
)
def test_what_documentation_shows_is_no_key(text: str) -> None:
    assert not find_secrets(text.format(""))


def test_a_value_that_was_found_is_found_wherever_it_stands() -> None:
    text = "password: Tulip77!x\n\nThen type `Tulip77!x` and press return.\n"
    found = sorted((span.start, span.end) for span in find_secrets(text))
    assert [text[start:end] for start, end in dict.fromkeys(found)] == ["Tulip77!x"] * 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        "İİİ password: Tulip77!x",  # longer in lower case
        "password:" * 500,
        "token " * 5_000,
        "=" * 50_000,
        "a" * 50_000,
        "password: \udcff\udcfe",
        "-----BEGIN PRIVATE KEY-----\n" * 200,
        "://" * 2_000 + "@",
        "|password" * 800,
        "key is " + "x " * 5_000,
        "eyJ" * 3_000,
    ],
)
def test_hostile_text_takes_no_time(text: str) -> None:
    begun = time.process_time()
    for span in find_secrets(text):
        assert 0 <= span.start < span.end <= len(text)
    assert time.process_time() - begun < 2.0


def test_a_megabyte_of_prose_is_read_in_no_time() -> None:
    rng = random.Random(1)
    words = ["harbor", "falcon", "the", "meadow", "silver", "opens", "at", "nine", "and", "sails"]
    lines = (" ".join(rng.choices(words, k=14)) for _ in range(12_000))
    text = "\n".join(lines) + "\n" + chars(rng, ALNUM, 10)
    begun = time.process_time()
    find_secrets(text)
    assert time.process_time() - begun < 0.5
