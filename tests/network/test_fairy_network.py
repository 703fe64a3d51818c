"""Networks of games by definition equal a naive evaluation of the FEN, however a position was reached."""

from __future__ import annotations

import array
import random
import re
from pathlib import Path

import pytest

from standstill.cext.fairy.fairy_board import FairyBoard
from standstill.cext.network.fairy_network_eval import FairyNetworkEvaluator
from standstill.cext.network.weights import Weights
from standstill.engine.common.errors import NetworkError, OtherGameError
from standstill.engine.network import shipped
from standstill.engine.network.file import BUCKETS, Network, write_network
from standstill.engine.network.loading import load
from standstill.engine.network.shipped import RECORDS, path_for
from standstill.engine.variants.boards import named_game, new_board, new_evaluator, rules_of
from standstill.engine.variants.definition import Definition
from standstill.engine.variants.notation import fen
from tests.network.nets import ABOUT

OURS = Path(shipped.__file__).parent / "data"
WIDTH = 32
PROMOTION, DROP, GATING = 4, 5, 6  # kinds of moves
BESIDE = 20  # inputs for pieces to gate and checks
COUNTED = 16  # pieces of a type in hand that have inputs of their own
# Castling with kings off the middle, pieces to gate, counted checks, several royals, a hill, an odd board, no royals,
# explosions, hands without and with promoted forms.
GAMES = (
    "capablanca",
    "seirawan",
    "3check",
    "spartan",
    "kingofthehill",
    "losalamos",
    "courier",
    "makruk",
    "antichess",
    "atomic",
    "crazyhouse",
    "shogi",
)


def is_pawn(board: FairyBoard, move: int) -> bool:
    return board.squares[move & 255] & 15 <= 2


def kinds_of(game: Definition) -> int:
    return len(game.pieces) - 1


def input_count(game: Definition) -> int:
    held = 2 * kinds_of(game) * COUNTED if game.extra.hand else 0
    return 2 * kinds_of(game) * game.width * game.height + BESIDE + held


def random_network(game: Definition, seed: int = 1) -> Network:
    chance = random.Random(seed)

    def numbers(code: str, count: int, bound: int) -> array.array[int]:
        return array.array(code, (chance.randint(-bound, bound) for _ in range(count)))

    about = {**ABOUT, "game": game.name, "rules": game.fingerprint}
    inputs = input_count(game)
    biases = numbers("h", WIDTH, 200), numbers("h", BUCKETS * 2 * WIDTH, 127), numbers("i", BUCKETS, 8000)
    return Network(WIDTH, 400, about, numbers("h", inputs * WIDTH, 120), *biases)


def loaded(game: Definition, path: Path, seed: int = 1) -> tuple[Network, Weights]:
    network = random_network(game, seed)
    write_network(str(path), network)
    return network, load(str(path), game)


def men_of(game: Definition, board: FairyBoard) -> dict[tuple[int, int], tuple[int, int]]:
    """The pieces on the board: (file, rank) to (colour, type)."""
    return {(sq % game.width, sq // game.width): (man >> 4, man & 15) for sq, man in enumerate(board.squares) if man}


def held_by(board: FairyBoard, side: int) -> dict[int, int]:
    """The pieces that a side may drop: how many there are of each kind."""
    held = board.held[16 * side : 16 * side + 16]
    return {max(0, man - 2): count for man, count in enumerate(held) if count}


def rows_for(game: Definition, board: FairyBoard, side: int) -> list[int]:
    """The inputs of a perspective, as docs/network-format.md defines them."""
    men = men_of(game, board)
    royals = [place for place, (colour, kind) in men.items() if colour == side and game.pieces[kind - 1].is_royal]
    mirrored = len(royals) == 1 and royals[0][0] < game.width // 2
    rows = []
    for (file, rank), (colour, kind) in men.items():
        x = game.width - 1 - file if mirrored else file
        y = game.height - 1 - rank if side else rank
        number = 0 if kind <= 2 else kind - 2
        rows.append(((colour ^ side) * kinds_of(game) + number) * game.width * game.height + y * game.width + x)
    beside = 2 * kinds_of(game) * game.width * game.height
    for other in range(2):
        rows += [beside + 2 * other + gate for gate in range(2) if board.hand[side ^ other] >> gate & 1]
        if game.extra.checks:
            rows.append(beside + 4 + 8 * other + min(board.checks_left[side ^ other], 7))
        for kind, count in held_by(board, side ^ other).items():
            first = beside + BESIDE + (other * kinds_of(game) + kind) * COUNTED
            rows += range(first, first + min(count, COUNTED))
    return rows


def naive_cp(game: Definition, network: Network, board: FairyBoard) -> int:
    hidden = []
    for side in (board.stm, 1 - board.stm):
        for i in range(WIDTH):
            total = network.feature_biases[i]
            total += sum(network.feature_weights[row * WIDTH + i] for row in rows_for(game, board, side))
            hidden.append(max(0, min((total + 32768) % 65536 - 32768, 255)))
    full = sum(man != 0 for man in game.start)
    output = max(0, min((len(men_of(game, board)) - 2) * 8 // (full - 1), 7))
    row = network.output_weights[output * 2 * WIDTH : (output + 1) * 2 * WIDTH]
    total = sum(x * x * weight for x, weight in zip(hidden, row, strict=True))
    value = (int(total / 255) + network.output_biases[output]) * network.scale
    return max(-12000, min(int(value / (255 * 64)), 12000))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", GAMES)
def test_network_equals_a_naive_one_in_random_games(name: str, tmp_path: Path) -> None:
    """Moves are taken back and evaluations are rare, so missing accumulators are computed from earlier ones."""
    game = named_game(name)
    assert isinstance(game, Definition)
    network, weights = loaded(game, tmp_path / "net")
    evaluator = FairyNetworkEvaluator(weights, rules_of(game))
    chance = random.Random(name)
    seen, kinds = 0, set()
    board = new_board(game=game)
    assert isinstance(board, FairyBoard)
    while seen < 250:
        moves = sorted(board.legal_moves())
        if not moves or board.plies > 300:
            board = new_board(game=game)
            continue
        if board.plies and chance.random() < 0.1:
            for _ in range(chance.randrange(1, min(board.plies, 12) + 1)):
                board.pop()
        elif chance.random() < 0.05 and not board.checkers:
            board.push_null()
        else:
            wanted = [move for move in moves if move >> 29 == PROMOTION]
            if not wanted and chance.random() < 0.7:
                wanted = [move for move in moves if board.noisy(move) or move >> 29 or is_pawn(board, move)]
            move = chance.choice(wanted or moves)
            kinds.add(move >> 29)
            board.push(move)
        if chance.random() < 0.5:
            seen += 1
            assert evaluator.network_cp(board) == naive_cp(game, network, board), fen(board)
            assert evaluator.network_cp(board) == FairyNetworkEvaluator(weights, rules_of(game)).network_cp(board)
    assert kinds & {PROMOTION, GATING, DROP}


def test_one_evaluator_for_many_boards(tmp_path: Path) -> None:
    """Values of an older board are never used for a new one."""
    game = named_game("capablanca")
    network, weights = loaded(game, tmp_path / "net")
    evaluator = new_evaluator(game, network=weights)
    chance = random.Random(3)
    for _ in range(60):
        board = new_board(game=game)
        for _ in range(chance.randrange(30)):
            if moves := sorted(board.legal_moves()):
                board.push(chance.choice(moves))
        assert evaluator.network_cp(board) == naive_cp(game, network, board)
        assert evaluator.copy().network_cp(board) == naive_cp(game, network, board)


def test_rules_decide_where_a_royal_is_bare(tmp_path: Path) -> None:
    game = named_game("capablanca")
    weights = loaded(game, tmp_path / "net")[1]
    by_hand, evaluator = new_evaluator(game), new_evaluator(game, network=weights)
    for text in ("4k5/10/10/10/10/10/10/3RK5 w - - 0 1", "4k5/10/10/10/10/10/10/3NK5 b - - 0 1"):
        board = new_board(text, game=game)
        assert evaluator.evaluate_cp(board) == by_hand.evaluate_cp(board)
        assert evaluator.potential(board) == by_hand.potential(board)
        assert evaluator.trace(board) == by_hand.trace(board)


def test_sum_with_the_hand_crafted_evaluation_is_divided_by_mating_potential(tmp_path: Path) -> None:
    game = named_game("capablanca")
    weights = loaded(game, tmp_path / "net")[1]
    evaluator, whole = new_evaluator(game, network=weights), new_evaluator(game, discount=False, network=weights)
    by_hand = new_evaluator(game, discount=False)
    divisors = set()
    for theirs, ours in (("rn", "RN"), ("rb", "RB"), ("r", "R"), ("qb", "QA"), ("q", "Q"), ("nn", "R")):
        for stm in "wb":
            ranks = f"{theirs}1k{8 - len(theirs)}/10/10/10/10/10/10/{ours}1K{8 - len(ours)}"
            board = new_board(f"{ranks} {stm} - - 0 1", game=game)
            total = by_hand.evaluate_cp(board) + evaluator.network_cp(board)
            divisors.add(evaluator.potential(board))
            assert evaluator.evaluate_cp(board) == int(total / evaluator.potential(board))
            assert whole.evaluate_cp(board) == total
            rows = {name: tapered for name, _, _, tapered in whole.trace(board)}
            sign = -1 if board.stm else 1
            assert (rows["network"], rows["total"]) == (sign * evaluator.network_cp(board), sign * total)
    assert len(divisors) > 1


@pytest.mark.parametrize("name", ["3check", "antichess", "racingkings", "kingofthehill"])
def test_network_is_added_where_mate_is_not_all(name: str, tmp_path: Path) -> None:
    game = named_game(name)
    assert isinstance(game, Definition)
    weights = loaded(game, tmp_path / "net")[1]
    by_hand, evaluator = new_evaluator(game), new_evaluator(game, network=weights)
    chance = random.Random(name)
    board = new_board(game=game)
    for _ in range(40):
        moves = sorted(board.legal_moves())
        if not moves:
            break
        board.push(chance.choice(moves))
        assert evaluator.evaluate_cp(board) == by_hand.evaluate_cp(board) + evaluator.network_cp(board)


def test_network_of_another_game_is_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "net")
    capablanca, janus = named_game("capablanca"), named_game("janus")
    assert isinstance(capablanca, Definition)
    network = random_network(capablanca)
    write_network(path, network)
    with pytest.raises(OtherGameError, match="a network of 'capablanca', not of 'janus'"):
        load(path, janus)
    with pytest.raises(OtherGameError, match="a network of 'capablanca', not of 'chess'"):
        load(path)
    write_network(path, network._replace(about={**network.about, "rules": "0" * 8}))
    with pytest.raises(OtherGameError, match="a network for other rules of 'capablanca'"):
        load(path, capablanca)
    weights = loaded(capablanca, tmp_path / "good")[1]
    with pytest.raises(ValueError, match=r"expected a network with \d+ inputs, found \d+"):
        FairyNetworkEvaluator(weights, rules_of(named_game("losalamos")))


OF_CHESS = {*OURS.glob("n256*"), OURS / RECORDS}


@pytest.mark.parametrize("path", sorted({*OURS.glob("*.nn")} - OF_CHESS), ids=lambda path: path.stem)
def test_networks_that_ship_fit_their_games(path: Path) -> None:
    """The networks refine the hand-crafted evaluation without reversing it: the start position is about level."""
    game = named_game(path.stem)
    assert path_for(game, "auto") == str(path)
    evaluator = new_evaluator(game, network=load(str(path), game))
    assert abs(evaluator.evaluate_cp(new_board(game=game))) < 150
    assert path_for(named_game("chess"), "none") is None


def test_values_of_pieces_do_not_belong_to_the_fingerprint() -> None:
    game = named_game("capablanca")
    other = named_game("janus")
    assert isinstance(game, Definition)
    assert re.fullmatch("[0-9a-f]{8}", game.fingerprint) and game.fingerprint != other.fingerprint


@pytest.mark.sampled(3)
@pytest.mark.parametrize("place", [9, 10, 12, 14, 18, 19, 30, 64, 4000, -5, -1])
def test_damage_is_refused(tmp_path: Path, place: int) -> None:
    path = tmp_path / "net"
    game = named_game("capablanca")
    loaded(game, path)
    data = bytearray(path.read_bytes())
    data[place] ^= 0x41
    path.write_bytes(data)
    with pytest.raises(NetworkError):
        load(str(path), game)
