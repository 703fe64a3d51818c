"""Mating potential: the published cases, and random armies compared with the rules as a table."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest

from standstill.cext.evaluation.chess_eval import ChessEvaluator
from standstill.cext.network.network_eval import NetworkEvaluator
from standstill.engine.common.errors import NotationError
from standstill.engine.network.loading import load
from standstill.engine.network.shipped import path_of
from standstill.engine.variants.boards import new_board, new_evaluator
from standstill.engine.variants.catalog import Catalog
from standstill.engine.variants.definition import MATES, TOUGH
from standstill.engine.variants.fairymax import parse
from standstill.engine.variants.notation import fen, set_fen
from tests.variants.lone_man import lone_men, share_won

ENOUGH = 350  # an advantage of this many centipawns wins if the pieces have no suffix

# Leader v defender and divisor, without kings (H.G. Muller, "Heuristics for accounting for mating potential").
CASES = """
N v K 8; B v K 8; 2N v K 8; R v K 1; R v 2P 1; R v N 8; R+N v R 8; Q+B v Q 8; B+N v B 8; R+B v 2N 2;
WD+N v N 2; J v K 8; J v N 8; Q v WF 8; Q v R 2; 2N+P v N+P 4; N+2P v B+P 1; 2N+2P v B+N+P 1; N+P v N 4;
N v P 8; B+2N v R 2; 2F v K 8; 2W v K 8; WD v K 1; WF v K 1; WD v N 2; WD+N v K 1; WF+N v B 2; 2WD v R 2;
WD v WF 8; WF v N 2; Q v 2P 1; Q v N 2; Q+R v Q 2; R+B v R 8; R+N v N 2; B+N v K 1; 2B v K 1; 2B v N 8;
2H v K 1; 2N v F 8; 2N v P 8; BD v K 8; BD v N 8; BD+N v N 2; BD+F v BD 8; 2BD v Q 8; J+N v R 2; D+W v K 8;
3N v K 1; 3N v N 2; Q+N v 2R 2; 2R v R+N 2; A v R 2; B+P v K 1; B+P v N 4; R+P v R 1; R+P v N 1;
R+P v B+F 4; Q+P v WF+N 1; Q+P v WF+R 1; Q+P v WF 1; J+P v N 4; BD+P v N+2P 4; WD+P v N 1; WD+N+P v N 1;
N+B+P v N 1; 2N+P v B+F 4; 2N+P v WF 4; R+N+P v 2N 1; R+N+P v R+N 4; 2R+P v R+N 1; Q+R+P v Q+N 1;
3N+P v 2N 1; R+B+P v 3N 1; 2N+P v K 1; B+2P v N 1; K v K 8;
"""


@dataclass(frozen=True)
class Man:
    letter: str  # letter of the piece in ENDINGS
    value: int
    mates: bool = False
    tough: bool = False
    no_pair: bool = False
    bound: bool = False


MEN = {
    "P": Man("p", 100),
    "N": Man("n", 325, no_pair=True),
    "B": Man("b", 325, bound=True),
    "R": Man("r", 500),
    "Q": Man("q", 950),
    "A": Man("a", 875),
    "WD": Man("w", 310, mates=True),
    "WF": Man("m", 280, mates=True, tough=True),
    "F": Man("f", 150, bound=True),
    "W": Man("z", 125),
    "D": Man("d", 100, bound=True),
    "BD": Man("l", 530, bound=True),
    "J": Man("j", 700, bound=True),
    "H": Man("n", 325),
}
ENDINGS = Catalog().find("endings")
# The same game with a knight without properties: the H in CASES.
PLAIN = parse("version 4.8(w)\n" + str(ENDINGS).partition("Game: endings\n")[2].replace(" 0,-4", "")).default


def army(text: str) -> list[Man]:
    """The pieces of a text like ``R+2N+P``; a bare king (``K``) has none."""
    men: list[Man] = []
    for part in text.split("+"):
        if part != "K":
            number = int(part[0]) if part[0].isdigit() else 1
            men += [MEN[part.lstrip("0123456789")]] * number
    return men


def cases() -> list[tuple[str, str, int]]:
    rows = [row.strip().rsplit(" ", 1) for row in CASES.replace("\n", " ").split(";") if row.strip()]
    return [(*row.split(" v "), int(divisor)) for row, divisor in rows]


def placed(board, ours: list[Man], theirs: list[Man], rng: random.Random) -> bool:
    """Place kings and pieces at random, with White as the leader; return False if the position is impossible."""
    squares = {}
    free = [(file, rank) for file in range(8) for rank in range(8)]
    inner = [square for square in free if 1 <= square[1] <= 4]
    for colour, men in ((0, [None, *ours]), (1, [None, *theirs])):
        for man in men:
            square = rng.choice([s for s in (inner if man == MEN["P"] else free) if s not in squares])
            letter = man.letter if man else "k"
            squares[square] = letter if colour else letter.upper()
    rows = ["".join(squares.get((file, rank), "1") for file in range(8)) for rank in range(7, -1, -1)]
    try:
        set_fen(board, f"{'/'.join(rows)} w - - 0 1")
    except NotationError:
        return False
    return True


def white_shades(board, men: list[Man]) -> set[int]:
    """The colours of the squares on which White has these pieces."""
    letters = {man.letter.upper() for man in men}
    found = set()
    for rank, row in enumerate(fen(board).split()[0].split("/")):
        file = 0
        for letter in row:
            if letter in letters:
                found.add((file + rank) % 2)
            file += int(letter) if letter.isdigit() else 1
    return found


def white_leads(evaluator, board, ours: list[Man]) -> bool:
    """Return whether White clearly leads. A score of 0 may be a small score after division; two bare kings count as a
    lead."""
    return evaluator.trace(board)[-1][3] > (-1 if board.dead or not ours else 0)


def divisors(board, ours: list[Man], theirs: list[Man]) -> set[int]:
    """The divisors of several positions in which White leads."""
    evaluator = new_evaluator(board.notation.game)
    rng, found, seen = random.Random(5), set(), 0
    pieces = [man for man in ours if man != MEN["P"]]
    for _ in range(400):
        if not placed(board, ours, theirs, rng) or not white_leads(evaluator, board, ours):
            continue
        if len(pieces) > 1 and all(man.bound for man in pieces) and len(white_shades(board, pieces)) == 1:
            continue  # tested separately below
        found.add(evaluator.potential(board))
        seen += 1
        if seen == 4:
            return found
    raise AssertionError("no position in which White leads")


@pytest.mark.sampled(16)
@pytest.mark.parametrize(("leader", "defender", "divisor"), cases())
def test_cases(leader: str, defender: str, divisor: int) -> None:
    game = PLAIN if "H" in leader else ENDINGS
    assert divisors(new_board(game=game), army(leader), army(defender)) == {divisor}


def test_there_are_seventy_eight_cases() -> None:
    assert len(cases()) == 78


ORTHODOX = [row for row in cases() if set(row[0] + row[1]) <= set("K+PNBRQ0123456789") and "BD" not in row[0] + row[1]]


@pytest.mark.sampled(9)
@pytest.mark.parametrize(("leader", "defender", "divisor"), ORTHODOX)
def test_chess_has_the_same(leader: str, defender: str, divisor: int) -> None:
    assert divisors(new_board(), army(leader), army(defender)) == {divisor}


# ---- the rules as a table by pieces of the leader and of the defender ----


def hopeless(ours: list[Man], theirs: list[Man]) -> bool:
    advantage = sum(man.value for man in ours) - sum(man.value for man in theirs)
    verdicts = {
        0: lambda: True,
        1: lambda: ours[0].bound or (len(theirs) == 1 and theirs[0].tough) or (not ours[0].mates and advantage < 350),
        2: lambda: (ours[0] == ours[1] and ours[0].no_pair) or (not any(man.mates for man in ours) and advantage < 350),
    }
    return not ours or (len(ours) <= 2 and len(theirs) <= 1 and verdicts[len(ours)]())


def expected(ours: list[Man], theirs: list[Man]) -> int:
    pawns = ours.count(MEN["P"])
    ours = [man for man in ours if man != MEN["P"]]
    theirs = [man for man in theirs if man != MEN["P"]]
    if pawns == 0:
        return 8 if hopeless(ours, theirs) else 2 if theirs else 1
    if pawns == 1 and 1 <= len(ours) <= 2 and 1 <= len(theirs) <= 2:
        cheapest = min(man.value for man in theirs)
        for at, man in enumerate(theirs):
            if man.value == cheapest and hopeless(ours, theirs[:at] + theirs[at + 1 :]):
                return 4
    return 1


def test_random_armies() -> None:
    rng = random.Random(9)
    board = new_board(game=ENDINGS)
    kinds = [man for name, man in MEN.items() if name != "H"]
    seen = 0
    while seen < 300:
        ours, theirs = rng.choices(kinds, k=rng.randrange(5)), rng.choices(kinds, k=rng.randrange(4))
        ours += [MEN["P"]] * rng.randrange(2)
        if sum(man.value for man in ours) < sum(man.value for man in theirs) + 100:
            continue  # which side leads must not depend on the squares
        seen += 1
        assert divisors(board, ours, theirs) == {expected(ours, theirs)}, (ours, theirs)


@pytest.mark.parametrize(
    ("leader", "defender", "divisor"),
    [("R", "F", 2), ("J+F", "R", 2), ("Q+W", "A", 8), ("Q+N", "A", 2)],
)
def test_the_advantage_that_wins_begins_at_350(leader: str, defender: str, divisor: int) -> None:
    assert divisors(new_board(game=ENDINGS), army(leader), army(defender)) == {divisor}


# The same game with a ferz worth as much as a commoner, which is hard to beat.
EQUAL = parse("version 4.8(w)\n" + str(ENDINGS).partition("Game: endings\n")[2].replace("f:150", "f:280")).default


def test_either_of_two_cheapest_men_may_go_for_the_pawn() -> None:
    """An archbishop beats a ferz but not a commoner."""
    assert divisors(new_board(game=EQUAL), army("A"), army("WF")) == {8}
    assert divisors(new_board(game=EQUAL), army("A"), army("F")) == {2}
    assert divisors(new_board(game=EQUAL), army("A+P"), army("WF+F")) == {4}


def test_the_whole_score_is_divided() -> None:
    board = new_board("4k3/8/8/3n4/8/8/8/R3K3 w - - 0 1")
    full = ChessEvaluator(discount=False)
    assert ChessEvaluator().potential(board) == 8
    assert 0 < ChessEvaluator().evaluate_cp(board) < 80
    game = new_board("4k3/8/8/3n4/8/8/8/R3K3 w - - 0 1", game=ENDINGS)
    whole, divided = new_evaluator(ENDINGS, discount=False), new_evaluator(ENDINGS)
    assert divided.evaluate_cp(game) == whole.evaluate_cp(game) // 8
    assert full.evaluate_cp(board) > 0


def test_pair_bonus_counts_once() -> None:
    """Two bishops get the bonus, a third adds nothing, and a bishop with a knight gets none."""
    for rank, bonus in (("BB2K3", 40), ("BBB1K3", 40), ("BN2K3", 0)):
        board = new_board(f"4k3/8/8/8/8/8/8/{rank} w - - 0 1", game=ENDINGS)
        terms = {name: cp for name, cp, _, _ in new_evaluator(board.notation.game).trace(board)}
        assert terms["pairs"] == bonus


@pytest.mark.parametrize(("name", "discounts"), [("kingofthehill", False), ("shatranj", False), ("capablanca", True)])
def test_no_discount_where_there_is_another_way_to_win(name: str, discounts: bool) -> None:
    assert new_evaluator(Catalog().find(name)).discount is discounts


@pytest.mark.parametrize(
    ("fen", "share"),
    [
        ("8/8/3k4/8/1M1M4/2M5/3K4/8 w - - 0 1", 8),  # three ferzes on squares of one colour
        ("8/8/3k4/8/1M1M4/2MM4/3K4/8 w - - 0 1", 1),
        ("8/8/3k4/8/1M1M4/2M5/3K1P2/8 w - - 0 1", 1),  # the pawn may promote to a ferz on the other colour
        ("8/8/3k4/8/1M1M4/2MN4/3K4/8 w - - 0 1", 1),
        ("8/8/3k2m1/8/1M1M4/2M5/3K4/8 w - - 0 1", 8),
        ("8/3k4/2m5/1m1m4/8/3K4/8/8 w - - 0 1", 8),
    ],
)
def test_men_bound_to_one_colour_do_not_win(fen: str, share: int) -> None:
    board = new_board(fen, game=Catalog().find("makruk"))
    evaluator = new_evaluator(board.notation.game)
    *terms, total = evaluator.trace(board)
    assert evaluator.potential(board) == share
    assert abs(total[3] - sum(cp for _, _, _, cp in terms) / share) <= len(terms)  # each term is rounded


# Classes of chess endings in which all the leader's pieces are bishops, and the defender's pawns can be taken.
BISHOPS = (
    """
2B v P; 2B v 2P; 2B v 3P; 2B v N+P; 3B v P; 3B v R; 3B v N+P; 2B+P v N; 2B+P v B; 2B+P v N+P; 2B+P v R;
2B+P v 2N; 3B+P v N; 2B+P v P; 2B+2P v N
""".replace("\n", " ")
    .strip()
    .split("; ")
)


def with_bishops(board, ours: list[Man], theirs: list[Man], rng: random.Random, *, one_colour: bool) -> None:
    """Set up the pieces at random, with White's bishops on one square colour or on both."""
    while True:
        if placed(board, ours, theirs, rng) and one_colour == (len(white_shades(board, [MEN["B"]])) == 1):
            return


@pytest.mark.sampled(10)
@pytest.mark.parametrize("one_colour", [True, False])
@pytest.mark.parametrize("row", BISHOPS)
def test_bishops_of_one_colour_win_nothing_in_chess(row: str, one_colour: bool) -> None:
    """Test both evaluations on random squares. With bishops on both colours the general rules hold."""
    leader, defender = map(army, row.split(" v "))
    men = sum(man != MEN["P"] for man in defender)
    share = expected(leader, defender)
    if one_colour:
        share = max(share, {0: 8, 1: 4 if men else 1}.get(leader.count(MEN["P"]), 1))
    rng, board = random.Random(row), new_board()
    by_hand, network = ChessEvaluator(), NetworkEvaluator(load(path_of("")))
    whole = ChessEvaluator(False)
    for evaluator, plain, least in ((by_hand, whole.evaluate_cp, 20), (network, network.network_cp, 1)):
        seen = 0
        for _ in range(40):
            with_bishops(board, leader, defender, rng, one_colour=one_colour)
            if plain(board) < least:
                continue  # Black leads, or the lead is unclear
            seen += 1
            assert evaluator.potential(board) == share, fen(board)
            if evaluator is network:
                assert evaluator.evaluate_cp(board) == plain(board) // share
        assert seen


@pytest.mark.sampled(6)
@pytest.mark.parametrize("row", BISHOPS)
def test_the_board_of_other_games_says_the_same(row: str) -> None:
    """Chess without castling is a game by definition, with another evaluation and another test of square colours."""
    leader, defender = map(army, row.split(" v "))
    rng, board, other = random.Random(row), new_board(), new_board(game=Catalog().find("nocastle"))
    evaluator, by_definition = ChessEvaluator(), new_evaluator(other.notation.game)
    found = set()
    for number in range(40):
        with_bishops(board, leader, defender, rng, one_colour=number % 2 == 0)
        set_fen(other, fen(board))
        if white_leads(evaluator, board, leader) and white_leads(by_definition, other, leader):
            assert evaluator.potential(board) == by_definition.potential(other), fen(board)
            found.add(number % 2)
    assert found == {0, 1}


def single_men() -> list:
    """Every kind of piece in the supplied games that can be solved alone, once for each board and king."""
    found = {}
    for game in Catalog():
        if game.width * game.height <= 80 and new_evaluator(game).discount:
            for man, steps, king in lone_men(game):
                key = (game.width, game.height, king, steps, man.suffix)
                found.setdefault(key, pytest.param(*key[:4], man, id=f"{game.name}-{man.letter}"))
    return list(found.values())


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("width", "height", "king", "steps", "man"), single_men())
def test_suffixes_say_what_a_man_can_do_alone(width: int, height: int, king, steps, man) -> None:
    """A suffix states that the piece can mate; a light piece without it cannot."""
    share = share_won(width, height, king, steps)
    if man.suffix in (MATES, TOUGH):
        assert share > 0.5
    elif man.value < ENOUGH:
        assert share < 0.5
