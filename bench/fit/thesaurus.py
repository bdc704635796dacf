"""Build ``hippocampus_cli/search/data/thesaurus.txt``: the related words that lead too.

Needs, none of it at run time: numpy and PyStemmer; the files of WordNet 3.0 (Debian: wordnet-base)
and a list of English words (wamerican); the folder of the model ``use-multilingual``. The file that is there was
made with the vectors of all-MiniLM-L6-v2 (Apache-2.0), so another model gives another one: measure it first. Run
from the root of the repository:

    python -m bench.fit.thesaurus MODEL_FOLDER

The same inputs give the same file. Two words are related if a group of ``thesaurus_groups.txt``
holds both, if their vectors are very near, or if they are near and WordNet relates them.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bench.fit import wordnet
from hippocampus_cli.embedding.sentence_encoder import pinned
from hippocampus_cli.embedding.sentence_encoder.model import SentenceEncoder
from hippocampus_cli.text.stop_words import STOP_WORDS
from hippocampus_cli.text.terms import TERMS_VERSION, terms

_HERE = Path(__file__).parent
_TARGET = _HERE.parents[1] / "hippocampus_cli/search/data/thesaurus.txt"

GROUPED = 0.8  # the similarity of what a group holds
GRADED = 0.1  # how much of their cosine is added, so that the nearest come first
ALONE = 0.58  # the least cosine of two words that nothing but their vectors relates
AGREED = 0.35  # the same for two words that WordNet relates
WORDNET = 0.10  # the least nearness in WordNet that counts
SUPPORT = 0.25  # what a full relation in WordNet adds to the cosine
SPLIT = 0.95  # one word written as two, and the most that any pair gets
MOST = 8
LONGEST = 3  # words of a phrase

Related = dict[str, dict[str, float]]
Array = np.ndarray[Any, np.dtype[np.float32]]


class _Model:
    """The sentence model in ``folder``, and the pieces of words that it knows."""

    def __init__(self, folder: Path) -> None:
        pieces = (folder / pinned.PIECES.name).read_text(encoding="utf-8").split("\n")
        self.pieces = frozenset(one[1:] for one in pieces if one.startswith("\u2581"))
        self._model = SentenceEncoder.open(folder)

    def vectors(self, texts: Sequence[str]) -> Array:
        """A row of length 1 for each text, so that a product is a cosine."""
        return np.asarray(self._model.embed(texts), dtype=np.float32)


def main() -> None:
    options = _options()
    net = wordnet.read(options.wordnet)
    model = _Model(options.model)
    groups = list(_groups())
    words = _representatives(_vocabulary(options.words, net, model, groups), net)
    sources = options.sources.split(",")
    related: Related = defaultdict(dict)
    if "wordnet" in sources or "vectors" in sources:
        _relate_by_vectors(related, words, model, _by_stem(wordnet.relations(net)), sources)
    if "groups" in sources:
        _relate_by_groups(related, groups, model)
    options.output.parent.mkdir(exist_ok=True)
    options.output.write_bytes(_lines(_trimmed(related)))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Build the thesaurus.")
    parser.add_argument("model", type=Path)
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"))
    parser.add_argument("--words", type=Path, default=Path("/usr/share/dict/american-english"))
    parser.add_argument("--sources", default="wordnet,vectors,groups", help="to compare them")
    parser.add_argument("--output", type=Path, default=_TARGET)
    return parser.parse_args()


def _groups() -> Iterator[list[str]]:
    for line in (_HERE / "thesaurus_groups.txt").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield [item.strip() for item in line.split(",")]


def _technical() -> Iterator[str]:
    for line in (_HERE / "thesaurus_technical.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            yield from line.split()


def _vocabulary(
    words: Path, net: wordnet.WordNet, model: _Model, groups: Iterable[Iterable[str]]
) -> set[str]:
    """Common words: whole in the model's vocabulary or met in WordNet's texts, and in the list."""
    listed = set(words.read_text(encoding="utf-8").splitlines())
    found = {word for word in listed if len(word) > 2 and word.isalpha() and word.islower()}
    found = {word for word in found if word in model.pieces or net.counts.get(word)}
    found |= {word for word, count in net.counts.items() if count and " " in word}
    found |= {item.lower() for group in groups for item in group} | set(_technical())
    return {word for word in found if word.isascii()}


def _representatives(words: Iterable[str], net: wordnet.WordNet) -> dict[str, str]:
    """One word for each stem, by stem: the one met most in WordNet's texts, else the shortest."""
    best: dict[str, str] = {}
    for word in sorted(words, key=lambda word: (-net.counts.get(word, 0), len(word), word)):
        if key := _key(word):
            best.setdefault(key, word)
    return dict(sorted(best.items()))


def _key(word: str) -> str:
    """The terms of ``word`` as search sees them; empty for what no query can ask for.

    A compound is its whole, as in "followup": its parts are found by themselves.
    """
    found = [terms(part)[0] for part in word.split() if terms(part)]
    if (
        len(found) > LONGEST
        or STOP_WORDS.issuperset(word.split())
        or not any(map(str.isalpha, "".join(found)))
    ):
        return ""
    return " ".join(found)


def _by_stem(relations: dict[wordnet.Pair, float]) -> dict[wordnet.Pair, float]:
    found: dict[wordnet.Pair, float] = defaultdict(float)
    keys: dict[str, str] = {}
    for pair, nearness in relations.items():
        one, other = (keys.setdefault(word, _key(word)) for word in pair)
        if nearness >= WORDNET and one and other:
            found[one, other] = max(found[one, other], nearness)
    return found


def _relate_by_vectors(
    related: Related,
    words: dict[str, str],
    model: _Model,
    relations: dict[wordnet.Pair, float],
    sources: Sequence[str],
) -> None:
    keys = list(words)
    vectors = model.vectors([words[key] for key in keys])
    if "vectors" in sources:
        for one, other, cosine in _near(keys, vectors):
            _relate(related, one, other, cosine)
    if "wordnet" in sources:
        at = {key: number for number, key in enumerate(keys)}
        for (one, other), nearness in relations.items():
            if one in at and other in at:
                cosine = float(vectors[at[one]] @ vectors[at[other]])
                if cosine >= AGREED:
                    _relate(related, one, other, cosine + SUPPORT * nearness)


def _near(keys: Sequence[str], vectors: Array) -> Iterator[tuple[str, str, float]]:
    for begin in range(0, len(keys), 1024):
        cosines = vectors[begin : begin + 1024] @ vectors.T
        for row, column in np.argwhere(cosines >= ALONE):
            yield keys[begin + row], keys[column], float(cosines[row, column])


def _relate_by_groups(related: Related, groups: Iterable[Sequence[str]], model: _Model) -> None:
    for group in groups:
        words = {key: item for item in reversed(group) if (key := _key(item))}
        vectors = model.vectors(list(words.values()))
        cosines = np.maximum(vectors @ vectors.T, 0.0)
        for one, row in zip(words, cosines, strict=True):
            for other, cosine in zip(words, row, strict=True):
                _relate(related, one, other, GROUPED + GRADED * float(cosine))


def _relate(related: Related, one: str, other: str, similarity: float) -> None:
    """Words that share a stem are left out: who looks for the one finds the other."""
    if not set(one.split()) & set(other.split()):
        if one.replace(" ", "") == other.replace(" ", ""):
            similarity = SPLIT
        related[one][other] = min(max(related[one].get(other, 0.0), similarity), SPLIT)


def _trimmed(related: Related) -> Related:
    """The nearest of each."""
    return {
        key: dict(sorted(others.items(), key=lambda item: (-item[1], item[0]))[:MOST])
        for key, others in related.items()
        if others
    }


def _lines(related: Related) -> bytes:
    lines = [f"#\t{TERMS_VERSION}"]
    for key in sorted(related, key=str.encode):
        others = (f"{other}={round(value * 100)}" for other, value in related[key].items())
        lines.append("\t".join([key, *others]))
    return "\n".join([*lines, ""]).encode()


if __name__ == "__main__":
    main()
