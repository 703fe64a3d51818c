"""The relevance model: it converts an evaluation into the expected result, and into symbols."""
