"""The context window of an agent: transcripts in, compaction out, and the lifecycle of what is in it."""
