"""Boards in colours: the squares alternate, and a1 is dark on boards of every size."""

from __future__ import annotations

import pytest
from rich.color import Color
from rich.console import Console

from standstill.protocol.cli.painting import board_text


def brightness(colour: str) -> int:
    return sum(Color.parse(colour).get_truecolor())


@pytest.mark.parametrize("system", ["standard", "256", "truecolor"])
@pytest.mark.parametrize(("width", "height"), [(8, 8), (5, 5), (9, 10), (10, 8), (3, 4)], ids=str)
def test_squares_alternate_and_a1_is_dark(width: int, height: int, system: str) -> None:
    files = "abcdefghij"[:width]
    ranks = [f"{rank}  {'. ' * width}" for rank in range(height, 0, -1)]
    text = board_text("\n".join([*ranks, "   " + " ".join(files)]), Console(color_system=system))
    styles = [str(span.style).partition(" on ")[2] for span in text.spans if " on " in str(span.style)]
    rows = [styles[row * width : (row + 1) * width] for row in range(height)][::-1]
    dark, light = rows[0][0], rows[0][1]
    assert dark != light
    assert rows == [[(dark, light)[(row + file) % 2] for file in range(width)] for row in range(height)]
    assert brightness(dark) < brightness(light)
