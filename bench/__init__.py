"""What measures hippo. It is not installed with it: ``python -m bench NAME …``, from a checkout.

One's own notes are measured by ``hippo bench workspace``, which is part of hippo; what it has (questions, sheets,
times of processes) is used here.

- ``dataset``: a :class:`Dataset` is folders of notes and questions with the lines that answer them.
- ``methods``: the ways of answering, hippo's and others; ``metrics``: the figures of one answer.
- ``comparison``: every method is asked every question of a data set; ``tables``: rows to sheets, a chart, a document.
- ``__main__``: the names, the options all have, and the one place that prints (text, markdown, JSON) and saves.

**A further data set** is one module like ``locomo``, and a line in ``__main__.BENCHMARKS``::

    arguments = comparison.arguments

    def measure(session, options):
        return comparison.measure(read_mine(options.file), session, options)

``read_mine`` takes the file apart with a :class:`Reader`, which refuses what is not as it should be, and gives a
``Dataset(name, kinds, folders)``. A :class:`Folder` has the lines of its notes, which of them can answer (``units``),
the moment at which they are asked, and a :class:`Case` a question: its text, the sets of lines each of which answers
it, its kind. Nothing is written by it: ``comparison`` lays the notes out, builds the index and asks.

**A further method** is a line of ``methods.RANKINGS``, **a further tool** a line of ``peers.tools.PEERS``, **another
benchmark** a module with ``arguments(parser)`` and ``measure(session, options)`` that returns :class:`Findings`.
"""
