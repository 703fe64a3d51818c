"""Passing, facing kings, points, and pieces that others do not hop over: compared with Fairy-Stockfish's library.

Also: how the lines are written and refused, and the rules in games other than Janggi.
"""

from __future__ import annotations

import random
import re

import pytest

from standstill.cext.bindings.perft import checked_perft, perft
from standstill.engine.common.errors import DefinitionError
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.fairymax import parse
from standstill.engine.variants.game_over import BIKJANG, FIFTY_MOVES, PASSES, PERPETUAL, game_end
from standstill.engine.variants.notation import fen, is_pass, move_text, parse_move, parse_san, san, set_fen
from tests.amounts import LONG
from tests.uci.client import Client
from tests.variants.boards import CATALOG, board_of, outcome
from tests.variants.files import CHESS, block, text_of

pyffish = pytest.importorskip("pyffish", reason="pyffish is not installed")

NAME = "janggi"
# The palaces face each other with few pieces between, so that bikjang, passes and repetitions are frequent.
LATE = (
    "4k4/9/9/4c4/9/9/4C4/9/9/3K5 w - - 0 1",
    "3k5/4a4/3c5/9/4p4/9/4P4/5C3/4A4/3K4R w - - 0 1",
    "r3k4/9/4n4/9/9/9/9/4B4/9/4K3R b - - 0 1",
    "4k4/4c4/9/9/9/9/9/9/4C4/4K4 w - - 96 60",
    "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 90 1",
)


def theirs_ended(start: str, played: list[str]) -> tuple[bool, int]:
    """Whether the game is over for Fairy-Stockfish by a rule other than mate, and the value for the side to move."""
    for ask in (pyffish.is_immediate_game_end, pyffish.is_optional_game_end):
        ends, value = ask(NAME, start, played)
        if ends:
            return True, (value > 0) - (value < 0)
    return False, 0


def play(start: str, plies: int, rng: random.Random, passing: float) -> int:
    """Compare the positions of a random game with the library's, to its end; return their number."""
    board, played = board_of(NAME, start), []
    for ply in range(plies):
        moves = {move_text(board, move): move for move in board.legal_moves()}
        text = pyffish.get_fen(NAME, start, played)
        assert fen(board) == text
        assert sorted(moves) == sorted(pyffish.legal_moves(NAME, start, played)), (start, played)
        assert board.count_legal() == len(moves), text
        assert bool(board.checkers) == pyffish.gives_check(NAME, start, played), text
        board.verify()
        ends, value = theirs_ended(start, played)
        if not moves and not ends:
            value, ends = -1, True
        assert outcome(board) == (value if ends else None), (start, played)
        if ends:
            return ply + 1
        noisy = sorted(text for text in moves if board.noisy(moves[text]))
        passes = [text for text in moves if is_pass(moves[text])]
        text = rng.choice(noisy if noisy and rng.random() < 0.3 else sorted(moves))
        text = passes[0] if passes and rng.random() < passing else text
        checks = board.checks(moves[text])
        board.push(moves[text])
        assert checks == bool(board.checkers), (start, played, text)
        played.append(text)
    return plies


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 8 + 30 * LONG))])
@pytest.mark.parametrize("start", ["", *LATE], ids=["array", *(f"late{number}" for number in range(len(LATE)))])
def test_games_of_the_other_library(start: str, seed: int) -> None:
    """Moves, checks, FEN, and the end of the game: mate, two passes, bikjang, repetition, perpetual check, 50 moves."""
    play(start or pyffish.start_fen(NAME), 40 if seed == 0 else 160, random.Random(seed), (0.02, 0.2, 0)[seed % 3])


POINTS = [("R", 13), ("C", 7), ("N", 5), ("B", 3), ("A", 3), ("P", 2)]
PALACES = {side: [f"{file}{rank}" for file in "def" for rank in ranks] for side, ranks in (("w", "123"), ("b", "89X"))}


def crowded(rng: random.Random) -> str:
    """A position whose pieces stand in the palaces or beside them, where lines, screens and kings interfere."""
    kings = {rng.choice(PALACES["w"]): "K", rng.choice(PALACES["b"]): "k"}
    every = [f"{file}{rank}" for file in "cdefg" for rank in "1234789X" if f"{file}{rank}" not in kings]
    men = {square: rng.choice("RCCCPPNBrcccppnb") for square in rng.sample(every, rng.randint(4, 9))}
    guards = {at: letter for side, letter in (("w", "A"), ("b", "a")) for at in rng.sample(PALACES[side], 1)}
    board = guards | men | kings
    rows = ["".join(board.get(f"{file}{rank}", "1") for file in "abcdefghi") for rank in "X987654321"]
    placement = re.sub("1+", lambda found: str(len(found[0])), "/".join(rows))
    return f"{placement} {rng.choice('wb')} - - 0 1"


def test_crowded_palaces() -> None:
    """Lines of palaces, screens, blocked elephants and facing kings matter to most of these positions."""
    rng, compared, passed = random.Random(3), 0, 0
    while compared < 80:
        start = crowded(rng)
        try:
            board = board_of(NAME, start)
        except ValueError:  # the side not to move is in check
            continue
        moves = {move_text(board, move): move for move in board.legal_moves()}
        assert sorted(moves) == sorted(pyffish.legal_moves(NAME, start, [])), start
        assert board.count_legal() == len(moves), start
        assert bool(board.checkers) == pyffish.gives_check(NAME, start, []), start
        for text, move in moves.items():
            assert board.checks(move) == pyffish.gives_check(NAME, start, [text]), (start, text)
            if is_pass(move):
                board.push(move)
                ends, value = theirs_ended(start, [text])
                assert outcome(board) == (value if ends else None), start
                board.pop()
                passed += ends
        compared += 1
    assert passed > 5


@pytest.mark.parametrize(
    ("placement", "text", "checks"),
    [
        # The horse takes a cannon. Cannons do not hop over cannons, but over the horse.
        ("9/4k4/9/4c4/9/3N5/4C4/9/9/3K5", "d5e7", True),
        # The king may go where it faces the other king. To be safe from the cannon it needs the other cannon.
        ("9/4k4/9/9/9/9/9/9/c1CK5/9", "d2e2", False),
    ],
    ids=["screen", "facing"],
)
def test_moves_past_a_cannon(placement: str, text: str, checks: bool) -> None:
    start = f"{placement} w - - 0 1"
    board = board_of(NAME, start)
    assert board.checks(parse_move(board, text)) == checks == pyffish.gives_check(NAME, start, [text])
    assert {move_text(board, move) for move in board.legal_moves()} == set(pyffish.legal_moves(NAME, start, []))


@pytest.mark.parametrize(
    ("men", "soldiers", "result"),
    [
        *((f"{letter}{letter}", worth - 1, "1-0") for letter, worth in POINTS),
        *((f"{letter}{letter}", worth, "0-1") for letter, worth in POINTS),
        ("C", 3, "0-1"),  # one point more does not make up for moving first
    ],
)
def test_points_of_a_piece(men: str, soldiers: int, result: str) -> None:
    """White's pieces against Black's soldiers, of two points each: White needs more than 1.5 points."""
    rows = (f"{'p' * count}{9 - count or ''}" for count in (min(soldiers, 9), max(soldiers - 9, 0)))
    start, passes = f"4k4/9/9/{'/'.join(rows)}/9/9/9/9/3K1{men}{4 - len(men)} w - - 0 1", ["d1d1", "e10e10"]
    start = start.replace("3K1AA2", "3KAA3")  # guards stay in the palace
    board = board_of(NAME, start)
    for text in passes:
        board.push(parse_move(board, text))
    assert game_end(board) == (result, PASSES)
    assert theirs_ended(start, passes) == (True, outcome(board))


@pytest.mark.parametrize(
    ("line", "counting"), [("0.5", "blackdrawodds"), ("-0.5", "whitedrawodds"), ("0 q=1", "unweighted")]
)
@pytest.mark.parametrize("start", ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "8/8/8/8/8/6k1/5q2/7K w - - 0 1"], ids=["b", "w"])
def test_points_decide_stalemate(line: str, counting: str, start: str) -> None:
    """Where both sides must move; Janggi itself has no stalemate, because a side that is not in check may pass."""
    name = f"stale{counting}"
    pyffish.load_variant_config(f"[{name}:chess]\nmaterialCounting = {counting}\n")
    board = new_board(game=parse(mine(f"# points {line}")).games[0])
    set_fen(board, start)
    value = pyffish.game_result(name, start, [])
    assert (outcome(board), value != 0) == ((value > 0) - (value < 0), True)


def test_counts() -> None:
    """The counts are those of Fairy-Stockfish 11.1."""
    assert [perft(board_of(NAME), depth) for depth in (1, 2, 3)] == [32, 1024, 33000]
    assert checked_perft(board_of(NAME), 2) == 1024


@pytest.mark.parametrize(
    ("text", "moves", "end"),
    [
        # The second player has 1.5 points more, so equal armies lose for White.
        ("", "e2e2 e9e9", ("0-1", PASSES)),
        ("4k4/9/9/9/9/9/9/9/4P4/3K5 w - - 0 1", "d1d1 e10e10", ("1-0", PASSES)),
        ("4k4/9/9/9/9/9/9/9/4P4/3K5 w - - 0 1", "d1d1 e10e9 d1d1 e9e10", None),
        ("4k4/9/9/4p4/9/9/9/9/9/4K4 w - - 0 1", "e1e1 e7d7 e1e1", ("0-1", BIKJANG)),
        ("4k4/9/9/4p4/9/9/9/9/9/4K4 w - - 0 1", "e1e1 e7d7 e1d1 e10e10", None),
        # A side in check may pass if the kings face each other.
        ("4k4/9/4P4/9/9/9/9/9/9/3RK4 w - - 0 1", "e8d8 e10e10", ("1-0", BIKJANG)),
        ("4k4/9/4N4/9/9/9/9/9/9/4K4 w - - 0 1", "e8c9 e10e10", ("1-0", BIKJANG)),
        ("4k4/9/9/9/9/9/9/9/P8/3K4R w - - 98 1", "d1d2 e10e9", ("1-0", FIFTY_MOVES)),
        ("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1", "a1a10 " + "d10d9 a10a9 d9d10 a9a10 " * 2, ("0-1", PERPETUAL)),
        ("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1", "a1a3 " + "d10d9 a3a4 d9d10 a4a3 " * 2, ("1-0", "threefold repetition")),
        # The first occurrence is without a pass, the others follow one.
        ("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1", "a1a2 d10d10 a2a1 d10d10 " * 2, ("1-0", "threefold repetition")),
    ],
)
def test_how_games_end(text: str, moves: str, end: tuple[str, str] | None) -> None:
    start, played = text or pyffish.start_fen(NAME), moves.split()
    board = board_of(NAME, start)
    for move in played:
        assert game_end(board) is None
        board.push(parse_move(board, move))
    assert game_end(board) == end
    board.verify()
    ends, value = theirs_ended(start, played)
    assert (ends, value if ends else None) == (end is not None, outcome(board))


def test_a_pass_as_text() -> None:
    """UCI and SAN as in Fairy-Stockfish; XBoard's form is read."""
    board = board_of(NAME)
    (move,) = [move for move in board.legal_moves() if is_pass(move)]
    assert (move_text(board, move), san(board, move)) == ("e2e2", "Ke2")
    assert pyffish.get_san(NAME, pyffish.start_fen(NAME), "e2e2") == "Ke2"
    assert parse_move(board, "e2e2") == parse_move(board, "@@@@") == parse_san(board, "Ke2") == move
    assert not board.noisy(move) and not board.checks(move) and board.exchange_gains(move, 0)
    assert not board.exchange_gains(move, 1)
    key, squares = board.key, board.squares
    board.push(move)
    assert (board.squares, board.clock, board.stm) == (squares, 1, 1) and board.key != key
    board.verify()


@pytest.mark.parametrize(
    "text", ["4k4/9/9/9/9/9/9/9/9/3K4R w", "3k5/9/9/9/9/9/9/9/9/4K4 b"], ids=["chariot", "1.5 points"]
)
def test_the_search_counts_points_at_the_end_of_fifty_moves(engine: Client, text: str) -> None:
    engine.send(f"setoption name UCI_Variant value {NAME}", f"position fen {text} - - 99 60", "go depth 1")
    assert any(" score mate 1 " in line for line in engine.read_until("bestmove"))


@pytest.mark.parametrize(
    ("placement", "wins"), [("4kr3/9/9/9/p8/9/9/9/P8/3K5", True), ("4k4/9/9/9/p8/9/9/9/P8/3K4R", False)]
)
def test_the_search_answers_a_pass_by_points(engine: Client, placement: str, wins: bool) -> None:
    """After the opponent's pass another one wins for the side with more points, and loses for the other side."""
    engine.send(
        f"setoption name UCI_Variant value {NAME}", f"position fen {placement} w - - 0 1 moves d1d1", "go depth 6"
    )
    best = engine.read_until("bestmove")[-1].split()[1]
    assert (best == "e10e10") == wins


def mine(*lines: str, **changed: str) -> str:
    return text_of(block("Game: mine", *lines, **changed))


# Without royals every move is legal that the pieces can make.
HOPPERS = mine(
    *("# extinct lose all", "# immune nr", "# barrier b", "# pass white", "# points -0.5 q=9 n=3.5"),
    king="k:300 K",
    knight="n:400 gQ",
    rook="R:300 pR",
)


def test_a_definition_is_written_as_it_is_read() -> None:
    game = parse(HOPPERS).games[0]
    assert game.extra.lines() == [line for line in HOPPERS.split("\n") if line.startswith("# ")]
    assert parse("\n".join(["version 4.8(w)", CHESS, str(game)])).games[0] == game


def test_hoppers_of_every_kind_respect_barriers() -> None:
    """Grasshoppers and cannons lose the moves over a bishop and the captures of their own kind."""
    limited, free = (parse(text).games[0] for text in (HOPPERS, HOPPERS.replace("# immune nr\n# barrier b\n", "")))
    rng = random.Random(5)
    ours, other = new_board(game=limited), new_board(game=free)
    seen = 0
    for _ in range(60):
        texts = {move_text(ours, move): move for move in ours.legal_moves()}
        set_fen(other, fen(ours))
        expected = set()
        for move in other.legal_moves():
            start, target = move & 255, move >> 8 & 255
            kind, taken = ours.squares[start] & 15, ours.squares[target] & 15
            is_hopper = limited.piece(kind).letter in "nR" and not is_pass(move)
            if is_hopper and (kind == taken or hopped(ours.squares, start, target) == {BISHOP_NUMBER}):
                seen += 1
                continue
            expected.add(move_text(other, move))
        assert set(texts) == expected, fen(ours)
        assert ours.count_legal() == len(texts)
        ours.verify()
        ours.push(texts[rng.choice(sorted(texts))])
    assert seen > 20


BISHOP_NUMBER = 5


def hopped(squares: bytes, start: int, target: int) -> set[int]:
    """The kinds of the pieces between two squares of a line on a board of eight files."""
    files, ranks = target % 8 - start % 8, target // 8 - start // 8
    count = max(abs(files), abs(ranks))
    step = files // count + 8 * (ranks // count)
    return {squares[start + step * place] & 15 for place in range(1, count) if squares[start + step * place]}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (("# immune",), "immune: expected letters of pieces such as c, found nothing"),
        (("# immune z",), "immune: expected letters of pieces (bknpqr), found z"),
        (("# immune k",), "immune: expected pieces that are neither royal nor pawns, found k"),
        (("# barrier n",), "barrier: expected a piece that hops over others"),
        (("# pass red",), "pass: expected white, black or the end of the line, found 'red'"),
        (("# pass whit",), "did you mean white?"),
        (("# bikjang",), "bikjang: expected a line pass beside it"),
        (("# pass", "# bikjang", "# flying"), "bikjang: expected no line flying beside it"),
        (("# pass", "# bikjang", "# explosion"), "bikjang: expected no explosion beside it"),
        (("# points x",), "points: expected Black's additional points, then pieces with their points such as 1.5 r=13"),
        (("# points 1.5 r=0.25",), "points: expected Black's additional points"),
        (("# points 1.5 r=1 r=2",), "points: expected Black's additional points"),
        (("# points 1.5 z=1",), "points: expected letters of pieces (bknpqr), found z"),
        (("# points 1", "# hand keep"), "points: expected no hand beside it"),
        (("# points 1", "# counting makruk R B N"), "points: expected no counting beside it"),
    ],
)
def test_contradicting_lines(lines: tuple[str, ...], message: str) -> None:
    with pytest.raises(DefinitionError, match=re.escape(message)) as caught:
        parse(mine(*lines))
    assert re.match(r"<text>:\d+:\d+: ", str(caught.value)) and "\n" not in str(caught.value)


def test_other_games_keep_their_fingerprint() -> None:
    names = {"passes", "bikjang", "points", "second_points", "barriers", "immune"}
    assert not names & set(CATALOG.find("xiangqi").compiled_form()["laws"])
