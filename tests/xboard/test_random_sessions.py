"""Random conversations: valid commands in any order, cut short, repeated, mixed with noise, sent during searches.

There must be no crash, no hang, at most one move for each search, pongs in order, and nothing that XBoard would take
for a claim or an error.
"""

from __future__ import annotations

import random
import re

import pytest

from tests.amounts import LONG
from tests.board.support import KIWIPETE
from tests.uci.client import Client
from tests.uci.option_values import settings
from tests.xboard.support import THINKING

POSITIONS = [
    KIWIPETE,
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1",
    "8/8/8/8/8/8/8/K1k5 w - - 0 1",
    "4k3/8/8/8/8/8/8/R3K3 w Q - 99 80",
    "rubbish",
]
MOVES = ["e2e4", "e7e5", "e4", "Nf3", "O-O", "a7a8q", "e8=Q", "@@@@", "h2h3", "d7d5", "zz", "e2e5"]
COMMANDS = [
    "new", "force", "go", "go", "playother", "white", "black", "?", "?", "result 1-0 {x}", "st 0.01", "st 0", "st 1000",
    "level 40 0:01 0", "level 0 0:01 0.01", "level x", "sd 3", "sd 0", "nps 1000", "nps 0", "time 5", "time 0",
    "time -100", "otim 100", "hard", "easy", "post", "nopost", "draw", "undo", "remove", "hint", "bk", "analyze",
    "exit", ".", "exclude e2e4", "include all", "exclude all", "memory 1", "memory 3", "cores 1", "cores 2",
    "egtpath syzygy /nowhere", "egtpath rmobility /nowhere", "egtpath", "option MultiPV=2", "option MultiPV=1",
    "option ClearHash", "option",
    "variant fischerandom", "variant normal", "variant x", "edit", "#", "c", "Kg1", "kg8", ".", "protover 2", "xboard",
    "accepted debug", "name x", "rating 1 2",
    "pause", "resume", "pause", "resume", "computer", "random", "ping", "nonsense", "7", "", "\t", "uci", "isready",
]  # fmt: skip
ANSWER = re.compile(
    r"move \S+|pong.*|feature .*|Error \(.*\): .*|Illegal move( \(.*\))?: .*|tellusererror .*|# .*"
    r"|offer draw|resign|Hint: \S+|stat01: \d+ \d+ \d+ \d+ \d+( \S+)?|0 0 0 0\t\((no legal|all)[a-z ]*\)| .*|"
    r"(1-0|0-1|1/2-1/2) \{(White mates|Black mates|Stalemate|Repetition|Fifty moves|Insufficient material)\}"
)


def conversation(seed: int, length: int, options: bool = False) -> list[str]:
    """options: half of the lines set an option, any of the table."""
    rng = random.Random(seed)
    lines = []
    for _ in range(length):
        kind = rng.random()
        if options and rng.random() < 0.5:
            name, value = settings(rng)
            lines.append(f"option {name}={value}" if value or rng.random() < 0.5 else f"option {name}")
            continue
        if kind < 0.12:
            line = f"setboard {rng.choice(POSITIONS)}"
        elif kind < 0.35:
            line = rng.choice(["", "usermove "]) + rng.choice(MOVES)
        else:
            line = rng.choice(COMMANDS)
        if rng.random() < 0.05:
            line = line[: rng.randint(0, len(line))]
        lines += [line] * (2 if rng.random() < 0.05 else 1)
    return lines


def held(client: Client, seed: int, length: int, options: bool = False) -> None:
    """Hold the conversation; the engine must be alive and in step at its end."""
    rng = random.Random(-1 - seed)
    lines = conversation(seed, length, options)
    began = len(client.heard)
    count = 0
    while lines:
        size = rng.randint(1, 6)
        part, lines = lines[:size], lines[size:]
        client.send(*part)
        if rng.random() < 0.3:
            count += 1
            client.send(f"ping {seed}{count:03}", "?")  # stops searches of up to a thousand seconds
    client.send(".", "?", "exit", "force", "ping 0")
    while client.read_until("pong")[-1] != "pong 0":
        pass
    said = client.heard[began:]
    for line in said:
        assert ANSWER.fullmatch(line) or THINKING.fullmatch(line) or not line, (seed, line)
    numbers = [line.split()[1] for line in said if line.startswith(f"pong {seed}")]
    assert numbers == sorted(numbers) and len(numbers) == count, seed


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", [*range(1, 9), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(9, 61))])
def test_a_random_conversation_is_survived(start, seed: int) -> None:
    client = start()
    client.send("xboard", "protover 2", "accepted debug")
    held(client, seed, 40)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "seed", [*range(5001, 5011), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(5011, 5041))]
)
def test_any_option_may_be_set_at_any_moment(start, seed: int) -> None:
    client = start()
    client.send("xboard", "protover 2", "accepted debug")
    held(client, seed, 40, options=True)


@pytest.mark.slow
def test_any_option_may_be_set_at_any_moment_of_many_conversations(start) -> None:
    for seed in range(6001, 6151 if LONG else 6051):
        client = start()
        client.send("xboard", "protover 2", "accepted debug")
        held(client, seed, 40, options=True)


@pytest.mark.slow
def test_many_random_conversations_in_one_process(start) -> None:
    client = start()
    client.send("xboard", "protover 2", "accepted debug")
    for seed in range(1000, 2000 if LONG else 1400):
        held(client, seed, 40)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(5))
def test_a_random_conversation_may_end_anywhere(start, seed: int) -> None:
    """The process ends on `quit` or at the end of input, whatever it is doing."""
    lines = conversation(seed, 20)
    for cut in (5, 11, 20):
        client = start()
        client.send("xboard", "accepted debug", *lines[:cut], *(["quit"] if cut % 2 else []))
        client.close_input()
        assert client.wait() == 0
