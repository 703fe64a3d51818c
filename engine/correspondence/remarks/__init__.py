"""Stores the user's own remarks about games, and computes hints about draw claims and tables."""
