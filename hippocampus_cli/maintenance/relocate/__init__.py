"""Where a text went that a pointer led to: found again by content, by name, in the archive. Pure."""
