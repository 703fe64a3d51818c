"""Zones, areas with moves of their own, kings that attack along a file, and perpetual check.

Positions and ends of games are compared with Fairy-Stockfish's library and with the second implementation of the rules.
Also: how the lines are written and refused.
"""

from __future__ import annotations

import random
import re

import pytest

from standstill.cext.base.constants import RULE_LOSS, RULE_WIN
from standstill.cext.bindings.perft import checked_perft, perft
from standstill.engine.common.errors import DefinitionError, NotationError
from standstill.engine.variants.fairymax import parse
from standstill.engine.variants.game_over import PERPETUAL, game_end
from standstill.engine.variants.notation import fen, move_text, parse_move
from standstill.engine.variants.picture import captions
from standstill.engine.variants.show import game_report
from tests.amounts import LONG
from tests.variants.boards import CATALOG, board_of, outcome
from tests.variants.files import CHESS, block, text_of
from tests.variants.test_rules import compare_with_reference
from tests.xboard.support import pong

pyffish = pytest.importorskip("pyffish", reason="pyffish is not installed")

NAMES = ("minixiangqi", "xiangqi")


@pytest.mark.parametrize(("name", "counts"), [("minixiangqi", [19, 331, 6664]), ("xiangqi", [44, 1920, 79666])])
def test_published_counts(name: str, counts: list[int]) -> None:
    """The counts of Xiangqi are from the Chess Programming Wiki, those of Minixiangqi by Fairy-Stockfish 11.1."""
    assert [perft(board_of(name), depth) for depth in range(1, len(counts) + 1)] == counts
    assert checked_perft(board_of(name), 2) == counts[1]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 8 + 30 * LONG))])
@pytest.mark.parametrize("name", NAMES)
def test_games_of_the_other_library(name: str, seed: int) -> None:
    """Moves, checks, FEN, and the end of the game: mate, stalemate, repetition and perpetual check."""
    rng = random.Random(seed)
    start = pyffish.start_fen(name)
    board, played = board_of(name), []
    for _ in range(120):
        moves = {move_text(board, move): move for move in board.legal_moves()}
        theirs = pyffish.get_fen(name, start, played)
        assert sorted(moves) == sorted(pyffish.legal_moves(name, start, played)), fen(board)
        assert board.count_legal() == len(moves) and fen(board).split()[:2] == theirs.split()[:2]
        assert bool(board.checkers) == pyffish.gives_check(name, theirs, [])
        board.verify()
        if not moves:
            assert outcome(board) == -1
            return
        ends, value = pyffish.is_optional_game_end(name, start, played)
        assert outcome(board) == ((value > 0) - (value < 0) if ends else None), played
        if ends:
            return
        noisy = sorted(text for text in moves if board.noisy(moves[text]))
        text = rng.choice(noisy if noisy and rng.random() < 0.3 else sorted(moves))
        checks = board.checks(moves[text])
        board.push(moves[text])
        assert checks == bool(board.checkers)
        played.append(text)


@pytest.mark.parametrize(
    ("name", "text", "first", "cycle", "result"),
    [
        ("xiangqi", "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1", "a1a10", "d10d9 a10a9 d9d10 a9a10", RULE_WIN),
        ("minixiangqi", "2k4/7/7/7/7/7/R2K3 w - - 0 1", "a1a7", "c7c6 a7a6 c6c7 a6a7", RULE_WIN),
        ("xiangqi", "4k4/9/9/9/9/9/9/r8/9/5K3 b - - 0 1", "a3a1", "f1f2 a1a2 f2f1 a2a1", RULE_WIN),
        ("xiangqi", "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1", "a1a3", "d10d9 a3a4 d9d10 a4a3", 0),
    ],
)
def test_perpetual_check(name: str, text: str, first: str, cycle: str, result: int) -> None:
    """The side that gives check with each move of a repetition loses; without check the repetition is a draw."""
    board, played = board_of(name, text), []
    for move in [first, *cycle.split() * 2]:
        assert game_end(board) is None and board.rule_result() == 0
        board.push(parse_move(board, move))
        played.append(move)
    ends, value = pyffish.is_optional_game_end(name, text, played)
    assert ends and outcome(board) == (value > 0) - (value < 0)
    assert board.rule_result() == result
    assert game_end(board)[1] == (PERPETUAL if result else "threefold repetition")
    # After one more move the side to move is the one that has lost.
    if result:
        board.push(parse_move(board, cycle.split(maxsplit=1)[0]))
        assert board.rule_result() == RULE_LOSS


def test_diagrams_show_zones() -> None:
    """Black's zones are given in squares of the board; each diagram places its piece where it has most moves."""
    text = game_report(CATALOG.find("xiangqi"), board_of("xiangqi"))
    advisor, soldier = text.index(" 6 a    133  F  (Black's)"), text.index("12 P ")
    palace = ["only on d8-f10:", "- - - * . * - - -", "- - - . @ . - - -", "- - - * . * - - -"]
    assert "\n   ".join([*palace, *["- - - - - - - - -"] * 7]) in text[advisor:]
    assert "\n   ".join(["on a6-i10 also sW:", *[". . . . . . . . ."] * 3, ". * . . . . . . ."]) in text[soldier:]
    assert "promote" not in text and captions(CATALOG.find("xiangqi"), 9)[2] == "Black's, only on a6-i10"


def mine(*lines: str, **changed: str) -> str:
    return text_of(block("Game: mine", *lines, **changed))


WALKER = "k:-1 1,7 16,7 15,7 17,7 -1,7 -16,7 -15,7 -17,7"
# Lines and leaps across squares on which the piece may not stand; hoppers, bent and lame pieces, pieces of a side.
GAMES = [
    mine("# zone R a1-h2 a4-a5 c3-f6 h4-h5 a7-h8", "# zone n a1-h8", "# flying", king=WALKER),
    mine("# zone b a1-h8", "# zone q a1-h3 d4-e5 a6-h8", "# within n b2-g7 B D", "# flying", king=WALKER),
    mine(
        *("# zone n a1-h2 b3-g6 a7-h8", "# zone R a1-h3 a6-h8 e4 e5", "# within b c1-f8 mRcpR"),
        *("# within k a1-h8 nA", "# flying", "# perpetual check"),
        king=WALKER,
        knight="n:400 1,BA 16,BA -1,BA -16,BA",
        rook="R:500 R afsW",
        queen="q:700 nN FyafsF",
    ),
    mine(
        *("# zone k c1-f3", "# zone R a1-h5", "# within n a3-h8 fD", "# flying"),
        king=f"k:-1 1,7 16,7 15,7 17,7 -1,7 -16,7 -15,7 -17,7\n{WALKER}",
        knight="n:300 1,7 -16,7 16,7\nn:300 N",
        rook="R:503 R\nR:503 R",
        queen="Q:950 Q",
        bishop="b:300 B",
        array="8 5 7 3 0 7 5 8",
        black="9 6 7 4 0 7 6 9",
    ),
]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 4 + 8 * LONG))])
@pytest.mark.parametrize("number", range(len(GAMES)))
def test_the_second_implementation(number: int, seed: int) -> None:
    game = parse(GAMES[number]).games[0]
    compare_with_reference(game, seed)


def test_a_position_outside_the_zones() -> None:
    with pytest.raises(NotationError, match="expected K inside its zone, found it on d4 in FEN"):
        board_of("xiangqi", "4k4/9/9/9/9/9/3K5/9/9/9 w - - 0 1")
    with pytest.raises(NotationError, match="expected b inside its zone, found it on c5 in FEN"):
        board_of("xiangqi", "4k4/9/9/9/9/2b6/9/9/9/3K5 w - - 0 1")
    with pytest.raises(NotationError, match="the side not to move is in check"):  # the kings face each other
        board_of("xiangqi", "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1")


def test_letters_of_other_programs() -> None:
    """XBoard has H for the horse and E for the elephant."""
    assert fen(board_of("xiangqi", "rheakaehr/9/9/9/4p4/9/9/9/9/RHEAKAEHR b - - 0 1")).startswith("rnbakabnr/")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (mine("# zone"), "zone: expected letters of pieces and squares such as k d1-f3, found nothing"),
        (mine("# zone n a1-c9"), "zone: expected squares up to h8, found a1-c9"),
        (mine("# zone n a1-c"), "zone: expected squares such as d1-f3, found 'a1-c'"),
        (mine("# zone n c1-a3"), "zone: expected the lower left square before the upper right one, found c1-a3"),
        (mine("# zone z a1-h8"), "zone: expected letters of pieces (bknpqr), found z"),
        (mine("# zone nb a1-h8", "# zone n a1-h8"), "zone: expected each letter in one line, found n twice"),
        (
            mine("# zone n a1-h3"),
            "zone: expected a piece of its own for each side, because its squares or moves are not",
        ),
        (
            mine("# zone n a2-h7"),
            "zone: expected no promotion to n outside its zone; a value that ends in 3 forbids it",
        ),
        (
            mine("# zone n a2-h7", knight="n:323 N"),
            "zone: expected the start position inside the zones, found N on b1",
        ),
        (mine("# zone k a1-h8"), "zone: expected no castling of pieces with a zone, found k"),
        (mine("# zone R a1-h8"), "zone: expected no castling of pieces with a zone, found r"),
        (
            mine("# zone k e1", king=f"{WALKER}\n{WALKER}", array="7 5 6 8 3 6 5 7", black="7 5 6 8 4 6 5 7"),
            "zone: expected squares to which the royal piece k can move, found one square",
        ),
        (
            mine("# zone n a1-h8", "# hand keep"),
            "zone: expected no hand beside a zone of pieces that are not royal, found one of n",
        ),
        (
            mine("# zone k a1-h1 a8-h8", "# goal 4 5", king=WALKER),
            "zone: expected a square of the goal's rank in the zone",
        ),
        (mine("# within n a1-h8"), "within: expected letters of pieces, squares and moves such as p a5-h8 sW, found"),
        (mine("# within n a1-h8 X"), "within: 'X': expected one of the atoms WFDNAHCZGRBQKO, found X"),
        (mine("# within n a1-h8 0,3"), "within: expected moves, found a suffix"),
        (mine("# within n a1-h8 ifmD"), "within: expected moves that do not depend on whether the piece has moved"),
        (mine("# within p a1-h8 W"), "within: expected pieces that are not pawns, found p"),
        (mine("# within n a1-h4 W"), "within: expected a piece of its own for each side"),
        (mine("# within n a1-h8 fW"), "within: expected a piece of its own for each side"),
        (mine("# within n a1-h9 W"), "within: expected squares up to h8, found a1-h9"),
        (mine("# flying now"), "flying: expected the end of the line, found 'now'"),
        (mine("# flying", "# flying"), "flying: expected one line flying, found two"),
        (mine("# flying", "# explosion"), "flying: expected no explosion beside it"),
        (
            mine("# flying", "# extinct lose all", king="k:300 K"),
            "flying: expected a royal piece of White, found none",
        ),
        (mine("# perpetual chase"), "perpetual: expected check, found 'chase'"),
        (mine("# alias h"), "alias: expected other letters of pieces such as h=n e=b, found 'h'"),
        *(
            (mine(f"# promote {words}"), "promote: expected the number of ranks, then pieces and what they become")
            for words in ("", "3", "n=b", "0 n=b", "x n=b", "3 n", "3 n=b n=r", "3 n=1")
        ),
        (mine("# promote 3 n=b r"), "promote: expected must, back or captures behind the pieces, found 'r'"),
        (mine("# alias h=z"), "alias: expected letters of pieces (bknpqr), found z"),
        (mine("# alias b=n"), "alias: expected letters that no piece has, found b"),
    ],
)
def test_contradicting_lines(text: str, message: str) -> None:
    with pytest.raises(DefinitionError, match=re.escape(message)) as caught:
        parse(text)
    assert re.match(r"<text>:\d+:\d+: ", str(caught.value)) and "\n" not in str(caught.value)


def test_a_mistake_in_a_line_about_both_sides_is_named_once() -> None:
    mistakes: list[str] = []
    parse(mine("# within p a1-h8 W"), mistakes=mistakes)
    assert len(mistakes) == 1


def test_the_place_of_a_mistake() -> None:
    text = mine("# flying", "# within n a1-h8 W D4,3")
    line = text.split("\n").index("# within n a1-h8 W D4,3")
    with pytest.raises(DefinitionError, match=rf"<text>:{line + 1}:20: within: "):
        parse(text)


@pytest.mark.parametrize("text", [*GAMES, mine("# alias h=n e=b")])
def test_a_definition_is_written_as_it_is_read(text: str) -> None:
    game = parse(text).games[0]
    assert game.extra.lines() == [line for line in text.split("\n") if line.startswith("# ")]
    assert parse("\n".join(["version 4.8(w)", CHESS, str(game)])).games[0] == game


def test_other_games_keep_their_fingerprint() -> None:
    """Networks and stored games identify the rules by this form, so games without new rules keep theirs."""
    assert not {"zones", "areas", "flying", "perpetual"} & set(CATALOG.find("makruk").compiled_form()["laws"])


def test_the_client_decides_about_perpetual_check(start) -> None:
    """XBoard waits for the sixth occurrence by default, and forfeits a program that claims earlier."""
    for opponent, claims in (("computer", False), ("name Anna", True)):
        engine = start()
        engine.send("xboard", "protover 2", "accepted exclude", "new", "variant xiangqi", opponent, "force", "sd 1")
        engine.send("setboard 3k5/9/9/9/9/9/9/9/9/R3K4 w 0 1", "usermove a0a9")
        engine.send(*(f"usermove {move}" for move in ["d9d8", "a9a8", "d8d9", "a8a9"] * 2))
        engine.send("go")
        if claims:
            assert "0-1 {perpetual check}" in pong(engine)
        else:
            assert engine.read_until("move")[-1].startswith("move ")
