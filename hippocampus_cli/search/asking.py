"""Whether a prompt asks for what only notes may know, by its own text: most prompts of a working day ask nothing, and
no search need run for them.

Its words, their beginnings, its first word, and single characters that are signs or of a writing without spaces have
a weight each, learned on prompts in many languages by ``python -m bench.fit.asking``; those of a prompt are added up.
Where the weights cannot be read, every prompt is taken to ask.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import sqrt
from pathlib import Path
from zlib import crc32

from hippocampus_cli.text.tokenizer import is_unspaced

FILE = Path(__file__).parent / "data/asking.txt"
WEIGHTS = 8_192
"""How many weights there are; signs that share one are not told apart."""
SCALE = 16
"""What 1.0 is in the file."""


def asks(prompt: str) -> float:
    """The log of the odds that a prompt asks for something that notes may know; 0.0 where nothing can be said."""
    weights = _weights()
    return odds(signs_of(prompt), weights) / SCALE if weights else 0.0


def odds(signs: Sequence[int], weights: Sequence[float]) -> float:
    """The sum of the weights of these signs, each worth less the more there are."""
    return sum(weights[sign] for sign in signs) / sqrt(len(signs))


def signs_of(prompt: str) -> list[int]:
    """The numbers of the weights of what stands in a prompt, each once."""
    words = prompt.casefold().split()
    parts = {word[:4] + "~" for word in words}
    single = {each for each in prompt if not each.isalnum() or is_unspaced(each)}
    ends = {f"^{words[0][:4]}", f"${words[-1][-1]}"} if words else set()
    signs = {*words, *parts, *single, *ends, ""}
    return [crc32(sign.encode("utf-8", "replace")) % WEIGHTS for sign in signs]


@cache
def _weights() -> Sequence[int]:
    """The weights; empty where they cannot be read."""
    try:
        head, _, body = FILE.read_text(encoding="ascii").partition("\n")
        is_whole = int(head.partition(" ")[0]) == crc32(body.encode())
        return memoryview(bytes.fromhex(body) if is_whole else b"").cast("b")
    except (OSError, ValueError):
        return ()
