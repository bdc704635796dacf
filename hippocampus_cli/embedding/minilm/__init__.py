"""all-MiniLM-L6-v2 without torch: its tokenizer in Python, its forward pass in numpy.

384 numbers a text. The weights are no part of the package: ``hippo models install minilm`` fetches them.
"""
