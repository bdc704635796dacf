"""What must not be kept in anything derived from the notes, and the placeholder that stands in its place."""
