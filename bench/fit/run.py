"""``python -m bench fit``: the trees of the ranking and of the confidence, fitted on all corpora that are here.

The confidence is fitted on answers by trees that have not seen the questions: in each of :data:`FOLDS` rounds a part
of the folders is left out. Needs LightGBM (the dependency group ``fit``).
"""

from __future__ import annotations

import argparse
import tempfile
import zlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bench import real
from bench.corpora import CORPORA, data_folder
from bench.fit.boosting import SEED, document, fit_confidence, fit_prompt, fit_ranking, judged
from bench.samples import HELD, SILENT, Sample, few_notes, samples_of
from bench.sheet import Column, Findings, Sheet
from hippocampus_cli.cli.commands.embed import MODEL
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.search.features import FEATURES
from hippocampus_cli.search.ranker import FILE, Model, Trees, model

FOLDS = 4
FITTED_ON = ("locomo", "beam", "factconsolidation", "workspaces", "workspaces-cues")
WEIGHTS = {real.REAL: 1.0, real.EMBEDDED: 1.0}
OTHERS, CHATS = 0.3, 0.15
"""In the confidence, of the questions of other corpora than real workspaces, and of those that are no workspaces:
what is sure in a chat is another thing. In the ranking all weigh alike."""
BY_MEANING = "; by meaning on "
REWORDED = "reworded "
"""Before the corpus of a question that is asked in one of its further wordings alone: it weighs half."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the fit."""
    real.arguments(parser)
    parser.add_argument(
        "--embedded",
        type=Path,
        metavar="FOLDER",
        help="workspaces to embed, and to rank by meaning",
    )
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="downloaded data")
    parser.add_argument("--out", type=Path, default=FILE, metavar="FILE", help="the model")


def measure(session: CommandContext, options: argparse.Namespace) -> Findings:
    """Fit the trees, and write them into the package; without ``--embedded`` those that rank by meaning stay as they
    are."""
    questions = list(real.read_questions(options))
    with session.output.progress("asking") as advance:
        asked = [*questions, *real.prompts(options, questions)]
        found = real.gather(options, asked, advance)
        if options.embedded:
            embedded = argparse.Namespace(**vars(options) | {"folder": options.embedded})
            found += real.gather(embedded, list(real.read_questions(embedded)), advance, MODEL)
    found += others(data_folder(options.data, session.environ))
    learned = fit(found)
    former = None if options.embedded else model(len(FEATURES), options.out)
    if former:
        about = f"{learned.about}{BY_MEANING}{former.about.partition(BY_MEANING)[2]}"
        learned = learned._replace(meaning=former.meaning, about=about)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(document(learned[:-1], learned.about, len(FEATURES)), encoding="utf-8")
    counts = Counter(sample.corpus for sample in found)
    sheet = Sheet(
        "fitted on", (Column("corpus", "corpus"), Column("n", "questions")), tuple(counts.items())
    )
    return Findings({"fitted": dict(counts)}, (sheet,), (learned.about,), sheet)


def others(data: Path) -> list[Sample]:
    """The questions of the other corpora."""
    found: list[Sample] = []
    for name in FITTED_ON:
        dataset = CORPORA[name].read(data)
        if dataset is not None:
            with tempfile.TemporaryDirectory(prefix="hippo-fit-") as scratch:
                found += samples_of(dataset, Path(scratch))
                if CORPORA[name].own:
                    found += samples_of(few_notes(dataset), Path(scratch))
    return found


def fit(found: Sequence[Sample]) -> Model:
    """Trees fitted on all of these questions."""
    weights = {sample.corpus: WEIGHTS.get(sample.corpus, OTHERS) for sample in found}
    sure = {
        name: weight if name in WEIGHTS or name.startswith("workspaces") else CHATS
        for name, weight in weights.items()
    }
    sure |= {f"{REWORDED}{name}": weight / 2 for name, weight in sure.items()}
    seen = [
        judged(version, version.scored(trees[version.is_embedded]))
        for fold in range(FOLDS)
        if (trees := rankings([one for one in found if _fold(one) != fold]))
        for sample in found
        if _fold(sample) == fold
        for version in versions(sample)
        if len(version.ranked.pool)
    ]
    answers = [answer for answer in seen if answer.kind not in (SILENT, HELD)]
    alone = [answer for answer in answers if answer.corpus in WEIGHTS and answer.wordings == 1]
    prompts = [answer for answer in seen if answer.kind == SILENT]
    counts = Counter(sample.corpus for sample in found if sample.kind not in (SILENT, HELD))
    about = ", ".join(f"{name} {count}" for name, count in counts.items())
    return Model(
        *rankings(found),
        fit_confidence(answers, [answer.any for answer in answers], sure),
        fit_confidence(answers, [answer.first for answer in answers], sure),
        fit_prompt(alone, prompts),
        f"fitted on questions of {about}; LightGBM, seed {SEED}",
    )


def versions(sample: Sample) -> list[Sample]:
    """A question in all of its wordings, and in each of them alone."""
    if len(sample.own) == 1:
        return [sample]
    further = map(sample.alone, range(1, len(sample.own)))
    corpus = f"{REWORDED}{sample.corpus}"
    return [sample, sample.alone(), *(one._replace(corpus=corpus) for one in further)]


def rankings(found: Sequence[Sample]) -> tuple[Trees, Trees]:
    """The trees that rank by words, and those that rank by vectors, too; by words where there are none of these."""
    by_words = fit_ranking([one for one in found if one.corpus != real.EMBEDDED])
    embedded = [sample for sample in found if sample.corpus == real.EMBEDDED]
    return by_words, fit_ranking(embedded) if embedded else by_words


def _fold(sample: Sample) -> int:
    return zlib.crc32(sample.folder.encode()) % FOLDS  # several corpora ask the same folder
