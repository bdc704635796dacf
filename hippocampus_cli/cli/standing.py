"""What ``hippo status`` does."""

from __future__ import annotations

from hippocampus_cli.cli.context import Session


def take_stock(session: Session) -> None:
    """Print how the index and the notes stand. Raises :class:`HippoError`."""
    from hippocampus_cli.api import Workspace
    from hippocampus_cli.cli.render.output import document_of
    from hippocampus_cli.cli.render.status import print_stock

    with Workspace(session.root(), session.config()) as opened:
        stock = opened.status(now=session.now)
    if session.output.as_json:
        session.output.json(document_of(stock))
    else:
        print_stock(session.output, stock, session.now)
