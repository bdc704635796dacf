"""The table of attacks: ``python -m tests.attacks [--against CHECKOUT] [--tries N] [NAME ...]``."""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from pathlib import Path

from tests.attacks import ROOT, Outcome, Registered, Subject, registered


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.attacks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="attacks; all by default")
    parser.add_argument(
        "--tries", type=int, help="of each attack; what make test-long does by default"
    )
    parser.add_argument("--against", type=Path, help="an older checkout, shown beside this one")
    given = parser.parse_args()
    checkouts = [path for path in (given.against, ROOT) if path]
    titles = ["before", "after"] if given.against else ["wrong"]
    print("| attack | tries | " + " | ".join(titles) + " | seconds |")
    print("|---|---|" + "---|" * (len(titles) + 1))
    for name, one in registered().items():
        if not given.names or name in given.names:
            row(name, one, given.tries or one.long, checkouts)


def row(name: str, one: Registered, tries: int, checkouts: list[Path]) -> None:
    begun = time.monotonic()
    outcomes = [tried(one, tries, checkout) for checkout in checkouts]
    shown = " | ".join(f"{each.wrong}{f' ({each.note})' if each.note else ''}" for each in outcomes)
    print(
        f"| {name} | {outcomes[-1].tries} | {shown} | {time.monotonic() - begun:.0f} |", flush=True
    )


def tried(one: Registered, tries: int, checkout: Path) -> Outcome:
    """The attack on one checkout; what it cannot even survive counts as wrong throughout."""
    with tempfile.TemporaryDirectory() as folder:
        home, place = Path(folder, "home"), Path(folder, "place")
        home.mkdir()
        place.mkdir()
        try:
            return one.attack(Subject(checkout.resolve(), home), place, tries)
        except (AssertionError, subprocess.TimeoutExpired, OSError) as error:
            return Outcome(tries, tries, f"{type(error).__name__}: {str(error)[:80]!r}")


if __name__ == "__main__":
    main()
