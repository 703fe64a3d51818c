"""Overnight analyses: a queue of games, a tree for each game, and a report in the morning."""
