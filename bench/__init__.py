"""What measures hippo, and is not installed with it: ``python -m bench NAME …`` from a checkout."""
