"""What is learned, fitted on questions: the trees of the ranking and of the confidence (``python -m bench fit``)."""
