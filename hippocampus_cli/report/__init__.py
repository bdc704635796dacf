"""The health of an index: one value (:mod:`health`), drawn up by pure code, and its forms on paper."""
