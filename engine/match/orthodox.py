"""Implements chess and Chess960 in a match, with python-chess."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import chess
import chess.pgn

from standstill.cext.base.constants import CLOCK_LIMIT, NO_CLOCK_LIMIT

from ..archive.pgn import tags_of
from ..archive.played import played
from ..archive.scorer import CHESS960
from ..common.errors import MatchError, StandstillError
from ..common.text import shown
from ..external.protocols import UciClient, XboardClient
from ..rmobility.goals import MATE as GOAL_OF_MATE
from ..rmobility.goals import Goal, Goals
from ..tablebases.probing import chess_board
from ..variants.game_over import FIFTY_MOVES, TABLES
from ..variants.notation import position_fields
from ..variants.variant import CHESS as CHESS_GAME
from ..variants.variant import Variant
from .referee import BY_TABLES, DEAD, JUDGED, MATE, TOO_LONG, MatchRules, movetext
from .setup import Opening

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..tablebases.adjudication import Adjudicator


class _GoalBoard:
    """A board of python-chess with the interface of ``goals.GameBoard``."""

    def __init__(self, board: chess.Board):
        self.board = board

    @property
    def stm(self) -> int:
        return int(not self.board.turn)

    @property
    def clock(self) -> int:
        return self.board.halfmove_clock

    def goal(self) -> int:
        return 2 * self.board.legal_moves.count() + (not self.board.is_check())


class OrthodoxReferee:
    """A ``referee.Referee`` for chess."""

    def __init__(self, opening: Opening, rules: MatchRules):
        self.position = chess.Board(opening.fen, chess960=opening.chess960)
        self._goals = Goals(_GoalBoard(self.position), opening.record, fifty=rules.fifty)
        self._rules = rules
        self._agreed: Goal | None = None  # the outcome of a drawn game by tables
        for text in opening.moves:
            self.push(self.position.parse_uci(text))

    @property
    def turn(self) -> bool:
        return self.position.turn

    @property
    def plies(self) -> int:
        return len(self.position.move_stack)

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(move.uci() for move in self.position.move_stack)

    def push(self, move: chess.Move) -> None:
        self.position.push(move)
        self._goals.push(_GoalBoard(self.position))

    def end(self) -> tuple[str, str] | None:
        board, rules = self.position, self._rules
        if not any(board.generate_legal_moves()):
            if board.is_check():
                return ("0-1" if board.turn else "1-0"), MATE
            return "1/2-1/2", "stalemate"
        if rules.tables_win and rules.tables is not None and self.plies:
            winner = rules.tables.winner(board, any_win=True)
            if winner is not None:
                return winner, BY_TABLES
        by_fifty = rules.fifty != "off" and self._goals.clock >= CLOCK_LIMIT
        if by_fifty and rules.fifty == "iccf" and rules.tables is not None:
            winner = rules.tables.winner(board, any_win=True)
            if winner is not None:
                return winner, TABLES
        draws = {
            "threefold repetition": board.is_repetition(3),
            FIFTY_MOVES: by_fifty,
            DEAD: not rules.plays_on and board.is_insufficient_material(),
            TOO_LONG: self.plies >= rules.longest,
        }
        drawn = next((("1/2-1/2", reason) for reason, holds in draws.items() if holds), None)
        if drawn is not None and drawn[1] == DEAD and rules.dead_adjudicator is not None:
            return self._judged(rules.dead_adjudicator, DEAD) or drawn
        return self._judged(rules.adjudicator, JUDGED) if drawn is None and rules.adjudicator is not None else drawn

    @property
    def record(self) -> Goal | None:
        return self._agreed or self._goals.record

    def _judged(self, adjudicator: Adjudicator, reason: str) -> tuple[str, str] | None:
        """Return the end by tables if they contain the outcome, else None."""
        position, held = self.position, self._goals.lowest
        if not self.plies or chess.popcount(position.occupied) > adjudicator.most_men:
            return None  # a game needs at least one move
        board = chess_board(position.fen())
        if self._rules.fifty == "off":
            board.clock_limit = NO_CLOCK_LIMIT
        found = adjudicator.verdict(board, (held.code, held.owner))
        # Best play does not repeat positions, but a position that has already occurred twice could end the game on
        # the way.
        if found is None or (found != (held.code, held.owner) and _has_repeated(position)):
            return None
        code, owner = found
        if code == GOAL_OF_MATE:
            return ("0-1" if owner else "1-0"), reason
        self._agreed = Goal(code, owner, self.plies)
        return "1/2-1/2", reason

    def pgn(self, tags: Mapping[str, str], comments: Sequence[str]) -> str:
        game = chess.pgn.Game.from_board(self.position)
        game.headers.update(tags)
        if self._agreed:
            game.headers["RMobilityAgreed"] = str(self._agreed)
        head = "".join(f'[{name} "{value}"]\n' for name, value in game.headers.items())
        return f"{head}\n{movetext(self._moves(), comments, tags['Result'])}"

    def _moves(self) -> Iterator[tuple[int, bool, str]]:
        board = self.position.root()
        for move in self.position.move_stack:
            yield board.fullmove_number, board.turn, board.san(move)
            board.push(move)


def _has_repeated(position: chess.Board) -> bool:
    """Return whether any position has occurred twice since the last capture or pawn move."""
    walk = position.copy()
    for _ in range(min(position.halfmove_clock, len(position.move_stack))):
        if walk.is_repetition(2):
            return True
        walk.pop()
    return False


class Orthodox:
    """A ``referee.Kind`` for chess."""

    game: Variant = CHESS_GAME
    identity: tuple[str, ...] = ()  # empty, so that match files from versions before variants remain valid
    clients: ClassVar[Mapping[str, type[UciClient | XboardClient]]] = {"uci": UciClient, "xboard": XboardClient}
    begin = OrthodoxReferee

    @property
    def start(self) -> Opening:
        return Opening(chess.STARTING_FEN)

    def opening_of_line(self, text: str, where: str) -> Opening:
        fields = position_fields(text)
        fen = " ".join(fields + ["0", "1"][max(0, len(fields) - 4) :])
        try:
            board = chess.Board(fen, chess960=True)
        except ValueError as error:
            raise MatchError(f"{where}: {error}") from None
        if not board.is_valid():
            raise MatchError(f"{where}: not a legal position: {shown(text)}")
        chess960 = bool(board.castling_rights) and chess.Board(fen).status() != chess.STATUS_VALID
        return Opening(fen, (), chess960)

    def opening_of_game(self, text: bytes, where: str, plies: int | None) -> Opening | None:
        try:
            game, fen, moves = played(text)
        except StandstillError as error:
            raise MatchError(f"{where}: {error}") from None
        if game.is_empty:
            return None
        variant = tags_of(text).get("Variant", "")
        if not game.game.is_chess:
            raise MatchError(f"{where}: expected chess, found variant {shown(variant)}")
        first = " ".join(position_fields(fen or chess.STARTING_FEN))  # without a record
        board = chess.Board(first, chess960=variant.strip().lower() in CHESS960)
        for move in moves[:plies]:
            if not board.push_uci(move):
                board = board.copy(stack=False)  # engines do not receive null moves
        return Opening(board.root().fen(), tuple(move.uci() for move in board.move_stack), board.chess960)

    def introduce(self, client: UciClient | XboardClient, from_start: bool) -> None:
        """Do nothing, because every engine supports chess."""


CHESS = Orthodox()
