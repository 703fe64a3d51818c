"""The range of expected results for which each symbol stands, as the pages draw it."""

from __future__ import annotations

from ..relevance.model import DEFAULT_POSITION_SCHEME, POSITION_SCHEMES


def bands(scheme: str = DEFAULT_POSITION_SCHEME) -> list[float]:
    """Return White's expected results at which the symbol changes, in ascending order."""
    edges = [over / under for over, under in POSITION_SCHEMES[scheme]]
    return sorted(0.5 + sign * edge for edge in edges for sign in (-1, 1))
