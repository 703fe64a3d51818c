"""Standings over stored games that have ended: for teams and organisers."""

from __future__ import annotations

from ..errors import StandstillError
from ..rmobility.archive import Rules, Scorer
from .desk import Desk
from .pgn import write_game


def standings(desk: Desk, event: str | None, order: tuple[str, ...] | None):
    """The table of all finished games, or those of one event; drawn games count by their R-Mobility record, too.

    Returns ``engine.rmobility.standings.Standings``. Raises StandstillError if there is none, ConfigError for an
    unknown tie-break.
    """
    from ..rmobility.standings import DEFAULT_ORDER, Standings, outcome_of

    scorer = Scorer(Rules())
    outcomes = []
    for row in desk.store.rows("SELECT name FROM games WHERE status = 'over' ORDER BY stamp_ms, name"):
        game = desk.load(row["name"])
        if event is not None and game.head.tags.get("Event", "") != event:
            continue
        text = write_game(game, with_clocks=False).encode("utf-8")
        scored = scorer.score(text, 0, len(text))
        outcome = outcome_of(*game.players, game.result, scored.goal, scored.whole)
        if outcome is not None:
            outcomes.append(outcome)
    if not outcomes:
        raise StandstillError("no finished games" + (f" of the event {event!a}" if event is not None else ""))
    return Standings(outcomes, order or DEFAULT_ORDER)
