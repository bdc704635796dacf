"""What an agent has in its window: results that fade, transcripts that are compacted."""
