"""The multilingual Universal Sentence Encoder (Google, version 3) in numpy: 512 numbers a text, sixteen languages.

The weights are no part of the package: ``hippo embed --install use-multilingual`` fetches them.
"""
