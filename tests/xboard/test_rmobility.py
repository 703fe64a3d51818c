"""If goals decide, the game goes on with bare kings, and neither side offers or claims a draw."""

from __future__ import annotations

import re

import chess
import chess.engine
import pytest

from tests.rmobility.naive import code_of
from tests.xboard.support import own_move, pong

KINGS = "8/8/8/2K3k1/8/8/8/8 w - - 0 1"
DEAD = "1/2-1/2 {Insufficient material}"
FIFTY = "1/2-1/2 {Fifty moves}"


@pytest.mark.parametrize("fen", [KINGS, "8/8/8/8/8/8/8/KBk5 w - - 0 1", "8/8/3k4/8/8/8/1N6/K7 b - - 0 1"])
def test_dead_material_is_played_on_where_goals_decide(xboard, fen: str) -> None:
    board = chess.Board(fen)
    xboard.send("option RMobility=Decisive", f"setboard {fen}")
    board.push_uci(own_move(xboard, "go"))
    reply = next(move for move in board.legal_moves if not board.is_capture(move))
    board.push(reply)
    board.push_uci(own_move(xboard, f"usermove {reply.uci()}"))
    assert pong(xboard) == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "options",
    [
        ["RMobility=Tiebreak"],
        ["RMobility=Points"],
        ["RMobility=Off"],
        ["RMobility=Decisive", "InsufficientMaterialDraw=1"],
    ],
)
def test_dead_material_is_a_draw_everywhere_else(xboard, options: list[str]) -> None:
    xboard.send(*(f"option {text}" for text in options), f"setboard {KINGS}", "go")
    assert pong(xboard) == [DEAD]


@pytest.mark.parametrize("mode", ["Tiebreak", "Points"])
def test_dead_material_is_played_on_if_the_user_says_so(xboard, mode: str) -> None:
    xboard.send(f"option RMobility={mode}", "option InsufficientMaterialDraw=0", f"setboard {KINGS}")
    assert own_move(xboard, "go")
    assert pong(xboard) == []


def test_our_own_move_that_leaves_dead_material_claims_nothing(xboard) -> None:
    fen = "8/8/8/8/8/4k3/2q5/2K5 w - - 0 1"
    xboard.send(f"setboard {fen}", "go")
    assert xboard.read_until("1/2-1/2")[-2:] == ["move c1c2", DEAD]
    xboard.send("new", "option RMobility=Decisive", f"setboard {fen}", "go", "ping 5")
    assert [line for line in xboard.read_until("pong") if not line.startswith("#")] == ["move c1c2", "pong 5"]


def test_decisive_games_know_no_draw_by_agreement(xboard) -> None:
    fen = "4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1"
    xboard.send("option RMobility=Decisive", "option DrawOffers=offer", f"setboard {fen}", "go", "draw")
    assert "offer draw" not in xboard.read_until("move")
    xboard.send("draw")
    assert pong(xboard) == []


def test_level_games_are_offered_as_a_draw_only_where_there_are_draws(xboard) -> None:
    """Two knights at move 80. One king walks around its knight, which protects it and avoids early repetitions."""
    fen = "n7/8/8/k7/8/6N1/5K2/8 b - - 0 80"
    around = chess.BB_KING_ATTACKS[chess.G3]
    offers = {}
    for mode in ("Tiebreak", "Decisive"):
        board = chess.Board(fen)
        xboard.send(f"option RMobility={mode}", "option DrawOffers=offer", "new", "sd 2", f"setboard {fen}", "go")
        said = xboard.read_until("move")
        walked = [chess.F2]
        for _ in range(7):
            board.push_uci(said[-1].split()[1])
            king = chess.BB_SQUARES[walked[-1]]
            steps = {move.to_square: move for move in board.generate_legal_moves(king, around)}
            step = steps[min(steps, key=lambda square: -walked[::-1].index(square) if square in walked else -99)]
            walked.append(step.to_square)
            board.push(step)
            xboard.send(f"usermove {step.uci()}")
            said += xboard.read_until("move")
        offers[mode] = said.count("offer draw")
        xboard.send("force")
    assert offers == {"Tiebreak": 1, "Decisive": 0}


# ---- the 50-move rule ----

WALK = "7k/8/8/8/8/8/8/K7 w - - {clock} 90"


@pytest.mark.parametrize("fifty", ["fide", "iccf"])
def test_fifty_moves_are_claimed(xboard, fifty: str) -> None:
    xboard.send("option RMobility=Decisive", f"option RMobilityFifty={fifty}", f"setboard {WALK.format(clock=100)}")
    xboard.send("go")
    assert pong(xboard) == [FIFTY]


@pytest.mark.parametrize("mode", ["Decisive", "Points"])
def test_without_the_rule_nothing_is_claimed(xboard, mode: str) -> None:
    xboard.send(f"option RMobility={mode}", "option RMobilityFifty=off", "option InsufficientMaterialDraw=0")
    xboard.send(f"setboard {WALK.format(clock=130)}")
    assert own_move(xboard, "go")
    assert pong(xboard) == []


def test_the_rule_of_chess_holds_where_no_record_is_kept(xboard) -> None:
    xboard.send("option RMobility=Off", "option RMobilityFifty=off", "option InsufficientMaterialDraw=0")
    xboard.send(f"setboard {WALK.format(clock=100)}", "go")
    assert pong(xboard) == [FIFTY]


def test_an_improved_record_restarts_the_fifty_moves(xboard) -> None:
    """At clock 98 one king leaves the other three moves; python-chess counts them."""
    fen = "k7/8/3K4/8/8/8/8/8 w - - 97 90"
    board = chess.Board(fen)
    before = code_of(board)
    for move in ("d6c6", "a8b8"):
        board.push_uci(move)
    assert code_of(chess.Board("k7/8/2K5/8/8/8/8/8 b - - 98 90")) < before
    moves = [f"usermove {move}" for move in ("d6c6", "a8b8", "c6d6", "b8b7")]
    setup = ["option RMobility=Decisive", "force", f"setboard {fen}"]
    xboard.send("option RMobilityFifty=fide", *setup, *moves, "go")
    assert pong(xboard) == [FIFTY]
    xboard.send("option RMobilityFifty=record", *setup, *moves)
    assert own_move(xboard, "go")
    assert pong(xboard) == []
    xboard.send(*setup[1:2], f"setboard {WALK.format(clock=100)}", "go")  # a new position keeps the clock of its FEN
    assert pong(xboard) == [FIFTY]
    # An earlier record is even better, so nothing has been improved.
    xboard.send("force", f"setboard {fen} G1.0", *moves, "go")
    assert pong(xboard) == [FIFTY]


# ---- what the user sees ----

BISHOP = "8/8/8/4KBk1/8/8/8/8 b - - 0 1"


def last_thought(xboard, *lines: str) -> str:
    xboard.send("post", "sd 5", *lines, "go")
    return [line for line in xboard.read_until("move") if line[:1].isdigit()][-1]


def test_xboard_shows_the_record_behind_the_first_move(xboard) -> None:
    """XBoard's window shows only the beginning of a line. No other client accepts the feature `exclude`.

    XBoard uses the first move to sort lines and to exclude the best one. It takes any bracket other than a brace as the
    mark of a book move, and then no longer asks for the state of the analysis.
    """
    line = last_thought(xboard, "accepted exclude", "option RMobility=Decisive", f"setboard {BISHOP}")
    assert re.match(r"g5h\d \{G3.5 -> G1.5 proven\} ", line.split("\t")[1])
    assert "(" not in line


def test_programs_get_the_moves_first(xboard) -> None:
    line = last_thought(xboard, "option RMobility=Decisive", f"setboard {BISHOP}")
    assert line.endswith(" (G3.5 -> G1.5 proven)")
    found = chess.engine._parse_xboard_post(line, chess.Board(BISHOP))
    assert len(found["pv"]) == len(line.split("\t")[1].split()) - 4


def test_where_results_come_first_an_estimate_has_no_record_beside_it(xboard) -> None:
    line = last_thought(xboard, "accepted exclude", "new")
    assert "G" not in line
    assert " {-G20.5 -> " in last_thought(xboard, "accepted exclude", "option RMobility=Points", "new")
