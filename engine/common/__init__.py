"""Helpers shared by all packages of the engine: errors, search limits and information, texts, files."""
