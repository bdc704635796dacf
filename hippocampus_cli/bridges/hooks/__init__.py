"""Answers to an agent's hooks. An agent waits for them, so each imports what it needs when it needs it."""
