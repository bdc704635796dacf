"""What hippo is measured on: a module a corpus, which reads it as a :class:`bench.dataset.Dataset`.

``CORPORA`` has them all. ``read(data)`` is given the folder that holds downloaded data, which is not part of hippo,
and returns None where the corpus is not there. Nothing of such data is ever copied into the repository.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hippocampus_cli.errors import UsageError

if TYPE_CHECKING:
    from bench.dataset import Dataset

BESIDE = Path(__file__).parents[3] / "shared" / "data"
"""A folder beside the checkout, where downloaded data is looked for."""


class CorpusModule(NamedTuple):
    """``function`` of a module reads the corpus; ``own`` says that it stands in the repository."""

    module: str
    own: bool
    function: str = "read"

    def read(self, data: Path) -> Dataset | None:
        """The corpus; None where it is not there."""
        found: Dataset | None = getattr(import_module(self.module), self.function)(data)
        return found


CORPORA = {
    "fixture": CorpusModule("bench.corpora.fixture", True),
    "workspaces": CorpusModule("bench.corpora.workspaces", True),
    "workspaces-cues": CorpusModule("bench.corpora.workspaces", True, "read_cues"),
    "unseen": CorpusModule("bench.corpora.workspaces", True, "read_unseen"),
    "locomo": CorpusModule("bench.corpora.conversations", False),
    "beam": CorpusModule("bench.corpora.beam", False),
    "factconsolidation": CorpusModule("bench.corpora.factconsolidation", False),
    "devmembench": CorpusModule("bench.corpora.devmembench", False),
    "precisionmembench": CorpusModule("bench.corpora.precisionmembench", False),
    "documentation": CorpusModule("bench.corpora.documentation", False),
}


def data_folder(named: Path | None, environ: Mapping[str, str]) -> Path:
    """Where downloaded data is: ``named``, else ``BENCH_DATA``, else a folder beside the checkout."""
    return named or Path(environ.get("BENCH_DATA") or BESIDE)


def found(name: str, data: Path) -> Dataset:
    """The corpus ``name``; raises :class:`UsageError` where it is not there."""
    dataset = CORPORA[name].read(data)
    if dataset is None:
        reason = f"the corpus {name} is not in {data}"
        raise UsageError(reason=reason, advice="name the folder that has it with --data")
    return dataset
