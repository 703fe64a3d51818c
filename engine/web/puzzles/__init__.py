"""Puzzles from the user's own games: found, checked by the engine, repeated until they are known, exported."""
