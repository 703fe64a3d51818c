"""Shared by all packages of the engine: errors, limits and information of a search, texts, files."""
