"""The array version of the model agrees with the scalar version."""

from __future__ import annotations

from math import inf

import pytest

from standstill.engine.relevance import model

np = pytest.importorskip("numpy")
arrays = pytest.importorskip("standstill.engine.relevance.arrays")

H = 0.62
X = np.concatenate([np.arange(-300, 301) / 100, [1000.0, -1000.0, inf, -inf, 1e-9, -0.0]])
A, B = (side.ravel() for side in np.meshgrid(X[::7], X[::5]))
WHITE = np.arange(A.size) % 2 == 0


@pytest.mark.parametrize("name", ["weight", "share", "result"])
def test_functions_of_one_evaluation(name: str) -> None:
    expected = [getattr(model, name)(float(x), H) for x in X]
    assert np.allclose(getattr(arrays, name)(X, H), expected, rtol=0, atol=1e-15)


def test_differences() -> None:
    expected = [model.difference(float(a), float(b), H) for a, b in zip(A, B, strict=True)]
    assert np.allclose(arrays.difference(A, B, H), expected, rtol=1e-14, atol=0)


@pytest.mark.parametrize("scheme", model.POSITION_SCHEMES)
def test_position_symbols(scheme: str) -> None:
    assert list(arrays.position_nag(X, H, scheme)) == [model.position_nag(float(x), H, scheme) for x in X]


@pytest.mark.parametrize("scheme", model.MOVE_SCHEMES)
def test_move_symbols(scheme: str) -> None:
    expected = [
        model.move_nag(float(a), float(b), "w" if white else "b", H, scheme)
        for a, b, white in zip(A, B, WHITE, strict=True)
    ]
    assert list(arrays.move_nag(A, B, WHITE, H, scheme)) == expected


@pytest.mark.parametrize(
    "call",
    [
        lambda: arrays.result([0.1, float("nan")], H),
        lambda: arrays.result([0.1], 0),
        lambda: arrays.position_nag([0.1], H, "1/8"),
        lambda: arrays.move_nag([0.1], [0.2], True, H, "off"),
    ],
)
def test_bad_input_is_an_error(call) -> None:
    with pytest.raises(ValueError):
        call()
