"""A second reader of training games (docs/training-data.md), written for clarity, with python-chess."""

from __future__ import annotations

import json
import struct
import zlib
from dataclasses import dataclass, field
from pathlib import Path

import chess

RESULTS = ("0-1", "1/2-1/2", "1-0")
NO_SCORE = -32768
MEN = " PNBRQK  pnbrqk "


@dataclass
class Game:
    number: int
    result: str
    reason: int
    opening: int
    first: chess.Board
    moves: list[chess.Move] = field(default_factory=list)
    scores: list[int | None] = field(default_factory=list)

    def boards(self):
        """(position, move, score) for each ply; the last position has no move."""
        board = self.first.copy()
        for move, score in zip(self.moves, self.scores, strict=True):
            yield board, move, score
            board.push(move)
        yield board, None, None


def read(path: Path) -> tuple[dict, list[Game]]:
    data = path.read_bytes()
    magic, version, zero, size = struct.unpack_from("<8sHHI", data)
    assert (magic, version, zero) == (b"STILLGM\n", 1, 0)
    at = 16 + size
    assert struct.unpack_from("<I", data, at)[0] == zlib.crc32(data[:at])
    about = json.loads(data[16:at])
    at += 4
    games: list[Game] = []
    while at < len(data):
        word, count, first, length = struct.unpack_from("<4sIQI", data, at)
        end = at + 20 + length
        assert word == b"GAME"
        assert struct.unpack_from("<I", data, end)[0] == zlib.crc32(data[at:end])
        at += 20
        for number in range(first, first + count):
            game, at = read_game(data, at)
            game.number = number
            games.append(game)
        assert at == end
        at += 4
    return about, games


def read_game(data: bytes, at: int) -> tuple[Game, int]:
    plies, opening, flags = struct.unpack_from("<HBB", data, at)
    at += 4
    first = chess.Board(chess960=True)
    if flags & 4:
        first = start(data[at : at + 38])
        at += 38
    game = Game(0, RESULTS[flags & 3], flags >> 4, opening, first)
    board = first.copy()
    for ply in range(plies):
        (packed,) = struct.unpack_from("<H", data, at)
        at += 2
        score = None
        if ply >= opening:
            (cp,) = struct.unpack_from("<h", data, at)
            score = None if cp == NO_SCORE else cp
            at += 2
        # In Chess960 python-chess writes castling as king takes rook, too.
        move = chess.Move(packed & 63, packed >> 6 & 63, (packed >> 12) + 1 if packed >> 12 else None)
        assert move in board.legal_moves
        game.moves.append(move)
        game.scores.append(score)
        board.push(move)
    return game, at


def start(data: bytes) -> chess.Board:
    occupied, castling = struct.unpack_from("<QQ", data)
    stm, ep, clock, fullmove = struct.unpack_from("<BBHH", data, 32)
    board = chess.Board(None, chess960=True)
    for index, square in enumerate(chess.scan_forward(occupied)):
        symbol = MEN[data[16 + index // 2] >> 4 * (index % 2) & 15]
        board.set_piece_at(square, chess.Piece.from_symbol(symbol))
    board.castling_rights = castling
    board.turn = stm == 0
    board.ep_square = None if ep == 255 else ep
    board.halfmove_clock, board.fullmove_number = clock, fullmove
    assert board.is_valid()
    return board
