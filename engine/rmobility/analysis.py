"""What the engine thinks of a position, or of each position of a game: score, line, record and forecast."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..board import new_board
from ..errors import NotationError
from ..info import SearchInfo
from ..limits import Limits
from ..notation import BLACK, NULL_MOVE, move_text, parse_san, san, san_line
from ..pgn.games import decoded, tags_of
from ..session import Listener, Session
from .archive import ScoredGame, Scorer

_PASS = "--"


@dataclass(frozen=True, slots=True)
class Thought:
    """Of one position. ply: moves played before it. move: the one that led to it, in SAN, None for the first.

    line: of the search. pv: in SAN. record, forecast: as UCI tells them, None where nothing is recorded.
    """

    ply: int
    move: str | None
    black_to_move: bool
    number: int
    line: SearchInfo
    pv: tuple[str, ...]
    record: str | None
    forecast: str | None

    @property
    def white_score(self) -> int:
        """Fixed point, White's view."""
        return -self.line.score if self.black_to_move else self.line.score


class _Last(Listener):
    def __init__(self) -> None:
        self.line: SearchInfo | None = None
        self.said: str | None = None

    def info(self, info: SearchInfo) -> None:
        if info.multipv == 1:
            self.line = info

    def outlook(self, text: str) -> None:
        self.said = text


def analyse(session: Session, limits: Limits, fen: str | None, moves: list[str]) -> Iterator[Thought]:
    """The position behind all these moves if there are none to follow, else each from the first to the last.

    moves: in coordinate notation. Raises NotationError or IllegalMoveError.
    """
    session.new_game()
    for ply in range(len(moves) + 1):
        session.position(fen, moves[:ply])
        last = _Last()
        session.go(limits, last)
        session.wait()
        board = session.board
        before = None
        if ply:
            move = board.move_at(ply)
            board.pop()
            before = san(board, move) if move else _PASS
            if move:
                board.push(move)
            else:
                board.push_null()
        record = forecast = None
        if last.said is not None:
            record, _, forecast = last.said.removeprefix("record ").partition(" forecast ")
        pv = tuple(san_line(board, last.line.pv))
        yield Thought(ply, before, board.stm == BLACK, board.fullmove, last.line, pv, record, forecast)


def played(text: bytes, variant: str = "") -> tuple[ScoredGame, str | None, list[str]]:
    """(the game, its first position or None for the usual one, its moves in coordinate notation).

    variant: which game it is, whatever the Variant tag says; empty: what that says.
    Raises NotationError for a game that cannot be read.
    """
    game = Scorer(variant=variant).score(text, 0, len(text), detail=True)
    if game.problem is not None or game.score is None:
        where = f"ply {game.fault_ply}: " if game.fault_ply else ""
        raise NotationError(where + (game.problem or "expected moves in standard notation"))
    fen = tags_of(text).get("FEN")
    board = new_board(fen, chess960=True, game=game.definition)
    moves = []
    for number, (start, end, place) in enumerate(game.score.moves):
        if not place:
            moves.append(NULL_MOVE)
            board.push_null()
            continue
        move = parse_san(board, decoded(text[start:end]).split()[0]) if game.is_chess else game.score.line[number]
        moves.append(move_text(board, move))
        board.push(move)
    return game, fen, moves
