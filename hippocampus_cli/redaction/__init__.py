"""What must not be kept in anything derived from the notes, and the placeholder that is in its place."""
