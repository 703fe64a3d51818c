"""The lines `# gate` and `# bare`, and the names that select these rules without a line.

The peers are Fairy-Stockfish's library, which plays Seirawan chess and shatranj by these names, and the games
themselves under another name.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from standstill.cext.base.constants import INSUFFICIENT_MATERIAL, RULE_DRAW, RULE_LOSS, RULE_WIN
from standstill.cext.bindings.perft import checked_perft, perft
from standstill.engine.common.errors import DefinitionError
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.catalog import Catalog, client_can_know, xboard_can_know
from standstill.engine.variants.definition import Definition
from standstill.engine.variants.fairymax import parse
from standstill.engine.variants.game_over import game_end
from standstill.engine.variants.notation import fen, move_text, parse_move
from standstill.engine.variants.show import roles
from standstill.engine.variants.workshop.warnings import warnings
from standstill.engine.variants.zoning.parents import natural_parent
from standstill.engine.web.workshop.views import checked
from tests.variants.files import KING, block, text_of

NAMES = "seirawan", "shatranj"
PIECES = ("n:325 N", "H:800 BN", "E:850 RN")  # pieces 8, 9 and 10
SEEDS = [*range(2), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 12))]


def only(text: str) -> Definition:
    (game,) = parse(text).games
    return game


def mine(*lines: str, **changed: str) -> Definition:
    return only(text_of(block("Game: mine", *lines, **changed)))


def renamed(name: str) -> Definition:
    """A built-in game, read back from its text under another name."""
    text = str(replace(Catalog().find(name), name="mine", description=""))
    assert name not in text
    return only(text_of(text))


def ends(game: Definition, text: str) -> tuple[int, tuple[str, str] | None]:
    board = new_board(text, game=game)
    return board.rule_result(), game_end(board)


# ---- names ----


@pytest.mark.parametrize("name", NAMES)
def test_the_name_is_only_a_name(name: str) -> None:
    """Under another name the game has the same rules, so that networks and stored games of the original fit it."""
    ours, theirs = renamed(name), Catalog().find(name)
    assert (ours.fingerprint, ours.extra) == (theirs.fingerprint, theirs.extra)
    boards = [new_board(game=game) for game in (ours, theirs)]
    assert perft(boards[0], 3) == perft(boards[1], 3) == checked_perft(boards[0], 3) > 4000


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", NAMES)
def test_fairy_stockfish_knows_the_game_by_its_own_name(name: str, seed: int) -> None:
    pyffish = pytest.importorskip("pyffish")
    rng, game = random.Random(seed), renamed(name)
    ours, theirs = new_board(game=game), pyffish.start_fen(name)
    for _ in range(120):
        moves = {move_text(ours, move): move for move in ours.legal_moves()}
        over, value = pyffish.is_immediate_game_end(name, theirs, [])
        if over:
            assert ours.rule_result() == (RULE_WIN if value > 0 else RULE_LOSS), theirs
            return
        # A bared side that cannot bare the other one has lost, as Fairy-Stockfish finds after its move.
        assert ours.rule_result() != RULE_WIN, theirs
        if ours.rule_result() == RULE_LOSS:
            assert all(pyffish.is_immediate_game_end(name, theirs, [text])[0] for text in moves)
            return
        assert sorted(moves) == sorted(pyffish.legal_moves(name, theirs, [])), theirs
        if not moves or ours.rule_result():
            return
        noisy = [text for text in sorted(moves) if ours.noisy(moves[text])]
        text = rng.choice(noisy if noisy and rng.random() < 0.7 else sorted(moves))
        ours.push(moves[text])
        theirs = pyffish.get_fen(name, theirs, [text])


@pytest.mark.parametrize(
    ("title", "stated", "lines"),
    [
        ("seirawan", (), ["# gate HE"]),
        ("seirawan", ("# gate n",), ["# gate n"]),
        ("shatranj", (), ["# stalemate lose", "# bare lose reply"]),
        ("shatranj", ("# bare draw",), ["# stalemate lose", "# bare draw"]),
        ("shatranj", ("# stalemate win",), ["# stalemate win", "# bare lose reply"]),
        ("Seirawan", (), []),
    ],
    ids=lambda value: value if isinstance(value, str) else "-".join(value).replace("# ", ""),
)
def test_files_without_the_lines(title: str, stated: tuple[str, ...], lines: list[str]) -> None:
    """In Fairy-Max's files the name selects the rules. A line takes the place of such a rule."""
    game = only(text_of(block(f"Game: {title}", *PIECES, *stated)))
    assert game.law_lines() == lines
    assert only(text_of(str(game))) == game


# ---- gating ----


def test_two_armies_have_their_own_pieces_in_hand() -> None:
    """Both sides' piece has the letter H; White's moves as an archbishop, Black's as a chancellor."""
    game = mine("h:800 BN", "h:850 RN", "# gate h")
    assert game.gates(0) != game.gates(1)
    board = new_board(game=game)
    for text in ("b1c3h", "b8c6h"):
        board.push(parse_move(board, text))
    assert [board.squares[1], board.squares[57]] == [game.gates(0)[0], 16 + game.gates(1)[0]]
    assert fen(board) == "rhbqkbnr/pppppppp/2n5/8/8/2N5/PPPPPPPP/RHBQKBNR[-] w KQkq - 2 2"
    board.verify()


@pytest.mark.parametrize("knight", ["n:325 N", "n:325 NifmD"])
def test_pieces_enter_on_the_back_rank_only(knight: str) -> None:
    """The knights of this array do not stand on the rank of the kings: their first moves let nothing in."""
    start = "r2qk2r/8/2n2n2/8/8/2N2N2/8/R2QK2R"
    board = new_board(game=mine("h:800 BN", f"# start {start}", "# gate h", knight=knight))
    assert fen(board) == f"{start}[Hh] w KQDkqd - 0 1"
    moves = {move_text(board, move) for move in board.legal_moves()}
    assert {move[:2] for move in moves if len(move) == 5} == {"a1", "d1", "e1", "h1"}
    assert ("c3c5" in moves) == ("i" in knight)


def test_castling_lets_a_piece_in_on_either_square() -> None:
    game = mine("h:800 BN", "e:850 RN", "# gate eh")
    board = new_board("r3k2r/8/8/8/8/8/8/R3K2R[EHeh] w KQkq - 0 1", game=game)
    found = {move_text(board, move) for move in board.legal_moves()}
    assert {"e1g1", "e1g1h", "e1g1e", "h1e1h", "h1e1e", "e1c1h", "a1e1e"} <= found
    board.push(parse_move(board, "h1e1h"))
    assert fen(board).split()[:3] == ["r3k2r/8/8/8/8/8/8/R4RKH[Eeh]", "b", "Akq"]


def test_an_own_army_includes_the_pieces_in_hand() -> None:
    game = mine("h:800 BN", "c:850 RN", "# promotion own", "# gate h")
    board = new_board("7k/4P3/8/8/8/8/8/4K3 w - - 0 1", game=game)
    found = {move_text(board, move)[4:] for move in board.legal_moves() if move_text(board, move).startswith("e7e8")}
    assert found == set("qrbnh")


def test_pieces_that_are_only_in_hand_belong_to_their_sides() -> None:
    """Value 803 forbids promotion, so that the two pieces come into the game only from the hands."""
    text = text_of(block("Game: mine", "h:803 BN", "h:853 RN", "# gate h"))
    game = only(text)
    assert [roles(game, number) for number in (8, 9)] == [
        ["White's", "in hand at the start"],
        ["Black's", "in hand at the start"],
    ]
    shown = checked(text, "mine")["game"]
    assert isinstance(shown, dict)
    assert [(piece["letter"], piece["sides"]) for piece in shown["pieces"][7:]] == [("H", ["white"]), ("h", ["black"])]
    lame = only(text_of(block("Game: mine", "h:803 BN", "h:853 31,7", "# gate h")))
    assert any("piece 9 (h)" in text for text in warnings(lame))


# ---- baring ----


@pytest.mark.parametrize(
    ("line", "text", "ending", "result"),
    [
        ("lose", "8/8/8/8/8/2k5/3R4/K7 b - - 0 1", RULE_LOSS, "1-0"),  # even if the last piece could be taken
        ("lose reply", "8/8/8/8/8/2k5/3R4/K7 b - - 0 1", 0, None),
        ("lose reply", "8/8/8/8/8/2k5/7R/K7 b - - 0 1", RULE_LOSS, "1-0"),
        ("lose reply", "8/8/8/8/8/2k5/3R4/K6R b - - 0 1", RULE_LOSS, "1-0"),
        ("draw", "8/8/8/8/8/2k5/3R4/K6R b - - 0 1", RULE_DRAW, "1/2-1/2"),
        ("draw", "k7/8/1K6/8/8/8/8/R7 b - - 0 1", RULE_DRAW, "1/2-1/2"),  # a mate that bares
        ("lose", "k7/8/1K6/8/8/8/8/8 b - - 0 1", INSUFFICIENT_MATERIAL, "1/2-1/2"),
        ("lose", "k7/p7/1K6/8/8/8/8/R7 w - - 0 1", 0, None),
    ],
)
def test_what_becomes_of_a_bare_king(line: str, text: str, ending: int, result: str | None) -> None:
    found, end = ends(mine(f"# bare {line}"), text)
    assert found == ending and (end and end[0]) == result
    assert end is None or ending == INSUFFICIENT_MATERIAL or end[1] == "bare king"


@pytest.mark.parametrize(("line", "moves"), [("lose", 0), ("draw", 0), ("lose reply", 2)])
def test_nobody_moves_after_the_end(line: str, moves: int) -> None:
    board = new_board("7k/8/8/8/8/8/r7/1K6 w - - 0 1", game=mine(f"# bare {line}"))
    assert board.count_legal() == len(board.legal_moves()) == moves


def test_a_piece_in_hand_counts() -> None:
    """A side that still has a piece in hand is not bare, although it has only its king on the board."""
    game = mine("h:800 BN", "# gate h", "# bare lose")
    assert ends(game, "4k3/8/8/8/8/8/8/R3K3[h] b e - 0 1")[0] == 0
    assert ends(game, "4k3/8/8/8/8/8/8/R3K3[H] b - - 0 1")[0] == RULE_LOSS


# ---- mistakes ----


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (("# gate",), "gate: expected one or two different letters of pieces such as he, found nothing"),
        (("# gate nbr",), "gate: expected one or two different letters of pieces such as he, found 'nbr'"),
        (("# gate nn",), "gate: expected one or two different letters of pieces such as he, found 'nn'"),
        (("# gate n b",), "gate: expected one or two different letters of pieces such as he, found 'n b'"),
        (("# gate nx",), "gate: expected letters of pieces (bknpqr), found x"),
        (("# gate p",), "gate: expected pieces that are neither royal nor pawns, found p"),
        (("# gate nk",), "gate: expected pieces that are neither royal nor pawns, found k"),
        (("# gate n", "# gate b"), "gate: expected one line gate, found two"),
        (("# gate n", "# hand turn"), "gate: expected no line hand beside it"),
        (("# gate n", "# promotion limited"), "gate: expected no promotion to captured pieces (limited) beside it"),
        (("# gate n", "# extinct lose qn"), "extinct: expected pieces that do not start in hand (# gate), found n"),
        (("# gate n", "# extinct lose all"), "gate: expected no line extinct with all beside it"),
        (("# gate n", "# stalemate fewer"), "gate: expected no line stalemate with fewer beside it"),
        (("# gate n", "# pass"), "pass: expected no line gate or bare beside it"),
        (("# gate n", "# points 0.5"), "points: expected no line gate or bare beside it"),
        (("# gate n", "# explosion"), "explosion: expected no line gate or bare beside it"),
        (("# gate n", "# zone n a1-h8"), "zone: expected no zone of a piece in hand, found n"),
        (("# start 4k3/rnbq4/8/8/8/8/RNBQ4/4K3", "# gate n", "# castling r"), ""),
        (("# bare",), "bare: expected lose, lose reply or draw, found nothing"),
        (("# bare win",), "bare: expected lose, lose reply or draw, found 'win'"),
        (("# bare draw reply",), "bare: expected lose, lose reply or draw, found 'draw reply'"),
        (("# bare loose",), "bare: expected lose, lose reply or draw, found 'loose'; did you mean lose?"),
        (("# bare lose", "# hand turn"), "bare: expected no line hand beside it"),
        (("# bare lose", "# extinct win all"), "bare: expected no line extinct with all beside it"),
        (("# bare lose", "# mate win"), "bare: expected no line mate beside it"),
        (("# bare lose", "# promote 1 n=q"), "promote: expected no line gate or bare beside it"),
        (
            ("# extinct lose q", "# bare lose", "# start qqqqqqqq/8/8/8/8/8/8/RNBQKBNR"),
            "bare: expected a royal piece of Black, found none",
        ),
    ],
    ids=lambda value: " ".join(value).replace("# ", "") if isinstance(value, tuple) else "",
)
def test_mistakes(lines: tuple[str, ...], said: str) -> None:
    mistakes: list[str] = []
    parse(text_of(block("Game: mine", *lines)), mistakes=mistakes)
    assert len(mistakes) == bool(said) and said in "".join(mistakes), mistakes


def test_gating_needs_a_back_rank() -> None:
    said = "gate: expected a piece of White other than pawns on the back rank, found none"
    with pytest.raises(DefinitionError, match=said):
        mine("# start 7k/8/8/8/8/8/K7/8", "# gate n", king="k:-1 K")


@pytest.mark.parametrize("line", ["# gates n", "#gate n", "# bear lose", "# Bare draw"])
def test_misspelt_lines_are_remarked(line: str) -> None:
    remarks: list[str] = []
    assert not parse(text_of(block("Game: mine", line)), remarks=remarks).games[0].extra
    meant = "gate" if "gate" in line else "bare"
    assert any(f"the rule is written # {meant}" in remark for remark in remarks), remarks


def test_seirawan_needs_letters_for_its_hands() -> None:
    said = "expected pieces 9 and 10 for the hands of seirawan with letters that no other piece has, found n"
    with pytest.raises(DefinitionError, match=said):
        only(text_of(block("Game: seirawan", "w:250 WD", "n:800 BN", "e:850 RN")))


@pytest.mark.parametrize(
    ("lines", "changed", "known"),
    [
        (["# bare lose reply", "# stalemate lose"], {"king": "k:-1 K"}, True),
        (["# bare lose reply", "# stalemate lose"], {}, False),  # castling
        (["# bare lose reply"], {"king": "k:-1 K"}, False),
        (["# bare lose", "# stalemate lose"], {"king": "k:-1 K"}, False),
        (["# bare draw", "# stalemate lose"], {"king": "k:-1 K"}, False),
        (["# bare lose reply", "# stalemate lose"], {"king": "k:-1 K", "board": "8x8=3"}, False),  # pawns of makruk
        (["# bare lose reply", "# stalemate lose", "# checks 3"], {"king": "k:-1 K"}, False),
        (["# gate n"], {}, True),
        (["# gate n", "# stalemate lose"], {}, False),
        (["# gate n", "# bare lose reply", "# stalemate lose"], {"king": "k:-1 K"}, False),
        (["# gate n", "# start rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR"], {}, False),
        (["# gate n"], {f"kind{number}": f"{letter}:300 W" for number, letter in enumerate("acdef")}, False),
    ],
)
def test_xboard_plays_games_with_the_rules_of_its_own(lines: list[str], changed: dict[str, str], known: bool) -> None:
    """XBoard's shatranj lets the bared side reply and has no castling; its seirawan has a place for each kind."""
    game = mine(*lines, **changed)
    assert xboard_can_know(game) == client_can_know(game) == known
    for parent in NAMES:
        named = only(text_of(block(f"Game: mine # PNBRQ.Kpnbrq.k # {parent}", *lines, **changed)))
        assert xboard_can_know(named) == (known and parent == natural_parent(game))


def test_games_under_names_that_xboard_does_not_know() -> None:
    assert all(xboard_can_know(Catalog().find(name)) and xboard_can_know(renamed(name)) for name in NAMES)
    assert client_can_know(mine(king=KING))
