"""The engine as an XBoard client drives it, for games by definition."""

from tests.xboard.conftest import xboard

__all__ = ["xboard"]
