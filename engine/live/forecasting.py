"""Searches for the forecast: the record that the engine expects at the end of the game."""

from __future__ import annotations

from ..common.limits import Limits
from ..play.listener import Listener
from ..rmobility.modes import DECISIVE, NONE, POINTS
from ..rmobility.scoring import komi_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..play.session import Session
    from ..rmobility.modes import Outlook
    from ..rmobility.scoring import Terms
    from ..variants.variant import Variant
    from .game import LiveGame

_HASH_MB = 16


def prepare(  # noqa: PLR0917
    session: Session, variant: Variant, fen: str, moves: list[str], terms: Terms, chess960: bool
) -> None:
    """Set up the session for a position of the game."""
    if session.game is not variant:
        session.play_game(variant)
    for name, value in {
        "Hash": str(_HASH_MB),
        "Move Overhead": "0",
        "UCI_AnalyseMode": "true",
        "UCI_Chess960": str(chess960).lower(),
        "InsufficientMaterialDraw": "false",  # with insufficient material, the sides still play for the record
        "RMobility": POINTS if terms.komi is None else DECISIVE,
        "RMobilityKomi": NONE if terms.komi is None else komi_text(*terms.komi),
    }.items():
        session.set_option(name, value)
    session.position(fen, moves)


class _Last(Listener):
    found: Outlook | None = None

    def outlook(self, outlook: Outlook, is_news: bool) -> None:
        self.found = outlook


def forecast(session: Session, game: LiveGame, search_ms: int) -> dict[str, object] | None:
    """Search the newest position and return the forecast (``LiveGame.forecast``), or None without one."""
    snapshot = game.snapshot
    prepare(session, snapshot.game, snapshot.fen, list(game.moves), game.terms, snapshot.chess960)
    limits, last = Limits(), _Last()
    limits.movetime_ms = search_ms
    session.go(limits, last)
    session.wait()
    if last.found is None or last.found.forecast is None:
        return None
    return game.forecast(*last.found.forecast, last.found.promised)
