"""One game between two engines: who moves, what the clock says, and when it is over."""

from __future__ import annotations

from dataclasses import dataclass

import chess
import chess.engine
import chess.pgn

from ..errors import MatchError
from ..pgn.second import ChessBoard
from ..rmobility.goals import CLOCK_LIMIT, Goals
from .player import START_S, Player
from .setup import EngineSpec, Opening, TimeControl


@dataclass(frozen=True, slots=True)
class Rules:
    """When games end. plays_on: insufficient material ends none. fifty: as for ``Goals``. longest: plies, then drawn.

    patience_s: an engine that thinks longer, beyond its clock if it has one, hangs; start_s: the same at its start.
    margin_s: a clock may be overrun by so much.
    """

    plays_on: bool = True
    fifty: str = "fide"
    longest: int = 1000
    patience_s: float = 60.0
    start_s: float = START_S
    margin_s: float = 0.1

    @property
    def told(self) -> dict[str, str]:
        """What engines that have such options should know: they search for the ends that the referee sees."""
        rules = {"InsufficientMaterialDraw": "false"} if self.plays_on else {}
        return rules if self.fifty == "fide" else rules | {"RMobilityFifty": self.fifty}


TIME_FORFEIT = "time forfeit"
NO_START = "does not start"  # part of what is said of an engine that did not come up again after it had failed


@dataclass(slots=True)
class Played:
    """A finished game. fault: the side whose engine failed (a colour of python-chess), None if neither did."""

    game: chess.pgn.Game
    result: str
    termination: str
    fault: bool | None = None


class Clocks:
    """Seconds left, by colour of python-chess, in a game with clocks."""

    def __init__(self, control: TimeControl, rules: Rules):
        self._control = control
        self._rules = rules
        self.left = {chess.WHITE: control.clock_s, chess.BLACK: control.clock_s}

    def limit(self, spec: EngineSpec, colour: bool) -> tuple[chess.engine.Limit, float]:
        """What the engine of this colour is told, and how long it is waited for."""
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
            clock_id=self,  # engines of XBoard's protocol are told the control once a game
        )
        return limit, self.left[colour] + self._rules.patience_s

    def stop(self, colour: bool, spent_s: float) -> bool:
        """Take the time off; has it run out?"""
        if self._control.clock_s is None:
            return False
        self.left[colour] -= spent_s
        if self.left[colour] < -self._rules.margin_s:
            return True
        self.left[colour] = max(0.001, self.left[colour]) + self._control.increment_s
        return False


def play_game(players: dict[bool, Player], opening: Opening, control: TimeControl, rules: Rules) -> Played:
    """Play from the opening to the end.

    players: by colour of python-chess. An engine that fails loses the game; the other is none the worse for it.
    """
    board = chess.Board(opening.fen, chess960=opening.chess960)
    goals = Goals(ChessBoard(board), fifty=rules.fifty)
    clocks = Clocks(control, rules)
    token = object()

    def push(move: chess.Move) -> None:
        board.push(move)
        goals.push(ChessBoard(board))

    for text in opening.moves:
        push(board.parse_uci(text))
    for colour, player in players.items():
        try:
            player.start(by_nodes=(player.spec.nodes or control.nodes) is not None)
        except MatchError as error:
            return _lost(board, colour, _failure(colour, error), colour)
    while True:
        end = game_over(board, goals, rules)
        if end is not None:
            return _finished(board, *end)
        colour = board.turn
        player = players[colour]
        limit, patience_s = clocks.limit(player.spec, colour)
        try:
            reply = player.move(board, limit, token, patience_s)
        except MatchError as error:
            return _lost(board, colour, _failure(colour, error), colour)
        if clocks.stop(colour, reply.spent_s):
            return _lost(board, colour, TIME_FORFEIT)
        if reply.move is None:
            return _lost(board, colour, f"{_side(colour)} resigns")
        push(reply.move)


def game_over(board: chess.Board, goals: Goals, rules: Rules) -> tuple[str, str] | None:
    """(result, termination) if the position on the board ends the game."""
    if not any(board.generate_legal_moves()):
        if board.is_check():
            return ("0-1" if board.turn else "1-0"), "mate"
        return "1/2-1/2", "stalemate"
    draws = {
        "threefold repetition": board.is_repetition(3),
        "fifty-move rule": rules.fifty != "off" and goals.clock >= CLOCK_LIMIT,
        "insufficient material": not rules.plays_on and board.is_insufficient_material(),
        "too many moves": len(board.move_stack) >= rules.longest,
    }
    return next((("1/2-1/2", reason) for reason, holds in draws.items() if holds), None)


def _side(colour: bool) -> str:
    return "White" if colour else "Black"


def _failure(colour: bool, error: MatchError) -> str:
    return f"{_side(colour)}'s engine fails: {error}"


def _lost(board: chess.Board, colour: bool, termination: str, fault: bool | None = None) -> Played:
    return _finished(board, "0-1" if colour else "1-0", termination, fault)


def _finished(board: chess.Board, result: str, termination: str, fault: bool | None = None) -> Played:
    game = chess.pgn.Game.from_board(board)
    game.headers["Result"] = result
    return Played(game, result, termination, fault)
