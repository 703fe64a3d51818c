"""Matches between engines under the rules of R-Mobility: games go on where only kings are left, records are kept."""
