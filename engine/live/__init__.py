"""Follows a game while it is played: a growing PGN file, standard input or an address, and its R-Mobility record."""
