"""Plays the levels of UCI_Elo against each other and against Stockfish's levels, to fit engine/play/strength.py.

    .venv/bin/python -P tools/measure/play/levels.py ladder           # each level against the one below
    .venv/bin/python -P tools/measure/play/levels.py anchor           # levels against Stockfish's Skill Levels
    .venv/bin/python -P tools/measure/play/levels.py nodes 800,4,21=1 # nodes, lines, slack: fit nodes to Skill Level 1
    .venv/bin/python -P tools/measure/play/levels.py slack 300,4,45=6 # fit the slack 200 points lower, with 6 lines

Games are played at fixed nodes, so the load of the machine does not matter. Each player has both colours in every
opening. docs/strength.md has the results.
"""

from __future__ import annotations

import argparse
import itertools
import math
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "build/tree")]

from standstill.cext.base.constants import BLACK
from standstill.engine.common.info import SCORE_CP, is_mate
from standstill.engine.common.limits import Limits
from standstill.engine.play.session import Session
from standstill.engine.play.strength import Handicap
from standstill.engine.settings.options import Settings
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.game_over import game_end
from standstill.engine.variants.notation import move_text, parse_move
from tools.measure.beside.client import Client, peer

LEVELS = tuple(range(700, 2501, 200))

HASH_MB = 1  # a search of few nodes needs only a small table, which is quickly cleared between games
OPENING_PLIES = 8
BALANCED_CP = 80
OPENING_NODES = 20_000
LONGEST_PLIES = 400  # a longer game is a draw
# Ratings of Stockfish's Skill Levels on the CCRL Blitz scale. They come from games of 120 s + 1 s against rated
# versions of Stash, played in January 2023, a month after version 15.1 (official-stockfish/Stockfish, pull request
# 4341).
ANCHORS = {0: 1320, 1: 1468, 2: 1608, 3: 1742, 4: 1923, 5: 2204, 6: 2363, 7: 2500}


Change = Callable[[float], Handicap]


class Player(Protocol):
    name: str

    def new_game(self, seed: int) -> None: ...

    def move(self, moves: list[str]) -> str: ...


class Ours:
    """Our engine at a level of UCI_Elo, with a raw handicap, or with a fixed number of nodes."""

    def __init__(self, *, elo: int | None = None, handicap: Handicap | None = None, nodes: int | None = None) -> None:
        settings = Settings()
        settings["Hash"] = HASH_MB
        if elo is not None:
            settings["UCI_LimitStrength"], settings["UCI_Elo"] = True, elo
        self.name = f"level {elo}" if elo is not None else str(handicap) if handicap else f"{nodes} nodes"
        self.session = Session(settings)
        self.session.running.handicap = handicap
        self._limits = Limits()
        self._limits.nodes = nodes

    def new_game(self, seed: int) -> None:
        self.session.new_game()
        self.session.running.random = random.Random(seed)

    def move(self, moves: list[str]) -> str:
        self.session.position(None, moves)
        move = self.session.search(self._limits)[0].move
        assert move is not None  # the game goes on, so there is a move
        return move


class Stockfish:
    """Stockfish at a Skill Level."""

    def __init__(self, level: int) -> None:
        self.name = f"Stockfish {level}"
        self.elo = ANCHORS[level]
        self.client = Client(peer("stockfish"))
        self.client.begin(Hash=HASH_MB, Skill_Level=level)
        # Stockfish takes a level's move from the iteration of depth level + 1, but later iterations still fill the
        # table for the next moves. Stopped at that depth, level 3 lost 200 points or more; with 10,000 nodes it was
        # as strong as with 50,000.
        self._nodes = 10_000 if level <= 3 else 20_000 * (level - 3)

    def new_game(self, seed: int) -> None:
        self.client.send("ucinewgame")
        self.client.ask("isready", "readyok")

    def move(self, moves: list[str]) -> str:
        self.client.send(f"position startpos moves {' '.join(moves)}")
        return self.client.ask(f"go nodes {self._nodes}", "bestmove")[-1].split()[1]


# ---- games ----


def openings(seed: int) -> Iterator[list[str]]:
    """Yield openings of random moves that our own search finds level, without end."""
    rng = random.Random(seed)
    session = Session()
    session.settings["Hash"] = HASH_MB
    limits = Limits()
    limits.nodes = OPENING_NODES
    while True:
        board = new_board()
        moves: list[str] = []
        while len(moves) < OPENING_PLIES and board.count_legal(1):
            move = rng.choice(board.legal_moves())
            moves.append(move_text(board, move))
            board.push(move)
        if game_end(board) is not None:
            continue
        session.new_game()
        session.position(None, moves)
        score = session.search(limits)[1].score
        if not is_mate(score) and abs(score) <= BALANCED_CP * SCORE_CP:
            yield moves


def play(opening: list[str], white: Player, black: Player, seed: int) -> float:
    """Play a game; return White's score."""
    board = new_board()
    moves = list(opening)
    for text in moves:
        board.push(parse_move(board, text))
    white.new_game(seed)
    black.new_game(seed + 1)
    while len(moves) < LONGEST_PLIES:
        end = game_end(board)
        if end is not None:
            return {"1-0": 1.0, "0-1": 0.0}.get(end[0], 0.5)
        mover = black if board.stm == BLACK else white
        moves.append(mover.move(moves))
        board.push(parse_move(board, moves[-1]))
    return 0.5


@dataclass
class Result:
    """The score of the first player against the second."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    def add(self, score: float) -> None:
        self.won += score == 1
        self.drawn += score == 0.5
        self.lost += score == 0

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float:
        return (self.won + self.drawn / 2) / self.games

    @property
    def elo(self) -> float:
        """Return the Elo difference by the logistic formula; a side without points gets half a point."""
        share = min(max(self.share, 0.5 / self.games), 1 - 0.5 / self.games)
        return -400 * math.log10(1 / share - 1)

    @property
    def error(self) -> float:
        """Return twice the standard error of ``elo``."""
        share = min(max(self.share, 0.5 / self.games), 1 - 0.5 / self.games)
        second = (self.won + self.drawn / 4) / self.games
        deviation = math.sqrt(max(second - self.share**2, 0.25 / self.games) / self.games)
        return 2 * deviation * 400 / math.log(10) / (share * (1 - share))

    def __str__(self) -> str:
        return f"{self.won:4} {self.drawn:4} {self.lost:4}  {self.share:6.1%}  {self.elo:+6.0f} +- {self.error:.0f}"


def match(first: Player, second: Player, games: int, seed: int = 1) -> Result:
    result = Result()
    book = openings(seed)
    for pair in range(games // 2):
        opening = next(book)
        result.add(play(opening, first, second, seed=2 * pair))
        result.add(1 - play(opening, second, first, seed=2 * pair + 1_000_000))
    return result


# ---- measurements ----


def ladder(games: int, levels: list[int]) -> None:
    for lower, upper in itertools.pairwise(levels):
        print(f"{upper} against {lower}: {match(Ours(elo=upper), Ours(elo=lower), games)}", flush=True)


def anchor(games: int, levels: list[int]) -> None:
    """Play each level against Stockfish's Skill Level with the nearest rating."""
    for elo in levels:
        peer = Stockfish(min(ANCHORS, key=lambda level: abs(ANCHORS[level] - elo)))
        result = match(Ours(elo=elo), peer, games)
        print(f"{elo} against {peer.name}, {peer.elo}: {result}  -> {peer.elo + result.elo:.0f}", flush=True)


def approach(ours: Ours, peer: Player, start: float, change: Change, target: float, games: int) -> float:
    """Return the x at which our engine scores ``target``; strength grows with x.

    change: returns the handicap for an x.

    Source: stochastic approximation (Robbins and Monro, 1951).
    """
    book = openings(int(start * 1000))
    x, kept = start, []
    for pair in range(games // 2):
        ours.session.running.handicap = change(x)
        opening = next(book)
        score = play(opening, ours, peer, 2 * pair) + 1 - play(opening, peer, ours, 2 * pair + 1)
        x += 4 / (pair + 4) ** 0.7 * (target - score / 2)
        if pair >= games // 4:
            kept.append(x)
    return sum(kept) / len(kept)


def fit_nodes(start: Handicap, level: int, games: int) -> None:
    """Find the nodes with which our engine scores half against a Skill Level of Stockfish."""
    peer = Stockfish(level)
    x = approach(
        Ours(handicap=start),
        peer,
        math.log2(start.nodes),
        lambda x: Handicap(max(1, round(2**x)), start.lines, start.slack_cp),
        0.5,
        games,
    )
    print(f"{peer.elo}: {2**x:.0f} nodes with {start.lines} lines, slack {start.slack_cp:g} cp", flush=True)


def fit_slack(upper: Handicap, lines: int, games: int) -> float:
    """Find the slack that, with this many lines, scores 200 Elo points below a handicap."""
    x = approach(
        Ours(handicap=upper),
        Ours(handicap=upper),
        -math.log2(2 * upper.slack_cp),
        lambda x: Handicap(upper.nodes, lines, 2**-x),
        1 / (1 + 10 ** (200 / 400)),
        games,
    )
    print(f"200 below {upper}: slack {2**-x:.0f} cp with {lines} lines", flush=True)
    return 2**-x


def read_handicap(text: str) -> Handicap:
    nodes, lines, slack = text.split(",")
    return Handicap(int(nodes), int(lines), float(slack))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("ladder", "anchor", "nodes", "slack"))
    parser.add_argument("fits", nargs="*", metavar="NODES,LINES,SLACK=N", help="where to start fitting, see above")
    parser.add_argument("--levels", type=int, nargs="+", default=list(LEVELS))
    parser.add_argument("--games", type=int, default=100)
    arguments = parser.parse_args()
    if arguments.what == "ladder":
        ladder(arguments.games, arguments.levels)
    elif arguments.what == "anchor":
        anchor(arguments.games, arguments.levels)
    for text in arguments.fits:
        start, _, number = text.partition("=")
        fit = fit_nodes if arguments.what == "nodes" else fit_slack
        fit(read_handicap(start), int(number), arguments.games)
    return 0


if __name__ == "__main__":
    sys.exit(main())
