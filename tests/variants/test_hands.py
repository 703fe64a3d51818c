"""Pieces in hand: positions and moves compared with python-chess, and how they are written and refused."""

from __future__ import annotations

import random
import re
from pathlib import Path

import chess.variant
import pytest

from standstill.cext.bindings.perft import checked_perft, perft
from standstill.cext.fairy.fairy_board import FairyBoard
from standstill.engine.archive.fairy_scoring import read_move
from standstill.engine.common.errors import DefinitionError, IllegalMoveError, NotationError
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.catalog import Catalog
from standstill.engine.variants.fairymax import parse
from standstill.engine.variants.notation import fen, looks_like_move, move_text, parse_move, parse_san, san
from tests import forked
from tests.variants.files import block, text_of
from tests.xboard.support import pong

CRAZYHOUSE = Catalog().find("crazyhouse")
FULL = "2k5/8/8/8/8/8/8/4K3[QRBNPqrbnp] w - - 0 1"


def board_of(text: str | None = None, name: str = "crazyhouse") -> FairyBoard:
    board = new_board(text, game=Catalog().find(name))
    assert isinstance(board, FairyBoard)
    return board


@pytest.mark.parametrize(("text", "counts"), [(None, [20, 400, 8902, 197281]), (FULL, [301, 75353])])
def test_published_counts(text: str | None, counts: list[int]) -> None:
    """The counts are from the perft file of python-chess for this game."""
    board = board_of(text)
    assert [perft(board, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize("name", ["crazyhouse", "loop", "chessgi"])
def test_incremental_keys(name: str) -> None:
    for text in ("rnb1k1nr/P6P/8/3q4/8/8/1p4p1/R3K2R[BPpp] w KQkq - 0 9", FULL):
        board = board_of(text, name)
        assert checked_perft(board, 2) == perft(board, 2)


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 40))])
def test_games_of_python_chess(seed: int) -> None:
    """Moves, SAN read and written, the end of the game, and FEN both ways."""
    rng = random.Random(seed)
    peer, ours, read = chess.variant.CrazyhouseBoard(), board_of(), board_of()
    for _ in range(120):
        moves = {move_text(ours, move): move for move in ours.legal_moves()}
        assert sorted(moves) == sorted(map(str, peer.legal_moves)), peer.fen()
        read.notation.set_fen(read, peer.fen())
        assert (read.key, read.squares, read.held) == (ours.key, ours.squares, ours.held)
        assert list(map(str, chess.variant.CrazyhouseBoard(fen(ours)).pockets)) == list(map(str, peer.pockets))
        assert bool(ours.checkers) == peer.is_check() and (ours.count_legal() == 0) == (not moves)
        if not moves:
            return
        takes = sorted(text for text in moves if ours.noisy(moves[text]))
        text = rng.choice(takes if takes and rng.random() < 0.4 else sorted(moves))
        move = chess.Move.from_uci(text)
        told = peer.san(move)
        assert san(ours, moves[text]).replace("P@", "@") == told.replace("P@", "@"), peer.fen()
        assert parse_san(ours, told) == read_move(ours, told) == parse_move(ours, text) == moves[text]
        assert looks_like_move(text)
        peer.push(move)
        ours.push(moves[text])
        ours.verify()


def test_no_bits_pass_for_a_drop() -> None:
    """`is_legal` accepts any 32 bits: a move of the hash table may belong to another position."""
    rng = random.Random(7)
    board = board_of("r3k2r/1P6/8/8/8/8/8/R3K2R[NPq] w KQkq - 0 1")
    legal = set(board.legal_moves())
    for _ in range(20000):
        move = 5 << 29 | rng.getrandbits(29)
        assert not board.legal(move) or move in legal
    for move in legal:
        for bit in range(32):
            assert board.legal(move ^ 1 << bit) == (move ^ 1 << bit in legal)


def test_drops_count_for_the_goal() -> None:
    assert board_of(FULL).goal() == 2 * 301 + 1
    assert board_of("7k/5Q2/6K1/8/8/8/8/8[n] b - - 0 1").goal() == 2 * 61 + 1


def test_a_drop_parries_and_a_drop_mates() -> None:
    text = "6rk/5Npp/8/8/8/8/8/K7[] b - - 0 1"
    assert board_of(text).count_legal() == 0  # a smothered king, and a knight's check that cannot be parried
    board = board_of("4R2k/6pp/8/8/8/8/8/K7[n] b - - 0 1")
    assert sorted(move_text(board, move) for move in board.legal_moves()) == ["N@f8", "N@g8"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("4k3/8/8/8/8/8/8/4K3[K] w - - 0 1", "expected pieces that can be in hand, found 'K'"),
        ("4k3/8/8/8/8/8/8/4K3[x] w - - 0 1", "expected pieces that can be in hand, found 'x'"),
        ("4k3/8/8/8/8/8/8/4K3[P w - - 0 1", "expected ] after the pieces in hand"),
        (f"4k3/8/8/8/8/8/8/4K3[{'P' * 17}] w - - 0 1", "at most 16 pieces P on the board and in hand, found 17"),
        (f"4k3/8/8/8/8/8/8/4K3[{'P' * 3100}] w - - 0 1", "16 pieces P on the board and in hand, found more"),
        (f"4k3/8/8/8/8/8/QQQ5/4K3[{'P' * 15}q] w - - 0 1", "expected at most 3 pieces Q on the board and in hand"),
        (f"4k3/8/8/8/8/QQQQQ3/QQQQQQQQ/4K3[{'Rr' * 9}] w - - 0 1", "expected at most 32 pieces on the board and in"),
        ("4k3/8/8/8/8/8/P~7/4K3[] w - - 0 1", "expected a piece that pawns become before ~ on rank 2"),
        ("4k3/8/8/8/8/8/~7/4K3[] w - - 0 1", "found '~' on rank 2"),
    ],
)
def test_hands_that_cannot_be(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=re.escape(message)):
        board_of(text)


def test_few_kinds_of_pieces() -> None:
    """Promoted pieces are further kinds, but the seventh of all kinds does not become the default promotion."""
    men = "k:-1 K\nr:500 R\nn:325 N\nb:325 B"
    lines = f"6x6\n3 4 5 6 0 0\n0 0 6 5 4 3\np:100 fmWfcF\np:100 bmWbcF\n{men}\n# choice\n# hand turn\n# drop p 2-5\n"
    game = parse(f"version 4.8(w)\n{lines}\nGame: mine\n{lines}\nThe end.\n").games[0]
    board = new_board("k5/4P1/6/6/6/5K[] w - - 0 1", game=game)
    names = [move_text(board, move) for move in board.legal_moves()]
    assert sorted(name for name in names if name[0] == "e") == ["e5e6b", "e5e6n", "e5e6r"]


@pytest.mark.parametrize("text", ["N@e1", "Q@e4", "N@e9", "K@e4", "P@e8", "@e8", "N@", "@", "n@e44"])
def test_drops_that_cannot_be(text: str) -> None:
    board = board_of("4k3/8/8/8/8/8/8/4K3[NP] w - - 0 1")
    for read in (parse_move, parse_san, read_move):
        with pytest.raises((IllegalMoveError, NotationError)):
            read(board, text)


def test_pychess_writes_hands_behind_a_slash() -> None:
    assert fen(board_of("4k3/8/8/8/8/8/8/4K3/Np w - - 0 1")) == "4k3/8/8/8/8/8/8/4K3[Np] w - - 0 1"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["# hand all"], "hand: expected turn or keep, found 'all'"),
        (["# drop p 2-7"], "expected a line hand beside drop"),
        (["# hand keep", "# drop z 2-7"], "drop: expected letters of pieces (bknpqr), found z"),
        (["# hand keep", "# drop p 2-9"], "drop: expected ranks up to 8, found 9"),
        (["# hand keep", "# drop p 7-2"], "drop: expected letters of pieces and ranks such as p 2-7, found 'p 7-2'"),
        (
            ["# hand keep", "# drop p 2-7 twice"],
            "drop: expected single, double, nomate or either behind the ranks, found 'twice'",
        ),
        (["# hand keep", "# drop p 2-7 single double"], "drop: expected single or double, found both"),
        (["# hand keep", "# drop n 1-8 either"], "drop: expected pieces with a promoted form before either, found n"),
        (["# hand keep", "# drop p 2-7", "# drop np 1-3"], "drop: expected each letter in one line"),
        (["# hand keep", "# drop k 1-8"], "drop: expected pieces that can be captured, found the royal piece k"),
        (["# hand keep", "# hand turn"], "hand: expected one line hand, found two"),
        (["# hand keep", "# promotion limited"], "hand: expected no promotion to captured pieces (limited) beside it"),
        (["# hand keep", "# counting makruk R B N"], "hand: expected no counting beside it"),
        (
            [*(f"{letter}:300 1,7" for letter in "acdefg"), "# hand turn"],
            "hand: expected at most 15 pieces, with a promoted one for each that a pawn may become, found 23",
        ),
    ],
)
def test_contradicting_lines(lines: list[str], message: str) -> None:
    with pytest.raises(DefinitionError, match=re.escape(message)):
        parse(text_of(block("Game: mine", *lines)))


def test_one_pawn_on_a_file_and_no_mate_by_a_pawn() -> None:
    """The rules of shogi's pawns, in a game of our own."""
    game = parse(text_of(block("Game: mine", "# hand turn", "# drop p 2-7 single nomate"))).games[0]
    board = new_board("6k1/8/4RBK1/8/8/8/P7/8[P] w - - 0 1", game=game)
    drops = {move_text(board, move) for move in board.legal_moves()} & {f"P@{file}5" for file in "abcdefgh"}
    assert drops == {f"P@{file}5" for file in "bcdefgh"}
    mate = "7k/7p/7K/8/8/8/B7/8[P] w - - 0 1", "P@g7"
    for lines, allowed in ((["# drop p 2-7"], True), (["# drop p 2-7 nomate"], False)):
        game = parse(text_of(block("Game: mine", "# hand turn", *lines))).games[0]
        board = new_board("6rk/6pp/8/8/8/8/8/K7[N] w - - 0 1", game=game)
        assert "N@f7" in {move_text(board, move) for move in board.legal_moves()}
        board = new_board(mate[0], game=game)
        found = {move_text(board, move) for move in board.legal_moves()}
        assert (mate[1] in found) == allowed and board.count_legal() == len(found)


def test_the_engine_mates_by_a_drop(engine) -> None:
    engine.send("setoption name UCI_Variant value crazyhouse")
    engine.send("position fen 6rk/6pp/8/8/8/8/8/K7[N] w - - 0 1", "go depth 4")
    assert engine.read_until("bestmove")[-1].split()[1] == "N@f7"
    engine.send("position startpos moves e2e4 d7d5 e4d5 d8d5 P@e4", "d")
    assert "Fen: rnb1kbnr/ppp1pppp/8/3q4/4P3/8/PPPP1PPP/RNBQKBNR[p] b KQkq - 0 3" in engine.read_until("Goal:")


def test_xboard_plays_it(xboard) -> None:
    xboard.send("new", "variant crazyhouse", "force", *(f"usermove {text}" for text in ("e2e4", "d7d5", "e4d5")))
    xboard.send("usermove d8d5", "usermove P@e4", "usermove N@e5", "usermove p@d4", "usermove P@e5")
    assert pong(xboard) == ["Illegal move: N@e5", "Illegal move: P@e5"]
    xboard.send("setboard 6rk/6pp/8/8/8/8/8/K7[N] w - - 0 1", "sd 4", "go")
    assert xboard.read_until("move")[-1] == "move N@f7"


def test_a_game_is_read_and_tagged(executable: Path, tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    moves = "1. e4 d5 2. exd5 Qxd5 3. P@e4 Qd8 4. d4 @e6 5. P@e5 *"
    file.write_text(f'[Variant "crazyhouse"]\n[Result "*"]\n\n{moves}\n', encoding="ascii")
    done = forked.run([str(executable), "tag", str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "illegal move 'P@e5'" in done.stderr
    file.write_text(file.read_text().replace(" 5. P@e5", ""))
    forked.run([str(executable), "tag", str(file)], capture_output=True, check=True)
