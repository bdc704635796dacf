"""``python -m bench locomo``: questions about very long conversations, with the turns that answer them."""
