"""Squares to which the pieces of a game are bound, and moves that they have only there."""
