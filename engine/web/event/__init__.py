"""The page of an event: standings, cross table and games, as one file."""
