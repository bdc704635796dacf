"""``python -m bench scale``: what the number of files does to time, memory and disk."""
