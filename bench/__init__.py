"""What measures hippo. It is not installed with it: ``python -m bench NAME …``, from a checkout.

- ``dataset``: a :class:`Dataset` is folders of notes and questions with the lines that answer them.
- ``methods``: the ways of answering, hippo's and others; ``metrics``, ``scoring``: the figures of one answer.
- ``corpora``: what hippo is measured on, a module each; ``floors.toml``: what it has to reach there.
- ``comparison``: every method is asked every question of a data set; ``tables``: rows to sheets, a chart, a document.
- ``workspace``: one's own notes and questions; ``places``: the ways of answering them.
- ``sheet``, ``deliver``: tables and how they are printed and saved; ``processes``: whole processes timed in turn.
- ``__main__``: the names and the options all have.

**A further corpus** is one module like ``corpora/factconsolidation``, a line in ``corpora.CORPORA`` and one in
``__main__.BENCHMARKS``. Its ``read(data)`` takes files apart with a :class:`Reader`, which refuses what is not as it
should be, and gives a ``Dataset(name, kinds, folders, scoring=...)``. A :class:`Folder` has the lines of its notes,
which of them can answer (``units``), the moment at which they are asked, and a :class:`Case` a question: its text,
the sets of lines each of which answers it, its kind. A :class:`Scoring` says what is counted of an answer. Nothing is
written by it: ``comparison`` lays the notes out, builds the index and asks.

**A further method** is a line of ``methods.RANKINGS``, **a further tool** a line of ``peers.tools.PEERS``, **another
benchmark** a module with ``arguments(parser)`` and ``measure(session, options)`` that returns :class:`Findings`.
"""
