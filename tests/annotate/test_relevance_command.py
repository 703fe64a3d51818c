"""`standstill relevance` prints what the model computes, and reports bad input in one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import inf

import pytest
from click.testing import CliRunner

from standstill.engine.annotate.evaluations import parse
from standstill.engine.relevance import model
from standstill.protocol.cli.commands.relevance import command
from tests import forked
from tests.uci.client import PATIENCE_S, clean_environment

Run = Callable[..., str]


@pytest.fixture
def run() -> Run:
    """Run the command in this process: starting the executable takes longer than all of these tests together."""

    def call(*arguments: str) -> str:
        done = CliRunner().invoke(command, arguments, catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.stdout

    return call


def from_json(run: Run, *arguments: str) -> dict:
    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    return json.loads(run(*arguments, "--json"), parse_constant=refuse)


def test_difference(run: Run) -> None:
    found = from_json(run, "difference", "-1", "2", "--x05", "0.62")
    assert found["relevant"] == model.difference(-1, 2, 0.62) and found["absolute"] == 3
    assert "1.40089" in run("difference", "-1", "2")


def test_difference_of_mates(run: Run) -> None:
    assert from_json(run, "difference", "#1", "#-1")["absolute"] == "inf"
    assert from_json(run, "difference", "#1", "#5")["absolute"] == 0


def test_results(run: Run) -> None:
    found = from_json(run, "result", "-0,3", "0.62", "#4", "--x05", "1.0")["results"]
    assert [row["result"] for row in found] == [model.result(x, 1.0) for x in (-0.3, 0.62, inf)]


def test_symbols_of_positions(run: Run) -> None:
    (found,) = from_json(run, "symbol", "-1.24")["positions"]
    assert {scheme: symbol["nag"] for scheme, symbol in found["symbols"].items()} == {"5/40": 21, "1/9": 19, "1/7": 19}
    assert "\u2212++ $21" in run("symbol", "-1.24")


def test_judge_of_the_best_move(run: Run) -> None:
    found = from_json(run, "judge", "--mover", "w", "--best", "0.62", "--second", "0")
    assert found["symbols"]["sparing-8"]["ascii"] == "!" and found["gain"] == 0.25


def test_judge_of_another_move(run: Run) -> None:
    found = from_json(run, "judge", "--mover", "b", "--best", "-0.3", "--second", "0", "--played", "0.5")
    assert found["symbols"]["sparing-7"]["nag"] == 2 and found["gain"] < 0


def test_judge_of_the_only_move(run: Run) -> None:
    assert "no symbol" in run("judge", "--mover", "w", "--best", "0.62")


def test_boundaries(run: Run) -> None:
    found = from_json(run, "boundaries", "-0.3", "--mover", "w")
    values = list(found["moves"]["sparing-8"].values())
    assert values == list(model.boundaries(-0.3, 0.62, "w", "sparing-8")) and values[-1] is None
    assert found["positions"]["5/40"][2:] == [0.62, 1.24]


@pytest.mark.parametrize("mover", ["w", "b"])
@pytest.mark.parametrize("x_alt", ["-0.30", "0.8", "0", "#-3", "2"])
def test_first_centipawns_are_the_first_that_earn_the_symbol(run: Run, mover: str, x_alt: str) -> None:
    lines = run("boundaries", x_alt, "--mover", mover).split("to move")[1].splitlines()[2:]
    for scheme, exact, firsts in zip(model.MOVE_SCHEMES, lines[::2], lines[1::2], strict=True):
        filled = [at for at, text in enumerate(exact.split()[1:]) if text != "------"]
        for at, text in zip(filled, firsts.split(), strict=True):
            cp = round(100 * float(text))
            outwards = (1 if at < 3 else -1) * (1 if mover == "w" else -1)
            nag = (3, 1, 5, 6, 2, 4)[at]
            stronger = {3: (3,), 1: (1, 3), 5: (5, 1, 3), 4: (4,), 2: (2, 4), 6: (6, 2, 4)}[nag]
            assert model.move_nag(cp / 100, parse(x_alt), mover, 0.62, scheme) in stronger
            assert model.move_nag((cp - outwards) / 100, parse(x_alt), mover, 0.62, scheme) not in stronger


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "arguments",
    [
        ["difference", "1"],
        ["difference", "words", "1"],
        ["result"],
        ["result", "1", "--x05", "0"],
        ["result", "1", "--x05", "-0.62"],
        ["result", "1", "--x05", "nan"],
        ["symbol", "--nonsense"],
        ["judge", "--mover", "x", "--best", "1"],
        ["judge", "--best", "1"],
        ["boundaries", "nan"],
    ],
)
def test_bad_input_is_answered_in_one_line(executable, arguments: list[str]) -> None:
    done = forked.run(
        [executable, "relevance", *arguments],
        capture_output=True,
        timeout=PATIENCE_S,
        env=clean_environment(),
        check=False,
    )
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, b"", 1)
    assert b"Traceback" not in done.stderr
