"""Days in text: date expressions of questions and of notes become ranges of days."""
