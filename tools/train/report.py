"""The report on a trained network: loss curves, the cost of quantisation, sanity checks."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from standstill.engine.network.file import BUCKETS, MOST_OUTPUT_SUM, Network
from standstill.engine.variants.variant import CHESS

from .data import Samples, fit_scale, sigmoid
from .learning import Learner
from .network import quantised, values
from .plan import State
from .rounding import OutputRounder

WIDTH, HEIGHT, MARGIN = 640, 320, 56  # pixels
MOST_CHECKED = 50_000  # positions evaluated by the quantised network
MOST_TRIED = 10_000  # positions for comparing quantisations
MOST_FITTED = 200_000  # positions whose values the output weights are rounded to keep
LARGER = (1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 8.0)
# Colours that colour-blind people can distinguish (Okabe and Ito 2008), and dashes in case there is no colour.
CURVES = (("training", 3, "#0072b2", ""), ("validation", 4, "#d55e00", "6 3"))
MEN = np.array([100, 300, 320, 500, 900, 0])  # centipawns, for the table by material


def write_plot(path: str, rows: list[list[float]]) -> None:
    """Write the losses of each pass as an SVG picture."""
    high = max(max(row[3], row[4]) for row in rows)
    low = min(min(row[3], row[4]) for row in rows)
    room = max(high - low, 1e-9)

    def point(index: int, loss: float) -> str:
        x = MARGIN + (WIDTH - 2 * MARGIN) * index / max(1, len(rows) - 1)
        return f"{x:.1f},{MARGIN + (HEIGHT - 2 * MARGIN) * (high - loss) / room:.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif"'
        ' font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{MARGIN}" y="24">Loss by pass, 1 to {len(rows)}</text>',
    ]
    for label, loss in ((f"{high:.4f}", high), (f"{low:.4f}", low)):
        parts.append(f'<text x="4" y="{point(0, loss).split(",")[1]}">{label}</text>')
    for number, (name, column, colour, dash) in enumerate(CURVES):
        points = " ".join(point(index, row[column]) for index, row in enumerate(rows))
        style = f'fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"'
        parts.append(f'<polyline points="{points}" {style}/>')
        parts.append(f'<text x="{MARGIN + 120 * number}" y="{HEIGHT - 16}" fill="{colour}">{name}</text>')
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join([*parts, "</svg>", ""]))


def chosen(learner: Learner) -> np.ndarray:
    """A sample of the held-back positions, or of all positions if there are too few."""
    order = learner.samples.validation if len(learner.samples.validation) else learner.samples.training
    return np.ascontiguousarray(order[:: max(1, len(order) // MOST_CHECKED)])


def targets(learner: Learner, order: np.ndarray) -> np.ndarray:
    fields, plan = learner.samples.fields[order], learner.plan
    return (1 - plan.result_share) * sigmoid(fields["cp"] / plan.scale) + plan.result_share * fields["result"] / 2


def as_large(learner: Learner, state: State) -> float:
    """The factor that scales the values to the mean size of the hand-crafted evaluation.

    The margins of the search are for centipawns of that size; the scale that predicts results depends on the players.
    """
    if learner.samples.game is not CHESS:
        return 1.0  # the network is added to that evaluation
    order = chosen(learner)
    outputs = learner.outputs(state.parameters, order).astype(np.float64) * learner.plan.scale
    by_hand = learner.samples.static_scores(order).astype(np.float64)
    mean = np.abs(outputs).mean()
    return min(2.0, max(0.5, float(np.abs(by_hand).mean() / mean))) if mean else 1.0


def largest_sum(network: Network) -> int:
    """The largest sum, in size, of the positive or of the negative weights of an output."""
    weights = np.array(network.output_weights, dtype=np.int64).reshape(BUCKETS, -1)
    return int(max(weights.clip(min=0).sum(axis=1).max(), -weights.clip(max=0).sum(axis=1).min()))


def best_quantised(learner: Learner, state: State, unit: float, about: dict[str, Any]) -> Network:
    """The quantised network nearest to the one in floats. unit: centipawns per output of 1."""
    samples, parameters = learner.samples, state.parameters
    order = chosen(learner)[:MOST_TRIED]
    exact = learner.outputs(parameters, order).astype(np.float64) * unit
    plain = quantised(parameters, samples.inputs, learner.plan.width, unit, about)
    seen = np.ascontiguousarray(samples.training[:: max(1, len(samples.training) // MOST_FITTED)])
    outputs = learner.outputs(parameters, seen).astype(np.float64)
    rounder = OutputRounder(plain, parameters, samples, order=seen, outputs=outputs, unit=unit)

    def apart(network: Network) -> float:
        if largest_sum(network) > MOST_OUTPUT_SUM:
            return math.inf  # the network does not fit into a file
        found = values(network, samples, order)
        return float(np.mean((sigmoid(found / unit) - sigmoid(exact / unit)) ** 2))

    scales = sorted({max(1, round(unit / larger)) for larger in LARGER}, reverse=True)
    return min((rounder.rounded(scale) for scale in scales), key=apart)


def quantisation(learner: Learner, state: State, network: Network, unit: float) -> str:
    """The cost of quantisation: losses of both networks on the same positions, and differences of their values.

    unit: centipawns of the network that are an output of 1.
    """
    order = chosen(learner)
    exact = learner.outputs(state.parameters, order).astype(np.float64) * unit
    whole = values(network, learner.samples, order)
    target = targets(learner, order)
    known = learner.samples.known(order)
    losses = [float(np.mean((sigmoid((known + cp) / unit) - target) ** 2)) for cp in (exact, whole)]
    difference = np.abs(exact - whole)
    return (
        f"quantised: loss {losses[1]:.6f}, in floats {losses[0]:.6f}, on {len(order):,} positions; "
        f"values differ by {difference.mean():.1f} centipawns, at most by {difference.max():.0f}"
    )


def ranks(x: np.ndarray) -> np.ndarray:
    found = np.empty(len(x))
    found[np.argsort(x, kind="stable")] = np.arange(len(x))
    return found


def correlation(x: np.ndarray, y: np.ndarray) -> float:
    """Spearman's rank correlation, with ties in any order."""
    return float(np.corrcoef(ranks(x), ranks(y))[0, 1])


def material(samples: Samples, order: np.ndarray) -> np.ndarray:
    """The mover's material less the opponent's, in centipawns; in other games the hand-crafted evaluation."""
    if samples.game is not CHESS:
        return samples.static_scores(order)
    packed = samples.fields[order]["pieces"]
    pieces = np.concatenate([packed & 15, packed >> 4], axis=1)
    worth = np.zeros(16, dtype=np.int64)
    worth[1:7], worth[9:15] = MEN, -MEN
    return worth[pieces].sum(axis=1)


def comparison(learner: Learner, network: Network) -> str:
    """The network compared with the hand-crafted evaluation: losses, ranks, and values by material."""
    order = chosen(learner)
    fields = learner.samples.fields[order]
    samples = learner.samples
    net, static, target = values(network, samples, order), samples.static_scores(order), targets(learner, order)
    net = net + samples.known(order)
    lines = ["", f"{'':24}{'network':>10}{'hand-crafted':>14}"]
    losses = []
    for cp in (net, static):
        scale = fit_scale(cp, 2 * target)  # each at the scale that suits it best
        losses.append(float(np.mean((sigmoid(cp / scale) - target) ** 2)))
    lines.append(f"{'loss, best scale':24}{losses[0]:>10.6f}{losses[1]:>14.6f}")
    score = fields["cp"]
    lines.append(f"{'rank with scores':24}{correlation(net, score):>10.4f}{correlation(static, score):>14.4f}")
    lines.append(f"rank of one with the other: {correlation(net, static):.4f}")
    ahead = material(samples, order)
    for low in range(-1000, 1001, 200):
        here = (ahead >= low - 100) & (ahead < low + 100)
        if here.any():
            lines.append(f"material {low:+5d}{'':9}{net[here].mean():>+11.0f}{static[here].mean():>+14.0f}")
    return "\n".join(lines)


def foresight(learner: Learner, network: Network, unit: float) -> str:
    """How well a network predicts the owner of the last record. unit: the network's value for an output of 1."""
    order = chosen(learner)
    fields = learner.samples.fields[order]
    held, chance = fields["result"] / 2, sigmoid(values(network, learner.samples, order) / unit)
    known = np.zeros(len(order))
    for output in np.unique(fields["ply"]):
        here = fields["ply"] == output
        known[here] = held[here].mean()
    losses = [float(np.mean((said - held) ** 2)) for said in (chance, known)]
    lines = [
        f"loss {losses[0]:.6f}, by the class of the record alone {losses[1]:.6f}",
        f"{'foreseen':12}{'held':>8}{'positions':>12}",
    ]
    for low in np.arange(0, 1, 0.1):
        here = (chance >= low) & (chance < low + 0.1)
        if here.any():
            lines.append(f"{low:.1f} to {low + 0.1:.1f}{held[here].mean():>10.3f}{here.sum():>12,}")
    return "\n".join(lines)
