"""``python -m bench.fit.asking``: what prompts that ask for something look like, fitted on prompts in many languages.

The rows are those of ``bench/data/asking.jsonl`` and what is not held of ``bench/data/prompts.json``; both were
written without sight of the code and of any notes. A logistic regression, step by step, each row
:data:`ROUNDS` times.
"""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from zlib import crc32

from bench.prompts import PROMPTS, read_prompts
from hippocampus_cli.search.asking import FILE, SCALE, WEIGHTS, odds, signs_of

ASKING = Path(__file__).parents[1] / "data/asking.jsonl"
WORTH = 1.3  # of what the text says, beside what search says on the made-up workspace and on four real ones
ROUNDS, RATE, SHRINK, SEED = 5, 0.5, 3e-3, 1
Row = tuple[str, str, bool]
"""A prompt's text, its language, and whether it asks."""


def rows() -> Iterator[Row]:
    """What may be learned from."""
    for line in ASKING.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield row["text"], row["language"], row["kind"] == "memory"
    yield from ((row.text, row.language, False) for row in read_prompts(PROMPTS) if not row.held)


def fitted(prompts: Sequence[Row]) -> list[float]:
    """The weights."""
    known = [(sorted(signs_of(text)), asks) for text, _, asks in prompts]
    weights = [0.0] * WEIGHTS
    order = random.Random(SEED)
    for _ in range(ROUNDS):
        order.shuffle(known)
        for signs, asks in known:
            error = 1 / (1 + math.exp(-odds(signs, weights))) - asks
            step = RATE * error / math.sqrt(len(signs))
            for sign in signs:
                weights[sign] -= step + RATE * SHRINK * weights[sign]
    return weights


def document(weights: Sequence[float], about: str) -> str:
    """The file: a checksum and where the weights come from, and the weights, a signed byte each."""
    whole = (max(-128, min(127, round(weight * WORTH * SCALE))) for weight in weights)
    body = bytes(weight % 256 for weight in whole).hex()
    return f"{crc32(body.encode())} {about}\n{body}"


if __name__ == "__main__":
    known = list(rows())
    counts = Counter(language for _, language, _ in known).most_common()
    about = "fitted on prompts: " + ", ".join(f"{language} {count}" for language, count in counts)
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(document(fitted(known), about), encoding="ascii")
    print(about)
