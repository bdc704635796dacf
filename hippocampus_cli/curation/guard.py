"""Whether an answer says only what its evidence says: numbers, names, paths, negations and quantifiers. Pure.

Nothing is understood: what can be inverted or invented by a word is compared word by word. A summary in another
language than its section is compared the same way: numbers, paths and names are the same in all of them, and the
negations and quantifiers of several languages are one class each. Written in the language of its section, it has a
word of that.

What this cannot see is an answer that says something else in the words of the evidence. Therefore an answer never
raises trust, every one is journalled with who gave it, and ``hippo undo`` takes it back.
"""

from __future__ import annotations

from collections import Counter
from datetime import date

from hippocampus_cli.curation.task import AnswerRefused
from hippocampus_cli.fast_types import pattern
from hippocampus_cli.text.dates import days_in
from hippocampus_cli.text.sentences import sentences_of
from hippocampus_cli.text.terms import language_of, telling_terms

_DROPPED = 1  # words of the first version that a restatement may leave out
_CONTAINED = 0.8  # of the words of an answer that one line of the evidence has: it says the same
_IGNORE = 2  # re.IGNORECASE
_NUMBER = pattern(  # a hash or an id as a whole: its digits are no numbers
    r"(?<![A-Za-z0-9])[a-z0-9]*(?:\d[a-z]+\d|[a-z]\d+[a-z])[a-z0-9]*"
    r"|(?:(?<![\w-])-)?\d+(?:[.,:/-]\d+)*"
)
_SAME_NUMBER = pattern(r"(?<=\d),(?=\d{3}(?!\d))|(?<![\d.:/-])0(?=\d:\d\d)")  # 5,000; 09:30
_PAIR = pattern(r"(?<![\d./:-])(\d+)/(\d+)(?![\d./:-])")
_RUN = pattern(r"[^\s\"'`(),;]+")
_PATH = pattern(r"[/\\_]|(?<=[^\s.])\.(?=[a-zA-Z])")  # the sign of a path or a name in code
_NAME = pattern(
    r"(?<!^)(?<!:\s)(?<![\"“„«(])\b[A-ZÄÖÜА-Я][^\s.,;:!?()\"“”'’`]+|\b[A-Z]{2,}[0-9]*\b"
)
_QUOTED = pattern(r"[`\"“„«]([^`\"”“»]{2,})[`\"”“»]")
NEGATION = pattern(
    r"\b(?:not|no|never|none|nobody|nothing|without|cannot|nor|neither|avoid|nicht|kein(?:e|en|er|es|em)?"
    r"|nie|niemals|ohne|nunca|sin|ningun[oa]?|jamais|sans|aucune?|pas|не|нет|никогда|без|нельзя|запрещено)\b"
    r"|n['’]t\b|不|没|沒|无|無|别|別|未|勿|禁止|ない|なし",
    _IGNORE,
)
QUANTIFIER = pattern(
    r"\b(?:all|every|each|always|only|at least|at most|most|never|alle[rns]?|jede[rnsm]?|immer|nur|mindestens"
    r"|höchstens|siempre|todos?|todas?|solo|sólo|al menos|toujours|tous|toutes|seulement|au moins"
    r"|все|всегда|каждый|только|минимум|максимум)\b|所有|每|总是|只|至少|最多|全て|常に",
    _IGNORE,
)

_ORDER = pattern(
    r"\b(?:over|than|rather|instead|before|after|until|since|als|statt|vor|nach|bis|seit|antes|después|avant|après"
    r"|до|после|вместо)\b|之前|之后|而不是",
    _IGNORE,
)


def require_verbatim(text: str, evidence: str) -> None:
    """Raise :class:`AnswerRefused` where ``text`` has numbers, names, paths and the like that ``evidence`` lacks."""
    text, evidence = _plain(text), f"{evidence}\n{_plain(evidence)}"
    folded = evidence.casefold()
    if missing := {*_numbers(text)} - {*_numbers(evidence)}:
        raise AnswerRefused(f"numbers that the evidence lacks: {', '.join(sorted(missing))}")
    paths = filter(_PATH.search, _RUN.findall(text))
    # a capital at the beginning of a sentence makes no name
    names = (name for sentence in sentences_of(text) for name in _NAME.findall(sentence))
    for found in (*paths, *_QUOTED.findall(text), *names):
        parts = found.casefold().strip(".…:").split("/")  # several words, or a path
        if "/".join(parts) not in folded and not all(part and part in folded for part in parts):
            raise AnswerRefused(f"the evidence lacks {found!r}")
    if NEGATION.search(text) and not NEGATION.search(evidence):
        raise AnswerRefused("a negation that the evidence lacks")
    if QUANTIFIER.search(text) and not (QUANTIFIER.search(evidence) or NEGATION.search(evidence)):
        raise AnswerRefused("a quantifier that the evidence lacks")


def require_same(statement: str, restated: str, first: str) -> None:
    """Raise :class:`AnswerRefused` where ``restated`` does more than leave words out of ``statement``, leaves out a
    number, a name, a negation, a quantifier or what orders two things, or more than one telling word of the ``first``
    version: so it is about the same, whatever a likeness of the two would say."""
    before, after = _signs(statement), _signs(restated)
    rest = iter(before)
    if not all(word in rest for word in after):
        raise AnswerRefused("it may only leave words out")
    words = Counter(before) - Counter(after)
    left_out, kept = " ".join(words), (_NUMBER, NEGATION, QUANTIFIER, _ORDER)
    signs = not all(any(map(str.isalnum, word)) for word in words)
    if left_out != left_out.lower() or signs or any(sign.search(left_out) for sign in kept):
        raise AnswerRefused(f"it leaves out {left_out!r}")
    if len({*telling_terms(first)} - {*telling_terms(restated)}) > _DROPPED:
        raise AnswerRefused("it leaves out too much")


def _signs(text: str) -> list[str]:
    """The words of a text with their signs, ``<``, ``-5`` or ``--force``, without the marks that end a clause."""
    return [word for word in (word.rstrip(".,;:!?…") for word in text.split()) if word]


def _numbers(text: str) -> list[str]:
    """The numbers of a text; two with a slash between are two."""
    return _NUMBER.findall(_PAIR.sub(r"\1 \2", text))


def _plain(text: str) -> str:
    """A text with its days as ISO writes them, without a comma between thousands and a zero before an hour."""
    for line in text.splitlines():
        for day in days_in(line, date.max):
            if day.first == day.last and str(day.first.year) in day.words:
                text = text.replace(day.words, str(day.first))
    return _SAME_NUMBER.sub("", text)


def require_about(text: str, evidence: str) -> None:
    """Raise :class:`AnswerRefused` where a statement in the language of the evidence has no word of it, or a line of
    the evidence has nearly all words of the statement, and a negation that this lacks."""
    words, here, there = {*telling_terms(text)}, _letters(text), _letters(evidence)
    alike = language_of(text, 1) == language_of(evidence, 1) and here <= there
    if alike and "" not in there - here and not words & {*telling_terms(evidence)}:
        raise AnswerRefused("it shares no word with the evidence: use words of that")
    if NEGATION.search(text) or len(words) < 2:
        return
    for line in filter(NEGATION.search, evidence.splitlines()):
        if len(words & {*telling_terms(line)}) >= _CONTAINED * len(words):
            raise AnswerRefused("a negation of the evidence is missing")


def _letters(text: str) -> set[str]:
    """The letters of a text beyond ASCII; all that are not Latin as one that is empty."""
    return {c if c < "\u0250" else "" for c in text.casefold() if c.isalpha() and not c.isascii()}
