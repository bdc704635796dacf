"""A workspace for frameworks that agents are written with: each module needs its own, and is imported by name alone."""
