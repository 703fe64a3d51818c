"""The evaluation of games by definition: the same for both colours, and each term has the right sign."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from standstill.engine.variants import notation
from standstill.engine.variants.boards import new_board, new_evaluator
from standstill.engine.variants.catalog import Catalog
from standstill.engine.variants.fairymax import parse
from tests.variants.files import block, text_of

CATALOG = Catalog()
GAMES = ("endings", "makruk", "shatranj", "capablanca", "kingofthehill", "seirawan", "tall-capablanca", "atomic")
ENDINGS = CATALOG.find("endings")


def positions(name: str, games: int = 3, plies: int = 90) -> list:
    """Some positions of random games."""
    rng = random.Random(name)
    found = []
    for _ in range(games):
        board = new_board(game=CATALOG.find(name))
        for ply in range(plies):
            moves = board.legal_moves()
            if not moves or board.rule_result():
                break
            board.push(rng.choice([move for move in moves if board.noisy(move)] or moves))
            if ply % 6 == 5:
                found.append(board.copy())
    return found


def flipped(board):
    """The same position with colours exchanged."""
    squares, stm, castling, ep, *clocks = notation.fen(board).split()
    squares, bracket, hand = squares.partition("[")
    squares = "/".join(reversed(squares.split("/"))).swapcase() + bracket + hand.swapcase()
    if ep != "-":
        ep = f"{ep[0]}{squares.count('/') + 2 - int(ep[1:])}"
    castling = castling.swapcase()
    return new_board(" ".join((squares, "bw"[stm == "b"], castling, ep, *clocks)), game=board.notation.game)


def terms(fen: str, game=ENDINGS) -> dict[str, tuple[int, int]]:
    """Middlegame and endgame centipawns of each term, from White's view."""
    board = new_board(fen, game=game)
    return {name: (mg, eg) for name, mg, eg, _ in new_evaluator(game).trace(board)}


@pytest.mark.parametrize("name", GAMES)
def test_colours_exchanged_give_the_same_value(name: str) -> None:
    evaluator = new_evaluator(CATALOG.find(name))
    seen = set()
    for board in positions(name):
        other = flipped(board)
        assert evaluator.evaluate_cp(board) == evaluator.evaluate_cp(other), notation.fen(board)
        assert evaluator.confinement_cp(board) == evaluator.confinement_cp(other), notation.fen(board)
        for (term, mg, eg, _), (_, other_mg, other_eg, _) in zip(
            evaluator.trace(board), evaluator.trace(other), strict=True
        ):
            assert (mg, eg) == (-other_mg, -other_eg), (term, notation.fen(board))
            seen |= {term} if mg or eg else set()
    assert seen >= {"material", "piece-square", "mobility", "pawns", "threats", "total"}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", [*GAMES, "spartan", "cylinder"])
def test_what_is_kept_from_move_to_move_changes_nothing(name: str) -> None:
    """An evaluator that has followed the whole game agrees with a new one."""
    rng = random.Random(name)
    game = CATALOG.find(name)
    kept = new_evaluator(game)
    for _ in range(6):
        board = new_board(game=game)
        for _ in range(60):
            moves = board.legal_moves()
            if not moves or board.rule_result():
                break
            kinds = {move >> 29: move for move in moves}  # to play castling, en passant, promotion often enough
            board.push(rng.choice([rng.choice(moves), *kinds.values()]))
            if rng.random() < 0.6:  # sometimes several moves after the last evaluation
                assert kept.evaluate_cp(board) == new_evaluator(game).evaluate_cp(board.copy()), notation.fen(board)


@pytest.mark.parametrize(
    ("term", "better", "worse"),
    [
        # A rook on an open board, and a rook behind its own pawns.
        ("mobility", "4k3/8/8/8/3R4/8/PPP5/4K3 w - - 0 1", "4k3/8/8/8/8/8/PPP5/R3K3 w - - 0 1"),
        # A pawn that attacks a knight; a rook that attacks an undefended knight.
        ("threats", "4k3/8/8/3n4/2P5/8/8/4K3 w - - 0 1", "4k3/8/8/3n4/1P6/8/8/4K3 w - - 0 1"),
        ("threats", "4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1", "4k3/8/8/3n4/8/8/8/2R1K3 w - - 0 1"),
        # A knight that attacks a defended rook.
        ("threats", "4k3/8/2p5/3r4/8/4N3/8/4K3 w - - 0 1", "4k3/8/2p4r/8/8/4N3/8/4K3 w - - 0 1"),
        # Queen and rook near an exposed king, and far from it.
        ("royal safety", "6k1/8/5Q2/8/8/8/5R2/4K3 w - - 0 1", "6k1/8/8/8/8/Q7/R7/4K3 w - - 0 1"),
        # The queen's check on e8 is safe; it is not safe if a knight defends the square.
        ("royal safety", "6k1/n4ppp/8/8/4Q3/8/8/4K3 w - - 0 1", "6k1/2n2ppp/8/8/4Q3/8/8/4K3 w - - 0 1"),
        ("passed pawns", "4k3/8/4P3/8/8/8/p7/4K2R w - - 0 1", "4k3/8/8/8/4P3/8/p7/4K2R w - - 0 1"),
        ("pawns", "4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1", "4k3/8/8/8/P7/P7/P7/4K3 w - - 0 1"),
        # A pawn alone on its file, and a doubled pawn, both neither isolated nor defended.
        ("pawns", "4k3/8/8/8/3P4/8/1PP5/4K3 w - - 0 1", "4k3/8/8/8/2P5/8/1PP5/4K3 w - - 0 1"),
        ("material", "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"),
    ],
)
def test_a_term_prefers_the_better_position(term: str, better: str, worse: str) -> None:
    """Tested for White and, with colours exchanged, for Black."""
    for at in range(2):
        assert terms(better)[term][at] > terms(worse)[term][at]
        mirrored = [notation.fen(flipped(new_board(fen, game=ENDINGS))) for fen in (better, worse)]
        assert terms(mirrored[0])[term][at] < terms(mirrored[1])[term][at]


@pytest.mark.parametrize(
    ("term", "better", "worse"),
    [
        # A capture on d5 removes the bishop, too; here the rook alone would be lost for a knight.
        ("threats", "7k/8/2b5/3n4/8/8/8/3RK3 w - - 0 1", "b6k/8/8/3n4/8/8/8/3RK3 w - - 0 1"),
        # A pawn on c6 survives the explosion; the queen on c4 does not.
        ("threats", "7k/8/2p5/3r4/8/4N3/8/4K3 w - - 0 1", "7k/8/2p5/3r4/2Q5/4N3/8/4K3 w - - 0 1"),
        # The second threat remains after Black has parried the first.
        ("threats", "7k/8/8/3r4/8/4N3/6r1/1K6 b - - 0 1", "7k/8/8/3r4/8/4N3/7r/1K6 b - - 0 1"),
        # A threat counts more if it can be carried out at once.
        ("threats", "7k/8/8/3r4/8/4N3/8/1K6 w - - 0 1", "7k/8/8/3r4/8/4N3/8/1K6 b - - 0 1"),
        # The rook attacks a pawn beside the king, can attack it in one move, or attacks a pawn elsewhere.
        ("royal safety", "4k3/3p4/8/8/8/8/8/3R2K1 w - - 0 1", "4k3/3p4/8/8/8/8/8/2R3K1 w - - 0 1"),
        ("royal safety", "4k3/3p4/8/8/8/8/8/2R3K1 w - - 0 1", "4k3/p7/8/8/8/8/8/2R3K1 w - - 0 1"),
        # A king cannot capture the pawn, and the rook would blow up its own king.
        ("royal safety", "4k3/3p4/8/8/8/8/8/3R2K1 w - - 0 1", "4k3/3p4/8/2K5/8/8/8/8 w - - 0 1"),
        ("royal safety", "4k3/3p4/8/8/8/8/8/3R2K1 w - - 0 1", "4k3/3p4/2K5/8/8/8/8/3R4 w - - 0 1"),
    ],
)
def test_explosions(term: str, better: str, worse: str) -> None:
    """Tested for White and, with colours exchanged, for Black."""
    game = CATALOG.find("atomic")
    for at in range(2):
        assert terms(better, game)[term][at] > terms(worse, game)[term][at]
        mirrored = [notation.fen(flipped(new_board(fen, game=game))) for fen in (better, worse)]
        assert terms(mirrored[0], game)[term][at] < terms(mirrored[1], game)[term][at]


HOPPING_PAWNS = parse(
    text_of(block("Game: hops", white_pawn="p:100 -15,89C -17,89C -16,6", black_pawn="p:100 15,89C 17,89C 16,6"))
).games[0]


def test_a_pawn_that_captures_over_its_own_men_threatens_nothing_without_them() -> None:
    """The pawn on c4 takes on e6 if a piece of its own side stands on d5."""
    behind_a_man, alone = "4k3/8/4n3/3N4/2P5/8/8/4K3 w - - 0 1", "4k3/8/4n3/8/2P5/8/8/N3K3 w - - 0 1"
    board = new_board(behind_a_man, game=HOPPING_PAWNS)
    assert "c4e6" in [notation.move_text(board, move) for move in board.legal_moves()]
    assert terms(behind_a_man, HOPPING_PAWNS)["threats"] > terms(alone, HOPPING_PAWNS)["threats"]


@pytest.mark.parametrize(
    "worse", ["4k3/8/8/8/8/5ppp/8/6K1 w - - 0 1", "4k3/8/8/8/8/8/5P2/6K1 w - - 0 1", "4k3/8/8/8/8/8/PPP5/6K1 w - - 0 1"]
)
def test_a_royal_wants_its_pawns_before_it(worse: str) -> None:
    assert terms("4k3/8/8/8/8/8/5PPP/6K1 w - - 0 1")["royal safety"][0] > terms(worse)["royal safety"][0]


def test_pawns_of_the_other_side_near_a_royal_are_a_danger() -> None:
    near, far = "4k3/8/8/6p1/5pPp/5P1P/8/6K1 w - - 0 1", "4k3/5ppp/8/8/6P1/5P1P/8/6K1 w - - 0 1"
    assert terms(near)["royal safety"][0] < terms(far)["royal safety"][0]
    # Enemy pawns in front of a royal do not count as its pawn shield.
    assert (
        terms("4k3/8/8/8/8/8/8/6K1 w - - 0 1")["royal safety"][0]
        > terms("4k3/8/8/8/8/5ppp/8/6K1 w - - 0 1")["royal safety"][0]
    )


@pytest.mark.parametrize("file", ["3p4", "4p3", "5p2"])
def test_a_pawn_ahead_on_the_file_or_beside_it_stops_a_passed_pawn(file: str) -> None:
    assert terms(f"4k3/{file}/8/8/4P3/8/8/4K3 w - - 0 1")["passed pawns"] == (0, 0)
    assert terms(f"4k3/8/8/8/4P3/8/{file}/4K3 w - - 0 1")["passed pawns"] != (0, 0)


@pytest.mark.parametrize("pawn", ["p", "P"])
def test_a_passed_pawn_wants_its_own_king_near_and_the_other_far(pawn: str) -> None:
    """The pawn on e5 or e4; kings beside its path, or in a corner on their own side."""
    sign = 1 if pawn == "P" else -1
    square = "8/8/8/4P3/8/8/8/8" if pawn == "P" else "8/8/8/8/4p3/8/8/8"

    def passed(ours: str, theirs: str) -> int:
        rows = [
            list(row.replace("8", "1" * 8).replace("4P3", "1111P111").replace("4p3", "1111p111"))
            for row in square.split("/")
        ]
        for place, king in ((ours, "K" if pawn == "P" else "k"), (theirs, "k" if pawn == "P" else "K")):
            rows[8 - int(place[1])][ord(place[0]) - ord("a")] = king
        rows[0][7], rows[7][7] = "r", "R"
        return sign * terms("/".join("".join(row) for row in rows) + " w - - 0 1")["passed pawns"][1]

    near, far = ("d5", "a5") if pawn == "P" else ("d4", "a4")
    assert passed(near, "a8" if pawn == "P" else "a1") > passed(far, "a8" if pawn == "P" else "a1")
    ahead = "e7" if pawn == "P" else "e2"
    assert passed(near, ahead) < passed(near, "a8" if pawn == "P" else "a1")


def test_the_hill_draws_kings() -> None:
    game = CATALOG.find("kingofthehill")
    near, far = (terms(f"4k3/8/8/8/8/{rank} w - - 0 1", game)["hill"] for rank in ("3K4/8/8", "8/8/3K4"))
    assert near > far


def test_a_soldier_is_worth_twice_as_much_beyond_the_river() -> None:
    """A soldier one step before the river is worth more, because it will soon cross the river."""
    xiangqi = Catalog().find("xiangqi")

    def worth(rank: int) -> int:
        ranks = ["9"] * 10
        ranks[0], ranks[9] = "3k5", "5K3"
        ranks[10 - rank] = "4P4"
        return terms(f"{'/'.join(ranks)} w - - 0 1", xiangqi)["piece-square"][0] + 55

    assert abs(worth(4) - 55) < 6 and abs(worth(6) - 2 * 55) < 6
    assert worth(4) < worth(5) < worth(6) == worth(8)


@pytest.mark.parametrize("letter", "RCPA")
def test_lines_in_a_palace_change_the_worth_of_a_piece_little(letter: str) -> None:
    """In janggi they add moves on a few squares only, so that its worth on a square is near its value."""
    game, found = CATALOG.find("janggi"), []
    files, ranks = (range(3, 6), range(3)) if letter == "A" else (range(9), range(2, 8))
    for file in files:
        for rank in ranks:
            if (file, rank) == (4, 1):
                continue
            rows = [["1"] * 9 for _ in range(10)]
            rows[8][4], rows[1][3], rows[9 - rank][file] = "K", "k", letter  # e2, d9
            text = "/".join("".join(row) for row in rows)
            sheet = terms(f"{text} b - - 0 1", game)
            found.append(sheet["material"][0] + sheet["piece-square"][0])
    value = game.piece(game.number_of(letter.lower(), 0)).value
    assert 0.75 * value < min(found) <= max(found) < 1.25 * value, (value, min(found), max(found))


def test_a_royal_that_may_not_leave_its_palace_is_in_more_danger() -> None:
    xiangqi = Catalog().find("xiangqi")
    free = replace(xiangqi, extra=replace(xiangqi.extra, zones=()))
    fen = "3k5/9/9/9/9/9/9/4r4/3n5/4K4 w - - 0 1".replace("4K4", "9").replace("3n5", "3nK4")
    palace, open_board = (terms(fen, game)["royal safety"][0] for game in (xiangqi, free))
    assert palace < 2 * open_board < 0


def test_a_lead_on_points_counts_more_towards_the_end() -> None:
    """It grows with the plies that the 50-move rule counts. With equal armies Black leads by 1.5 points."""

    def total(rest: str, clock: int = 0, name: str = "janggi") -> int:
        board = new_board(f"{rest} w - - {clock} 60", game=CATALOG.find(name))
        return new_evaluator(board.notation.game).evaluate_cp(board)

    ahead, equal = "4k4/9/9/9/1c5c1/1C5C1/9/9/4P4/3K4R", "rnba1abnr/4k4/9/9/9/9/9/9/4K4/RNBA1ABNR"
    leads = [total(ahead, clock) - total(ahead) for clock in (0, 30, 60, 90)]
    assert leads == sorted(leads) and leads[-1] > 50
    behind = [total(equal, clock) - total(equal) for clock in (0, 30, 60, 90)]
    assert behind == sorted(behind, reverse=True) and behind[-1] < -20
    xiangqi = "3k5/9/9/9/1c5c1/1C5C1/9/9/4P4/4K3R"
    assert total(xiangqi, 0, "xiangqi") == total(xiangqi, 90, "xiangqi")
