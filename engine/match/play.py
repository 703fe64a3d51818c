"""Plays one game between two engines, with clocks, to the end."""

from __future__ import annotations

from dataclasses import dataclass, field

import chess
import chess.engine

from ..common.errors import MatchError
from .player import EnginePlayer, Reply
from .referee import MatchRules, Referee
from .setup import EngineSpec, TimeControl

TIME_FORFEIT = "time forfeit"
_SHORT_S, _LONG_S = 0.1, 10.0  # seconds; from each of these durations on, one decimal fewer is shown
NO_START = "does not start"  # part of the message about an engine that did not start


@dataclass(slots=True)
class Played:
    """A finished game.

    fault: the side whose engine failed (a colour of python-chess), or None. comments: one comment for each ply; empty
    for no comment.
    options: the options set in the engines, by colour.
    """

    game: Referee
    result: str
    termination: str
    fault: bool | None = None
    comments: list[str] = field(default_factory=list)
    options: dict[bool, dict[str, str]] = field(default_factory=dict)


class MatchClocks:
    """The seconds left for each colour of python-chess, in a game with clocks."""

    def __init__(self, control: TimeControl, rules: MatchRules):
        self._control = control
        self._rules = rules
        start_s = control.clock_s or 0.0
        self.left = {chess.WHITE: start_s, chess.BLACK: start_s}  # meaningless without a clock

    def limit(self, spec: EngineSpec, colour: bool) -> tuple[chess.engine.Limit, float]:
        """Return the limit for the engine of this colour, and the number of seconds to wait for its move."""
        control = self._control
        if spec.nodes is not None:
            return chess.engine.Limit(nodes=spec.nodes), self._rules.patience_s
        if control.clock_s is None:
            limit = chess.engine.Limit(nodes=control.nodes, depth=control.depth, time=control.move_s)
            return limit, self._rules.patience_s + (control.move_s or 0)
        limit = chess.engine.Limit(
            white_clock=self.left[chess.WHITE],
            black_clock=self.left[chess.BLACK],
            white_inc=control.increment_s,
            black_inc=control.increment_s,
            clock_id=self,  # XBoard engines get the time control once per game
        )
        return limit, self.left[colour] + self._rules.patience_s

    def stop(self, colour: bool, spent_s: float) -> bool:
        """Subtract the time spent from a clock. Return True if the clock has run out."""
        if self._control.clock_s is None:
            return False
        self.left[colour] -= spent_s
        if self.left[colour] < -self._rules.margin_s:
            return True
        self.left[colour] = max(0.001, self.left[colour]) + self._control.increment_s
        return False


def play_game(
    players: dict[bool, EnginePlayer],
    game: Referee,
    control: TimeControl,
    rules: MatchRules,
    game_options: dict[str, str] | None = None,
) -> Played:
    """Play a game from its opening to the end.

    players: the engines by colour of python-chess. An engine that fails loses the game; the other engine is not
    affected.
    game_options: the options of this game, for engines that have them.
    """
    comments = ["book"] * game.plies
    played = _play(players, game, control, rules, comments, game_options or {})
    played.comments = comments
    played.options = {colour: player.options for colour, player in players.items()}
    return played


def _play(  # noqa: PLR0917
    players: dict[bool, EnginePlayer],
    game: Referee,
    control: TimeControl,
    rules: MatchRules,
    comments: list[str],
    game_options: dict[str, str],
) -> Played:
    clocks = MatchClocks(control, rules)
    token = object()
    for colour, player in players.items():
        try:
            player.start(by_nodes=(player.spec.nodes or control.nodes) is not None)
            if game_options:
                player.adapt(game_options)
        except MatchError as error:
            return _lost(game, colour, _failure(colour, error), colour)
    while True:
        end = game.end()
        if end is not None:
            return Played(game, *end)
        colour = game.turn
        player = players[colour]
        limit, patience_s = clocks.limit(player.spec, colour)
        try:
            reply = player.move(game.position, limit, token, patience_s)
        except MatchError as error:
            return _lost(game, colour, _failure(colour, error), colour)
        if clocks.stop(colour, reply.spent_s):
            return _lost(game, colour, TIME_FORFEIT)
        if reply.move is None:
            return _lost(game, colour, f"{_side(colour)} resigns")
        game.push(reply.move)
        comments.append(_comment(reply))


def _comment(reply: Reply) -> str:
    """Return score, depth and time as cutechess writes them, ``+0.31/12 0.45s``; only the time without a score."""
    spent = f"{reply.spent_s:.{1 if reply.spent_s >= _LONG_S else 2 if reply.spent_s >= _SHORT_S else 3}f}s"
    return spent if reply.thought is None else f"{reply.thought} {spent}"


def _side(colour: bool) -> str:
    return "White" if colour else "Black"


def _failure(colour: bool, error: MatchError) -> str:
    return f"{_side(colour)}'s engine fails: {error}"


def _lost(game: Referee, colour: bool, termination: str, fault: bool | None = None) -> Played:
    return Played(game, "0-1" if colour else "1-0", termination, fault)
