"""Writes over-the-board score sheets: a line for each phase of the game, and a mark for each noted goal."""

from __future__ import annotations

from ..common.goal import goal_text
from ..common.text import visible
from .pgn import tags_of
from .scorer import ScoredGame, record_plies
from .scoring_rules import ScoringRules


def sheet(game: ScoredGame, rules: ScoringRules) -> str:
    """Return the sheet of a game scored in detail: the lines after the game's number, and an empty line.

    A capture or a pawn move begins a new row, which is named after that move. A row lists the goals within the limit,
    each after its move, if they are lower than all earlier goals of the row. The last mark of the last row decides.
    """
    tags = tags_of(game.text[game.start : game.end])
    players = f"{tags.get('White', '?')} - {tags.get('Black', '?')}"
    event = ", ".join(value for value in (tags.get("Event", ""), tags.get("Round", "")) if value and value != "?")
    lines = [visible(f": {players}" + (f" ({event})" if event else ""))]
    if game.problem is not None:
        return f"{lines[0]}\n  no sheet, the game cannot be read: {game.problem}\n\n"
    assert game.score is not None
    rows: list[tuple[str, list[str]]] = []
    for ply, code, owner, begins in record_plies(game.score, rules):
        move = move_name(game, ply)
        if begins:
            rows.append((move, []))
        if code <= rules.otb_limit:
            rows[-1][1].append(f"{move} {goal_text(code, owner)}")
    width = max(len(name) for name, _ in rows)
    for name, marks in rows:
        lines.append(f"  {name:<{width}} | {'  '.join(marks)}".rstrip())
    goal = game.over_the_board
    outcome = f"{goal} by {'Black' if goal.owner else 'White'}, ply {goal.ply}" if goal else "no mark, a draw"
    if game.provisional:
        outcome = f"{outcome.removesuffix(', a draw')} so far"
    lines.append(f"  Result {game.result}, over the board with limit {goal_text(rules.otb_limit)}: {outcome}")
    return "\n".join(lines) + "\n\n"


def move_name(game: ScoredGame, ply: int) -> str:
    """Return the move as ``12.Nf3`` or ``12...Kc7``; ``start`` for the first position."""
    if ply == 0:
        return "start"
    assert game.score is not None
    half_move = ply - 1 + game.score.first_mover
    return f"{half_move // 2 + game.first_move}.{'..' if half_move % 2 else ''}{game.word(ply)}"
