"""Reads files of games, scores and tags the games, and writes score sheets and standings."""
