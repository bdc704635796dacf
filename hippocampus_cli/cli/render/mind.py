"""The output of ``hippo mind``, ``hippo beliefs`` and ``hippo why``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hippocampus_cli.cli.render.layout import count
from hippocampus_cli.cli.render.output import Output, Styled
from hippocampus_cli.markdown.safe import safe_line
from hippocampus_cli.mind.gate import meaning_of

if TYPE_CHECKING:
    from hippocampus_cli.api import (
        Audit,
        Belief,
        Contradiction,
        Episode,
        Evidence,
        HeldBelief,
        MindKept,
        MindProblem,
        Refusal,
        Review,
        Settled,
    )
    from hippocampus_cli.mind.answers import Quote
    from hippocampus_cli.mind.episodes import Statement


def print_kept(output: Output, done: MindKept) -> None:
    """What was encoded, and what became of the beliefs."""
    if output.as_json:
        ids = [one.id for one in done.episodes]
        output.json({**done._asdict(), "episodes": ids})
        return
    for one in done.episodes:
        output.line("encoded ", Styled(one.id, "cyan"), f"  {safe_line(one.session)}  {one.range}")
    if not (done.episodes or done.confirmed):
        output.line("nothing new to encode")
    for id in done.added:
        if id not in (*done.disputed, *done.superseded):
            output.line("  believed ", Styled(safe_line(id), "cyan"))
    for id in done.confirmed:
        output.line("  confirmed ", Styled(safe_line(id), "cyan"))
    for id in done.superseded:
        output.line("  superseded ", Styled(safe_line(id), "cyan"))
    for id in done.disputed:
        output.line(Styled(f"  disputes what is held: {safe_line(id)}", "yellow"))
    for category, times in Counter(done.refused).items():
        output.line(Styled(f"  refused {count(times, 'statement')}: {category}", "yellow"))


def print_episodes(output: Output, episodes: Sequence[Episode]) -> None:
    """A line an episode."""
    if output.as_json:
        output.json({"episodes": [one._asdict() for one in episodes]})
        return
    for one in reversed(episodes):
        when = one.at[:16].replace("T", " ")
        place = Styled(f"{one.file}:{one.line}", "dim")
        output.line(f"{when}  ", Styled(one.id, "cyan"), f"  {safe_line(one.session)}  ", place)
    if not episodes:
        output.line("no episode yet: `hippo mind encode` makes them")


def print_statements(output: Output, said: Sequence[Statement]) -> None:
    """What an episode says."""
    if output.as_json:
        output.json({"statements": [one._asdict() for one in said]})
        return
    for number, one in enumerate(said, 1):
        output.line(f"{number:>3}  ", Styled(f"{one.origin:<9}", "dim"), f"  {safe_line(one.text)}")
    if not said:
        output.line("its text was redacted")


def print_problems(output: Output, found: Sequence[MindProblem], total: int) -> None:
    """Each as file:line."""
    if output.as_json:
        output.json({"episodes": total, "problems": [one._asdict() for one in found]})
        return
    for one in found:
        output.line(Styled(f"{safe_line(one.path)}:{one.line}", "cyan"), f": {safe_line(one.what)}")
    if not found:
        output.line(f"{count(total, 'episode')} as written, every belief leads to its sources")


def print_redacted(output: Output, done: Episode) -> None:
    """That it is empty now."""
    if output.as_json:
        output.json({"redacted": done.id, "path": done.text_path})
    else:
        output.line(f"{done.text_path} is empty; the record and the chain stay")


def print_contradictions(output: Output, found: Sequence[Contradiction]) -> None:
    """Two quotes each."""
    if output.as_json:
        output.json({"contradictions": [_pair(one) for one in found]})
        return
    for one in found:
        words = ", in other words" if one.how == "in other words" else ""
        head = "it was said to change" if one.says_change else f"contradiction{words}"
        output.line(Styled(head, "yellow"))
        for quote in (one.now, one.earlier):
            output.line(
                f"  {_when(quote)}  “{safe_line(quote.text)}”", Styled(_whose(quote), "dim")
            )
    if not found:
        output.line("nothing contradicts what is held")


def _pair(one: Contradiction) -> dict[str, object]:
    return {**one._asdict(), "now": one.now._asdict(), "earlier": one.earlier._asdict()}


def _when(quote: Quote) -> str:
    return quote.day.isoformat() if quote.day else "now"


def _whose(quote: Quote) -> str:
    return f"  {quote.origin}, {quote.id}" if quote.id else ""


def print_settled(output: Output, done: Settled) -> None:
    """What stands, and what does not."""
    if output.as_json:
        output.json({"belief": document_of_belief(done.belief), **_rest(done)})
        return
    output.line("held: ", safe_line(done.belief.statement), Styled(f"  {done.episode}", "dim"))
    for id in done.superseded:
        output.line(f"  not held any more: {safe_line(id)}")


def _rest(done: Settled) -> dict[str, object]:
    return {"episode": done.episode, "superseded": done.superseded}


def print_belief(output: Output, belief: Belief, done: str) -> None:
    """One belief, and what was done with it."""
    if output.as_json:
        output.json({"belief": document_of_belief(belief), "done": done})
    else:
        output.line(f"{done}: {safe_line(belief.statement)}")


def print_reviews(output: Output, found: Sequence[Review], model: str, dry_run: bool) -> None:
    """What was restated, as a diff, and what stays."""
    if output.as_json:
        rows = [one._asdict() for one in found]
        output.json({"reviews": rows, "model": model, "dry_run": dry_run})
        return
    for one in found:
        why = f": {one.why}" if one.why else ""
        output.line(f"{one.outcome}  ", Styled(safe_line(one.id), "cyan"), Styled(why, "dim"))
        if one.outcome == "restated":
            output.line(Styled(f"- {safe_line(one.before)}", "red"))
            output.line(Styled(f"+ {safe_line(one.after)}", "green"))
    if not found:
        output.line("no belief waits for a review")


def print_archived(output: Output, beliefs: Sequence[Belief], dry_run: bool) -> None:
    """What left the active store."""
    if output.as_json:
        ids = [document_of_belief(one) for one in beliefs]
        output.json({"archived": ids, "dry_run": dry_run})
        return
    for one in beliefs:
        output.line(f"{'would archive' if dry_run else 'archived'}: {safe_line(one.statement)}")
    if not beliefs:
        output.line("no belief has faded")


def print_audit(output: Output, found: Audit) -> None:
    """The counts."""
    if output.as_json:
        output.json(found._asdict())
        return
    output.line(f"{count(found.episodes, 'episode')}; beliefs: {_counts(found.beliefs)}")
    output.line(f"held on the word of: {_counts(found.origins)}")
    output.line(
        f"on a single statement: {found.single_source}; on answers of an assistant or another memory:"
        f" {found.on_own_answers} ({found.drift:.0%})"
    )
    output.line(
        f"fading: {found.fading}; archived: {found.archived}; waiting for review: {found.due}"
    )
    output.line(f"sources that do not exist: {found.unresolved}; refused: {_counts(found.refused)}")


def _counts(found: dict[str, int]) -> str:
    return ", ".join(f"{number:,} {name}" for name, number in sorted(found.items())) or "none"


def print_refusals(output: Output, found: Sequence[Refusal]) -> None:
    """What was refused, without content."""
    if output.as_json:
        output.json(
            {"refused": [{**one._asdict(), "meaning": meaning_of(one.category)} for one in found]}
        )
        return
    for one in found:
        output.line(
            f"{one.at[:16].replace('T', ' ')}  {one.category:<12}",
            Styled(safe_line(one.source), "cyan"),
        )
    for category in dict.fromkeys(one.category for one in found):
        output.line(Styled(f"  {category}: {meaning_of(category)}", "dim"))
    if not found:
        output.line("nothing was refused")


def print_beliefs(output: Output, found: Sequence[HeldBelief]) -> None:
    """A line a belief, and one for each that it came instead of."""
    if output.as_json:
        output.json({"beliefs": [_held(one) for one in found]})
        return
    for one in found:
        belief = one.belief
        status = "" if belief.status == "held" else f"  {belief.status}"
        output.line(
            Styled(f"{one.weight:.2f}  ", "dim"),
            safe_line(belief.statement),
            Styled(status, "yellow"),
        )
        output.line(
            Styled(f"      since {belief.since}, {belief.origin}, {safe_line(belief.id)}", "dim")
        )
        for old in one.before:
            output.line(
                Styled(
                    f"      before ({old.since} to {old.until}): {safe_line(old.statement)}", "dim"
                )
            )
        for other in one.disputed_by:
            output.line(
                Styled(f"      disputed ({other.origin}): {safe_line(other.statement)}", "yellow")
            )
    if not found:
        output.line("nothing is held about that")


def _held(one: HeldBelief) -> dict[str, object]:
    return {
        **document_of_belief(one.belief),
        "weight_now": one.weight,
        "before": [document_of_belief(old) for old in one.before],
        "disputed_by": [document_of_belief(other) for other in one.disputed_by],
    }


def document_of_belief(belief: Belief) -> dict[str, object]:
    """A belief's fields, without what only tells a hand edit."""
    fields = {name: getattr(belief, name) for name in belief._fields if name != "sha"}
    return {**fields, "derived_from": list(belief.derived_from)}


def print_why(output: Output, belief: Belief, evidence: Sequence[Evidence]) -> None:
    """A belief and what it rests on."""
    if output.as_json:
        sources = [one._asdict() for one in evidence]
        output.json({"belief": document_of_belief(belief), "evidence": sources})
        return
    output.line(Styled(safe_line(belief.statement), "bold"))
    until = f" until {belief.until}" if belief.until else ""
    output.line(f"  {belief.status} since {belief.since}{until}, on the word of: {belief.origin}")
    if belief.by:
        output.line(
            f"  {'against' if belief.status == 'disputed' else 'superseded by'}: {safe_line(belief.by)}"
        )
    for one in evidence:
        text = "(redacted)" if one.text is None else f"“{safe_line(one.text)}”"
        when = one.moment[:16].replace("T", " ")
        output.line(f"  {when}  {one.origin}: {text}")
        output.line(Styled(f"    {one.reference}  {safe_line(one.place)}", "dim"))
