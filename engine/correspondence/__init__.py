"""Correspondence games: importing, keeping and exporting them."""
