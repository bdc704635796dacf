"""Summary and key data without a model, by kind of content (CONTEXT §6.2): a module a kind, all pure."""
