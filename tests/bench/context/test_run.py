"""Floors under what ``make bench-context`` reaches on short sessions: quality only, never time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.__main__ import main
from bench.agent_tokens import tokens
from bench.context import run
from bench.context.carriers import Lifecycle, Reference, Shown, Truncated, cut, text_of
from bench.context.run import METHODS, Group, Replayed, all_compressed, compressed, measured
from bench.context.sessions import SYSTEM, TURN, Session, made_up
from bench.context.talk import TOOLS
from bench.context.values import FACT_KINDS, says
from hippocampus_cli.context.transcripts.pi import message_of
from tests.support.sessions import call, result, user
from tests.support.sessions import says as told

LIMIT = 18_000  # holds what 16,000 tokens of four characters do


@pytest.fixture(scope="module")
def sessions() -> list[Session]:
    return [made_up(50, seed=seed) for seed in range(1)]


@pytest.fixture(scope="module")
def group(sessions: list[Session]) -> Group:
    return measured("50 turns", sessions, [LIMIT])


def done(group: Group, method: str) -> Replayed:
    return next(row.done for row in group.rows if row.method == method)


def test_a_made_up_session_is_always_the_same_and_has_the_mix_of_the_specification() -> None:
    session = made_up(60)
    assert session == made_up(60)
    sizes = dict.fromkeys(("user", "assistant", "tool"), 0)
    for turn in session.turns:
        for message in turn.messages:
            sizes[message.role] += tokens(text_of(message))  # as the specification counts
    whole = sum(sizes.values())
    assert whole == pytest.approx(60 * TURN, rel=0.2)
    assert sizes["tool"] / whole == pytest.approx(0.76, abs=0.05)
    assert sizes["user"] / whole == pytest.approx(0.08, abs=0.02)


def test_a_fact_was_told_before_it_is_needed_and_is_named_when_it_is(
    sessions: list[Session],
) -> None:
    for session in sessions:
        texts = ["\n".join(map(text_of, turn.messages)) for turn in session.turns]
        for at, turn in enumerate(session.turns):
            for fact, gap in turn.uses:
                assert gap >= 1 and says(texts[at - gap], fact.text)
                assert says(texts[at], fact.text)
        assert {use.fact.kind for turn in session.turns for use in turn.uses} == set(FACT_KINDS)


def test_hippo_is_small_and_what_is_needed_later_is_within_reach(group: Group) -> None:
    hippo = done(group, "hippo")
    assert hippo.average * 7 <= done(group, "no lifecycle").average
    assert (hippo.share_reached or 0) >= 0.92


def test_at_the_same_budget_hippo_keeps_more_to_the_letter(group: Group) -> None:
    hippo = done(group, "hippo").share_verbatim or 0
    others = [done(group, name).share_verbatim or 0 for name in METHODS if name != "hippo"]
    assert len(others) == 3
    assert hippo >= max(others) + 0.1


@pytest.mark.parametrize("make", METHODS.values(), ids=METHODS)
def test_the_limit_holds_after_a_turn_but_for_its_newest_talk(
    make: type[Truncated], sessions: list[Session]
) -> None:
    carrier = make(LIMIT - SYSTEM)
    for turn in sessions[0].turns[:25]:
        carrier.hear(turn.messages)
        carrier.settle()
        if not isinstance(carrier, Reference):  # its summaries grow
            assert carrier.tokens <= LIMIT - SYSTEM
    assert carrier.compactions


def test_what_is_fetched_is_paid_for_and_keeps_its_entry_alive() -> None:
    carrier = Lifecycle(LIMIT)
    rows = "\n".join(f"row {number} of the export is fine" for number in range(900))
    answer = result("c1", f"{rows}\nthe port is 48317\n{rows}")
    carrier.hear([message_of(answer, "00000001")])
    assert carrier.reach("48317").verbatim  # the turn that asked for it reads it whole
    for _ in range(3):
        carrier.settle()
    reach = carrier.reach("48317")
    assert not reach.verbatim and reach.fetched > 10_000
    assert carrier.reach("48318").lost
    (entry,) = carrier._session.entries.values()
    assert entry.decay.last_access == 3


def test_talk_is_never_cut_between_a_call_and_its_result() -> None:
    raws = [user("one"), told("", call("c1", command="ls")), result("c1", "out"), told("two")]
    talk = [Shown.whole(message_of(raw, str(at))) for at, raw in enumerate(raws)]
    assert [cut(talk, keep) for keep in (0, 1, 3, 4, 9)] == [4, 3, 3, 1, 0]


def test_every_kind_of_result_is_much_smaller_as_an_entry() -> None:
    ratios = {one.kind: one.ratio for one in all_compressed()}
    assert len(ratios) == 9
    assert min(ratios.values()) >= 30
    assert ratios["page"] >= 116 and ratios["schema"] >= 356  # the specification's own figures


def test_the_figures_as_json(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(run, "speeds", lambda: {"turn_ms": 1.0, "compaction_s": 1.0})
    monkeypatch.setattr(run, "all_compressed", lambda: [compressed(TOOLS[0])])
    missing = ["--transcripts", str(tmp_path / "none")]
    assert (
        main(["context", "--turns", "4", "--limits", "16000", "--size", "900", "--json", *missing])
        == 0
    )
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert "recorded sessions are skipped" in err
    assert [row["method"] for row in found["sessions"][0]["rows"]] == ["no lifecycle", *METHODS]
    assert found["recorded"] == []
    assert main(["context", "--turns", "4", "--limits", "16000", "--size", "900"]) == 0
    assert "no recorded sessions" in capsys.readouterr().out
