"""CORF: are the chunks that answer brought up, where retrieval tends to fail (ANCHOR)?"""
