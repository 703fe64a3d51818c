"""Values of pieces: the regression compared with closed forms and simulations, the arrays with python-chess."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache

import chess
import pytest

from standstill.cext.base.constants import BLACK, WHITE
from standstill.engine.common.errors import MatchError
from standstill.engine.match.arrays import Arrays
from standstill.engine.match.values import Imbalance, Model, imbalance_of, reversed_imbalance, words_of
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.catalog import Catalog

STATED = {"P": 100, "N": 325, "B": 325, "R": 500, "Q": 950}
SIZES = {"P": 100, "N": 310, "B": 345, "R": 480, "Q": 930}  # values in the simulated games, in centipawns
Z95 = 1.959964


@cache
def turns_of_chess() -> list[list[tuple[Imbalance, int]]]:
    arrays = Arrays(Catalog().find("normal"))
    return [arrays.choices(label, "NBRQ") for label in "PNBRQ"]


def simulated(
    chance: random.Random, games: int, weight: float, first_move: float, drawn: float
) -> Iterator[tuple[Imbalance, float]]:
    """Yield games in the imbalances of chess.

    weight: the value of a pawn, in logits. drawn: the share of draws in even games.
    """
    turns = turns_of_chess()
    for at in range(games):
        choices = turns[at % 5]
        imbalance, leader = choices[at // 5 % len(choices)]
        white = imbalance if leader == WHITE else reversed_imbalance(imbalance)
        surplus = sum(SIZES[label] * number for label, number in white) / 100
        mean = 1 / (1 + math.exp(-first_move - weight * surplus))
        draws = 2 * drawn * min(mean, 1 - mean)
        dice = chance.random()
        yield white, 0.5 if dice < draws else float(dice < draws + mean - draws / 2)


@pytest.mark.parametrize(
    ("games", "weight", "first_move", "drawn"),
    [(250, 0.8, 0.1, 0.3), pytest.param(500, 0.5, 0.2, 0.5, marks=pytest.mark.slow)],
)
def test_95_of_100_intervals_hold_the_true_value(games: int, weight: float, first_move: float, drawn: float) -> None:
    held = 0
    missed: dict[str, list[float]] = {label: [] for label in "NBRQ"}
    runs = 40
    for seed in range(runs):
        found = Model(STATED, "NBRQ").values(simulated(random.Random(seed), games, weight, first_move, drawn))
        assert found.games == games and found.pawn == 100
        for worth in found.worths:
            assert worth.value is not None and worth.error is not None
            held += abs(worth.value - SIZES[worth.label]) <= worth.error
            missed[worth.label].append((worth.value - SIZES[worth.label]) / worth.error)
    assert 0.91 <= held / (4 * runs) <= 0.99
    for misses in missed.values():  # averaging 40 errors divides the standard error by six
        assert abs(sum(misses)) / runs < 0.3


def test_two_imbalances_have_firths_solution() -> None:
    """With as many cells as unknowns, Jeffreys' prior adds half a win and half a loss to each cell (Firth, 1993)."""
    cells = {(("P", 1),): (13, 20), (("P", -1),): (4, 15)}
    games = [(cell, float(at < won)) for cell, (won, count) in cells.items() for at in range(count)]
    found = Model({"P": 100}, ()).values(games)
    ahead, behind = (math.log((won + 0.5) / (count - won + 0.5)) for won, count in cells.values())
    assert found.weight[0] == pytest.approx((ahead - behind) / 2, abs=1e-3)
    assert found.first_move[0] == pytest.approx((ahead + behind) / 2, abs=1e-3)
    means = [1 / (1 + math.exp(-logit)) for logit in (ahead, behind)]
    spread = sum(1 / (count * p * (1 - p)) for p, (_, count) in zip(means, cells.values(), strict=True)) / 4
    seen = sum((p - float(at < won)) ** 2 for p, (won, n) in zip(means, cells.values(), strict=True) for at in range(n))
    noise = seen / sum(n * p * (1 - p) for p, (_, n) in zip(means, cells.values(), strict=True)) * 35 / 33
    assert found.weight[1] == pytest.approx(Z95 * math.sqrt(spread * noise), rel=1e-3)
    assert found.results == (17, 0, 18)


def test_a_value_is_the_number_of_pawns_that_make_it_even() -> None:
    """A piece as much better than three pawns as it is worse than four is worth three and a half."""
    scores = {3: [1.0] * 36 + [0.0] * 24, 4: [1.0] * 24 + [0.0] * 36}
    games = [(imbalance_of({"N": 1, "P": -pawns}), score) for pawns in (3, 4) for score in scores[pawns]]
    games += [(reversed_imbalance(imbalance), 1 - score) for imbalance, score in games]
    odds = [
        (imbalance_of({"P": sign * number}), float(sign > 0)) for sign in (1, -1) for number in (1, 2) for _ in "12"
    ]
    found = Model(STATED, "N").values([*games, *odds])
    (knight,) = found.worths
    assert knight.value == pytest.approx(350, abs=0.1) and knight.games == 240
    assert not any("contradict" in doubt for doubt in knight.doubts)
    assert [words_of(trial.imbalance, "NP") for trial in found.trials][-2:] == ["N against 4 P", "N against 3 P"]
    assert [trial.results for trial in found.trials[-2:]] == [(48, 0, 72), (72, 0, 48)]


def test_values_that_games_do_not_show_are_unknown() -> None:
    won = [(imbalance_of({"P": 1}), 1.0), (imbalance_of({"P": -1}), 0.0)]
    found = Model(STATED, "NB").values(won)
    assert [(each.value, each.error, each.games) for each in found.worths] == [(None, None, 0)] * 2
    even = [(imbalance_of({"N": sign, "P": -3 * sign}), score) for sign in (1, -1) for score in (0.0, 1.0)]
    found = Model(STATED, "NB").values([*won, *even])
    assert found.worths[0].doubts == ("the games do not yet show what a pawn is worth",)
    assert Model(STATED, "N").values([]).games == 0
    # The regression has a finite solution, however one-sided the games are.
    lost = [(imbalance_of({"N": sign}), float(sign < 0)) for sign in (1, -1) for _ in range(50)]
    found = Model(STATED, "N").values([*won * 50, *lost])
    assert found.worths[0].value is not None and -1000 < found.worths[0].value < 0
    assert "most of its games are one-sided, so they say little" in found.worths[0].doubts


def test_imbalances_that_contradict_each_other_are_named() -> None:
    def games(parts: Mapping[str, int], won: int, lost: int) -> list[tuple[Imbalance, float]]:
        white = imbalance_of(parts)
        return (
            [(white, 1.0)] * won
            + [(white, 0.0)] * lost
            + [(reversed_imbalance(white), 0.0)] * won
            + [(reversed_imbalance(white), 1.0)] * lost
        )

    odds = games({"P": 1}, 70, 30)
    found = Model(STATED, "R").values(
        [*odds, *games({"R": 1, "B": -1, "P": -2}, 80, 20), *games({"R": 1, "N": -1, "P": -2}, 20, 80)]
    )
    assert [trial.contradicts for trial in found.trials] == [False, True, True]
    assert any("contradict" in doubt for doubt in found.worths[0].doubts)
    agreed = Model(STATED, "R").values(
        [*odds, *games({"R": 1, "B": -1, "P": -2}, 50, 50), *games({"R": 1, "N": -1, "P": -2}, 50, 50)]
    )
    narrow, wide = agreed.worths[0].error, found.worths[0].error
    assert narrow is not None and wide is not None and wide > 4 * narrow


def test_words() -> None:
    assert words_of(imbalance_of({"R": 1, "B": -1, "P": -2}), "RBP") == "R against B + 2 P"
    assert words_of(imbalance_of({"P": -1}), "P") == "nothing against P"


# ---- arrays ----


def test_arrays_of_chess_are_legal_and_lack_what_they_should() -> None:
    arrays = Arrays(Catalog().find("normal"))
    full = chess.Board()
    for label in "PNBRQ":
        choices = arrays.choices(label, "NBRQ")
        assert {leader for _, leader in choices} == {WHITE, BLACK}
        for number, (imbalance, leader) in enumerate(choices):
            text = arrays.position(imbalance, leader, random.Random(number))
            board = chess.Board(text)
            assert board.is_valid() and not any(map(board.is_capture, board.legal_moves)), text
            ahead = leader == WHITE
            surplus = {
                piece: len(board.pieces(chess.PIECE_SYMBOLS.index(piece.lower()), ahead))
                - len(board.pieces(chess.PIECE_SYMBOLS.index(piece.lower()), not ahead))
                for piece in "PNBRQ"
            }
            assert imbalance_of(surplus) == imbalance and imbalance_of(surplus) == (
                arrays.surplus(text) if ahead else reversed_imbalance(arrays.surplus(text))
            )
            # Where one side lacks the rook, the other one may not castle either.
            wings = board.castling_rights & ~chess.BB_RANK_8 | chess.flip_vertical(
                board.castling_rights & chess.BB_RANK_8
            )
            rooks = board.rooks & board.occupied_co[chess.WHITE] & full.rooks
            rooks &= chess.flip_vertical(board.rooks & board.occupied_co[chess.BLACK] & full.rooks)
            assert wings == rooks and bin(board.castling_rights).count("1") == 2 * bin(rooks).count("1")


def test_stated_values_are_bracketed() -> None:
    arrays = Arrays(Catalog().find("normal"))
    for label in "NBRQ":
        sums = {
            sum(STATED[each] * number for each, number in imbalance) for imbalance, _ in arrays.choices(label, "NBRQ")
        }
        assert min(sums) <= 0 <= max(sums) and max(map(abs, sums)) < 100
    assert "B against N" not in {
        words_of(each, arrays.order) for each, _ in arrays.choices("B", "NBRQ")
    }  # ends at pawns


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("makruk", "P:1/2 N:4/4 S:5/6 M:7/7 R:8/8"),  # the khon moves forwards
        ("spartan", "P:1/0 H:0/2 L:0/3 N:4/0 B:5/0 R:6/0 Q:7/0 C:0/8 W:0/9 G:0/10"),
        ("seirawan", "P:1/2 N:4/8 B:5/5 R:6/6 Q:7/7"),
        ("kyotoshogi", "P:1/2 L:4/4 S:5/5 N:6/6"),  # some pieces begin in their promoted form
    ],
)
def test_kinds_of_other_games(name: str, expected: str) -> None:
    arrays = Arrays(Catalog().find(name))
    assert " ".join(f"{kind.label}:{kind.numbers[0]}/{kind.numbers[1]}" for kind in arrays.kinds) == expected
    measured = arrays.measurable()
    assert measured == [kind.label for kind in arrays.kinds if kind.label != "P"]
    imbalance, leader = arrays.choices(measured[-1], measured)[-1]
    text = arrays.position(imbalance, leader, random.Random(0))
    new_board(text, game=arrays.game)
    assert arrays.surplus(text) == (imbalance if leader == WHITE else reversed_imbalance(imbalance))


@pytest.mark.parametrize(
    ("name", "letters", "message"),
    [
        (
            "racingkings",
            "",
            "racingkings: expected pawns in the array, because a pawn is the unit of values; name another",
        ),
        ("suicide", "", "suicide: expected a piece whose loss neither"),
        ("normal", "X", "normal: expected letters of pieces in the array, such as N, B, R, Q; found 'X'"),
        ("normal", "K", "such as N, B, R, Q; found K, which is royal"),
        ("normal", "P", "normal: cannot measure P: it is the unit of values"),
        ("extinction", "q", "extinction: cannot measure Q: a side without it has lost"),
    ],
)
def test_what_cannot_be_measured(name: str, letters: str, message: str) -> None:
    with pytest.raises(MatchError) as refused:
        Arrays(Catalog().find(name)).measurable(letters)
    assert message in str(refused.value)


def test_an_array_is_playable_if_neither_king_is_in_check() -> None:
    """Positions of random games: python-chess counts the captures of both sides, and finds checks and ends."""
    arrays, rng, seen = Arrays(Catalog().find("normal")), random.Random(5), Counter()
    for _ in range(60):
        board = chess.Board()
        for _ in range(rng.randrange(60)):
            moves = [move for move in board.legal_moves if not move.promotion]
            checks = [move for move in moves if board.gives_check(move)]
            if not moves:
                break
            board.push(rng.choice(checks or moves))
        board = chess.Board(f"{board.board_fen()} w - - 0 1")
        count: int | None = 0
        for turn in chess.COLORS:
            board.turn = turn
            if board.is_check() or board.was_into_check() or board.is_stalemate() or board.is_insufficient_material():
                count = None
            elif count is not None:
                count += sum(board.is_capture(move) or bool(move.promotion) for move in board.legal_moves)
        assert arrays._captures(board.fen()) == count, board.fen()
        seen[count is None] += 1
    assert min(seen.values()) > 10


def test_a_unit_without_which_no_array_is_playable() -> None:
    """In Minishogi each side has one pawn, and without it the kings stand in check."""
    arrays = Arrays(Catalog().find("minishogi"))
    with pytest.raises(MatchError, match="minishogi: no array without a pawn is playable; name another piece as the"):
        arrays.choices("P", arrays.measurable())


def test_another_piece_may_be_the_unit() -> None:
    """Xiangqi has soldiers in place of pawns."""
    xiangqi = Catalog().find("xiangqi")
    with pytest.raises(MatchError, match="name another piece as the unit, such as P"):
        Arrays(xiangqi)
    with pytest.raises(
        MatchError, match="expected a piece of the array as the unit, one of P, B, A, N, C, R; found 'Q'"
    ):
        Arrays(xiangqi, "Q")
    arrays = Arrays(xiangqi, "p")
    assert arrays.measurable() == ["A", "R", "B", "N", "C"] and arrays.unit_words == "one P"
    assert any(dict(choice).get("P") for choice, _ in arrays.choices("A", ["A"]))
    won = [(imbalance_of({"P": 1}), 1.0), (imbalance_of({"P": -1}), 0.0)]
    assert Model({"P": 55, "A": 133}, "A", 55, "one P").values(won).unit == "one P"
