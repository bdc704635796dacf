"""The store of many machines: PostgreSQL with pgvector, an extra that nothing imports unasked."""
