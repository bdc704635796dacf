"""Language models, asked over the network where the user's environment names one, and nowhere else.

``HIPPO_MIND_MODEL`` is ``openai:NAME``, ``anthropic:NAME`` or ``ollama:NAME``; ``HIPPO_MIND_URL`` another address. No
file of a workspace can name a model: one that was handed over must not send texts anywhere.
"""
