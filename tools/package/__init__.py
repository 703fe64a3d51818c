"""Builds what users install: wheels and an archive with its own Python."""
