"""The ranges for which symbols stand: of expected results, as the pages draw them, and of losses."""

from __future__ import annotations

from dataclasses import dataclass

from ..relevance import trainer
from ..relevance.model import DEFAULT_POSITION_SCHEME, MOVE_SCHEMES, POSITION_SCHEMES, Scheme


@dataclass(frozen=True, slots=True)
class SymbolScheme:
    """A scheme for the page Study. edges: shares of the area at which a stronger symbol begins.

    missed_mate: missing a mate in at most this many moves gets a symbol, regardless of the loss; 0 for no such rule.
    """

    name: str
    edges: tuple[float, ...]
    missed_mate: int = 0


def bands(scheme: str = DEFAULT_POSITION_SCHEME) -> list[float]:
    """Return White's expected results at which the symbol changes, in ascending order."""
    return sorted(0.5 + sign * edge for edge in _shares(POSITION_SCHEMES[scheme]) for sign in (-1, 1))


def position_schemes() -> list[SymbolScheme]:
    """Return the schemes for symbols of positions, the default one first."""
    return [SymbolScheme(name, _shares(edges)) for name, edges in POSITION_SCHEMES.items()]


def move_schemes() -> list[SymbolScheme]:
    """Return the schemes for bad moves, the default one first."""
    ours = SymbolScheme(trainer.NAME, trainer.FITTED.losses, trainer.FITTED.missed_mate)
    return [ours, *(SymbolScheme(name, _shares(edges)) for name, edges in MOVE_SCHEMES.items())]


def _shares(edges: Scheme) -> tuple[float, ...]:
    return tuple(over / under for over, under in edges)
