"""Elo, error bars and SPRT: known values, symmetry, and error rates in simulated matches."""

from __future__ import annotations

import math
import random

import pytest

from standstill.engine.common.errors import MatchError
from standstill.engine.match.statistics import Sprt, elo, elo_of, estimate, ratings, score_of, solved
from standstill.protocol.cli.commands.match import parse_sprt


@pytest.mark.parametrize(("score", "value"), [(0.5, 0), (0.75, 190.85), (10 / 11, 400), (0.25, -190.85)])
def test_elo_of_a_score(score: float, value: float) -> None:
    assert elo_of(score) == pytest.approx(value, abs=0.01)
    assert score_of(value) == pytest.approx(score, abs=1e-4)


def test_a_score_without_a_point_means_infinite_elo() -> None:
    assert (elo_of(0), elo_of(1)) == (-math.inf, math.inf)


def test_estimate_of_a_worked_example() -> None:
    # Mean 0.55, sample variance 0.0075, standard error sqrt(0.0075 / 5)
    found = estimate([0.5, 0.5, 0.5, 0.5, 0.75])
    assert found.mean == pytest.approx(0.55)
    assert found.error == pytest.approx(1.959964 * math.sqrt(0.0125 / 5))
    assert estimate([0.5]).error is None


def test_interval_holds_the_truth_about_nineteen_times_in_twenty() -> None:
    rng = random.Random(1)
    truth = 0.55
    held = 0
    for _ in range(400):
        pairs = [rng.choices([0, 0.5, 0.75, 1], [0.1, 0.6, 0.2, 0.1])[0] for _ in range(200)]
        _, low, high = elo(pairs)
        held += low <= elo_of(truth) <= high
    assert 365 <= held <= 393


def test_sprt_bounds() -> None:
    assert Sprt(0, 5).bounds == pytest.approx((-2.944, 2.944), abs=0.001)


def test_sprt_bounds_of_two_error_rates() -> None:
    """alpha: H1 accepted wrongly. beta: H0 accepted wrongly."""
    assert Sprt(0, 5, alpha=0.01, beta=0.2).bounds == pytest.approx((math.log(0.2 / 0.99), math.log(0.8 / 0.01)))


@pytest.mark.parametrize(("pairs", "error"), [([0.5] * 30, 0.05), ([1.0] * 30, 0.05), ([1.0] * 2, 0.5)])
def test_equal_pairs_are_not_certain(pairs: list[float], error: float) -> None:
    """The rule of three: after n equal pairs, up to 3/n of all pairs may score differently, each by half a point."""
    assert estimate(pairs).error == pytest.approx(error)


def test_sprt_is_antisymmetric() -> None:
    pairs = [0.5, 0.75, 0.5, 1.0, 0.25, 0.5]
    assert Sprt(-20, 20).ratio(pairs) == pytest.approx(-Sprt(-20, 20).ratio([1 - score for score in pairs]))


@pytest.mark.slow
@pytest.mark.parametrize("drawn", [0.3, 0.6, 0.9])
@pytest.mark.parametrize(("true_elo", "accepted"), [(0, "H0"), (10, "H1")])
def test_sprt_asked_after_every_pair_errs_no_more(true_elo: float, accepted: str, drawn: float) -> None:
    """The test is evaluated after every pair, as in a match. With 90 % draws, a few equal pairs once decided 67 of 100
    matches."""
    rng = random.Random(3)
    won = score_of(true_elo) - drawn / 2
    right = 0
    for _ in range(40):
        test, pairs = Sprt(0, 10), [0.5]
        while test.verdict(pairs) is None:
            # The step between cases grows, because equal steps would take too long.
            for _ in range(1 + len(pairs) // 20):
                pairs.append(sum(rng.choices((1, 0.5, 0), (won, drawn, 1 - drawn - won), k=2)) / 2)
        right += test.verdict(pairs) == accepted
    assert right >= 34


@pytest.mark.slow
@pytest.mark.parametrize("elo1", [40, 100, 200, 400])
@pytest.mark.parametrize("drawn", [0, 0.3])
def test_sprt_errs_no_more_with_far_bounds_and_few_draws(elo1: float, drawn: float) -> None:
    """Games decided by records are rarely drawn. With the variance of 50 % draws, H1 was once accepted in 16 of 100
    matches."""
    rng = random.Random(5)
    test, wrong = Sprt(0, elo1), {"H0": 0, "H1": 0}
    for true, false in (("H0", "H1"), ("H1", "H0")):
        won = score_of(elo1 if true == "H1" else 0) - drawn / 2
        if won + drawn > 1:
            continue
        for _ in range(150):
            pairs: list[float] = []
            while test.verdict(pairs) is None:
                for _ in range(1 + len(pairs) // 20):
                    pairs.append(sum(rng.choices((1, 0.5, 0), (won, drawn, 1 - drawn - won), k=2)) / 2)
            wrong[true] += test.verdict(pairs) == false
    assert max(wrong.values()) <= 150 * 0.05 + 3 * (150 * 0.05 * 0.95) ** 0.5 * 0.7


def test_equal_pairs_do_not_end_a_test_soon() -> None:
    for score in (0.25, 0.5, 0.75):
        assert Sprt(0, 10).verdict([score] * 5) is None
    assert Sprt(0, 10).verdict([0.5] * 1000) == "H0" and Sprt(0, 10).verdict([0.75] * 1000) == "H1"


@pytest.mark.parametrize(("true_elo", "accepted"), [(0, "H0"), (40, "H1")])
def test_sprt_errs_about_one_time_in_twenty(true_elo: float, accepted: str) -> None:
    rng = random.Random(2)
    test = Sprt(0, 40)
    shift = score_of(true_elo) - 0.5
    right = 0
    for _ in range(100):
        pairs: list[float] = []
        verdict = None
        while verdict is None:
            for _ in range(8):
                pairs.append(rng.choices([0.25, 0.5, 0.75], [0.25 - 2 * shift, 0.5, 0.25 + 2 * shift])[0])
            verdict = test.verdict(pairs)
        right += verdict == accepted
    assert right >= 88


@pytest.mark.parametrize("text", ["0,10", "-5,0", " 0 , 0.5", "-1e9,1e9"])
def test_bounds_of_a_sequential_test_are_read(text: str) -> None:
    sprt, (low, high) = parse_sprt(text), map(float, text.split(","))
    assert sprt == Sprt(low, high)


@pytest.mark.parametrize(
    "text", ["", "1", "5,5", "5,0", "nan,1", "0,nan", "-inf,0", "0,inf", "-inf,inf", "1,2,3", "a,b"]
)
def test_bounds_that_bound_nothing_are_refused(text: str) -> None:
    with pytest.raises(MatchError, match="expected two Elo differences such as 0,10, the lower first"):
        parse_sprt(text)


def likelihood(met: dict, rated: list[float]) -> float:
    """The logarithm of the likelihood of the scores, with a drawn pair of each player against an average one."""

    def of(score: float, expected: float) -> float:
        return score * math.log(expected) + (1 - score) * math.log(1 - expected)

    drawn = sum(of(0.5, score_of(value)) for value in rated)
    pairs = [(score, score_of(rated[one] - rated[other])) for (one, other), scores in met.items() for score in scores]
    return drawn + sum(of(*pair) for pair in pairs)


@pytest.mark.parametrize("count", [2, 3, 5])
@pytest.mark.parametrize("seed", range(3))
def test_ratings_are_the_most_likely_ones(count: int, seed: int) -> None:
    """No rating can be changed by two Elo without making the scores less likely, and the mean is 0."""
    rng = random.Random(10 * seed + count)
    met = {
        (one, other): [rng.choice([0, 0.25, 0.5, 0.75, 1]) for _ in range(rng.randrange(1, 20))]
        for one in range(count)
        for other in range(one + 1, count)
        if other == one + 1 or rng.random() < 0.7
    }
    rated = [value for value, _ in ratings(met, count)]
    assert abs(sum(rated)) < 1e-6

    def best(values: list[float]) -> float:
        return max(likelihood(met, [value + base / 4 for value in values]) for base in range(-240, 241))

    found = best(rated)
    for at in range(count):
        for by in (-2.0, 2.0):
            moved = list(rated)
            moved[at] += by
            assert best(moved) < found


@pytest.mark.parametrize("scores", [[0.5] * 8, [1.0] * 5, [0.75, 0.5, 1.0, 0.25, 0.75, 0.5], [0.0, 0.25, 0.0]], ids=str)
def test_the_interval_of_two_players_is_that_of_their_difference(scores: list[float]) -> None:
    """With two players the system has one unknown, and the interval is known in closed form."""
    (one, error), (other, same) = ratings({(0, 1): scores}, 2)
    assert abs(one + other) < 1e-6
    assert error == pytest.approx(same)
    expected, steepness = score_of(one - other), math.log(10) / 400
    weight = 2 * len(scores) * steepness * expected * (1 - expected)
    prior = steepness * score_of(one) * (1 - score_of(one))
    variance = sum((score - expected) ** 2 for score in scores) + expected * (1 - expected) / 2
    assert error == pytest.approx(1.959964 * math.sqrt(variance) / (weight + prior))
    (swapped, _), (_, _) = ratings({(0, 1): [1 - score for score in scores]}, 2)
    assert swapped == pytest.approx(-one)


@pytest.mark.parametrize("count", range(1, 7))
def test_small_systems_are_solved(count: int) -> None:
    rng = random.Random(count)
    base = [[rng.uniform(-1, 1) for _ in range(count)] for _ in range(count)]
    matrix = [[sum(a * b for a, b in zip(one, other, strict=True)) + (one is other) for other in base] for one in base]
    wanted = [rng.uniform(-9, 9) for _ in range(count)]
    right = [sum(a * b for a, b in zip(row, wanted, strict=True)) for row in matrix]
    assert solved(matrix, right) == pytest.approx(wanted)
