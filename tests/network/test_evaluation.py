"""The network in the core equals a naive evaluation of python-chess's boards, however a position was reached."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import chess
import pytest

from standstill.cext.chess.chess_board import ChessBoard
from standstill.cext.evaluation.chess_eval import ChessEvaluator
from standstill.cext.network.network_eval import NetworkEvaluator
from standstill.cext.network.weights import Weights
from standstill.cext.training.mean_eval import MeanEvaluator
from standstill.engine.network.file import Network, write_network
from standstill.engine.network.loading import load
from standstill.engine.variants import notation
from standstill.engine.variants.boards import new_board, notation_of
from standstill.engine.variants.variant import CHESS
from tests.evaluation.test_chess_eval import DRAWN, EXTREME, WON, flipped, reflected
from tests.network.nets import naive_cp, random_network
from tools.measure.beside.positions import chess960_start, from_random_games

PLACES = 256  # as in cext/network/accumulators.pxd

Loaded = tuple[Network, Weights]


def largest(network: Network) -> Network:
    """The same signs with the largest numbers that a file may hold; outputs are just below overflow."""
    for values, size in (
        (network.feature_weights, 991),
        (network.feature_biases, 1055),
        (network.output_weights, 127),
        (network.output_biases, 2**31 - 1),
    ):
        for place, value in enumerate(values):
            values[place] = size if value > 0 else -size
    return network


MAKERS: dict[str, Callable[[], Network]] = {
    "32": random_network,
    "96": lambda: random_network(96, seed=2, scale=333),
    "largest": lambda: largest(random_network(64, seed=3, scale=4096)),
    "by king": lambda: random_network(seed=4, inputs=12288),
}


@pytest.fixture(scope="module", params=list(MAKERS))
def loaded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    network = MAKERS[request.param]()
    path = tmp_path_factory.mktemp("nets") / "net.nn"
    write_network(str(path), network)
    return network, load(str(path))


@pytest.fixture(scope="module", params=[768, 12288])
def noise(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    network = random_network(inputs=request.param)
    path: Path = tmp_path_factory.mktemp("noise") / "net.nn"
    write_network(str(path), network)
    return network, load(str(path))


class Pair:
    """Our board and python-chess's, with the same moves made on both."""

    def __init__(self, fen: str):
        self.ours = new_board()
        self.ours.notation = notation_of(CHESS, chess960=True)
        notation.set_fen(self.ours, fen)
        self.theirs = chess.Board(fen, chess960=True)

    def moves(self) -> list[int]:
        return sorted(self.ours.legal_moves())

    def push(self, move: int | None) -> None:
        """Make a move, None for a null move."""
        if move is None:
            self.ours.push_null()
            self.theirs.push(chess.Move.null())
        else:
            self.theirs.push(chess.Move.from_uci(notation.move_text(self.ours, move)))
            self.ours.push(move)

    def pop(self) -> None:
        self.ours.pop()
        self.theirs.pop()


def tree(pair: Pair, depth: int, width: int, chance: random.Random) -> Iterator[None]:
    """Every node of a tree with at most ``width`` moves in each position, and a null move."""
    yield
    if depth == 0:
        return
    moves: list[int | None] = [*pair.moves()]
    chance.shuffle(moves)
    for move in [*moves[:width], *([] if pair.ours.checkers else [None])]:
        pair.push(move)
        yield from tree(pair, depth - 1, width, chance)
        pair.pop()


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "fen",
    [
        chess.STARTING_FEN,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/8/3b4/8/8/3B4/8/R3K2R b KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "4k3/2p1p3/8/1P1P1P2/1p1p1p2/8/2P1P3/4K3 b - - 0 1",
        "8/8/3k4/8/3K4/4R3/5r2/8 w - - 0 1",  # kings that cross the middle files
        "4k3/5p2/8/8/8/3q4/6PP/R5K1 w - - 0 1",  # the kings also move from one king group to another
        chess960_start(0),
        chess960_start(700),
        "1rk4r/pppppppp/8/8/8/8/PPPPPPPP/1RK4R w HBhb - 0 1",
        "4rkr1/pppppppp/8/8/8/8/PPPPPPPP/4RKR1 b GEge - 0 1",
    ],
)
def test_network_equals_a_naive_one_at_every_node(loaded: Loaded, fen: str) -> None:
    network, weights = loaded
    chance = random.Random(fen)
    evaluator = NetworkEvaluator(weights)
    pair = Pair(fen)
    for _ in tree(pair, 3, 5, chance):
        if chance.random() < 0.7:  # skipped positions leave more to compute for the next
            assert evaluator.network_cp(pair.ours) == naive_cp(network, pair.theirs), pair.theirs.fen()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", range(4))
def test_long_game_equals_a_naive_one(noise: Loaded, seed: int) -> None:
    """The game is longer than the stack of accumulators, and moves are taken back."""
    network, weights = noise
    chance = random.Random(seed)
    evaluator = NetworkEvaluator(weights)
    pair = Pair(chess960_start(chance.randrange(960)))
    deepest = 0
    for _ in range(700):
        moves = pair.moves()
        quiet = [move for move in moves if not pair.ours.noisy(move)]
        if not moves or (pair.ours.plies and chance.random() < 0.08):
            for _ in range(min(chance.randrange(1, 15), pair.ours.plies)):
                pair.pop()
        elif chance.random() < 0.05 and not pair.ours.checkers:
            pair.push(None)
        else:
            pair.push(chance.choice(quiet or moves))
        deepest = max(deepest, pair.ours.plies)
        if chance.random() < 0.4:
            assert evaluator.network_cp(pair.ours) == naive_cp(network, pair.theirs), pair.theirs.fen()
    assert deepest > PLACES


def test_changed_accumulators_equal_those_from_nothing(noise: Loaded) -> None:
    _, weights = noise
    chance = random.Random(5)
    evaluator = NetworkEvaluator(weights)
    board = new_board()
    for _ in range(2_000):
        moves = sorted(board.legal_moves())
        if not moves or board.plies > 600:
            while board.plies > 5:
                board.pop()
        else:
            board.push(chance.choice(moves))
        assert evaluator.network_cp(board) == NetworkEvaluator(weights).network_cp(board), notation.fen(board)


def test_one_evaluator_for_many_boards(noise: Loaded) -> None:
    """Positions follow one another as in a search: values of an older board are never used for a new one."""
    network, weights = noise
    evaluator = NetworkEvaluator(weights)
    for board in from_random_games(150, 3, False):
        expected = naive_cp(network, chess.Board(notation.fen(board)))
        assert evaluator.network_cp(board) == expected


@pytest.mark.sampled(22)
@pytest.mark.parametrize("fen", EXTREME + tuple(fen for fen, *_ in WON + DRAWN))
def test_extreme_positions_equal_a_naive_one(loaded: Loaded, fen: str) -> None:
    network, weights = loaded
    evaluator = NetworkEvaluator(weights)
    board = new_board(fen)
    assert evaluator.network_cp(board) == naive_cp(network, chess.Board(fen))
    assert evaluator.evaluate_cp(board) == evaluator.evaluate_cp(flipped(board))


def test_mirrored_positions_have_the_same_value(noise: Loaded) -> None:
    _, weights = noise
    evaluator = NetworkEvaluator(weights)
    boards = from_random_games(200, 9, False)
    assert sum(not board.castling for board in boards) > 50
    for board in boards:
        assert evaluator.evaluate_cp(board) == evaluator.evaluate_cp(flipped(board))
        if not board.castling:
            assert evaluator.evaluate_cp(board) == evaluator.evaluate_cp(reflected(board))


def divided(network: int, divisor: int) -> int:
    return network // divisor if network >= 0 else -(-network // divisor)


@pytest.mark.parametrize("fen", [fen for fen, *_ in WON + DRAWN] + ["8/8/8/8/8/8/8/K1k5 w - - 0 1"])
def test_endings_that_the_rules_settle_keep_their_value(noise: Loaded, fen: str) -> None:
    """Dead material, bare kings and lone pawns are not evaluated by the network."""
    board = new_board(fen)
    if board.dead or any(sum(bool(man) and man >> 3 == side for man in board.squares) == 1 for side in (0, 1)):
        assert NetworkEvaluator(noise[1]).evaluate_cp(board) == ChessEvaluator().evaluate_cp(board)
        assert NetworkEvaluator(noise[1]).trace(board) == ChessEvaluator().trace(board)


# Mating potential is low, whichever side is ahead.
DIVIDED = (
    "8/8/4kr2/8/8/3K4/4NR2/8 w - - 0 1",
    "8/8/4kb2/8/8/3K3R/8/8 w - - 0 1",
    "8/8/4kn2/8/8/3K4/3BN3/8 b - - 0 1",
    "8/8/3nkn2/8/8/3K4/3BN2P/8 b - - 0 1",
)


@pytest.mark.parametrize("discount", [True, False])
def test_mating_potential_divides_the_networks_value(noise: Loaded, discount: bool) -> None:
    evaluator = NetworkEvaluator(noise[1], discount)
    divisors = set()
    for board in from_random_games(500, 11, True) + [new_board(fen) for fen in DIVIDED]:
        sides = [sum(bool(man) and man >> 3 == side for man in board.squares) for side in (0, 1)]
        if board.dead or 1 in sides:
            continue
        network, divisor = evaluator.network_cp(board), evaluator.potential(board)
        leader_pawns = board.squares.count(1 if (network >= 0) == (board.stm == 0) else 9)
        expected = divided(network, divisor) if discount and leader_pawns < 2 else network
        assert evaluator.evaluate_cp(board) == expected
        divisors.add(divisor if leader_pawns < 2 else 1)
        assert evaluator.trace(board)[-1][3] == (expected if board.stm == 0 else -expected)
    assert {1, 2, 8} <= divisors


@pytest.mark.parametrize("discount", [True, False])
def test_mean_of_both_evaluations(noise: Loaded, discount: bool) -> None:
    network, by_hand = NetworkEvaluator(noise[1], discount), ChessEvaluator(discount)
    mean = MeanEvaluator(noise[1], discount)
    for board in from_random_games(300, 5, True) + [new_board(fen) for fen in DIVIDED]:
        both = network.evaluate_cp(board) + by_hand.evaluate_cp(board)
        assert mean.evaluate_cp(board) == divided(both, 2) == mean.evaluate_cp(flipped(board))


def test_wrong_bishop_is_no_win(noise: Loaded) -> None:
    for fen in ("7k/8/7P/5p2/4B3/3K4/8/8 b - - 0 1", "7k/7P/7P/5p2/4B3/3K4/8/8 w - - 0 1"):
        board = new_board(fen)
        evaluator = NetworkEvaluator(noise[1], False)
        network = evaluator.network_cp(board)
        ahead = (network >= 0) == (board.stm == 0)
        assert abs(evaluator.evaluate_cp(board)) <= (abs(network) // 8 if ahead else abs(network))


@pytest.mark.parametrize(
    ("fen", "divisor"),
    [
        ("8/5k2/2p2p2/1p1b4/1P1B4/2P2PK1/8/8 w - - 0 1", 2),
        ("8/5k2/2p2p2/1p1b4/1P1B4/2P2PK1/8/8 b - - 0 1", 2),
        ("8/5k2/2p2p2/1p1b4/1P2B3/2P2PK1/8/8 w - - 0 1", 1),  # squares of one colour
        ("8/5k2/2p2p2/1p1b4/1P1B4/2P2PK1/8/7R w - - 0 1", 1),  # another piece
        ("8/5k2/2p2p2/1p6/1P1B4/2P2PK1/8/8 w - - 0 1", 1),  # only one bishop
    ],
)
def test_bishops_of_opposite_colours_halve_the_networks_value(noise: Loaded, fen: str, divisor: int) -> None:
    evaluator = NetworkEvaluator(noise[1])
    network = evaluator.network_cp(board := new_board(fen))
    assert abs(network) > 1
    assert evaluator.evaluate_cp(board) == divided(network, divisor)


def test_what_the_rules_say_is_kept(noise: Loaded) -> None:
    evaluator = NetworkEvaluator(noise[1])
    for fen in ("8/8/8/4k3/8/8/2B1K3/8 w - - 0 1", "8/8/8/8/4k3/8/3PK3/8 w - - 0 1"):
        board = new_board(fen)
        assert evaluator.confinement_cp(board) == ChessEvaluator().confinement_cp(board) != 0
        assert evaluator.forecast_code(board) == ChessEvaluator().forecast_code(board) != 0


def test_board_of_another_game_is_refused(noise: Loaded) -> None:
    from standstill.engine.variants.boards import named_game

    for evaluator in (NetworkEvaluator(noise[1]), MeanEvaluator(noise[1])):
        with pytest.raises(TypeError):
            evaluator.evaluate_cp(new_board(game=named_game("makruk")))


def test_weights_outlive_their_file(tmp_path: Path) -> None:
    path = tmp_path / "net.nn"
    write_network(str(path), random_network())
    evaluator = NetworkEvaluator(load(str(path)))
    before = evaluator.network_cp(new_board())
    path.write_bytes(b"")
    assert evaluator.copy().network_cp(new_board()) == before


def test_copy_is_independent(noise: Loaded) -> None:
    evaluator = NetworkEvaluator(noise[1], False)
    other = evaluator.copy()
    assert other.discount is False
    assert other.weights is evaluator.weights
    board: ChessBoard = new_board()
    for move in board.legal_moves():
        board.push(move)
        evaluator.network_cp(board)
        board.pop()
    assert other.network_cp(board) == evaluator.network_cp(board)
