"""What an embedding of the notes did, on a screen and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hippocampus_cli.cli.render.columns import count
from hippocampus_cli.cli.render.output import Output
from hippocampus_cli.cli.render.safe import safe_line

if TYPE_CHECKING:
    from hippocampus_cli.search.embedding import Embedded


def print_embedded(output: Output, done: Embedded, seconds: float) -> None:
    """One line, and one more where another model was used before."""
    if output.as_json:
        output.json({**done._asdict(), "elapsed_ms": round(seconds * 1000)})
        return
    if done.former:
        output.note(
            f"hippo: the model was {safe_line(done.former)} before: all texts are embedded anew"
        )
    told = [f"embedded {count(done.embedded, 'text')}"]
    if done.forgotten:
        told.append(f"forgot {count(done.forgotten, 'vector')}")
    if not done.embedded and not done.forgotten:
        told = [] if done.indexed else ["nothing to do"]
    if done.indexed:
        told.append(f"brought the index {done.indexed} in step")
    where = f"{count(done.units, 'unit')} by {safe_line(done.model)}, {done.dimensions} dimensions"
    output.line(f"{', '.join(told)} in {seconds:.1f} s ({where})")
