"""x05 by engine, from the names that engines give themselves and people write into games."""

from __future__ import annotations

import pytest

from standstill.engine import NAME, VERSION
from standstill.engine.relevance.presets import OWN, STOCKFISH, UNKNOWN, preset


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (f"{NAME} {VERSION}", OWN),
        ("standstill", OWN),
        ("Stockfish 15.1", STOCKFISH),
        ("Stockfish 17.1", STOCKFISH),
        ("stockfish_16", STOCKFISH),
        ("Stockfish 16, 200000 nodes", STOCKFISH),
        ("Stockfish 16 64 POPCNT", STOCKFISH),
        ("Stockfish dev-20231225-abc12345", STOCKFISH),
        ("Stockfish 231225", STOCKFISH),
        ("Stockfish dev-20220901-abc12345", UNKNOWN),
        ("Stockfish 220422", UNKNOWN),
        ("Stockfish 15", UNKNOWN),
        ("Stockfish 8 64 BMI2", UNKNOWN),
        ("Stockfish", UNKNOWN),
        pytest.param(f"Stockfish {'9' * 5000}", UNKNOWN, id="more digits than int() reads"),
        pytest.param(f"Stockfish 15.{'9' * 5000}", UNKNOWN, id="more of them behind the point"),
        ("Fairy-Stockfish 14.0.1", UNKNOWN),
        ("Standstillness", UNKNOWN),
        ("Fairy-Max 5.0b", UNKNOWN),
        ("Carlsen, M", UNKNOWN),
        ("", UNKNOWN),
    ],
)
def test_preset_of_a_name(name: str, expected) -> None:
    assert preset(name) == expected


def test_people_have_the_value_of_the_specification() -> None:
    assert UNKNOWN.x05 == 0.62
