"""A workspace for frameworks that agents are written with: each module needs its own, none is imported unasked."""
