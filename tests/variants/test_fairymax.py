"""Fairy-Max as the referee: in force mode it accepts legal moves and answers ``Illegal move`` to others."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from standstill.engine.variants.boards import new_board
from standstill.engine.variants.catalog import Catalog, names_of
from standstill.engine.variants.definition import Definition
from standstill.engine.variants.fairymax import read_file
from standstill.engine.variants.notation import fen, move_text

DEFINITIONS = Path("/usr/share/games/fairymax/fmax.ini")
GAMES = list(read_file(str(DEFINITIONS)).games) if DEFINITIONS.exists() else []


class FairyMax:
    def __init__(self, program: str):
        self._process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._pings = 0
        self.ask("xboard", "protover 2")

    def ask(self, *lines: str) -> list[str]:
        """Fairy-Max's answer to these lines."""
        self._pings += 1
        self._process.stdin.write("\n".join([*lines, f"ping {self._pings}", ""]))
        self._process.stdin.flush()
        said: list[str] = []
        while not said or said[-1] != f"pong {self._pings}":
            line = self._process.stdout.readline()
            if not line:
                raise EOFError(said)
            said.append(line.strip())
        return said[:-1]

    def accepts(self, move: str) -> bool:
        return not any("Illegal move" in line for line in self.ask(move))

    def close(self) -> None:
        self._process.stdin.close()
        self._process.terminate()
        self._process.wait(timeout=10)
        self._process.stdout.close()


@pytest.fixture
def fairymax(client_program: Callable[[str], str]) -> Iterator[FairyMax]:
    program = FairyMax(client_program("fairymax"))
    yield program
    program.close()


def start(fairymax: FairyMax, game: Definition) -> None:
    if game.name.startswith("fairy/"):
        chosen = game.name.removeprefix("fairy/")
        said = fairymax.ask("new", f"option Variant fairy selects={chosen}", "variant fairy", "force")
    else:
        said = fairymax.ask("new", f"variant {game.name}", "force")
    assert not any(line.startswith("Error") for line in said)


def wrong_moves(game: Definition, board, rng: random.Random, legal: set[tuple[int, int]]) -> list[str]:
    """Moves of the mover's pieces to any square except that of its king, which means something else to Fairy-Max."""
    own = [sq for sq, man in enumerate(board.squares) if man and man >> 4 == board.stm]
    found = []
    for _ in range(40):
        squares = rng.choice(own), rng.randrange(game.squares)
        man = board.squares[squares[1]]
        if squares not in legal and not (man and game.piece(man & 15).is_royal):
            found.append("".join(board.notation.square_name(sq) for sq in squares))
    return found[:10]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_same_moves_are_legal(fairymax: FairyMax, game: Definition) -> None:
    rng = random.Random(1)
    board = new_board(game=game, ranks_from_zero=True)
    start(fairymax, game)
    for _ in range(12):
        legal = {move_text(board, move): move for move in board.legal_moves()}
        if not legal:
            return
        for text in wrong_moves(game, board, rng, {(move & 255, move >> 8 & 255) for move in legal.values()}):
            assert not fairymax.accepts(text), f"{text} in {fen(board)}"
        noisy = [text for text, move in legal.items() if board.noisy(move)]
        text = rng.choice(noisy) if noisy and rng.random() < 0.3 else rng.choice(sorted(legal))
        assert fairymax.accepts(text), f"{text} in {fen(board)}"
        board.push(legal[text])


# Pieces with other letters: Fairy-Max calls the chess queen S, and the Janus archbishop A.
SHARED = [
    (game, theirs)
    for game in Catalog()
    for theirs in GAMES
    if theirs.name in names_of(game.name) and game.name not in {"normal", "janus"}
]


@pytest.mark.parametrize(("game", "theirs"), SHARED, ids=lambda game: game.name)
def test_arrays_are_those_of_fairymax(game: Definition, theirs: Definition) -> None:
    """Engines that start from different arrays would find each other's moves illegal."""
    ours, its = (fen(new_board(game=one)).split()[0].lower() for one in (game, theirs))
    assert ours == its
