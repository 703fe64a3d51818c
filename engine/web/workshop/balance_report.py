"""The balance of a variant as one HTML file: White's score after each game, results, endings, pieces that survive."""

from __future__ import annotations

from ...common.text import visible
from ...match.balance import Balance
from ...match.statistics import estimate
from .report import report_page

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...variants.variant import Variant

_WIDTH, _HEIGHT = 480, 170  # size of the curve
_LEFT, _TOP, _BOTTOM = 52, 8, 20
_MOST_POINTS = 200
_RESULTS = ("White wins", "drawn", "Black wins")
_SIDES = ("white", "drawn", "black")


def balance_page(game: Variant, found: Balance, scores: Sequence[float], limit: str, repeated: int = 0) -> str:
    """The page.

    scores: White's scores, in the order of the games. limit: the engine's limit for a move, in words. repeated: the
    number of games that repeat others.
    """
    return report_page(
        "balance",
        game,
        limit,
        title=f"Balance of {visible(game.name)}",
        verdict=verdict(found),
        games=len(scores),
        curve=_curve(scores),
        bar=_bar(found),
        results=[
            (name, share.count, _percent(share.value), " to ".join(map(_percent, share.interval)))
            for name, share in zip(_RESULTS, found.results, strict=True)
        ],
        plies=found.plies,
        endings=[(text, count, _percent(count / len(scores))) for text, count in found.endings.most_common()],
        survivors=[(letter, _percent(white), _percent(black)) for letter, (white, black, _) in found.survivors.items()],
        repeated=repeated,
    )


def verdict(found: Balance) -> str:
    """Return White's score in a sentence, and what it shows."""
    mean, error = found.score.mean, found.score.error
    text = f"White scores {_percent(mean)}"
    if error is None:
        return f"{text}."
    text += f" ± {100 * error:.1f}"
    if mean - error > 0.5:
        return f"{text}: White is better."
    return f"{text}: Black is better." if mean + error < 0.5 else f"{text}: neither side is shown to be better."


def _percent(value: float) -> str:
    return "-" if value != value else f"{100 * value:.1f} %"  # noqa: PLR0124 (NaN: the side begins without the piece)


def _bar(found: Balance) -> list[tuple[str, float, float]]:
    """Return (side, left end, width) of the parts of a bar from 0 to 100."""
    parts, at = [], 0.0
    for side, share in zip(_SIDES, found.results, strict=True):
        parts.append((side, round(at, 2), round(100 * share.value, 2)))
        at += 100 * share.value
    return parts


def _curve(scores: Sequence[float]) -> dict[str, object]:
    """Return the paths of the curve and of its band, and its scales, in the units of the drawing."""
    last = max(len(scores), 2)
    step = max(1, len(scores) // _MOST_POINTS)
    counts = [*range(1, len(scores), step), len(scores)] if scores else []
    points = [(count, estimate(scores[:count])) for count in counts]

    def at(count: int, score: float) -> str:
        x = _LEFT + (_WIDTH - _LEFT - 4) * (count - 1) / (last - 1)
        return f"{x:.1f} {_height(score):.1f}"

    known = [(count, found.mean, found.error) for count, found in points if found.error is not None]
    band = [at(count, mean + error) for count, mean, error in known]
    band += [at(count, mean - error) for count, mean, error in reversed(known)]
    return {
        "width": _WIDTH,
        "height": _HEIGHT,
        "left": _LEFT,
        "line": "M" + "L".join(at(count, found.mean) for count, found in points) if points else "",
        "band": f"M{'L'.join(band)}z" if band else "",
        "grid": [(_height(share), share == 0.5) for share in (0, 0.25, 0.5, 0.75, 1)],
        "scale": [(round(_height(share) + 3.5, 1), f"{100 * share:.0f} %") for share in (0, 0.5, 1)],
    }


def _height(score: float) -> float:
    """Return how far below the upper edge a score lies."""
    return round(_TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - min(1.0, max(0.0, score))), 1)
