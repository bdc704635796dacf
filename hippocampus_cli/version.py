"""The version of this hippo."""

__version__ = "0.1.0"
