"""Language models, asked over the network where the user allows it."""
