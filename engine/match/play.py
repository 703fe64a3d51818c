"""One game between two engines: who moves, what the clock says, and when it is over."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

import chess
import chess.engine
import chess.pgn

from ..errors import MatchError
from ..notation import shown
from ..pgn.second import ChessBoard
from ..rmobility.goals import CLOCK_LIMIT, Goals
from .setup import EngineSpec, Opening, TimeControl

_START_S = 15.0  # an engine may take so long to answer at its start


@dataclass(frozen=True, slots=True)
class Rules:
    """When games end. plays_on: insufficient material ends none. fifty: as for ``Goals``. longest: plies, then drawn.

    patience_s: an engine without a clock that thinks longer hangs. margin_s: a clock may be overrun by so much.
    """

    plays_on: bool = True
    fifty: str = "fide"
    longest: int = 1000
    patience_s: float = 60.0
    margin_s: float = 0.1


class Player:
    """An engine process, started when it is first needed and again after it has failed."""

    def __init__(self, spec: EngineSpec):
        self.spec = spec
        self._engine: chess.engine.SimpleEngine | None = None

    def start(self) -> None:
        """Raises MatchError, with the reason, if it does not come up."""
        if self._engine is not None:
            return
        open_it = chess.engine.SimpleEngine.popen_xboard
        if self.spec.protocol == "uci":
            open_it = chess.engine.SimpleEngine.popen_uci
        engine = None
        try:
            engine = open_it(list(self.spec.command), timeout=_START_S)
            self._configure(engine)
        except (chess.engine.EngineError, OSError, TimeoutError) as error:
            if engine is not None:
                engine.close()
            raise MatchError(f"engine {shown(self.spec.name)} does not start: {_reason(error)}") from None
        self._engine = engine

    def _configure(self, engine: chess.engine.SimpleEngine) -> None:
        known = {name.lower(): name for name in engine.options}
        options = {}
        for name, value in self.spec.options.items():
            if name.lower() not in known:
                engine.close()
                raise MatchError(f"engine {shown(self.spec.name)} has no option {shown(name)}")
            options[known[name.lower()]] = value
        engine.configure(options)

    def move(self, board: chess.Board, limit: chess.engine.Limit, game: object, patience_s: float):
        """The engine's move, None if it resigns. Raises MatchError for one that crashes, hangs or moves illegally."""
        engine = self._engine
        thought = asyncio.wait_for(engine.protocol.play(board, limit, game=game), patience_s)
        try:
            result = asyncio.run_coroutine_threadsafe(thought, engine.protocol.loop).result()
        except (chess.engine.EngineError, TimeoutError) as error:
            self._engine = None
            engine.close()  # it may not listen any more
            raise MatchError(_reason(error)) from None
        if result.move is None and not result.resigned:
            raise MatchError("gives no move")
        return None if result.resigned else result.move

    def stop(self) -> None:
        engine, self._engine = self._engine, None
        if engine is None:
            return
        try:
            engine.quit()
        except (chess.engine.EngineError, TimeoutError):
            engine.close()


def _reason(error: Exception) -> str:
    if isinstance(error, (asyncio.TimeoutError, TimeoutError)):
        return "hangs"
    if isinstance(error, chess.engine.EngineTerminatedError):
        return "crashes"
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return " ".join(str(error).split()) or type(error).__name__


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

    def limit(self, spec: EngineSpec) -> tuple[chess.engine.Limit, float]:
        """What the engine is told, and how long it is waited for."""
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
        )
        return limit, max(self.left.values()) + self._rules.patience_s

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
    Raises MatchError if one of them cannot even be started.
    """
    board = chess.Board(opening.fen, chess960=opening.chess960)
    goals = Goals(ChessBoard(board), fifty=rules.fifty)
    clocks = Clocks(control, rules)
    token = object()
    for player in players.values():
        player.start()

    def push(move: chess.Move) -> None:
        board.push(move)
        goals.push(ChessBoard(board))

    for text in opening.moves:
        push(board.parse_uci(text))
    while True:
        end = game_over(board, goals, rules)
        if end is not None:
            return _finished(board, *end)
        colour = board.turn
        player = players[colour]
        limit, patience_s = clocks.limit(player.spec)
        started = time.perf_counter()
        try:
            move = player.move(board, limit, token, patience_s)
        except MatchError as error:
            return _lost(board, colour, f"{_side(colour)}'s engine fails: {error}", colour)
        if clocks.stop(colour, time.perf_counter() - started):
            return _lost(board, colour, "time forfeit")
        if move is None:
            return _lost(board, colour, f"{_side(colour)} resigns")
        push(move)


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


def _lost(board: chess.Board, colour: bool, termination: str, fault: bool | None = None) -> Played:
    return _finished(board, "0-1" if colour else "1-0", termination, fault)


def _finished(board: chess.Board, result: str, termination: str, fault: bool | None = None) -> Played:
    game = chess.pgn.Game.from_board(board)
    game.headers["Result"] = result
    return Played(game, result, termination, fault)
