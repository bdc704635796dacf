"""Adapters for agent frameworks. Each module needs its framework, and is imported only by name."""
