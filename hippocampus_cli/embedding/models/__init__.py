"""Models on this machine: where they lie, what is installed, and how one comes and goes."""
