"""Standings of finished stored games, for teams and organisers."""

from __future__ import annotations

from collections.abc import Callable

from ..archive.scorer import Scorer
from ..archive.scoring_rules import ScoringRules
from ..common.errors import StandstillError, StoreError
from .desk import Desk
from .pgn import write_game
from .store import damage_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..archive.standings import Outcome, Standings


def standings(
    desk: Desk, event: str | None, order: tuple[str, ...] | None, on_damage: Callable[[str], None]
) -> tuple[Standings, str]:
    """Return the ``Standings`` of all finished games, or of one event, and a sentence if a komi decides drawn games.

    Draws also score by their R-Mobility record.

    on_damage: a function that is called with the error of each unreadable game; the other games count. Raises
    StandstillError before the first game has ended, and ConfigError for an unknown tie-break.
    """
    from ..archive.standings import DEFAULT_ORDER, Standings, outcome_of
    from ..rmobility.scoring import Terms, komi_sentence

    scorer = Scorer(ScoringRules())
    outcomes: list[Outcome] = []
    used: set[Terms] = set()
    problems: list[StoreError] = []
    for row in desk.store.rows("SELECT name FROM games WHERE status = 'over' ORDER BY stamp_ms, name"):
        try:
            game = desk.load(row["name"])
            if event is not None and game.head.tags.get("Event", "") != event:
                continue
            with damage_named(desk.store, row["name"]):
                text = write_game(game, with_clocks=False).encode("utf-8")
                scored = scorer.score(text, 0, len(text))
                white, black = game.players
                terms = scored.terms(Terms())
                outcome = outcome_of(
                    white, black, terms.decided(game.result, scored.goal), scored.goal, scored.whole,
                    points=terms.white, by_komi=terms.komi is not None,
                )  # fmt: skip
        except StoreError as error:
            problems.append(error)
            continue
        if outcome is not None:
            outcomes.append(outcome)
            used.add(terms)
    if not outcomes:
        of_event = f" of the event {event!a}" if event is not None else ""
        raise problems[0] if problems else StandstillError(f"no finished games{of_event}")
    for problem in problems:
        on_damage(str(problem))
    return Standings(outcomes, order or DEFAULT_ORDER), komi_sentence(used, "tcec")
