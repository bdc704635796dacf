"""Episodes and beliefs: what happened, and what is held true, since when, on whose word, and what was held before.

Glossary:

- *episode*: a summary of part of one session, never changed once it is written; its *statements* are its lines.
- *chain*: each episode holds the hash of the one before it. *head*: the last one's number and hash.
- *belief*: a statement that is held, with the statements it is *derived from*, its validity and its history.
- *origin*: whose word something is. *trust*: the least of the origins that something rests on.
- *gate*: what decides, before every write, that something is not kept.
"""
