"""Score sheets as they are kept over the board: a line for each phase of the game, a mark for each goal noted down."""

from __future__ import annotations

from ..notation import goal_text
from ..pgn.games import decoded, tags_of
from .archive import Rules, ScoredGame, record_plies


def sheet(game: ScoredGame, number: int, rules: Rules) -> str:
    """The sheet of a game that was scored in detail, as some lines of text with an empty one behind them.

    A capture or a pawn move draws a line: here a new row, named by that move. In it stand the goals within the limit
    that were lower than all before them in the row, each behind its move. The last mark of the last row decides.
    """
    tags = tags_of(game.text[game.start : game.end])
    players = f"{tags.get('White', '?')} - {tags.get('Black', '?')}"
    event = ", ".join(value for value in (tags.get("Event", ""), tags.get("Round", "")) if value and value != "?")
    lines = [f"Game {number}: {players}" + (f" ({event})" if event else "")]
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
    lines.append(f"  Result {game.result}, over the board with limit {goal_text(rules.otb_limit)}: {outcome}")
    return "\n".join(lines) + "\n\n"


def move_name(game: ScoredGame, ply: int) -> str:
    """``12.Nf3`` or ``12...Kc7``; ``start`` for the first position."""
    if ply == 0:
        return "start"
    start, end, _ = game.score.moves[ply - 1]
    half_move = ply - 1 + game.score.first_mover
    word = decoded(game.text[start:end]).split()[0].rstrip("!?")
    return f"{half_move // 2 + game.first_move}.{'..' if half_move % 2 else ''}{word}"
