"""The command line: the only folder that prints, exits, and reads the environment or the clock."""
