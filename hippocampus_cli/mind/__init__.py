"""Episodes and beliefs: what happened, and what is believed: since when, on whose word, and what was believed before.

Glossary:

- *episode*: a summary of part of one session, never changed once it is written; its *statements* are its lines.
- *chain*: each episode holds the hash of the one before it. *head*: the last one's number and hash.
- *belief*: a statement that is held, with the statements it is *derived from*, its validity and its history.
- *origin*: who said something. *trust*: the lowest origin among the sources of a belief.
- *gate*: the check before every write that refuses what must not be kept.
"""
