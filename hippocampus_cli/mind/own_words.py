"""The lines of a message that are its writer's own, and those among them that ask to be kept. Pure.

What stands in a fence, behind ``>``, between tags or in a long pasted part is somebody else's. Which of the own lines
matter is not understood here: a few signs, in several languages, say that a line asks to be kept, and many more that
a reader may look at it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hippocampus_cli.fast_types import pattern
from hippocampus_cli.markdown.blocks import Kind, scan
from hippocampus_cli.markdown.lines import split_lines

_IGNORE = 2  # re.IGNORECASE
_MANY = 12  # lines, above which the middle of a message is likely pasted
_LONGEST = 300  # characters of a line that asks to be kept
_OPENED = pattern(r"\s*<([a-z][a-z0-9_-]*)\b[^>]*>", _IGNORE)
_CLOSED = pattern(r"</([a-z][a-z0-9_-]*)", _IGNORE)
_ITEM = pattern(r"\s*(?:[-*+]\s+|\d{1,3}[.)]\s+)?")
_QUOTE_MARKS = frozenset('"“”„«»「」『』')
_STANDING = pattern(
    r"(?:please |pls |bitte |por favor |пожалуйста,? )?(?:"
    r"(?:remember(?! when)|always|never|from now on|keep in mind"
    r"|immer|niemals|nie|ab jetzt|ab sofort|von jetzt an|merk dir"
    r"|siempre|nunca|a partir de ahora|recuerda|toujours|ne jamais|désormais|retiens"
    r"|всегда|никогда|запомни|отныне)\b|总是|永远|记住|请记住|从现在起|从今以后|覚えて|今後は)",
    _IGNORE,
)
_PREFERENCE = pattern(
    r"(?:i (?:really |much |strongly |do not |don'?t )?(?:prefer|like|love|enjoy|hate|dislike)"
    r"|i can'?t stand|i'?m allergic|i am allergic|my favou?rite"
    r"|ich (?:bevorzuge|mag|liebe|hasse|bin allergisch)|ich möchte (?:immer|nie|lieber)"
    r"|prefiero|me gusta|no me gusta|odio|je préfère|j'aime|je n'aime pas|je déteste"
    r"|я (?:предпочитаю|люблю|не люблю|ненавижу))\b|我(?:更|最|很|不)?(?:喜欢|偏好|讨厌|爱)",
    _IGNORE,
)
_SIGN = pattern(
    r"\d|[:=`]|\b(?:we|our|my|is|are|was|use|using|decided?|decision|agreed|let'?s|instead|because|remember|note"
    r"|must|should|don'?t|always|never|prefer|want|wir|unser|mein|ist|sind|nutzen|entschieden|statt|soll|muss|kein"
    r"|nosotros|nuestro|usamos|decidimos|debe|nous|notre|utilisons|décidé|doit|мы|наш|используем|решили|надо|нельзя)\b"
    r"|我们|决定|使用|改为|必须|不要|は|です",
    _IGNORE,
)


def own_lines(text: str) -> list[str]:
    """The lines that whoever wrote a message said themselves."""
    paragraphs = [[*_plain(part)] for part in _paragraphs(text)]
    paragraphs = [lines for lines in paragraphs if lines]
    if sum(map(len, paragraphs)) > _MANY and len(paragraphs) > 1:
        paragraphs = [paragraphs[0], paragraphs[-1]]
    return [line for lines in paragraphs for line in lines[:_MANY]]


def asks_to_be_kept(line: str) -> bool:
    """Whether a line of the user's is a standing instruction or a preference: such are held word for word.

    What has quotation marks may be somebody else's word, and a question says nothing.
    """
    if len(line) > _LONGEST or line.endswith(("?", "？")) or _QUOTE_MARKS & {*line}:
        return False
    return bool(_STANDING.match(line) or _PREFERENCE.match(line))


def may_matter(line: str) -> bool:
    """Whether a reader may find a decision, a rule, a fact or a preference in a line. A question, and what only
    introduces what follows, says nothing."""
    few = len(line) < 8 if line.isascii() else len(line) < 4
    return not few and not line.endswith((*"?？:：",)) and bool(_SIGN.search(line))


def between_tags(lines: Sequence[str]) -> Iterator[bool]:
    """Of each line whether it stands between tags, these included: a program or a page put it there."""
    ends = {name.lower(): n for n, line in enumerate(lines) for name in _CLOSED.findall(line)}
    end = -1
    for number, line in enumerate(lines):
        if number > end and (opened := _OPENED.match(line)):
            name = opened[1].lower()
            end = next(
                (
                    n
                    for n in range(number, ends.get(name, -1) + 1)
                    if f"</{name}" in lines[n].lower()
                ),
                end,
            )
        yield number <= end


def _paragraphs(text: str) -> Iterator[list[str]]:
    """The lines of each paragraph, without fences, quotations, and what stands between tags."""
    lines = split_lines(text)
    paragraph: list[str] = []
    for line, kind, tagged in zip(lines, scan(lines).kinds, between_tags(lines), strict=True):
        if not tagged and not line.strip() and paragraph:
            yield paragraph
            paragraph = []
        elif not tagged and kind in (Kind.TEXT, Kind.HEADING):
            paragraph.append(line)
    yield paragraph


def _plain(lines: list[str]) -> Iterator[str]:
    """Lines as they read: without the signs of lists, quotations, tables, headings."""
    for line in lines:
        said = line[_ITEM.match(line).end() :].strip()  # type: ignore[union-attr]
        if said and not said.startswith((">", "|", "#")):
            yield " ".join(said.split())
