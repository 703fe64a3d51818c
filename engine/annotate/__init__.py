"""Symbols for evaluations: the relevance model, the engine's lines about it, annotated games, reports."""
