"""The tags of an entry: the words that set its passage apart from the rest of the workspace."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from hippocampus_cli.entries.passages import Passage
from hippocampus_cli.entries.vocabulary import Vocabulary
from hippocampus_cli.index.metadata import slug
from hippocampus_cli.text.words import bare, key, tellers, words

_BOLD = re.compile(r"\*\*([^*\n]{2,40})\*\*|__([^_\n]{2,40})__")
_PROPER = re.compile(r"(?<=[\w,;(] )[^\W\d_a-zß-ÿ][^\W\d_]{2,}")
_TAG_CHARACTERS = 24
_READ_CHARACTERS = 20_000
_BOLD_FACTOR = 1.6
_PROPER_FACTOR = 1.5
_HEADING_FACTOR = 1.2
_ENOUGH = 0.2  # of the best word's score: what tells much less is no tag


def tags_of(
    passage: Passage, vocabulary: Vocabulary, most: int, room: int = 60, topic: str = ""
) -> tuple[str, ...]:
    """At most ``most`` lower-case tags within ``room`` characters, the author's own first, then by telling.

    What the ``topic`` says already is no tag.
    """
    said = {found for _, found in tellers(topic)}
    chosen: dict[str, str] = {}
    for tag in (*_written(passage), *_told(passage, vocabulary)):
        if len(chosen) >= most:
            break
        found = key(tag) or tag
        cost = sum(map(len, chosen.values())) + len(chosen) + len(tag)
        if (
            found not in said
            and found not in chosen
            and cost <= room
            and not _is_part(tag, chosen.values())
        ):
            chosen[found] = tag
    return tuple(chosen.values())


def _written(passage: Passage) -> Iterator[str]:
    """The front matter's tags, as a list or as one line."""
    given = passage.note.front_matter.get("tags", ())
    items: Iterable[object]
    if isinstance(given, str):
        items = re.split(r"[,\s]+", given)
    else:
        items = given if isinstance(given, (list, tuple)) else ()
    for item in list(items)[:20]:
        tag = slug(str(item), _TAG_CHARACTERS)
        if any(char.isalpha() for char in tag) and tag != "entry":
            yield tag


def _told(passage: Passage, vocabulary: Vocabulary) -> list[str]:
    """The passage's words and its bold names, best first: names count for more than other words."""
    factors: dict[str, float] = {}
    scores: dict[str, float] = {}
    for _, found in tellers(" \n ".join((passage.title, *passage.subtitles))):
        factors[found] = _HEADING_FACTOR
    for name in _PROPER.findall(passage.body[:_READ_CHARACTERS]):
        factors[key(name)] = _PROPER_FACTOR
    for bold in _bold(passage):
        parts = [found for _, found in tellers(bold)]
        factors.update(dict.fromkeys(parts, _BOLD_FACTOR))
        if len(parts) == 2 and len(words(bold)) == 2:
            scores[slug(bold, _TAG_CHARACTERS)] = _BOLD_FACTOR * max(map(vocabulary.rarity, parts))
    spelt: dict[str, str] = {}
    for word, found in tellers(f"{passage.title} \n {passage.body}"):
        spelt.setdefault(found, bare(word))
    for found, score in vocabulary.telling(passage):
        tag = slug(spelt.get(found, found), _TAG_CHARACTERS)
        scores[tag] = max(scores.get(tag, 0.0), score * factors.get(found, 1.0))
    best = max(scores.values(), default=0.0)
    ranked = sorted(scores, key=lambda tag: (-scores[tag], tag))
    return [tag for tag in ranked if scores[tag] >= best * _ENOUGH and len(tag) > 1]


def _bold(passage: Passage) -> list[str]:
    if "**" not in passage.body and "__" not in passage.body:
        return []
    return [found[1] or found[2] for found in _BOLD.finditer(passage.body[:_READ_CHARACTERS])]


def _is_part(tag: str, others: Iterable[str]) -> bool:
    """Whether ``tag`` says the same as another: ``deploy`` beside ``deploys`` or ``deploy-script``."""
    return any(
        tag in other.split("-") or other in tag.split("-") or _alike(tag, other) for other in others
    )


def _alike(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) > 3 and long.startswith(short) and len(long) - len(short) < 4
