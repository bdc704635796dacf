"""The nearest vectors: a scan by default, usearch or Milvus where somebody has more than a scan is good for."""
