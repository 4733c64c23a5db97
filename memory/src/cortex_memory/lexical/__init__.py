"""How a text is searched by its words: a pure reading of text, the same for queries."""
