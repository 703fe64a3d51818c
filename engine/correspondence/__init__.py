"""Correspondence games: read, kept over months, given back."""
