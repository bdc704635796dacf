"""What an agent gets from the memory: a brief at the start of a session, and likely answers at a prompt.

What notes say is quoted in a fence, so that it is data and says whose words they are; hippo's own words stand before
it. Each place is shown once a session: its name is kept in the cache, where it may be lost.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.context.session_ids import check_id
from hippocampus_cli.errors import FileUnreadable, HippoError, OutsideWorkspace
from hippocampus_cli.fast_types import pattern
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.search.asking import asks
from hippocampus_cli.text.plain_text import shorten
from hippocampus_cli.workspace.fence import Piece, Random, fenced
from hippocampus_cli.workspace.kinds import is_core
from hippocampus_cli.workspace.own_files import CACHE, ensure_folder
from hippocampus_cli.workspace.read import read_file

if TYPE_CHECKING:
    from hippocampus_cli.integrations.hooks import Door

MOST_TOKENS = 300
"""Tokens of what is shown at a prompt."""
_FOLDER = f"{CACHE}/brought"
_LARGEST = 100_000  # bytes
_LONGEST = (
    500  # characters of a prompt that are asked; what is pasted below it is rarely a question
)
_WHOLE_QUOTE = pattern(r'\A"([^"]+)"\Z')  # `opencode run` passes its words like this
_ASKS_FROM = -2.0  # the log of the odds from which a prompt is searched for at all
_HEAD = "what the memory of this workspace has on this prompt"
_MORE = "The memory of this workspace {} something on this. Ask it for more: `hippo query`."
HAS = {"sure": "has", "unsure": "may have"}
"""How the word for how sure an answer is is told to an agent."""

_BRIEF = "brief"
"""What stands among the places that a session was told where it has the brief."""

_CALL = "call "
"""What stands before a place that a session was told of at a tool's call."""
_OPENED = "opened "
"""What stands before the path of a note that a session was given a place of, and went to."""
_STRUNG = pattern(r"[;&|\n]+")
_PARTS = pattern(r"[^\W_]+")
_CALL_FROM = 0.4  # probability from which something is brought at a call that a rule names
_CALL_LENGTH = 110  # characters: with its place and the marks about 60 tokens


def at_start(door: Door, session: str) -> str:
    """The brief, in the same bytes whenever this session starts again and nothing has changed."""
    text = door.brief(random_of(session))  # its id is made when it begins
    _tell(door.root, session, _BRIEF)
    return text


def has_brief(root: Path, session: str) -> bool:
    """Whether this session was given the brief before."""
    return _BRIEF in _told(root, session)


def at_prompt(door: Door, session: str, prompt: str) -> str | None:
    """What the memory has on a prompt, where that is likely to answer and was not said before in this session."""
    asked = asked_by(prompt)
    found = door.recall(*asked) if asked else None
    if found is None or found.place in _told(door.root, session):
        return None
    text = _within(found.pieces, session, _MORE.format(HAS[found.sure]))
    if text is not None:
        _tell(door.root, session, found.place)
    return text


def before_tool(door: Door, session: str, asked: str, most: int) -> str | None:
    """What the memory likely has on a tool's call, in a line, where a core file or a rule names the call; ``most``
    times a session, each place once.

    ``asked`` is the command, or the path of a file that is about to be edited.
    """
    told = _told(door.root, session)
    if sum(place.startswith(_CALL) for place in told) >= most:
        return None
    found = door.recall(asked[:_LONGEST], 0.0)
    if found is None or found.confidence < _CALL_FROM:
        return None
    if {found.place, _CALL + found.place} & {*told}:
        return None
    path = found.place.rpartition(":")[0]
    if path in asked or not is_core(path):
        return None  # it is about to work on that very note, or this is no rule
    text = next(piece.text for piece in found.pieces if piece.head.endswith(found.place))
    words = " ".join(text.lstrip("# ").split())  # it may begin with its heading
    if not _is_named(asked, words):
        return None  # of something like it: silence is better before every second command
    _tell(door.root, session, _CALL + found.place)
    line = shorten(words, _CALL_LENGTH)
    return fenced([Piece(f"memory {found.place}", line)], random_of(session))


def _is_named(asked: str, text: str) -> bool:
    """Whether a text names a call: a path's name, or of a command among those that are strung together the first two
    words as they stand, or all the parts of one of these (``deploy-site``)."""
    said = {*_PARTS.findall(text.lower())}
    for part in _STRUNG.split(asked):
        head = part.split()[:2]
        name = " ".join(head).rpartition("/")[2]
        parts = [_PARTS.findall(word.lower()) for word in head]
        if name and (
            name in text or any(len(each) > 1 and said.issuperset(each) for each in parts)
        ):
            return True
    return False


def opens(root: Path, session: str, asked: str) -> bool:
    """Whether a tool's call goes to a note of which the session was given a place, for the first time."""
    told = _told(root, session)
    paths = {place.removeprefix(_CALL).rpartition(":")[0] for place in told}
    for path in paths - {""}:
        if path in asked and _OPENED + path not in told:
            _tell(root, session, _OPENED + path)
            return True
    return False


def asked_by(prompt: str) -> tuple[str, float] | None:
    """What a prompt asks of the memory, and the log of the odds that it does; ``None`` for a command of the agent's
    own, and where its text asks nothing."""
    asked = _WHOLE_QUOTE.sub(r"\1", prompt.strip())[:_LONGEST]
    if asked[:1] in "/!#" or (odds := asks(asked)) < _ASKS_FROM:  # "" is in it, too
        return None
    return asked, odds


def _within(pieces: list[Piece], session: str, more: str) -> str | None:
    """The text of as many pieces as there is room for, behind ``more``."""
    while pieces:
        text = f"{more}\n{fenced([Piece(_HEAD), *pieces], random_of(session))}"
        if tokens(text) <= MOST_TOKENS:
            return text
        pieces = pieces[:-1]
    return None


def random_of(seed: str) -> Random:
    """Bytes that an author of notes cannot know where he does not know the seed, the same for the same seed."""
    from hashlib import sha256  # takes milliseconds, which a silent hook need not spend

    count = 0

    def made(size: int) -> bytes:
        nonlocal count
        count += 1
        return sha256(f"{seed}:{count}".encode("utf-8", "replace")).digest()[:size]

    return made


def _told(root: Path, session: str) -> list[str]:
    try:
        data = read_file(root, _name(session), _LARGEST)
    except (FileUnreadable, OutsideWorkspace):
        return []
    return data.decode("utf-8", "replace").splitlines()


def _tell(root: Path, session: str, place: str) -> None:
    """Note that the session was told of the place; what was told may be lost."""
    from hippocampus_cli.workspace.atomic import replace_bytes

    told = _told(root, session)
    if place in told:
        return
    with suppress(HippoError):
        name = _name(session)
        data = "".join(f"{each}\n" for each in (*told, place)).encode("utf-8", "replace")
        replace_bytes(ensure_folder(root, name), data, name, mode=0o600)


def _name(session: str) -> str:
    return f"{_FOLDER}/{check_id(session)}.txt"
