"""Moves and records of whole games read from bytes, compared with python-chess."""

from __future__ import annotations

import random

import chess
import pytest

from standstill.cext.bindings.pgn_games import FAULTS, score_moves
from standstill.engine.variants.boards import new_board
from tests.rmobility.naive import code_of

START = chess.STARTING_FEN


def read(text: str, fen: str | None = None):
    data = text.encode()
    return score_moves(data, 0, len(data), None if fen in (None, START) else new_board(fen), detail=True)


def random_game(rng: random.Random, plies: int) -> tuple[chess.Board, list[str], list[int]]:
    """A game of random moves: (start board, SAN of the moves, goal codes including the start)."""
    start = chess.Board.from_chess960_pos(rng.randrange(960))
    if rng.random() < 0.5:
        start = chess.Board()
    board = start.copy()
    moves, codes = [], [code_of(board)]
    for _ in range(plies):
        legal = list(board.legal_moves)
        if not legal:
            break
        move = rng.choice(legal)
        moves.append(board.san(move))
        board.push(move)
        codes.append(code_of(board))
    return start, moves, codes


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(8))
def test_random_games_are_read_ply_by_ply(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(4):
        start, moves, codes = random_game(rng, 150)
        score = read(" ".join(moves), start.fen())
        assert (score.fault, score.plies, score.codes) == (0, len(moves), codes)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(4))
def test_every_legal_move_and_no_other_is_read(seed: int) -> None:
    """Every text shaped like a move, in some positions of random games."""
    rng = random.Random(100 + seed)
    squares = chess.SQUARE_NAMES
    texts = [man + square for man in ("", "N", "B", "R", "Q", "K") for square in squares]
    texts += [f"{file}x{square}" for file in "abcdefgh" for square in squares]
    texts += [f"{square}={man}" for square in squares for man in "QRBN"] + ["O-O", "O-O-O"]
    board, moves, _ = random_game(rng, 100)
    for number, san in enumerate(moves):
        if number % 25 == 0:
            fen = board.fen()
            for text in rng.sample(texts, 250) + [board.san(move) for move in board.legal_moves]:
                assert (read(text, fen).fault == 0) == is_legal(board, text), (fen, text)
        board.push_san(san)


@pytest.mark.parametrize("turn", [chess.WHITE, chess.BLACK], ids=["white", "black"])
def test_every_capture_by_a_pawn_and_no_other_is_read(turn: bool) -> None:
    """Pawn captures from each file to each square, in positions with many pawns and pieces to take."""
    rng = random.Random(int(turn))
    words = [f"{file}x{square}" for file in "abcdefgh" for square in chess.SQUARE_NAMES if square[1] not in "18"]
    read_words = 0
    for _ in range(8):
        board = chess.Board(None)
        board.turn = turn
        while not board.is_valid() or board.is_check():
            board.clear_board()
            places = rng.sample(range(64), 22)
            men = [chess.Piece(chess.KING, side) for side in chess.COLORS]
            men += [chess.Piece(chess.PAWN, side) for side in chess.COLORS for _ in range(7)]
            men += [chess.Piece(chess.KNIGHT, side) for side in chess.COLORS for _ in range(3)]
            for square, man in zip(places, men, strict=True):
                board.set_piece_at(square, man)
        found = {word for word in words if not read(word, board.fen()).fault}
        assert found == {word for word in words if is_legal(board, word)}, board.fen()
        read_words += len(found)
    assert read_words > 8


SPELT = {
    "promotions": "1n2k1r1/P1P3P1/8/3pP3/8/8/8/R3K2R w KQ d6 0 1",
    "twins": "4k3/8/8/N3N3/2r5/2N1N3/1Q1Q4/4K2Q w - - 0 1",
    "pawns": "4k3/8/8/1p1pPp2/P1P1P1P1/8/8/4K3 w - f6 0 1",
    "black": "r3k2r/8/8/8/3Pp1P1/8/p1p4p/1N1R1KNR b kq d3 0 1",
}  # fmt: skip


def spellings(board: chess.Board, move: chess.Move) -> set[str]:
    """All texts that may mean a move: with or without its origin, signs between the squares, and castling."""
    man, start, to = board.piece_type_at(move.from_square), move.uci()[:2], move.uci()[2:4]
    if board.is_castling(move):
        letters = 2 if to[0] == "g" else 3
        words = {sign.join(letter * letters) for sign in ("", "-") for letter in "O0"}
        return words | {start + sign + end for sign in SIGNS for end in (to, ("h" if letters == 2 else "a") + to[1])}
    origins = {"", start[0], start[1], start}
    if man == chess.PAWN and start[0] != to[0]:
        origins -= {"", start[1]}
    letters = {chess.piece_symbol(man).upper(), *("" for _ in range(man == chess.PAWN))}
    found = {letter + origin + sign + to for letter in letters for origin in origins for sign in SIGNS}
    found |= {start + sign + to for sign in SIGNS}
    if man == chess.PAWN and start[0] != to[0]:
        found |= {start[0] + sign + to[0] for sign in ("", "x", ":")}
    if move.promotion:
        symbol = chess.piece_symbol(move.promotion)
        found = {f"{text}{sign}{piece}" for text in found for sign in ("", "=") for piece in (symbol, symbol.upper())}
    return found


SIGNS = ("", "x", "-", ":")


@pytest.mark.parametrize("name", SPELT)
def test_every_spelling_of_a_move_and_no_other_text_is_read(name: str) -> None:
    """Texts that differ from a spelling in one letter are read only if they are spellings of one move themselves."""
    board, rng = chess.Board(SPELT[name]), random.Random(name)
    meant: dict[str, set[chess.Move]] = {}
    for move in board.legal_moves:
        for text in spellings(board, move):
            meant.setdefault(text, set()).add(move)
    spelt = sorted(meant)
    texts = {*rng.sample(spelt, min(600, len(spelt)))}
    for text in rng.choices(spelt, k=2500):
        at, letter = rng.randrange(len(text) + 1), rng.choice("abdegh12378x:-=QNBRKPqnO0")
        texts |= {text[:at] + letter + text[at:], text[:at] + text[at + 1 :], text[:at] + letter + text[at + 1 :]}
    for text in texts - {"", "1-0", "0-1"}:
        if not text.isdigit() and text[0] not in "-=":  # numbers, and signs of an evaluation
            expected = len(meant.get(text, ())) == 1
            assert (read(text + rng.choice(["", "+", "#", "!?"]), SPELT[name]).fault == 0) == expected, text


def is_legal(board: chess.Board, text: str) -> bool:
    try:
        move = board.parse_san(text)
    except ValueError:
        return False
    # python-chess reads castling written as the king's move, too.
    return not board.is_castling(move) or text.startswith("O")


CASTLE = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
TWO_KNIGHTS = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"


@pytest.mark.parametrize(
    ("text", "fen"),
    [
        ("e2e4 Ng8f6 e5?! Ng8 d2-d4!! d5 e5xd6 Qxd6", START),
        ("e4+ e5# Nf3!? Nc6?? Bb5 !? ", START),
        ("1.e4 e5 2.Nf3 2...Nc6 3. ...  Bb5", START),
        ("1.e4$1e5$2 2.Nf3(2.Nc3 {a ( b} Nf6 (2...d6)) Nc6;rest of the line Nxz9\nBb5", START),
        ("0-0 0-0-0", CASTLE),
        ("O-O-O+ O-O", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
        ("Nbd2", TWO_KNIGHTS),
        ("N1d2", TWO_KNIGHTS),
        ("Nb1d2", TWO_KNIGHTS),
        ("e8=Q", "8/4P3/8/8/8/8/8/K1k5 w - - 0 1"),
        ("e8Q", "8/4P3/8/8/8/8/8/K1k5 w - - 0 1"),
        ("e8q", "8/4P3/8/8/8/8/8/K1k5 w - - 0 1"),
        ("e4 -- d4 e5", START),
        ("e4 a6 e5 d5 exd6 e.p. +- h6 = dxc7 -/+ (4. d4) h5 \u00b1 cxd8=Q+ +/=", START),
        ("e4 Z0 d4 0000 d5 @@@@", START),
    ],
)
def test_common_ways_of_writing_are_read(text: str, fen: str) -> None:
    assert read(text, fen).fault == 0, read(text, fen).word


@pytest.mark.parametrize(
    ("text", "fen", "fault", "word", "ply"),
    [
        ("e4 e5 Nf6", START, "illegal", "Nf6", 3),
        ("e4 rubbish Nf3", START, "unreadable", "rubbish", 2),
        ("Nd2", TWO_KNIGHTS, "ambiguous", "Nd2", 1),
        ("O-O", "r3k2r/8/8/8/8/8/8/R3K1NR w KQkq - 0 1", "illegal", "O-O", 1),
        ("O-O", "4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1", "illegal", "O-O", 1),  # castling out of check
        ("O-O", "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "illegal", "O-O", 1),  # castling through check
        ("O-O", "4k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "illegal", "O-O", 1),  # castling into check
        ("O-O-", CASTLE, "unreadable", "O-O-", 1),
        ("O-", CASTLE, "unreadable", "O-", 1),
        ("e8", "8/4P3/8/8/8/8/8/K1k5 w - - 0 1", "illegal", "e8", 1),
        ("e4=Q", START, "illegal", "e4=Q", 1),
        ("Ke2=Q", START, "unreadable", "Ke2=Q", 1),
        ("--", "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "illegal", "--", 1),
        ("exd6", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "illegal", "exd6", 1),
        ("e9", START, "unreadable", "e9", 1),
    ],
)
def test_faults_are_named(text: str, fen: str, fault: str, word: str, ply: int) -> None:
    score = read(text, fen)
    assert (FAULTS[score.fault], score.word, score.plies + 1) == (fault, word.encode(), ply)
    assert score.words == len(text.split())
