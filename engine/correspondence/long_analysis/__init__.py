"""Analyses over nights: a queue over games, a tree for each game, and a report of the morning."""
