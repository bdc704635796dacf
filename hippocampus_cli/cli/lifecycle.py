"""What the commands of ``hippo context`` share: the session they work on, and the content they are given."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.render import Output
from hippocampus_cli.errors import FileUnreadable

if TYPE_CHECKING:
    from hippocampus_cli.context.lifecycle.context_session import ContextSessions
    from hippocampus_cli.context.lifecycle.session import ContextSession as ContextSession
    from hippocampus_cli.context.lifecycle.window import Window
    from hippocampus_cli.workspace.fence import Piece

_STDIN = "-"


class SessionContext(NamedTuple):
    """One run of a command: where to print, the sessions, and the session that was named, if one was."""

    output: Output
    keeper: ContextSessions
    named: str | None
    random: Callable[[int], bytes]

    def window(self, session: ContextSession, budget: int | None, *, fence: bool) -> Window:
        """What goes into the window: within ``budget`` tokens as it is printed."""
        if self.output.as_json:
            return self.keeper.window(session, budget)
        from hippocampus_cli.cli.render.context import fitting

        return fitting(lambda most: self.keeper.window(session, most), budget, fence)

    def print_fenced(self, pieces: Sequence[Piece]) -> None:
        """Print what an agent is to read as quoted."""
        from hippocampus_cli.workspace.fence import fenced

        self.output.text(fenced(pieces, self.random))

    @property
    def key(self) -> str:
        """The id of the session to work on. Raises :class:`SessionNotFound`."""
        return self.named or self.keeper.chosen().id

    def session(self) -> ContextSession:
        """The session to work on. Raises :class:`SessionNotFound`."""
        return self.keeper.chosen(self.named)


def desk(run: CommandContext, session_id: str | None) -> SessionContext:
    """The desk of a command, from its options and the environment."""
    from hippocampus_cli.context.lifecycle.context_session import ContextSessions

    keeper = ContextSessions(run.root(), run.config(), run.now)
    return SessionContext(
        run.output, keeper, session_id or run.environ.get("HIPPO_SESSION") or None, run.random
    )


class Given(NamedTuple):
    """Content that is to be added, and where it came from."""

    content: bytes
    source: str | None
    ref: str


def given(
    keeper: ContextSessions, file: str, text: str | None, source: str | None, ref: str
) -> Given:
    """What is to be added; a file of the workspace is a source that can be read again.

    Of what is too large one byte more than allowed is read. Raises :class:`FileUnreadable`.
    """
    from hippocampus_cli.markdown.lines import encode
    from hippocampus_cli.workspace.paths import relative_to_root

    if text is not None:
        return Given(encode(text), source, ref)
    most = keeper.config.context.max_content_bytes + 1
    if file == _STDIN:
        return Given(sys.stdin.buffer.read(most), source, ref)
    path = Path(file).absolute()
    try:
        with path.open("rb") as stream:
            content = stream.read(most)
    except OSError as error:
        raise FileUnreadable(path=file, reason=error.strerror or str(error)) from error
    inside = relative_to_root(str(keeper.root), str(path))
    if source is None and not ref and inside is not None:
        return Given(content, "file", inside)
    return Given(content, source, ref or path.name)
