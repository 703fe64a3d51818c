"""Annotates games with symbols from the relevance model, and writes reports about them."""
