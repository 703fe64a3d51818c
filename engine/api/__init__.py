"""Standstill, a chess engine for people who want to know what a draw was worth.

This file is installed as ``standstill/__init__.py``; it costs next to nothing, as the engine starts through it.
"""

from .engine import VERSION as __version__

__all__ = ["__version__"]
