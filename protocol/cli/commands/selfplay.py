"""`standstill selfplay` plays a short game of the engine against itself, to show that the installation works."""

from __future__ import annotations

import os
import random
import shutil
import sys
from collections.abc import Iterator

import click
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from standstill.engine import NAME, VERSION
from standstill.engine.common.info import score_pawns
from standstill.engine.common.limits import Limits
from standstill.engine.common.signals import unwind_on_signals
from standstill.engine.play.selfplay import SelfplayGame, SelfplayPly
from standstill.engine.variants.boards import named_game
from standstill.engine.variants.notation import diagram

from ..painting import board_text
from .options import game_options
from .renamed import Duration, Renamed
from .sessions import begin

_PV_MOVES = 8
# Moves between two boards in output that has a line for each move.
_BOARD_EVERY = 10


@click.command()
@click.option(
    "--moves",
    type=click.IntRange(1, 500),
    default=100,
    show_default=True,
    help="Adjudicate the game after this many moves.",
)
@click.option(
    "--time",
    "time_ms",
    cls=Renamed,
    old="--movetime",
    unit="ms",
    type=Duration("ms", most=600_000),
    default="200ms",
    show_default=True,
    help="Time for each move: 200ms, 5s.",
)
@click.option("--seed", type=click.IntRange(0), help="Seed of the opening; default: a random one.")
@click.option("--fen", help="Start from this position instead of an opening.")
@game_options()
def command(moves: int, time_ms: int, seed: int | None, fen: str | None, variant: str) -> int:
    """Play a short game of the engine against itself."""
    # so that an interruption restores the terminal
    unwind_on_signals()
    session = begin({"Move Overhead": 0})  # no client's clock runs
    session.play_game(named_game(variant))
    limits = Limits()
    limits.movetime_ms = time_ms
    game = SelfplayGame(session, limits, moves, fen)
    seed = random.randrange(10_000) if seed is None else seed
    console = Console(highlight=False, soft_wrap=True)
    what = "" if variant == "chess" else f" in {variant}"
    opening = f", seed {seed}" if fen is None else ""
    console.print(f"{NAME} {VERSION} plays itself{what}, {time_ms} ms a move{opening}")
    plies = follow(game, None if fen else seed)
    try:
        if console.is_terminal and not console.is_dumb_terminal:
            show_live(game, plies, console)
        else:
            show_lines(game, plies, console)
    except KeyboardInterrupt:
        session.close(1.0)
        console.print("interrupted")
        return 130
    show_end(game, console)
    return 0


def follow(game: SelfplayGame, seed: int | None) -> Iterator[SelfplayPly]:
    if seed is not None:
        yield from game.opening(seed)
    yield from game.play()


def show_lines(game: SelfplayGame, plies: Iterator[SelfplayPly], console: Console) -> None:
    """Print a line for each move and a board every ten moves, for a pipe or a file."""
    for ply in plies:
        console.print(ply_text(ply))
        if ply.black and ply.number % _BOARD_EVERY == 0:
            console.print(f"\n{diagram(game.board)}\n")
    console.print(f"\n{diagram(game.board)}\n")


def show_live(game: SelfplayGame, plies: Iterator[SelfplayPly], console: Console) -> None:
    """Show one board that changes with each move, on a terminal."""
    played: list[SelfplayPly] = []
    with Live(picture(game, played, console), console=console, refresh_per_second=8) as live:
        for ply in plies:
            played.append(ply)
            live.update(picture(game, played, console))


def ply_text(ply: SelfplayPly) -> str:
    move = f"{ply.number:3d}{'...' if ply.black else '.  '} {ply.san:<7}"
    if ply.line is None or ply.white_score is None:
        return f"{move}   book"
    return f"{move} {score_pawns(ply.white_score):>6}  depth {ply.line.depth:<2} {' '.join(ply.pv[:_PV_MOVES])}"


def picture(game: SelfplayGame, played: list[SelfplayPly], console: Console) -> Table:
    beside = Table.grid(padding=(0, 1))
    beside.add_column(style="dim")
    beside.add_column()
    thought = next((ply for ply in reversed(played) if ply.line is not None), None)
    if played:
        last = played[-1]
        beside.add_row("move", f"{last.number}{'...' if last.black else '.'} {last.san}")
    if thought is not None and thought.line is not None:
        beside.add_row("score", f"{score_pawns(thought.white_score)} for White" if thought.white_score else "even")
        beside.add_row("depth", f"{thought.line.depth}, {thought.line.nodes:,} nodes, {thought.line.nps:,} a second")
        beside.add_row("line", " ".join(thought.pv[:_PV_MOVES]))
    beside.add_row("record", f"{game.goals.record}, the lowest goal since the last capture or pawn move")
    frame = Table.grid(padding=(0, 3))
    board: str | Text = diagram(game.board)
    if console.color_system and not console.no_color:
        board = board_text(diagram(game.board), console)
    frame.add_row(board, Group("", beside))
    return frame


def show_end(game: SelfplayGame, console: Console) -> None:
    goal = game.goal
    who = "Black" if goal.owner else "White"
    console.print(f"Position: {game.fen}")
    console.print(f"Result: {game.result} ({game.reason})")
    console.print(f"R-Mobility result: {goal} (by {who}, after half-move {goal.ply} of {game.goals.ply})")
    path = executable()
    if path is not None:
        console.print("To play against the engine, add this file to your chess GUI as a UCI engine:")
        console.print(path)


def executable() -> str | None:
    """Absolute path of the executable that a GUI has to start."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    for path in (sys.argv[0], os.path.join(root, "standstill"), shutil.which("standstill") or ""):
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return os.path.abspath(path)
    return None
