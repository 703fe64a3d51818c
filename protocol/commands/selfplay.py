"""`standstill selfplay`: a short game of the engine against itself, to see that all works."""

import os
import random
import shutil
import signal
import sys

import click
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table

from engine import NAME, VERSION
from engine.config import load
from engine.info import score_pawns
from engine.limits import Limits
from engine.notation import diagram
from engine.selfplay import Game, Ply
from engine.session import Session

from ..painting import board_text

_PV_MOVES = 8
# Where every move is a line of its own, the board is shown now and then.
_BOARD_EVERY = 10


@click.command()
@click.option("--moves", type=click.IntRange(1, 500), default=100, show_default=True, help="Adjudge the game then.")
@click.option("--movetime", type=click.IntRange(1, 600_000), default=200, show_default=True, help="Ms for a move.")
@click.option("--seed", type=click.IntRange(0), help="Choose the opening; without it by chance.")
@click.option("--fen", help="Begin with this position instead of an opening.")
def command(moves: int, movetime: int, seed: int | None, fen: str | None) -> int:
    """Play a short game against itself and show it."""
    # The terminal has to be put in order when somebody interrupts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    settings, complaints = load()
    for text in complaints:
        print(f"standstill: {text}", file=sys.stderr)
    settings["Move Overhead"] = 0  # nobody else keeps the time
    session = Session(settings)
    session.on_notice(lambda text: print(f"standstill: {text}", file=sys.stderr))
    limits = Limits()
    limits.movetime_ms = movetime
    game = Game(session, limits, moves, fen)
    seed = random.randrange(10_000) if seed is None else seed
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"{NAME} {VERSION} plays itself, {movetime} ms a move" + (f", seed {seed}" if fen is None else ""))
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


def follow(game: Game, seed: int | None):
    if seed is not None:
        yield from game.opening(seed)
    yield from game.play()


def show_lines(game: Game, plies, console: Console) -> None:
    """For a pipe or a file: a line for each move, a board every ten moves."""
    for ply in plies:
        console.print(ply_text(ply))
        if ply.black and ply.number % _BOARD_EVERY == 0:
            console.print(f"\n{diagram(game.board)}\n")
    console.print(f"\n{diagram(game.board)}\n")


def show_live(game: Game, plies, console: Console) -> None:
    """On a terminal: one board that changes."""
    played: list[Ply] = []
    with Live(picture(game, played, console), console=console, refresh_per_second=8) as live:
        for ply in plies:
            played.append(ply)
            live.update(picture(game, played, console))


def ply_text(ply: Ply) -> str:
    move = f"{ply.number:3d}{'...' if ply.black else '.  '} {ply.san:<7}"
    if ply.line is None:
        return f"{move}   book"
    return f"{move} {score_pawns(ply.white_score):>6}  depth {ply.line.depth:<2} {' '.join(ply.pv[:_PV_MOVES])}"


def picture(game: Game, played: list[Ply], console: Console) -> Table:
    beside = Table.grid(padding=(0, 1))
    beside.add_column(style="dim")
    beside.add_column()
    thought = next((ply for ply in reversed(played) if ply.line is not None), None)
    if played:
        last = played[-1]
        beside.add_row("move", f"{last.number}{'...' if last.black else '.'} {last.san}")
    if thought is not None:
        beside.add_row("score", f"{score_pawns(thought.white_score)} for White" if thought.white_score else "even")
        beside.add_row("depth", f"{thought.line.depth}, {thought.line.nodes:,} nodes, {thought.line.nps:,} a second")
        beside.add_row("line", " ".join(thought.pv[:_PV_MOVES]))
    beside.add_row("goal", f"{game.goals.record} is the record since the last capture or pawn move")
    frame = Table.grid(padding=(0, 3))
    board = diagram(game.board)
    if console.color_system and not console.no_color:
        board = board_text(board, console)
    frame.add_row(board, Group("", beside))
    return frame


def show_end(game: Game, console: Console) -> None:
    goal = game.goal
    who = "Black" if goal.owner else "White"
    console.print(f"Position: {game.fen}")
    console.print(f"Result: {game.result} ({game.reason})")
    console.print(f"R-Mobility goal: {goal} (by {who}, after half-move {goal.ply} of {game.goals.ply})")
    path = executable()
    if path is not None:
        console.print("To play against it, add this file to your chess program as a UCI engine:")
        console.print(path)


def executable() -> str | None:
    """Absolute path of what a chess program has to start."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    for path in (sys.argv[0], os.path.join(root, "standstill"), shutil.which("standstill") or ""):
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return os.path.abspath(path)
    return None
