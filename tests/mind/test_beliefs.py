"""The laws of beliefs: derived from something, trusted no more than the least of it, superseded by equals only."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.index.parse import parse
from hippocampus_cli.mind.beliefs import (
    BELIEFS,
    TRUST,
    Belief,
    added,
    belief_of,
    decay,
    least_trusted,
    trust,
)
from hippocampus_cli.mind.derive import Address, Derived, Quotation, derive, problems
from hippocampus_cli.mind.episodes import EpisodeStore, Statement
from hippocampus_cli.mind.errors import WriteRefused
from hippocampus_cli.mind.gate import RULES, refusals
from hippocampus_cli.mind.held import contradicted_by, held_for, standing
from hippocampus_cli.mind.keep import Keeper

NOW = datetime(2026, 8, 5, 14, 30, tzinfo=UTC)
DAY = date(2026, 8, 5)
SAID = (
    "I prefer trains over planes.",
    "I don't like coffee.",
    "Ich mag Tee.",
    "我喜欢绿茶。",
    "Never deploy on a Friday.",
    "Remember that the key is in the blue tin.",
    "The deploy command is make ship.",
)


def source(
    number: int, text: str, origin: str = "user", days: int = 0, address: Address | None = None
) -> Quotation:
    day = DAY + timedelta(days=days)
    return Quotation(f"ep-{number:012}.1", Statement(origin, f"{day}", f"m{number}", text), address)


def port(number: int, *replaces: str) -> Address:
    return Address("staging database", "port", str(number), (), replaces)


def applied(beliefs: Sequence[Belief], done: Derived) -> list[Belief]:
    changed = {one.id: one for one in done.changed}
    return [changed.get(one.id, one) for one in beliefs] + list(done.added)


def keeper(root: Path, days: int = 0) -> Keeper:
    return Keeper(root, NOW + timedelta(days=days), 5)


SOURCES = st.lists(
    st.tuples(st.sampled_from(SAID), st.sampled_from(TRUST)), min_size=1, max_size=12
)


@given(SOURCES)
def test_nothing_is_superseded_by_what_is_trusted_less_or_without_a_word(
    said: list[tuple[str, str]],
) -> None:
    beliefs: list[Belief] = []
    for number, (text, origin) in enumerate(said):
        replaces = (beliefs[-1].id,) if beliefs and number % 2 else ()
        address = Address(replaces=replaces)
        done = derive(beliefs, [source(number, f"{text} {number}", origin, number, address)])
        before = {one.id: one for one in beliefs}
        beliefs = applied(beliefs, done)
        after = {one.id: one for one in beliefs}
        assert {*done.ids("superseded")} <= {*replaces}
        for id in done.ids("superseded"):
            assert trust(after[after[id].by].origin) >= trust(before[id].origin)


@given(SOURCES)
def test_a_belief_is_trusted_as_the_least_of_what_it_rests_on(said: list[tuple[str, str]]) -> None:
    origins = {f"ep-{number:012}.1": origin for number, (_, origin) in enumerate(said)}
    beliefs: list[Belief] = []
    for number, (text, origin) in enumerate(said):
        beliefs = applied(beliefs, derive(beliefs, [source(number, text, origin, number)]))
    for one in beliefs:
        assert one.origin == least_trusted(origins[ref] for ref in one.derived_from)
        assert one.derived_from


@given(st.lists(st.sampled_from(SAID), min_size=1, max_size=8), st.randoms(use_true_random=False))
def test_what_is_held_does_not_depend_on_the_order_of_reading(said: list[str], by: Random) -> None:
    sources = [source(n, text, days=n) for n, text in enumerate(said)]
    wanted = {one.statement for one in derive([], sources).added if one.status == "held"}
    by.shuffle(sources)
    beliefs: list[Belief] = []
    for one in sources:
        beliefs = applied(beliefs, derive(beliefs, [one]))
    assert {one.statement for one in beliefs if one.status == "held"} == wanted


@pytest.mark.parametrize("origin", ["assistant", "tool", "import", "unknown", "file"])
def test_only_the_user_makes_beliefs_of_what_is_said_by_the_way(origin: str) -> None:
    said = "Let us go. I prefer trains."
    assert derive([], [source(1, said, origin)]) == Derived()
    [made] = derive([], [source(1, said)]).added
    assert made.statement == "I prefer trains."
    assert derive([made], [source(1, said)]) == Derived()  # heard again, it adds nothing


@pytest.mark.parametrize(
    "text",
    [
        "The deploy command is make ship.",
        "Do you prefer trains?",
        "“I prefer trains” is what she said.",
        'Remember the line "always deploy on a Friday".',
        "She said I prefer trains.",
    ],
)
def test_nothing_else_becomes_a_belief_by_itself(text: str) -> None:
    assert derive([], [source(1, text)]) == Derived()


def test_an_address_supersedes_only_what_is_named_and_trusted_no_more() -> None:
    [first] = derive([], [source(1, "The port is 5432.", address=port(5432))]).added
    beliefs = [first]
    second = derive(beliefs, [source(2, "The port is 5433.", address=port(5433))])
    assert second.ids("superseded") == ()
    beliefs = applied(beliefs, second)
    [clash] = standing(beliefs)
    assert (clash.belief.id, clash.text) == (first.id, "The port is 5433.")
    assert held_for(beliefs, "staging port", NOW)[0].disputed_by
    page = source(3, "The port is 1.", "tool", address=port(1, first.id))
    assert derive(beliefs, [page]).ids("superseded") == ()
    third = derive(
        beliefs, [source(4, "It is 5434.", address=port(5434, *(b.id for b in beliefs)))]
    )
    assert {*third.ids("superseded")} == {first.id, second.added[0].id}
    assert standing(applied(beliefs, third)) == []


def test_a_text_is_checked_against_the_address_that_it_names() -> None:
    [held] = derive([], [source(1, "It is 5432.", address=port(5432))]).added
    [found] = contradicted_by("the port of the staging database is 5433", [held])
    assert found.belief == held
    assert contradicted_by("the port of the staging database is 5432", [held]) == []
    assert contradicted_by("the port is 5433", [held]) == []


@given(st.lists(st.sampled_from(SAID), min_size=1, max_size=6, unique=True))
def test_beliefs_are_read_back_from_the_lossless_format(said: list[str]) -> None:
    beliefs = list(derive([], [source(n, text) for n, text in enumerate(said)]).added)
    document = added(parse("# Beliefs\n"), beliefs, {})
    assert [belief_of(one) for one in document.entries] == beliefs
    assert parse(document.text) == document


def test_beliefs_resolve_and_the_gate_holds(tmp_path: Path) -> None:
    mind = keeper(tmp_path)
    mind.believe("I prefer trains over planes.")
    mind.believe("My favourite colour is blue.")
    assert not [*problems(tmp_path, mind.beliefs)]
    with pytest.raises(WriteRefused):
        mind.believe("My password is Tr0ub4dor&3x!")
    with pytest.raises(WriteRefused):
        mind.believe("I want to kill myself.")
    assert len(mind.beliefs.all()) == 2
    assert [one.category for one in refusals(tmp_path)] == ["credentials", "crisis"]


def test_a_missing_text_is_named_and_does_not_stop_the_audit(tmp_path: Path) -> None:
    mind = keeper(tmp_path)
    mind.believe("I prefer trains over planes.")
    mind.note("I like tea.", "settled")  # no belief rests on it
    first, second = mind.episodes.all()
    for one in (first, second):
        (tmp_path / one.text_path).unlink()
    [belief] = mind.beliefs.all()
    assert {one.path for one in problems(tmp_path, mind.beliefs)} == {
        *(first.text_path, second.text_path),
        BELIEFS,
    }
    odd = (f"{first.id}.x",)
    mind.beliefs.revise([belief.id], lambda belief: belief.replaced(derived_from=odd))
    assert f"{first.id}.x" in [*problems(tmp_path, mind.beliefs)][-1].what


def test_the_user_settles(tmp_path: Path) -> None:
    mind = keeper(tmp_path)
    mind.believe("The deploy command is make deploy.", Address("deploy", "command"))
    mind.believe("The deploy command is make ship.", Address("Deploy", "Command"))
    first, second = mind.beliefs.held()
    settled = keeper(tmp_path, 4).settle(second.id)
    assert settled.superseded == (first.id,)
    assert settled.belief.origin == "user"
    assert [one.statement for one in mind.beliefs.held()] == [second.statement]
    assert not [*problems(tmp_path, mind.beliefs)]
    keeper(tmp_path, 5).retract(second.id)
    assert mind.beliefs.held() == []
    assert not [*EpisodeStore(tmp_path).verify()]


@pytest.mark.parametrize("words", ["Project Xanadu", "Xanadu"])
def test_what_a_newer_rule_refuses_can_be_taken_back(tmp_path: Path, words: str) -> None:
    keeper(tmp_path).believe("I work on Project Xanadu.")
    rules = f"project-x: [{words}]\n"
    (tmp_path / RULES).write_text(rules)
    mind = keeper(tmp_path, 1)
    [belief] = mind.beliefs.all()
    with pytest.raises(WriteRefused):
        mind.settle(belief.id)
    mind.retract(belief.id)
    assert mind.beliefs.held() == []
    told, taken_back = mind.episodes.all()
    assert f"{told.id}.1" in mind.episodes.text(taken_back)
    assert "Xanadu" not in mind.episodes.text(taken_back)


def test_a_file_that_a_person_edits_keeps_every_other_byte(tmp_path: Path) -> None:
    mind = keeper(tmp_path)
    mind.believe("I prefer trains over planes.")
    path = tmp_path / BELIEFS
    path.write_text(path.read_text() + "\nA line of my own.\n")
    mind = keeper(tmp_path, 1)
    mind.believe("I like tea.")
    assert "A line of my own.\n" in path.read_text()
    assert len(mind.beliefs.all()) == 2


# --- decay -------------------------------------------------------------------------------------------------------

UNIT = st.floats(0, 1)
HOURS = st.floats(0, 1e6)
RATE = st.floats(0.25, 4)


@given(UNIT, HOURS, HOURS, UNIT, RATE)
def test_weight_falls_with_time_and_stays_within_its_bounds(
    weight: float, one: float, more: float, matters: float, rate: float
) -> None:
    first, later = decay(weight, one, matters, rate), decay(weight, one + more, matters, rate)
    assert 0 <= later <= first <= weight


@given(UNIT, HOURS, UNIT, UNIT, RATE)
def test_significance_slows_decay_whatever_the_rate(
    weight: float, hours: float, one: float, other: float, rate: float
) -> None:
    low, high = sorted((one, other))
    assert decay(weight, hours, low, rate) <= decay(weight, hours, high, rate) + 1e-12


def test_decay_never_depends_on_how_often_it_was_computed(tmp_path: Path) -> None:
    mind = keeper(tmp_path)
    mind.believe("I like tea.")
    before = (tmp_path / BELIEFS).read_bytes()
    for days in (1, 30, 300):
        keeper(tmp_path, days).archive(4.0)
    assert (tmp_path / BELIEFS).read_bytes() == before


def test_what_faded_is_put_away_and_comes_back(tmp_path: Path) -> None:
    mind = keeper(tmp_path)
    mind.believe("I like tea.")
    mind.beliefs.revise(["i-like-tea"], lambda belief: belief.replaced(weight=0.1))
    late = keeper(tmp_path, 365 * 80)
    assert [belief.id for belief in late.archive(4.0)] == ["i-like-tea"]
    assert mind.beliefs.held() == []
    assert late.settle("i-like-tea").belief.status == "held"
    keeper(tmp_path, 365 * 7000).archive(4.0)
    assert mind.beliefs.held() == []
    keeper(tmp_path, 1).believe("I like tea.")  # said again, it is held again
    assert [belief.id for belief in mind.beliefs.held()] == ["i-like-tea"]
