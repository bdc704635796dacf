"""Messages from other threads and from signal handlers."""

from __future__ import annotations

import threading

import pytest

from hippocampus_cli.watch import watch
from hippocampus_cli.watch.watch import Mailbox, Stop


def test_what_was_left_is_taken_in_order() -> None:
    box = Mailbox()
    box.put(Stop("one"))
    box.put(Stop("two"))
    assert [box.take(None), box.take(0.0)] == [Stop("one"), Stop("two")]


def test_nothing_comes_within_no_time_or_a_short_one() -> None:
    assert Mailbox().take(0.0) is None
    assert Mailbox().take(-1.0) is None
    assert Mailbox().take(0.01) is None


def test_waiting_for_ever_goes_on_over_many_pulses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "_PULSE", 0.001)
    box = Mailbox()
    threading.Timer(0.05, box.put, [Stop("late")]).start()
    assert box.take(None) == Stop("late")
