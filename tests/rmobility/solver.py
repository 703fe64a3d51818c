"""Solves endings of two and three pieces under R-Mobility from the rules alone, without the engine.

A state is a position and a record. An outcome is a number from White's view: ``127 - code`` if White owns the record,
``code - 127`` if Black does. A score is ``256 * outcome``. If the outcome is better for White than the current record,
the plies that White needs are subtracted; if it is worse, the plies that Black needs are added.

A class has its positions in arrays of shape (2, 64, 64, 64): side to move (0 White), White's king, White's piece,
Black's king. With bare kings the piece is on square 0 and is ignored. Records are solved from the best to the worst. A
layer has all positions whose goal does not improve the record; its states start from "the record stands" and are
iterated until nothing changes.
"""

from __future__ import annotations

from functools import cache

import chess
import numpy as np

TOP = 127
PLY = 256
ILLEGAL = -1
LINES = {
    "Q": ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)),
    "R": ((1, 0), (0, 1), (-1, 0), (0, -1)),
    "B": ((1, 1), (1, -1), (-1, 1), (-1, -1)),
}
LEAPS = ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1))
AROUND = LINES["Q"]


def outcome(code, white: bool):
    """The outcome of a game that ends with this record."""
    return TOP - code if white else code - TOP


def score_of(value) -> np.ndarray:
    """The outcome of a score with plies."""
    return (value + PLY // 2) // PLY


def towards(value: np.ndarray, record: int) -> np.ndarray:
    """The scores under this record: the plies count for the side that wants to change it."""
    target = PLY * score_of(value)
    plies = np.abs(value - target)
    return np.where(target > record, target - plies, np.where(target < record, target + plies, record))


def step(square: int, df: int, dr: int) -> int | None:
    file, rank = square % 8 + df, square // 8 + dr
    return 8 * rank + file if 0 <= file < 8 and 0 <= rank < 8 else None


def _near() -> np.ndarray:
    near = np.zeros((64, 64), bool)
    for square in range(64):
        for d in (*AROUND, (0, 0)):
            to = step(square, *d)
            if to is not None:
                near[square, to] = True
    return near


NEAR = _near()  # [a, b]: kings on a and b touch


def _lines(man: str, square: int) -> list[list[int]]:
    """The squares that a piece can reach on an empty board, line by line."""
    if man in LINES:
        found = []
        for df, dr in LINES[man]:
            line, to = [], step(square, df, dr)
            while to is not None:
                line.append(to)
                to = step(to, df, dr)
            found.append(line)
        return found
    leaps = LEAPS if man == "N" else ((-1, 1), (1, 1))
    return [[to] for d in leaps if (to := step(square, *d)) is not None]


class Class:
    """A king with at most one piece against a king: the value of every state.

    man: White's piece, "" or one of QRBNP. codes: goal codes, -1 for impossible positions.
    """

    def __init__(self, man: str) -> None:
        self.man = man
        self.successors, self.resets, self.codes = self._graph()
        self.fresh = np.zeros(self.codes.shape, np.int32)
        self.columns: dict[tuple[int, bool], np.ndarray] = {}
        self._solve()

    # ---- positions ----

    def _attacks(self) -> np.ndarray:
        """[piece's square, square, White's king]: whether the piece attacks the square."""
        table = np.zeros((64, 64, 64), bool)
        if not self.man:
            return table
        for square in range(64):
            for line in _lines(self.man, square):
                free = np.ones(64, bool)  # by White's king: the line is open so far
                for to in line:
                    table[square, to] = free
                    free[to] = False
        return table

    def _moves_of_man(self, square: int) -> list[tuple[np.ndarray, int, str]]:
        """(where the move is possible, target square, promotion) for White's piece; there are no captures."""
        occupied = np.zeros((64, 64, 64), bool)  # [white king, black king, square]
        every = np.arange(64)
        occupied[every, :, every] = True
        occupied[:, every, every] = True
        found = []
        if self.man == "P":
            one = square + 8
            free = ~occupied[:, :, one]
            found += [(free, one, piece) for piece in ("QRBN" if one >= 56 else "P")]
            if square // 8 == 1:
                found.append((free & ~occupied[:, :, square + 16], square + 16, "P"))
            return found
        for line in _lines(self.man, square):
            free = np.ones((64, 64), bool)
            for to in line:
                free = free & ~occupied[:, :, to]
                found.append((free, to, self.man))
        return found

    def _graph(self):
        """Moves within the phase as position indices, each position's best resetting move, and the goal codes."""
        shape = (2, 64, 64, 64)
        place = np.arange(2 * 64**3).reshape(shape)
        white_king, man, black_king = np.meshgrid(*[np.arange(64)] * 3, indexing="ij")
        attacks = self._attacks()
        legal = np.zeros(shape, bool)
        legal[1] = ~NEAR[white_king, black_king]
        if self.man:
            legal[1] &= (man != white_king) & (man != black_king)
            if self.man == "P":
                legal[1] &= (man // 8 != 0) & (man // 8 != 7)
        else:
            legal[1] &= man == 0
        check = attacks[man, black_king, white_king] & legal[1]
        legal[0] = legal[1] & ~check

        moves: list[list[np.ndarray]] = [[], []]  # by side to move: positions reached, or ILLEGAL
        count = np.zeros(shape, np.int32)
        # The nearest and the farthest of the best resets; without a reset, the worst value for the mover.
        none = np.stack([np.full((64,) * 3, -PLY * (TOP + 1)), np.full((64,) * 3, PLY * (TOP + 1))]).astype(np.int32)
        resets = np.stack([none, none])

        for d in AROUND:
            target = np.array([-1 if (to := step(square, *d)) is None else to for square in range(64)])
            to = target[white_king]
            able = legal[0] & (to >= 0) & ~NEAR[to, black_king]
            if self.man:
                able &= to != man
            moves[0].append(np.where(able, place[1, to, man, black_king], ILLEGAL))
            count[0] += able
            to = target[black_king]
            able = legal[1] & (to >= 0) & ~NEAR[white_king, to] & ~attacks[man, to, white_king]
            takes = able & (to == man) if self.man else np.zeros_like(able)
            count[1] += able
            moves[1].append(np.where(able & ~takes, place[0, white_king, man, to], ILLEGAL))
            if self.man:
                bare = solved("").fresh[0, white_king, 0, to]
                resets[:, 1] = np.where(takes, np.minimum(resets[:, 1], bare), resets[:, 1])
        if self.man == "P":
            self._pawn = self._pawn_moves(legal, count)
        elif self.man:
            slots = [np.full((64,) * 3, ILLEGAL) for _ in range(max(len(self._targets(s)) for s in range(64)))]
            for square in range(64):
                for slot, (free, to, _) in enumerate(self._moves_of_man(square)):
                    able = free & legal[0, :, square, :]
                    slots[slot][:, square, :] = np.where(able, place[1, :, to, :], ILLEGAL)
                    count[0, :, square, :] += able
            moves[0] += slots
        codes = 2 * count + 1
        codes[1] -= check
        return moves, resets, np.where(legal, codes, -1)

    def _targets(self, square: int) -> list[int]:
        return [to for line in _lines(self.man, square) for to in line]

    def _pawn_moves(self, legal: np.ndarray, count: np.ndarray) -> dict:
        """Pawn moves by the pawn's square; their values are unknown until the squares that they reach are solved."""
        found = {}
        for square in range(8, 56):
            found[square] = []
            for free, to, piece in self._moves_of_man(square):
                able = free & legal[0, :, square, :]
                count[0, :, square, :] += able
                found[square].append((able, to, piece))
        return found

    # ---- values ----

    def _solve(self) -> None:
        # A pawn only moves forward, so each rank is a phase. Without a pawn there is one phase.
        if self.man == "P":
            for rank in range(6, 0, -1):
                squares = np.arange(8 * rank, 8 * rank + 8)
                for square in squares:
                    for able, to, piece in self._pawn[square]:
                        target = self if piece == "P" else solved(piece)
                        value = PLY * score_of(target.fresh[1, :, to, :])
                        plies = np.abs(target.fresh[1, :, to, :] - value)
                        for best, score in zip(
                            self.resets[:, 0, :, square, :], (value - plies, value + plies), strict=True
                        ):
                            best[able] = np.maximum(best, score)[able]
                inside = np.zeros(self.codes.shape, bool)
                inside[:, :, squares, :] = True
                self._solve_phase(inside)
        else:
            self._solve_phase(np.ones(self.codes.shape, bool))

    def _solve_phase(self, inside: np.ndarray) -> None:
        codes, fresh = self.codes.reshape(-1), self.fresh.reshape(-1)
        near, far = self.resets.reshape(2, -1)
        inside = inside.reshape(-1) & (codes >= 0)
        half = codes.size // 2
        graph = [np.stack([slot.reshape(-1) for slot in side], axis=1) for side in self.successors]
        white_moves = np.zeros(codes.size, bool)
        white_moves[:half] = True
        ends = inside & (codes <= 1)
        last = codes[ends]
        fresh[ends] = PLY * np.where(white_moves[ends], outcome(last, white=False), outcome(last, white=True))
        value = fresh.copy()  # valid for decided positions and solved goals
        decided = ends.copy()
        for code in range(2, int(codes[inside].max()) + 1):
            for white in (True, False):
                record = PLY * outcome(code, white)
                layer = inside & (codes >= code) & ~decided
                seen = towards(value, record)
                seen[layer] = record
                # The side that wants an outcome wants it soon; the other side wants it late.
                resets = np.where((PLY * score_of(near) > record) == white_moves, near, far)
                self._iterate(seen, layer, graph, towards(resets, record), record)
                column = self.columns.setdefault((code, white), np.zeros(codes.size, np.int32))
                column[inside] = seen[inside]
                value[layer] = seen[layer]
                mine = layer & (codes == code) & (white_moves != white)
                fresh[mine] = value[mine]
                # Persistence: a position that reaches a better code than the record's does so under every weaker
                # record.
                decided |= layer & (TOP - np.abs(score_of(value)) < code)
            # The fresh value of a decided position is the value at which it was decided.
            done = inside & (codes == code)
            settled = done & decided
            fresh[settled] = np.where(fresh[settled] == 0, value[settled], fresh[settled])
            value[done] = fresh[done]

    @staticmethod
    def _iterate(value, layer, graph, resets, record) -> None:
        half = value.size // 2
        sides = []
        for side in (0, 1):
            places = np.flatnonzero(layer[side * half : (side + 1) * half])
            sides.append((places + side * half, graph[side][places], side))
        while True:
            changed = False
            for places, moves, side in sides:
                if not places.size:
                    continue
                worst = -PLY * (TOP + 1) if side == 0 else PLY * (TOP + 1)
                behind = np.where(moves == ILLEGAL, worst, value[moves])
                best = behind.max(axis=1) if side == 0 else behind.min(axis=1)
                reset = resets[places]
                best = np.maximum(best, reset) if side == 0 else np.minimum(best, reset)
                target = score_of(best)
                stands = record // PLY
                best = np.where(target > stands, best - 1, np.where(target < stands, best + 1, record))
                if not np.array_equal(best, value[places]):
                    value[places] = best
                    changed = True
            if not changed:
                return

    # ---- asking ----

    def score(self, place: tuple[int, int, int, int], record: tuple[int, bool] | None) -> int:
        """Score of a state.

        record: (code, is White's). With None, or a weaker record than the position's own goal, the state is fresh.
        """
        if record is None or record[0] > self.codes[place]:
            return int(self.fresh[place])
        if record[0] < 2:
            return PLY * outcome(*record)
        return int(self.columns[record].reshape(self.codes.shape)[place])


@cache
def solved(man: str) -> Class:
    return Class(man)


def place_of(board: chess.Board) -> tuple[str, tuple[int, int, int, int], bool]:
    """(piece, place, colours exchanged) of a python-chess position with at most three pieces."""
    men = [(square, piece) for square, piece in board.piece_map().items() if piece.piece_type != chess.KING]
    if len(men) > 1:
        raise ValueError(f"expected at most three men, found {board.fen()}")
    turned = bool(men) and men[0][1].color == chess.BLACK
    if turned:
        board = board.mirror()
        men = [(square, piece) for square, piece in board.piece_map().items() if piece.piece_type != chess.KING]
    man, square = (men[0][1].symbol(), men[0][0]) if men else ("", 0)
    side = 0 if board.turn == chess.WHITE else 1
    return man, (side, board.king(chess.WHITE), square, board.king(chess.BLACK)), turned


def score(board: chess.Board, record: tuple[int, bool] | None) -> int:
    """Score of a state, as in ``Class.score``. record: (code, is White's)."""
    man, place, turned = place_of(board)
    if turned and record is not None:
        record = (record[0], not record[1])
    value = solved(man).score(place, record)
    return -value if turned else value
