"""The user's own remarks about games, and hints of the rules."""
