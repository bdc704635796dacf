"""The texts of entries, read when they are needed: from the session, or from the earlier summary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hippocampus_cli.context.compaction.prior import Earlier
from hippocampus_cli.context.compaction.score import Entry
from hippocampus_cli.context.transcripts import Message, Part, Session


class Texts:
    """What entries say, in full and in short."""

    def __init__(self, session: Session, earlier: Earlier, entries: Sequence[Entry]) -> None:
        self._session = session
        self._told = earlier.told
        self._callers = {call: one.at for one in entries for call in one.calls}

    def message(self, entry: Entry) -> Message | None:
        """The message of an entry; None for what an earlier summary tells."""
        return self._session.message(entry.at) if entry.at >= 0 else None

    def short(self, entry: Entry) -> str:
        """What an entry says, without its calls unless it says nothing else."""
        message = self.message(entry)
        if message is None:
            return self._told[entry.at].line.text
        said = message.text.strip() or message.thinking.strip()
        return said or " ".join(_call(part) for part in message.calls) or "[image]"

    def full(self, entry: Entry) -> str:
        """What an entry says, and its calls below."""
        message = self.message(entry)
        if message is None or entry.silent or not message.calls or message.role == "bash":
            return self.short(entry)
        return "\n".join([self.short(entry), *(f"→ {_call(part)}" for part in message.calls)])

    def call(self, entry: Entry) -> str:
        """What the tool was called with, whose output an entry is: the command, the path."""
        message = self.message(entry)
        if message is None:
            return self._told[entry.at].line.call
        return next((part.argument[1] for part in self.calls(message)), "")

    def calls(self, message: Message) -> Iterator[Part]:
        """The call that a message answers; a command of the user's bears its own."""
        yield from (part for part in message.calls if message.role == "bash")
        caller = self._callers.get(message.call) if message.call else None
        if caller is not None:
            made = self._session.message(caller).calls
            yield from (part for part in made if part.call == message.call)

    def is_full(self, entry: Entry) -> bool:
        """Whether the text at hand is the whole: an earlier summary may have cut it."""
        return entry.at >= 0 or self._told[entry.at].full


def _call(part: Part) -> str:
    return f"{part.name} {part.argument[1] or part.text}".strip()
