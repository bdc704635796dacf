"""What hippo asks of whoever can read: an agent, a model, the user.

Glossary:

- *task*: where a judgement is needed, with its *evidence*: quoted places. The same state asks the same tasks.
- *answer*: the judgement; it is verified without being understood, and applied, or refused with a reason.
- *mark*: that a line of a note was called outdated.
"""
