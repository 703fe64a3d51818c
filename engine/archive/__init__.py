"""Files of games: reading, scoring, tagging, score sheets, standings."""
