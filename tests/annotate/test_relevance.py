"""The relevance model: published values, numerical integration, symmetry, order, exact edges, bad input."""

from __future__ import annotations

from math import inf, isclose, nan
from pathlib import Path

import mpmath
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from standstill.engine.common.errors import StandstillError
from standstill.engine.relevance import model
from standstill.engine.relevance.model import MOVE_SCHEMES, POSITION_SCHEMES
from standstill.engine.relevance.nags import MOVE_ORDER, nag_of

DATA = Path(__file__).resolve().parents[1] / "data" / "relevance"
ACCURACY = 1e-12
H = 0.62

mpmath.mp.dps = 40


def table(name: str) -> list:
    """A parameter set for each row: a dictionary by column."""
    lines = (DATA / f"{name}.tsv").read_text().splitlines()[1:]
    columns = lines[0].split("\t")
    rows = [dict(zip(columns, line.split("\t"), strict=True)) for line in lines[1:]]
    return [pytest.param(row, id=row["id"]) for row in rows]


def close(found: float, expected: float) -> bool:
    return abs(found - expected) <= ACCURACY


# ---- published values ----


@pytest.mark.parametrize("row", table("differences"))
def test_difference_has_the_published_value(row) -> None:
    a, b, x05 = (float(row[name]) for name in ("a", "b", "x05"))
    assert close(model.difference(a, b, x05), float(row["difference"]))


@pytest.mark.parametrize("row", table("differences"))
def test_gap_has_the_published_value(row) -> None:
    a, b, x05 = (float(row[name]) for name in ("a", "b", "x05"))
    assert close(model.gap(a, b, x05), float(row["share"]))


@pytest.mark.parametrize("row", table("results"))
def test_result_has_the_published_value(row) -> None:
    assert close(model.result(float(row["x"]), float(row["x05"])), float(row["result"]))


@pytest.mark.parametrize("row", table("results"))
def test_sigmoid_has_the_published_value(row) -> None:
    assert close(model.sigmoid(float(row["x"]), float(row["x05"])), float(row["sigmoid"]))


@pytest.mark.sampled(20)
@pytest.mark.parametrize("scheme", POSITION_SCHEMES)
@pytest.mark.parametrize("row", table("positions"))
def test_position_has_the_published_symbol(row, scheme: str) -> None:
    assert model.position_nag(float(row["x"]), float(row["x05"]), scheme) == int(row[scheme])


@pytest.mark.sampled(20)
@pytest.mark.parametrize("scheme", MOVE_SCHEMES)
@pytest.mark.parametrize("row", table("moves"))
def test_move_has_the_published_symbol(row, scheme: str) -> None:
    expected = 0 if row[scheme] == "none" else nag_of(row[scheme])
    played, reference = float(row["played"]), float(row["reference"])
    assert model.move_nag(played, reference, row["mover"], float(row["x05"]), scheme) == expected


@pytest.mark.parametrize("row", table("boundaries"))
def test_boundaries_have_the_published_values(row) -> None:
    found = model.boundaries(float(row["x_alt"]), float(row["x05"]), row["mover"], row["scheme"])
    for symbol, value in zip(("!!", "!", "!?", "?!", "?", "??"), found, strict=True):
        if row[symbol] == "------":
            assert value is None
        else:
            assert isclose(value, float(row[symbol]), rel_tol=1e-8)


# ---- compared with numerical integration ----

# From the smallest differences an engine can state to far beyond its largest evaluation.
pawns = st.floats(-1000, 1000, allow_nan=False) | st.integers(-500, 500).map(lambda cp: cp / 100)
anything = pawns | st.sampled_from([inf, -inf])
x05s = st.floats(0.05, 3)
movers = st.sampled_from("wb")
move_schemes = st.sampled_from(list(MOVE_SCHEMES))
position_schemes = st.sampled_from(list(POSITION_SCHEMES))


def area(a: float, b: float, x05: float) -> mpmath.mpf:
    """The integral of the weight between two evaluations, by quadrature over intervals of a few x05."""
    h = mpmath.mpf(x05)
    lo, hi = sorted((mpmath.mpf(a), mpmath.mpf(b)))
    lo, hi = max(lo, -200 * h), min(hi, 200 * h)  # the rest is less than 1e-60
    if lo >= hi:
        return mpmath.mpf(0)
    pieces = [0, *(sign * h * size for sign in (1, -1) for size in (2, 6, 15, 40, 100))]
    points = [lo, *sorted(point for point in pieces if lo < point < hi), hi]
    return mpmath.quad(lambda x: mpmath.power(2, -abs(x) / h), points)


@settings(max_examples=12)  # each example computes an integral
@given(pawns, pawns, x05s)
def test_difference_is_the_area_under_the_weight(a: float, b: float, x05: float) -> None:
    assert close(model.difference(a, b, x05), area(a, b, x05))


# Smaller steps become subnormal during the computation, and other libraries in the process may flush subnormals to 0.
@given(pawns, st.floats(-1e-6, 1e-6).filter(lambda step: abs(step) > 1e-290), x05s)
def test_small_differences_keep_their_digits(a: float, step: float, x05: float) -> None:
    """The area between two close evaluations is more accurate than the difference of their areas from zero."""
    b = a + step
    assume(a != b and (a > 0) == (b > 0) and abs(a) < 30 * x05)
    h, near, far = mpmath.mpf(x05), *sorted((abs(mpmath.mpf(a)), abs(mpmath.mpf(b))))
    exact = h / mpmath.ln(2) * mpmath.power(2, -near / h) * -mpmath.expm1(-(far - near) * mpmath.ln(2) / h)
    assert isclose(model.difference(a, b, x05), float(exact), rel_tol=1e-12)


@settings(max_examples=8)  # each example computes an integral
@given(pawns, x05s)
def test_result_is_the_share_of_the_area_to_the_left(x: float, x05: float) -> None:
    whole = 2 * mpmath.mpf(x05) / mpmath.ln(2)
    assert close(model.result(x, x05), area(-1e9, x, x05) / whole)


@given(st.floats(0, 1), x05s)
def test_result_inverse_is_the_root(p: float, x05: float) -> None:
    x = model.result_inverse(p, x05)
    if p in {0, 1}:
        assert x == (inf if p else -inf)
        return
    h, exact = mpmath.mpf(x05), mpmath.mpf(p)
    root = h * mpmath.log(2 * exact, 2) if p <= 0.5 else -h * mpmath.log(2 * (1 - exact), 2)
    assert isclose(x, float(root), rel_tol=1e-12, abs_tol=1e-300)


@given(anything, x05s, movers, move_schemes)
def test_boundaries_are_the_roots(x_alt: float, x05: float, mover: str, scheme: str) -> None:
    h = mpmath.mpf(x05)
    tail = mpmath.power(2, -abs(mpmath.mpf(x_alt)) / h) / 2 if abs(x_alt) < inf else mpmath.mpf(0)
    sign = 1 if mover == "w" else -1
    steps = [mpmath.mpf(over) / under for over, under in MOVE_SCHEMES[scheme]]
    steps = [sign * step for step in (*reversed(steps), *(-step for step in steps))]
    for step, found in zip(steps, model.boundaries(x_alt, x05, mover, scheme), strict=True):
        below = 1 - tail + step if x_alt > 0 else tail + step
        if not 0 < below < 1:
            assert found is None
            continue
        root = h * mpmath.log(2 * below, 2) if below <= 0.5 else -h * mpmath.log(2 * (1 - below), 2)
        assert isclose(found, float(root), rel_tol=1e-9, abs_tol=1e-15)


@given(pawns, x05s)
def test_chances_add_up_to_the_result(x: float, x05: float) -> None:
    win, draw, loss = model.chances(x, x05)
    assert close(win + draw + loss, 1) and close(win + draw / 2, model.result(x, x05))


# ---- symmetry and order ----

MIRRORED = {0: 0, 10: 10} | {nag: nag for nag in MOVE_ORDER}
MIRRORED |= {white: white + 1 for white in (14, 16, 18, 20)} | {white + 1: white for white in (14, 16, 18, 20)}


@given(anything, x05s, position_schemes)
def test_swapped_colours_swap_the_symbol_of_a_position(x: float, x05: float, scheme: str) -> None:
    assert model.position_nag(-x, x05, scheme) == MIRRORED[model.position_nag(x, x05, scheme)]


@given(anything, anything, x05s, move_schemes)
def test_swapped_colours_keep_the_symbol_of_a_move(played: float, reference: float, x05: float, scheme: str) -> None:
    white = model.move_nag(played, reference, "w", x05, scheme)
    assert model.move_nag(-played, -reference, "b", x05, scheme) == white


@given(anything, x05s, movers, move_schemes)
def test_swapped_colours_mirror_the_boundaries(x: float, x05: float, mover: str, scheme: str) -> None:
    other = "b" if mover == "w" else "w"
    mirrored = [None if value is None else -value for value in model.boundaries(-x, x05, other, scheme)]
    assert list(model.boundaries(x, x05, mover, scheme)) == mirrored


@given(anything, anything, x05s)
def test_difference_is_symmetric_and_no_larger_than_the_distance(a: float, b: float, x05: float) -> None:
    found = model.difference(a, b, x05)
    assert found == model.difference(b, a, x05) >= 0
    if a != b:
        assert found <= abs(a - b) * (1 + 1e-15)


@given(anything, anything, x05s)
def test_result_grows_with_the_evaluation(a: float, b: float, x05: float) -> None:
    low, high = sorted((a, b))
    assert model.result(low, x05) <= model.result(high, x05)


@given(anything, anything, x05s, position_schemes)
def test_position_symbols_follow_the_evaluation(a: float, b: float, x05: float, scheme: str) -> None:
    order = (21, 19, 17, 15, 10, 14, 16, 18, 20)
    low, high = (order.index(model.position_nag(x, x05, scheme)) for x in sorted((a, b)))
    assert low <= high


@given(anything, anything, anything, movers, x05s, move_schemes)
def test_move_symbols_follow_the_gain(a, b, reference, mover: str, x05: float, scheme: str) -> None:
    order = (4, 2, 6, 0, 5, 1, 3)
    worse, better = sorted((a, b), reverse=mover == "b")
    symbols = [order.index(model.move_nag(x, reference, mover, x05, scheme)) for x in (worse, better)]
    assert symbols == sorted(symbols)


@given(pawns, pawns, st.integers(-3, 3), movers, x05s, move_schemes)
def test_scale_does_not_matter(a: float, b: float, power: int, mover: str, x05: float, scheme: str) -> None:
    """The scale is a power of two, by which floats multiply without rounding."""
    c = 2.0**power
    assert model.move_nag(c * a, c * b, mover, c * x05, scheme) == model.move_nag(a, b, mover, x05, scheme)
    assert close(model.difference(c * a, c * b, c * x05) / c, model.difference(a, b, x05))


@given(pawns, x05s, movers, move_schemes)
def test_a_symbol_begins_at_its_boundary(x_alt: float, x05: float, mover: str, scheme: str) -> None:
    """The symbol is tested on either side of the boundary, at a distance that floats of this size resolve."""
    sign = 1 if mover == "w" else -1
    weaker = {3: 1, 1: 5, 5: 0, 4: 2, 2: 6, 6: 0}
    for nag, boundary in zip(MOVE_ORDER, model.boundaries(x_alt, x05, mover, scheme), strict=True):
        if boundary is None or abs(boundary) > 15 * x05:
            continue
        outwards = sign * (1 if nag in model.GOOD_MOVES else -1) * 1e-6 * x05
        assert model.move_nag(boundary + outwards, x_alt, mover, x05, scheme) == nag
        assert model.move_nag(boundary - outwards, x_alt, mover, x05, scheme) == weaker[nag]


# ---- boundaries that real evaluations reach ----


@pytest.mark.sampled(23)
@pytest.mark.parametrize("h_cp", range(1, 1001, 9))
def test_exact_edges_belong_to_the_stronger_symbol(h_cp: int) -> None:
    h = h_cp / 100
    assert [model.position_nag(x, h) for x in (h, -h, 2 * h_cp / 100, -2 * h_cp / 100)] == [18, 19, 20, 21]
    assert model.move_nag(h, 0.0, "w", h, "sparing-8") == 1
    assert model.move_nag(2 * h_cp / 100, 0.0, "w", h, "sparing-8") == 3
    assert model.move_nag(2 * h_cp / 100, h, "w", h, "sparing-8") == 5
    assert model.move_nag(inf, h, "w", h, "generous-12") == 3
    assert model.move_nag(0.0, -h, "b", h, "generous-20") == 4


@pytest.mark.sampled(23)
@pytest.mark.parametrize("h_cp", range(1, 1001, 9))
def test_the_result_of_a_mate_has_no_boundary(h_cp: int) -> None:
    h = h_cp / 100
    assert model.boundaries(h, h, "w", "generous-12")[0] is None
    assert model.boundaries(2 * h_cp / 100, h, "w", "sparing-8")[2] is None


@pytest.mark.parametrize("scheme", POSITION_SCHEMES)
def test_position_edges_are_where_symbols_change(scheme: str) -> None:
    for edge, nag in zip(model.position_edges(H, scheme), (14, 16, 18, 20), strict=False):
        assert model.position_nag(edge, H, scheme) == nag
        assert model.position_nag(edge - 1e-9, H, scheme) == (nag - 2 if nag > 14 else 10)


def test_zero_of_either_sign_is_balance() -> None:
    assert model.position_nag(0.0, H) == model.position_nag(-0.0, H) == 10


# ---- which evaluations are compared ----


@pytest.mark.parametrize(
    ("best", "second", "played", "played_is_best", "mover", "expected"),
    [
        (0.7, 0.0, 0.7, True, "w", 1),
        (0.7, 0.0, None, True, "w", 1),  # the best move needs no evaluation of the played move
        (0.7, None, 0.7, True, "w", 0),  # the only legal move
        (0.0, 0.7, 0.0, True, "w", 0),  # the best move cannot be bad
        (0.7, 0.0, 0.0, False, "w", 2),
        (0.0, -0.3, 0.9, False, "w", 0),  # a played move with a better evaluation than the best move
        (None, None, 0.9, False, "w", 0),
        (0.7, 0.0, None, False, "w", 0),
        (-0.7, 0.0, -0.7, True, "b", 1),
        (-0.7, 0.0, 0.0, False, "b", 2),
        (inf, 0.0, inf, True, "w", 3),
        (inf, 0.0, -inf, False, "w", 4),
        (inf, inf, inf, True, "w", 0),
    ],
)
def test_judge(best, second, played, played_is_best: bool, mover: str, expected: int) -> None:
    assert model.judge(best, second, played, played_is_best, mover, H) == expected


# ---- the equilibrium ----


def test_equilibrium_is_the_wth_largest_peak_of_the_others() -> None:
    won = [(1, 5.0), (1, inf), (1, 0.1)]
    others = [(0, 0.2), (0, 1.2), (-1, 0.9), (0, 0.62), (-1, -0.4)]
    assert model.equilibrium(won + others) == 0.62


@given(st.lists(st.tuples(st.sampled_from([1, 0, -1]), st.floats(-5, 5)), max_size=40))
def test_equilibrium_splits_the_games_in_half(games) -> None:
    wins = sum(outcome == 1 for outcome, _ in games)
    others = [peak for outcome, peak in games if outcome != 1]
    if not 0 < wins <= len(others):
        with pytest.raises(ValueError):
            model.equilibrium(games)
        return
    x05 = model.equilibrium(iter(games))
    assert sum(peak > x05 for peak in others) < wins <= sum(peak >= x05 for peak in others)


@pytest.mark.parametrize("games", [[], [(0, 1.0)], [(1, 1.0)], [(1, 1.0), (1, 2.0), (0, 3.0)], [(2, 1.0)], [(0, nan)]])
def test_no_equilibrium_is_an_error(games) -> None:
    with pytest.raises(ValueError):
        model.equilibrium(games)


# ---- bad input ----

BAD_X05 = [0, 0.0, -0.62, nan, inf, -inf]


@pytest.mark.sampled(14)
@pytest.mark.parametrize("x05", BAD_X05)
@pytest.mark.parametrize(
    "call",
    [
        lambda h: model.weight(1, h),
        lambda h: model.share(1, h),
        lambda h: model.difference(1, 2, h),
        lambda h: model.result(1, h),
        lambda h: model.result_inverse(0.5, h),
        lambda h: model.sigmoid(1, h),
        lambda h: model.position_nag(1, h),
        lambda h: model.move_nag(1, 2, "w", h),
        lambda h: model.judge(None, None, None, False, "w", h),
        lambda h: model.boundaries(1, h, "w"),
        model.position_edges,
    ],
)
def test_x05_has_to_be_positive_and_finite(call, x05: float) -> None:
    with pytest.raises(ValueError) as caught:
        call(x05)
    assert isinstance(caught.value, StandstillError) and repr(x05) in str(caught.value)


@pytest.mark.parametrize(
    "call",
    [
        lambda: model.weight(nan, H),
        lambda: model.weight("0.3", H),
        lambda: model.difference(0.3, None, H),
        lambda: model.result(0.3, "0.62"),
        lambda: model.result_inverse("half", H),
        lambda: model.difference(1, nan, H),
        lambda: model.result(nan, H),
        lambda: model.result_inverse(nan, H),
        lambda: model.result_inverse(-0.001, H),
        lambda: model.result_inverse(1.001, H),
        lambda: model.position_nag(0.1, H, "1/8"),
        lambda: model.move_nag(0.1, 0.2, "white", H),
        lambda: model.move_nag(0.1, 0.2, "w", H, "5/40"),
        lambda: model.judge(None, None, None, True, "x", H),
        lambda: model.boundaries(nan, H, "w"),
        lambda: model.boundaries(0.1, H, "w", "off"),
    ],
)
def test_what_has_no_meaning_is_an_error(call) -> None:
    with pytest.raises(ValueError):
        call()


def test_extremes_neither_overflow_nor_lose_their_sign() -> None:
    assert model.result(-1000, H) >= 0 and model.result(1000, H) == 1
    assert model.result(-1e308, 1e-300) == 0 and model.result(1e308, 1e-300) == 1
    assert model.gap(1e308, -1e308, 1e-300) == 1
