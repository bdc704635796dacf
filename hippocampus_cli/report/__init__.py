"""The health of an index: one value (:mod:`health`), made by pure code (:mod:`assess`), and its forms on a page."""
