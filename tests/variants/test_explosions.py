"""Explosions: positions and moves compared with python-chess and the second implementation of the rules, exchanges and
material with python-chess, and how the rule is written and refused.
"""

from __future__ import annotations

import itertools
import random
import re
from pathlib import Path

import chess.variant
import pytest

from standstill.cext.base.constants import INSUFFICIENT_MATERIAL, RULE_LOSS
from standstill.cext.bindings.perft import checked_perft, perft
from standstill.cext.evaluation.fairy_eval import FairyEvaluator
from standstill.cext.fairy.fairy_board import FairyBoard
from standstill.engine.archive.fairy_scoring import read_move
from standstill.engine.common.errors import DefinitionError, NotationError
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.catalog import Catalog
from standstill.engine.variants.fairymax import parse
from standstill.engine.variants.game_over import EXPLODED, game_end
from standstill.engine.variants.notation import move_text, parse_move, parse_san, san
from tests import forked
from tests.amounts import LONG
from tests.variants.files import CHESS, block, text_of
from tests.variants.test_rules import compare_with_reference
from tests.xboard.support import pong

ATOMIC = Catalog().find("atomic")
VALUES = {piece.letter.lower(): piece.value for piece in ATOMIC.pieces} | {"k": 20000}


def board_of(text: str | None = None) -> FairyBoard:
    board = new_board(text, game=ATOMIC)
    assert isinstance(board, FairyBoard)
    return board


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        (None, [20, 400, 8902, 197326]),
        ("rn2kb1r/1pp1p2p/p2q1pp1/3P4/2P3b1/4PN2/PP3PPP/R2QKB1R b KQkq - 0 1", [40, 1238, 45237]),
        ("rn1qkb1r/p5pp/2p5/3p4/N3P3/5P2/PPP4P/R1BQK3 w Qkq - 0 1", [28, 833, 23353]),
    ],
)
def test_published_counts(text: str | None, counts: list[int]) -> None:
    """The counts are from the perft file of python-chess for this game."""
    assert [perft(board_of(text), depth) for depth in range(1, len(counts) + 1)] == counts
    assert checked_perft(board_of(text), 2) == counts[1]


def value_of(squares: bytes, colour: int) -> int:
    """Centipawns of a side's pieces minus the other side's."""
    worth = [0, *(20000 if piece.is_royal else piece.value for piece in ATOMIC.pieces)]
    return sum(worth[man & 15] * (1 if man >> 4 == colour else -1) for man in squares if man)


def exchange(peer: chess.variant.AtomicBoard, move: chess.Move) -> int:
    """What a move wins at once or, if it does not capture, what the best reply on its target lets it keep."""

    def worth(board: chess.Board, colour: bool) -> int:
        return sum(
            VALUES[chess.piece_symbol(man.piece_type)] * (1 if man.color == colour else -1)
            for man in board.piece_map().values()
        )

    before, us = worth(peer, peer.turn), peer.turn
    after = peer.copy(stack=False)
    after.push(move)
    gain = worth(after, us) - before
    if peer.is_capture(move) or peer.is_castling(move):
        return gain
    losses = [0]
    for reply in after.pseudo_legal_moves:
        if reply.to_square == move.to_square and after.is_capture(reply) and not after.is_en_passant(reply):
            later = after.copy(stack=False)
            later.push(reply)
            if later.king(not us) is not None:
                losses.append(worth(after, us) - worth(later, us))
    return gain - max(losses)


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 60))])
def test_games_of_python_chess(seed: int) -> None:
    """Moves, checks, exchanges, SAN read and written, the end of the game, and the accumulated evaluation."""
    rng = random.Random(seed)
    peer, ours, read = chess.variant.AtomicBoard(), board_of(), board_of()
    evaluator = FairyEvaluator(ours.rules)
    for _ in range(100):
        moves = {move_text(ours, move): move for move in ours.legal_moves()}
        assert sorted(moves) == sorted(map(str, peer.legal_moves)), peer.fen()
        read.notation.set_fen(read, peer.fen())
        assert (read.key, read.squares, read.virgins) == (ours.key, ours.squares, ours.virgins)
        assert FairyEvaluator(ours.rules).evaluate_cp(read) == evaluator.evaluate_cp(ours)
        lost = peer.is_variant_loss()
        assert (ours.rule_result() == RULE_LOSS) == lost and bool(ours.checkers) == (peer.is_check() and not lost)
        assert ours.count_legal() == len(moves) and ours.goal() == 2 * len(moves) + (not lost and not peer.is_check())
        if not moves:
            assert (game_end(ours) or ("", ""))[0] == peer.result()
            return
        for text, move in moves.items():
            after = peer.copy(stack=False)
            after.push_uci(text)
            assert ours.checks(move) == (after.is_check() or after.is_variant_loss()), (peer.fen(), text)
        for text in rng.sample(sorted(moves), min(5, len(moves))):
            move, gain = moves[text], exchange(peer, chess.Move.from_uci(text))
            assert ours.exchange_gains(move, gain) and not ours.exchange_gains(move, gain + 1), (peer.fen(), text)
        takes = sorted(text for text in moves if ours.noisy(moves[text]))
        text = rng.choice(takes if takes and rng.random() < 0.3 else sorted(moves))
        told = peer.san(chess.Move.from_uci(text))
        assert san(ours, moves[text]) == told
        assert parse_san(ours, told) == read_move(ours, told) == parse_move(ours, text) == moves[text]
        peer.push_uci(text)
        ours.push(moves[text])
        ours.verify()


def mine(*lines: str, **changed: str) -> str:
    return text_of(block("Game: mine", *lines, **changed))


KINGS = {
    "knight": {"king": "k:-1 1,34 -1,34 14,7 31,7 33,7 18,7 -14,7 -31,7 -33,7 -18,7"},
    "slider": {"king": "k:-1 1,3 16,3 -1,3 -16,3"},
    "king": {},
}
# Games with a cannon and a piece that bends after its first step, so that hidden links count, and one of three royals.
GAMES = [
    *((["# explosion"], KINGS[name]) for name in KINGS),
    (["# explosion pk"], {}),
    (
        ["# explosion n"],
        KINGS["knight"] | {"knight": "c:400 1,BA 16,BA -1,BA -16,BA", "bishop": "n:300 -15,3,-16 16,7"},
    ),
    (["# explosion"], {"knight": "c:400 1,BA 16,BA -1,BA -16,BA", "rook": "l:400 1,103 16,3 -1,103 -16,3"}),
]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 4 + 8 * LONG))])
@pytest.mark.parametrize("number", range(len(GAMES)))
def test_the_second_implementation(number: int, seed: int) -> None:
    lines, changed = GAMES[number]
    game = parse(mine(*lines, **changed)).games[0]
    compare_with_reference(game, seed)


def test_any_bits() -> None:
    """`is_legal` accepts any 32 bits: a move of the hash table may belong to another position."""
    rng = random.Random(7)
    board = board_of("r3k2r/1P1pn3/8/3Pp3/3q4/2N5/8/R3K2R w KQkq e6 0 1")
    legal = set(board.legal_moves())
    for move in legal:
        assert all(board.legal(move ^ 1 << bit) == (move ^ 1 << bit in legal) for bit in range(32))
    for _ in range(20000):
        move = rng.getrandbits(32)
        assert not board.legal(move) or move in legal


@pytest.mark.parametrize(
    ("text", "divisor"),
    [
        ("8/8/8/4k3/8/8/8/K6N", 8),
        ("8/8/8/4k3/8/8/8/K6R", 8),
        ("8/8/8/4k3/8/8/8/K6Q", 1),
        ("8/8/8/4k3/8/8/8/K5NN", 8),
        ("8/8/8/4k3/8/8/8/K5BN", 1),
        ("8/8/8/4k3/8/8/P7/K7", 1),
        ("8/4p3/8/4k3/8/8/8/K6R", 1),
    ],
)
def test_material_that_wins(text: str, divisor: int) -> None:
    """python-chess knows which armies can mate a bare king; beside its own pieces a king can be blown up."""
    board = board_of(f"{text} w - - 0 1")
    assert FairyEvaluator(board.rules).potential(board) == divisor
    assert chess.variant.AtomicBoard(f"{text} w - - 0 1").has_insufficient_material(chess.WHITE) == (divisor > 1)


def test_every_army_of_up_to_three_men_wins_or_not_as_python_chess_says() -> None:
    """The army faces a bare king; it stands on neighbouring squares, so that bishops stand on both colours."""
    for count in (1, 2, 3):
        for army in itertools.combinations_with_replacement("QRBNP", count):
            fen = f"8/8/8/4k3/8/{''.join(army)}{8 - count}/8/K7 b - - 0 1"
            arbiter = chess.variant.AtomicBoard(fen)
            board = board_of(fen)
            assert FairyEvaluator(board.rules).potential(board) == (
                8 if arbiter.has_insufficient_material(chess.WHITE) else 1
            ), army


def test_bare_kings_draw() -> None:
    board = board_of("8/8/8/4k3/8/8/4N3/K7 w - - 0 1")
    assert not board.insufficient
    board = board_of("8/8/8/8/8/3k4/8/K7 w - - 0 1")
    assert board.rule_result() == INSUFFICIENT_MATERIAL and game_end(board) == ("1/2-1/2", "insufficient material")


def test_a_position_after_the_end() -> None:
    """A client may send such a position; only the side to move can have lost its king."""
    board = board_of("rnbq1bnr/ppp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQ - 0 5")
    assert game_end(board) == ("1-0", EXPLODED) and board.legal_moves() == [] and board.goal() == 0
    with pytest.raises(NotationError, match="expected a royal piece of each colour, found none for White"):
        board_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR b kq - 0 5")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (mine("# explosion all"), "explosion: expected letters of pieces, found all"),
        (mine("# explosion p n"), "expected letters of the pieces that survive beside it, or the end of the line"),
        (mine("# explosion z"), "explosion: expected letters of pieces (bknpqr), found z"),
        (mine("# explosion", "# explosion p"), "explosion: expected one line explosion, found two"),
        (mine("# explosion", "# hand keep"), "explosion: expected no hand beside it"),
        (mine("# explosion", "# counting makruk R B N"), "explosion: expected no counting beside it"),
        (mine("# explosion", "# mate win"), "explosion: expected no win by being mated (mate win) beside it"),
        (
            text_of(block("Game: shatranj", "# explosion")),
            "explosion: expected no line gate or bare beside it; the name shatranj stands for # bare and # stalemate",
        ),
        (
            mine("# explosion", array="6 4 5 7 3 5 3 6"),
            "explosion: expected at most one royal piece of White, found 2",
        ),
        (
            mine("# explosion", "# start 4k3/8/8/8/8/8/8/KK6"),
            "explosion: expected at most one royal piece of White, found 2",
        ),
        (mine("# explosion", queen="Q:-950 1,3 16,3"), "explosion: expected no promotion to a royal piece beside it"),
    ],
)
def test_contradicting_lines(text: str, message: str) -> None:
    with pytest.raises(DefinitionError, match=re.escape(message)):
        parse(text)


def test_the_engine_wins_at_once(engine) -> None:
    engine.send("setoption name UCI_Variant value atomic")
    # In check from the queen, White blows up the king behind the pawn instead of answering the check.
    engine.send("position fen rnb1kbnr/pppp1ppp/8/4N3/8/8/PPPPqPPP/RNBQKB1R w KQkq - 0 5", "go depth 3")
    lines = engine.read_until("bestmove")
    assert lines[-1].split()[1] in ("e5d7", "e5f7") and any("score mate 1" in line for line in lines)
    engine.send("position startpos moves g1f3 f7f6 f3e5 a7a6 e5d7", "d", "go depth 3")
    lines = engine.read_until("bestmove")
    assert "Fen: rn3bnr/1pp1p1pp/p4p2/8/8/8/PPPPPPPP/RNBQKB1R b KQ - 0 3" in lines and lines[-1] == "bestmove (none)"


@pytest.mark.parametrize("opponent", ["computer", "name Anna"])
def test_who_claims_a_mate(start, opponent: str) -> None:
    """XBoard has no check in this game. It forfeits a program that claims a mate, but accepts the loser's claim."""
    engine = start()
    engine.send("xboard", "protover 2", "accepted debug", "new", "variant atomic")
    engine.send("setboard 7k/8/8/8/8/8/8/K5Q1 w - - 0 1", opponent, "sd 3", "go")
    assert engine.read_until("move")[-1] == "move g1g7"
    assert ("1-0 {White mates}" in pong(engine)) == (opponent != "computer")
    engine.send("new", "variant atomic", "setboard 7k/8/8/8/8/8/8/K5Q1 w - - 0 1", opponent, "usermove g1g7")
    assert "1-0 {White mates}" in pong(engine)


def test_a_game_is_read_and_tagged(executable: Path, tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    file.write_text('[Variant "Atomic"]\n[Result "1-0"]\n\n1. Nf3 a6 2. Ne5 h6 3. Nxd7# 1-0\n', encoding="ascii")
    done = forked.run([str(executable), "tag", str(file)], capture_output=True, text=True, check=True)
    assert "3. Nxd7#" in done.stdout
    file.write_text('[Variant "Atomic"]\n[Result "*"]\n\n1. e4 d6 2. e5 Kd7 3. e6 Kxe6 *\n', encoding="ascii")
    done = forked.run([str(executable), "tag", str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "illegal move 'Kxe6'" in done.stderr


def test_a_definition_is_written_as_it_is_read() -> None:
    for line in ("# explosion", "# explosion pn"):
        game = parse(mine(line)).games[0]
        assert game.extra.lines() == [line]
        assert parse("\n".join(["version 4.8(w)", CHESS, str(game)])).games[0] == game
