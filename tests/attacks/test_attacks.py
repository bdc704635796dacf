"""Every attack goes wrong 0 times."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attacks import ROOT, Subject, registered
from tests.support.tries import tries

ATTACKS = registered()


def subject(folder: Path) -> tuple[Subject, Path]:
    home, place = folder / "home", folder / "place"
    home.mkdir()
    place.mkdir()
    return Subject(ROOT, home), place


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_does_no_harm(name: str, tmp_path: Path) -> None:
    one = ATTACKS[name]
    outcome = one.attack(*subject(tmp_path), tries(one.short, one.long))
    assert outcome.tries
    assert outcome.wrong == 0, outcome.note
