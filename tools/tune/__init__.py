"""Tuning of the search by games of the core against itself. docs/development.md explains it."""
