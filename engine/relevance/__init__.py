"""The relevance model: what an evaluation means for the result, and its symbols."""
