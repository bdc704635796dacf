"""The multilingual Universal Sentence Encoder (Google, version 3) in numpy: 512 numbers a text, sixteen languages.

The weights are no part of the package: ``hippo models install use-multilingual`` fetches them.
"""
