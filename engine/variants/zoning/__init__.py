"""Squares that matter to the rules of a game: where pieces may stand, move and promote."""
