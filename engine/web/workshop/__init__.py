"""The page Workshop, on which a user writes, sees, tries and measures a game by definition."""
