"""Standings of stored games that have ended, for teams and organisers."""

from __future__ import annotations

from ..archive.rules import ScoringRules
from ..archive.scorer import Scorer
from ..archive.stamped import write_game
from ..words.errors import StandstillError
from .desk import Desk

TYPE_CHECKING = False  # typing itself would slow the start
if TYPE_CHECKING:
    from ..archive.standings import Standings


def standings(desk: Desk, event: str | None, order: tuple[str, ...] | None) -> Standings:
    """The table of all finished games, or of those of one event. Drawn games also count by their R-Mobility record.

    Returns a ``Standings``. Raises StandstillError if there is no such game, ConfigError for an unknown tie-break.
    """
    from ..archive.standings import DEFAULT_ORDER, Standings, outcome_of

    scorer = Scorer(ScoringRules())
    outcomes = []
    for row in desk.store.rows("SELECT name FROM games WHERE status = 'over' ORDER BY stamp_ms, name"):
        game = desk.load(row["name"])
        if event is not None and game.head.tags.get("Event", "") != event:
            continue
        text = write_game(game, with_clocks=False).encode("utf-8")
        scored = scorer.score(text, 0, len(text))
        white, black = game.players
        outcome = outcome_of(white, black, game.result, scored.goal, scored.whole)
        if outcome is not None:
            outcomes.append(outcome)
    if not outcomes:
        raise StandstillError("no finished games" + (f" of the event {event!a}" if event is not None else ""))
    return Standings(outcomes, order or DEFAULT_ORDER)
