"""The mean of networks: its values, and networks that do not fit together."""

from __future__ import annotations

from array import array
from pathlib import Path

import chess
import pytest

from standstill.engine.network.file import Network, read_network, write_network
from tests.network.nets import RECORDS, naive_cp, random_network
from tools.train.mean import main, mean

FENS = (
    chess.STARTING_FEN,
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
    "8/5pk1/4p1p1/3nP2p/2N4P/6P1/5PK1/8 b - - 3 40",
)


def small() -> Network:
    """A network with outputs of some hundred centipawns."""
    network = random_network(seed=5, largest=30)
    return network._replace(output_weights=array("h", (weight // 8 for weight in network.output_weights)))


@pytest.mark.parametrize("fen", FENS)
def test_the_mean_of_outputs_gives_the_mean_of_values(fen: str) -> None:
    """The value depends linearly on the weights of the outputs, also with different scales."""
    one = small()
    other = one._replace(scale=300, output_weights=array("h", reversed(one.output_weights)))
    board = chess.Board(fen)
    values = [naive_cp(network, board) for network in (one, other)]
    assert values[0] != values[1]
    expected, error = sum(values) / 2, 3 + max(map(abs, values)) / 50  # the outputs' weights are rounded
    assert naive_cp(mean([one, other], "mean"), board) == pytest.approx(expected, abs=error)


def test_weights_of_inputs_are_means() -> None:
    one, other = small(), small()._replace(feature_weights=random_network(seed=6, largest=30).feature_weights)
    found = mean([one, other, other], "mean").feature_weights
    for a, b, c in zip(one.feature_weights, other.feature_weights, found, strict=True):
        assert abs(c - (a + 2 * b) / 3) <= 0.5 + 1e-3


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, wide, records, out = (str(tmp_path / f"{name}.nn") for name in ("one", "wide", "records", "out"))
    write_network(one, small())
    write_network(wide, random_network(64))
    write_network(records, small()._replace(about=RECORDS))
    assert main([one, one, "--out", out, "--name", "both"]) == 0
    found = read_network(out)
    assert (found.about["name"], found.about["licence"]) == ("both", "CC0-1.0")
    for words, told in (
        ([one, wide, "--out", out], "expected 768 inputs and width 32, found 768 and 64"),
        ([one, records, "--out", out], "expected networks with one value of foresees, found different ones"),
        ([one, "--out", one], "--out"),
        ([str(tmp_path / "none.nn"), "--out", out], "No such file or directory"),
    ):
        assert main(words) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith("mean: ") and told in line
