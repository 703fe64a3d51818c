"""Random conversations: commands in any order, cut short, repeated, mixed with noise, sent during searches.

No crash, no hang, and exactly one `bestmove` for each `go`.
"""

from __future__ import annotations

import random

import pytest

from tests.amounts import LONG
from tests.board.support import KIWIPETE
from tests.uci.client import Client
from tests.uci.option_values import settings

POSITIONS = [
    "startpos",
    "startpos moves e2e4 e7e5 g1f3",
    f"fen {KIWIPETE}",
    "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "fen 7k/8/5K2/6Q1/8/8/8/8 w - - 0 1",
    "fen 8/8/8/8/8/8/8/K1k5 w - - 0 1",
    "fen 4k3/8/8/8/8/8/8/R3K3 w Q - 99 80",
    "fen rubbish",
    "startpos moves e2e4 e2e4",
]
GOES = [
    "go depth 4",
    "go nodes 500",
    "go movetime 5",
    "go wtime 50 btime 50",
    "go infinite",
    "go ponder wtime 50 btime 50",
    "go ponder depth 2",
    "go depth 3 searchmoves e2e4 d2d4",
    "go searchmoves 0000",
    "go mate 2 nodes 1000",
    "go",
]
OTHERS = [
    "stop",
    "stop",
    "ponderhit",
    "isready",
    "ucinewgame",
    "setoption name Hash value 1",
    "setoption name Hash value 5",
    "setoption name Threads value 1",
    "setoption name Threads value 2",
    "setoption name MultiPV value 1",
    "setoption name MultiPV value 3",
    "setoption name Clear Hash",
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_Chess960 value false",
    "setoption name UCI_ShowWDL value true",
    "uci",
    "d",
    "eval",
    "go perft 1",
    "debug on",
    "debug off",
    "nonsense",
    "",
]


def conversation(seed: int, length: int, options: bool = False) -> list[str]:
    """options: half of the lines set an option, any of the table."""
    rng = random.Random(seed)
    lines = []
    for _ in range(length):
        kind = rng.random()
        if options and rng.random() < 0.5:
            name, value = settings(rng)
            with_value = value or rng.random() < 0.5
            lines.append(f"setoption name {name} value {value}" if with_value else f"setoption name {name}")
            continue
        if kind < 0.25:
            lines.append(f"position {rng.choice(POSITIONS)}")
        elif kind < 0.55:
            lines.append(rng.choice(GOES))
        else:
            lines.append(rng.choice(OTHERS))
        if rng.random() < 0.06:
            lines[-1] = lines[-1][: rng.randint(0, len(lines[-1]))]
        if rng.random() < 0.05:
            lines.append(lines[-1])
        if rng.random() < 0.05:
            lines.append("".join(rng.choices("xyz0189 =:/-\t\x00\x7f\xe9", k=rng.randint(1, 40))))
    return lines


def searches(lines: list[str]) -> int:
    """The expected number of best moves."""
    return sum(words[:1] == ["go"] and words[1:2] != ["perft"] for words in map(str.split, lines))


def held(engine: Client, seed: int, length: int, options: bool = False) -> None:
    """Send the conversation and count the best moves."""
    rng = random.Random(-1 - seed)
    began = len(engine.heard)
    lines = conversation(seed, length, options)
    while lines:
        # Each write has one line or several.
        size = rng.randint(1, 6)
        part, lines = lines[:size], lines[size:]
        engine.send(*part)
        if rng.random() < 0.3:
            engine.synchronise()
    engine.send("stop")
    engine.synchronise()
    goes = searches(conversation(seed, length, options))
    while (found := sum(line.startswith("bestmove ") for line in engine.heard[began:])) < goes:
        engine.read_until("bestmove")
    assert found == goes, seed
    assert not [line for line in engine.synchronise() if line.startswith("bestmove")]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", [*range(12), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(12, 100))])
def test_every_go_of_a_random_conversation_gets_one_best_move(start, seed: int) -> None:
    held(start(), seed, 24)


@pytest.mark.slow
def test_every_go_of_many_random_conversations_gets_one_best_move(start) -> None:
    engine = start()
    for seed in range(1000, 2000 if LONG else 1300):
        held(engine, seed, 40)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "seed", [*range(5000, 5010), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(5010, 5040))]
)
def test_any_option_may_be_set_at_any_moment(start, seed: int) -> None:
    held(start(), seed, 40, options=True)


@pytest.mark.slow
def test_any_option_may_be_set_at_any_moment_of_many_conversations(start) -> None:
    for seed in range(6000, 6150 if LONG else 6050):
        held(start(), seed, 40, options=True)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(5))
def test_a_random_conversation_may_end_anywhere(start, seed: int) -> None:
    """The process ends on `quit` or at the end of input, whatever it is doing."""
    lines = conversation(seed, 20)
    for cut in (5, 11, 20):
        engine = start()
        engine.send("uci", *lines[:cut], *(["quit"] if cut % 2 else []))
        engine.close_input()
        assert engine.wait() == 0
