"""Games in files: reading, scoring, tagging, score sheets, standings."""
