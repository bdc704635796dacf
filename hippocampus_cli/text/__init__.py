"""Text for search and for reading: one tokenizer, stop words, thesaurus, and a note cut into units."""
