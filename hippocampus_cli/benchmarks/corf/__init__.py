"""CORF: does a lookup of anchors bring up the chunk that answers, for questions that retrieval tends to fail (ANCHOR)?"""
