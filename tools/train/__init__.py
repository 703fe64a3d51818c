"""Trains networks from files of games (docs/training.md): ``python -m tools.train --help``."""
