"""Promotion in a zone, promoted forms, mirrored pieces, and positions that recur across captures.

Positions and ends of games are compared with Fairy-Stockfish's library. Also: how moves and lines are written and
refused.
"""

from __future__ import annotations

import random
import re

import pytest

from standstill.cext.base.constants import RULE_LOSS, RULE_WIN
from standstill.cext.bindings.perft import checked_perft, perft
from standstill.cext.fairy.fairy_board import FairyBoard
from standstill.engine.archive.fairy_scoring import read_move
from standstill.engine.common.errors import DefinitionError, IllegalMoveError, NotationError
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.definition import Definition
from standstill.engine.variants.fairymax import parse
from standstill.engine.variants.game_over import PERPETUAL, game_end
from standstill.engine.variants.notation import fen, move_text, parse_move, parse_san, san
from standstill.engine.variants.workshop.convert import from_ini
from tests.amounts import LONG
from tests.variants.boards import board_of, outcome

pyffish = pytest.importorskip("pyffish", reason="pyffish is not installed")

EXCHANGE = "G@e5 e6e5 e4e5 G@e6 e5e4 e9d9 G@e5 e6e5 e4e5 G@e6 e5e4 d9e9"
NAMES = ("minishogi", "shogi", "judkins", "euroshogi", "torishogi", "kyotoshogi", "micro", "gorogoro")
PAWNS = {"torishogi": "S", "kyotoshogi": "", "micro": ""}  # whose drops may not mate, if not P


def placed(text: str) -> tuple[str, list[str], str]:
    """The placement, the pieces in hand in one order, and the side to move of a FEN."""
    first, side = text.split()[:2]
    placement, _, hand = first.partition("[")
    return placement, sorted(hand.rstrip("]").strip("-")), side


def before_king(text: str) -> str:
    """The square from which a pawn of the side to move attacks the other king."""
    placement, side = text.partition("[")[0], text.split()[1]
    king, step = ("k", -1) if side == "w" else ("K", 1)
    for down, row in enumerate(placement.split("/")):
        if king in row:
            parts = re.findall(r"\d|\+?[A-Za-z]", row[: row.index(king)])
            file = sum(int(part) if part.isdigit() else 1 for part in parts)
            return f"{'abcdefghi'[file]}{placement.count('/') + 1 - down + step}"
    raise AssertionError(text)


def moves_there(name: str, text: str) -> set[str]:
    """Fairy-Stockfish's legal moves without mates by dropping a pawn, which it allows but counts as lost."""
    moves = set(pyffish.legal_moves(name, text, []))
    drop = f"{PAWNS.get(name, 'P')}@{before_king(text)}"
    if drop in moves and not pyffish.legal_moves(name, text, [drop]):
        assert pyffish.game_result(name, text, [drop]) > 0
        moves.remove(drop)
    return moves


@pytest.mark.parametrize(("name", "counts"), [("minishogi", [14, 181, 2512, 35401]), ("shogi", [30, 900, 25470])])
def test_published_counts(name: str, counts: list[int]) -> None:
    assert [perft(board_of(name), depth) for depth in range(1, len(counts) + 1)] == counts
    assert checked_perft(board_of(name), 2) == counts[1]


def compare(name: str, plies: int, rng: random.Random) -> int:
    """Compare the positions of a random game; return their number.

    Moves, checks, FEN both ways, stages of the search, SAN, and the end of the game.
    """
    start = pyffish.start_fen(name)
    board = board_of(name)
    played: list[str] = []
    assert fen(board) == pyffish.get_fen(name, start, [])
    for ply in range(plies):
        moves = {move_text(board, move): move for move in board.legal_moves()}
        theirs = pyffish.get_fen(name, start, played)
        assert placed(fen(board)) == placed(theirs) == placed(fen(board_of(name, theirs)))
        assert set(moves) == moves_there(name, theirs), theirs
        assert board.count_legal() == len(moves)
        assert sorted(board.stage_moves(1) + board.stage_moves(2)) == sorted(moves.values())
        assert bool(board.checkers) == pyffish.gives_check(name, theirs, [])
        board.verify()
        if not moves:
            assert outcome(board) == -1
            return ply + 1
        ends, value = pyffish.is_optional_game_end(name, start, played)
        assert outcome(board) == ((value > 0) - (value < 0) if ends else None), played
        if ends:
            return ply + 1
        for move in rng.sample(sorted(moves.values()), min(4, len(moves))):
            assert parse_san(board, san(board, move)) == read_move(board, san(board, move)) == move
        noisy = sorted(text for text in moves if board.noisy(moves[text]))
        text = rng.choice(noisy if noisy and rng.random() < 0.3 else sorted(moves))
        checks = board.checks(moves[text])
        board.push(moves[text])
        assert checks == bool(board.checkers)
        played.append(text)
    return plies


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 6 + 30 * LONG))])
@pytest.mark.parametrize("name", NAMES)
def test_games_of_the_other_library(name: str, seed: int) -> None:
    compare(name, 60 if seed == 0 else 200, random.Random(seed))


@pytest.mark.parametrize(
    ("name", "text", "cycle", "result", "reason"),
    [
        # The first player loses by the fourth occurrence; in Shogi it is a draw.
        ("minishogi", "rbsgk/4p/5/P4/KGSBR[] w - - 0 1", "e1e2 a5a4 e2e1 a4a5", RULE_LOSS, "fourfold repetition"),
        ("shogi", None, "h2g2 b8c8 g2h2 c8b8", 0, "fourfold repetition"),
        # The side that gives perpetual check loses.
        ("shogi", "k8/8R/9/9/9/9/9/9/K8[] w - - 0 1", "i8i9 a9a8 i9i8 a8a9", RULE_LOSS, PERPETUAL),
        ("minishogi", "4k/r4/5/5/1K3[] b - - 0 1", "a4b4 b1a1 b4a4 a1b1", RULE_LOSS, PERPETUAL),
        ("minishogi", "k4/4R/5/5/K4[] w - - 0 1", "e4e5 a5a4 e5e4 a4a5", RULE_LOSS, "fourfold repetition"),
        # In Tori shogi the side that repeats the position loses: Black, or White if Black moves first.
        ("torishogi", None, "d2c2 d6c6 c2d2 c6d6", RULE_WIN, "fourfold repetition"),
        ("torishogi", "3k3/7/7/7/7/7/3K3[] b - - 0 1", "d7d6 d1d2 d6d7 d2d1", RULE_WIN, "fourfold repetition"),
        ("kyotoshogi", "k4/5/5/5/K4[] w - - 0 1", "a1b1 a5b5 b1a1 b5a5", 0, "fourfold repetition"),
        # Golds are exchanged and dropped again: the positions are equal although pieces were captured.
        ("shogi", "4k4/9/9/4g4/9/4G4/9/9/4K4[Gg] w - - 0 1", EXCHANGE, 0, "fourfold repetition"),
    ],
)
def test_positions_that_recur(name: str, text: str | None, cycle: str, result: int, reason: str) -> None:
    start = text or pyffish.start_fen(name)
    board = board_of(name, text)
    played: list[str] = []
    for move in cycle.split() * 4:
        if game_end(board) is not None:
            break
        assert not pyffish.is_optional_game_end(name, start, played)[0]
        board.push(parse_move(board, move))
        played.append(move)
    ends, value = pyffish.is_optional_game_end(name, start, played)
    assert outcome(board) == ((value > 0) - (value < 0) if ends else None)
    assert ends and board.repetitions() == 3 and (game_end(board) or "")[1] == reason
    assert board.rule_result() == result


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("shogi", f"4k4/9/9/9/9/9/9/9/4K4[{'P' * 21}] b", "at most 18 pieces P on the board and in hand, found 21"),
        ("shogi", "4k4/9/9/9/9/9/9/+R8/4K4[Rr] w - - 0 1", "at most 2 pieces R on the board and in hand, found 3"),
        ("shogi", "4k4/9/9/9/9/9/9/+P+p7/4K4[GGGGg] w - - 0 1", "at most 4 pieces G on the board and in hand, found 5"),
        ("shogi", "4k4/9/9/9/9/9/9/+P+p7/4K4[GGggLLll] w - - 0 1", ""),
        ("minishogi", "4k/5/+P4/5/4K[Pp] w - - 0 1", "at most 2 pieces P on the board and in hand, found 3"),
        ("minishogi", "4k/5/5/5/4K[PSSGBbRrp] w - - 0 1", ""),
    ],
)
def test_more_pieces_than_the_game_has(name: str, text: str, message: str) -> None:
    if not message:
        assert fen(board_of(name, text)).startswith(text.partition("[")[0])
        return
    with pytest.raises(NotationError, match=f"^expected {re.escape(message)} in FEN"):
        board_of(name, text)


def test_a_null_move_ends_the_search_for_recurrences() -> None:
    board = board_of("shogi")
    for move in ["h2g2", "b8c8", "g2h2", "c8b8"]:
        board.push(parse_move(board, move))
    assert board.repetitions() == 1
    board.push_null()
    board.push_null()
    assert board.repetitions() == 0


ONE_LINE = "s:350 fWF\ng:400 fFW\nd:700 RF"
TWO_LINES = "s:350 fWF\ns:350 bWF\ng:400 fFW\ng:400 bFW\nd:700 RF"
FORMS = "# promote 2 r=d s=g p=g"


def text_of(*lines: str, men: str = ONE_LINE) -> str:
    """A file with a game on five ranks, whose pieces are the king, bishop, rook and these."""
    pieces = "p:100 -16,7\np:100 16,7\nk:-1 K\nb:400 B\nr:500 R"
    board = f"5x5\n3 0 0 0 0\n0 0 0 0 3\n{pieces}\n{men}\n"
    start = "# start rbsgk/4p/5/P4/KGSBR\n# hand turn\n# drop p 1-4\n"
    return "\n".join(["version 4.8(w)", board, "Game: mine", board + start + "\n".join(lines), "", "The end.", ""])


def mine(*lines: str, men: str = ONE_LINE) -> Definition:
    return parse(text_of(*lines, men=men)).games[0]


@pytest.mark.parametrize("seed", range(4))
def test_a_mirrored_piece_is_two_pieces(seed: int) -> None:
    """One piece line with mirrored moves, and a line for each side, are the same game."""
    rng = random.Random(seed)
    boards = [new_board(game=game) for game in (mine("# mirror sg", FORMS), mine(FORMS, men=TWO_LINES))]
    for _ in range(80):
        names = [sorted(move_text(board, move) for move in board.legal_moves()) for board in boards]
        assert names[0] == names[1], [fen(board) for board in boards]
        assert fen(boards[0]).split("[")[0] == fen(boards[1]).split("[")[0]
        if not names[0] or game_end(boards[0]):
            return
        text = rng.choice(names[0])
        for board in boards:
            move = parse_move(board, text)
            checks = board.checks(move)
            board.push(move)
            assert checks == bool(board.checkers)
            board.verify()


def test_forms_of_further_kinds() -> None:
    """A form that only one piece becomes is the piece of its line; pieces that become the array's gold get forms of
    their own."""
    game = mine("# mirror sg", FORMS)
    assert [game.symbol(number) for number in range(8, 11)] == ["+R", "+S", "+P"]
    assert len(game.own_pieces) == 8 and len(game.pieces) == 10
    assert str(game).count("# promote 2 r=d s=g p=g") == str(game).count("# mirror sg") == 1
    assert parse(f"version 4.8(w)\n{game}\n{game}\nThe end.\n".replace("Game: mine\n", "", 1)).games == (game,)


def test_where_pieces_promote() -> None:
    """Pieces may promote into, within and out of the zone, and must only if they could never move again."""
    board = board_of("shogi", "4k4/1P7/R8/9/7N1/P8/9/9/4K4[] w - - 0 1")
    moves = {move_text(board, move) for move in board.legal_moves()}
    assert {"b8b9+", "a7a5", "a7a5+", "a7b7", "a7b7+", "h5g7", "h5g7+", "a4a5"} <= moves
    assert not moves & {"b8b9", "a4a5+", "e1e2+"}
    board = board_of("shogi", "4k4/9/7N1/9/9/9/9/9/4K4[NLP] w - - 0 1")
    moves = {move_text(board, move) for move in board.legal_moves()}
    assert {"h7g9+", "N@a7", "L@a8", "P@a8"} <= moves
    assert not moves & {"h7g9", "N@a8", "N@a9", "L@a9", "P@a9"}


def test_promotion_that_is_compulsory() -> None:
    """Moves into, within and out of the zone must promote, even a piece that could move on; SAN and UCI write a +."""
    board = board_of("euroshogi", "4k3/1P6/R7/8/6N1/P7/8/4K3[] w - - 0 1")
    moves = {move_text(board, move) for move in board.legal_moves()}
    assert {"b7b8+", "a6a4+", "a6c6+", "g4h6+", "g4f6+", "g4f4", "a3a4", "e1e2"} <= moves
    assert not moves & {"b7b8", "a6a4", "a6a5", "a6c6", "g4h6", "e1e2+"}
    assert san(board, parse_move(board, "a6c6+")) == "Rc6=+R"
    # A client that leaves out the + can only mean the promotion.
    assert parse_move(board, "a6c6") == parse_move(board, "a6c6+")


@pytest.mark.parametrize("seed", range(3))
def test_promotion_as_in_the_other_library(seed: int) -> None:
    """A pawn may be dropped on the last rank if only drops would leave it without a move."""
    text = "[mine:euroshogi]\nimmobilityIllegal = false\npromotionRegionWhite = *8\npromotionRegionBlack = *1\n"
    pyffish.load_variant_config(text)
    (game,) = parse(from_ini(text, "mine.ini").text).games
    assert game.extra.must_change and not any(drop.last < 8 for drop in game.extra.drops)
    rng, board, played = random.Random(seed), new_board(game=game), []
    for _ in range(120):
        theirs = pyffish.get_fen("mine", pyffish.start_fen("mine"), played)
        moves = sorted(move_text(board, move) for move in board.legal_moves())
        assert set(moves) == moves_there("mine", theirs), theirs
        if not moves or game_end(board):
            return
        played.append(rng.choice(moves))
        board.push(parse_move(board, played[-1]))


def test_pieces_that_turn_over() -> None:
    """In Kyoto shogi each move turns the piece over: + promotes and - turns back, in UCI; SAN names the result."""
    board = board_of("kyotoshogi", "4k/5/5/1+P3/K2S1[Ln] w - - 7 1")
    moves = {move_text(board, move): san(board, move) for move in board.legal_moves()}
    assert {
        "d1e2+": "Se2=+S",
        "b2b4-": "+Pb4=P",
        "L@c3": "L@c3",
        "+L@c3": "+L@c3",
        "a1a2": "Ka2",
    }.items() <= moves.items()
    assert not {"d1e2", "b2b4", "b2b4+"} & set(moves)
    for text, other in moves.items():
        assert move_text(board, parse_move(board, text)) == move_text(board, parse_san(board, other)) == text
    assert parse_move(board, "b2b4") == parse_move(board, "b2b4-")  # a client may leave out the sign
    # Such a move can be taken back, so it keeps the record and does not count as noisy. A drop does.
    assert not any(board.noisy(parse_move(board, text)) for text in moves if "@" not in text)
    board.push(parse_move(board, "b2b4-"))
    assert fen(board) == "4k/1P3/5/5/K2S1[Ln] b - - 8 1"
    board.push(parse_move(board, "+N@a4"))
    assert fen(board) == "4k/+nP3/5/5/K2S1[L] w - - 0 2"
    board.verify()


def test_a_diagram_names_promoted_forms() -> None:
    board = board_of("micro", "k2+p/4/4/4/K3[Bb] w - - 0 1")
    rows = board.notation.diagram(board).split("\n")
    assert rows[0] == "5   k  .  . +p" and rows[5:] == ["    a  b  c  d", "   [Bb]"]


def test_only_captures_turn_pieces_over() -> None:
    board = board_of("micro", "3k/p1+r1/1R2/4/K2P[] w - - 0 1")
    moves = {move_text(board, move) for move in board.legal_moves()}
    assert {"b3b4", "b3b5", "b3a3", "d1d2"} <= moves and not moves & {"b3b4+", "d1d2+"}
    board = board_of("micro", "3k/p1+r1/2R1/4/K2P[] w - - 0 1")
    moves = {move_text(board, move) for move in board.legal_moves()}
    assert "c3c4+" in moves and "c3c4" not in moves
    # A pawn may move to where it can never move again, because only a capture could turn it over.
    assert "a4a5" in {move_text(board, m) for m in board_of("micro", "3k/P3/4/4/K3[] w - - 0 1").legal_moves()}


def test_left_and_right_of_a_mirrored_piece() -> None:
    """A quail slides back to its player's right or left, which for Black is the other side of the board."""
    boards = [board_of("torishogi", f"7/7/6k/3{man}3/7/K6/7[] {side}") for man, side in (("L", "w"), ("l", "b"))]
    moves = [[move_text(board, move) for move in board.legal_moves()] for board in boards]
    found = [sorted(text for text in texts if text[:2] == "d4") for texts in moves]
    assert found == [
        ["d4c3", "d4d5", "d4d6", "d4d7", "d4e3", "d4f2", "d4g1"],
        ["d4a7", "d4b6", "d4c5", "d4d1", "d4d2", "d4d3", "d4e5"],
    ]


def test_two_swallows_on_a_file() -> None:
    board = board_of("torishogi", "3k3/7/7/7/SS5/S6/3K3[SS] w - - 0 1")
    files = {move_text(board, move)[2] for move in board.legal_moves() if move_text(board, move)[:2] == "S@"}
    assert files == set("bcdefg")


def test_notation() -> None:
    """Promotion is written with +, as by Fairy-Stockfish; XBoard writes = where a piece declines it."""
    board = board_of("minishogi", "4k/2R2/5/3+p1/K4[Gs] w - - 0 1")
    assert fen(board) == "4k/2R2/5/3+p1/K4[Gs] w - - 0 1"
    promoting, staying = parse_move(board, "c4c5+"), parse_move(board, "c4c5")
    assert parse_move(board, "c4c5=") == staying and parse_move(board, "c4c5=+") == promoting
    assert [san(board, move) for move in (promoting, staying)] == ["Rc5=+R+", "Rc5+"]
    assert san(board, parse_move(board, "G@e4")) == "G@e4#"
    board.push(promoting)
    assert fen(board).startswith("2+R1k/")
    board.push(parse_move(board, "e5e4"))
    assert san(board, parse_move(board, "c5c4")) == "+Rc4+"
    # A captured promoted form comes into the hand as the unpromoted piece.
    board = board_of("minishogi", "4k/5/5/5/K+p3[s] w - - 0 1")
    board.push(parse_move(board, "a1b1"))
    assert fen(board) == "4k/5/5/5/1K3[Ps] b - - 0 1"
    for text in ("4k/+K4/5/5/5[] w - - 0 1", "4k/+G4/5/5/K4[] w - - 0 1", "4k/++R4/5/5/K4[] w - - 0 1"):
        with pytest.raises(NotationError, match=re.escape("+")):
            board_of("minishogi", text)
    with pytest.raises(IllegalMoveError):
        parse_move(board_of("minishogi"), "a2a3+")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (("# promote 2",), "promote: expected the number of ranks, then pieces and what they become such as 3 r=d"),
        (("# promote 9 r=d",), "promote: expected at most 5 ranks, found 9"),
        (("# promote 2 r=d always",), "promote: expected must, back or captures behind the pieces, found 'always'"),
        (("# promote 2 r=d bakc",), "behind the pieces, found 'bakc'; did you mean back?"),
        (("# promote 2 r=d must must",), "must, back or captures behind the pieces, found 'must must'"),
        (("# promote 2 must r=d",), "promote: expected the number of ranks, then pieces and what they become"),
        (("# promote 2 must",), "promote: expected the number of ranks, then pieces and what they become"),
        (("# promote 2 r=x",), "promote: expected letters of pieces (bdgkprs), found x"),
        (("# promote 2 k=d",), "promote: expected no royal piece, found k=d"),
        (("# promote 2 r=p",), "promote: expected no pawn as a promoted form, found p"),
        (("# promote 2 r=d d=g",), "promote: expected pieces that are not promoted forms themselves, found d"),
        (("# promote 2 r=d", "# promotion 4"), "promote: expected no line promotion beside it"),
        (("# mirror k",), "mirror: expected pieces other than royals and pawns, found k"),
        (("# mirror s", "# within s a1-e2 sW"), "mirror: expected no line zone or within of s beside it"),
        (
            ("# promote 2 r=d", "# zone d a1-e5"),
            "expected no zone of pieces that are not royal beside it, found one of",
        ),
        (("# repetition 1",), "repetition: expected a number of occurrences from 2 to 9"),
        (("# repetition 4 blakc",), "found '4 blakc'; did you mean black?"),
        (("# endless 2",), "endless: expected the end of the line, found '2'"),
    ],
)
def test_mistakes(lines: tuple[str, ...], message: str) -> None:
    with pytest.raises(DefinitionError, match=re.escape(message)):
        mine(*lines)


def test_mistakes_about_both_sides() -> None:
    with pytest.raises(DefinitionError, match="mirror: expected one piece line for both sides, found two of s"):
        mine("# mirror s", men=TWO_LINES)
    with pytest.raises(
        DefinitionError, match="promote: expected one piece line of g, because both sides have the same r"
    ):
        mine("# promote 2 r=g", men=TWO_LINES)
    with pytest.raises(DefinitionError, match="promote: expected at most 15 pieces, with one for each promoted form"):
        mine("# promote 2 r=d s=g p=g n=g", men=f"{TWO_LINES}\nn:200 N\nn:200 N")


def test_a_repetition_that_one_side_wins() -> None:
    board = new_board(game=mine("# mirror sg", FORMS, "# repetition 2 white"))
    for move in ["e1e2", "a5a4", "e2e1"]:
        board.push(parse_move(board, move))
        assert game_end(board) is None
    board.push(parse_move(board, "a4a5"))
    assert isinstance(board, FairyBoard) and board.rule_result() == RULE_WIN
    assert game_end(board) == ("1-0", "twofold repetition")


def test_an_endless_game() -> None:
    board = board_of("minishogi", "4k/5/5/5/K4[] w - - 150 90")
    assert game_end(board) is None and board.rule_result() == 0
