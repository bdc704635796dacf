"""Embedders that answer by URL: Gemini, whatever speaks OpenAI's words, and Ollama. Standard library only.

Texts leave this machine only where a user has chosen such an embedder; a key is only ever in a header.
"""
