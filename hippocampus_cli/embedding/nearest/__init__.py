"""The nearest vectors: the signs of all are scanned by default; usearch or Milvus where somebody wants an engine."""
