"""How the ranking, the confidence and the thesaurus of hippo were made: ``python -m bench.fit.NAME``."""
