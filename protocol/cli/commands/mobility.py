"""`standstill mobility` prints legal moves, check and R-Mobility goal of positions."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator

import click

from standstill.engine.common.errors import StandstillError
from standstill.engine.common.goal import goal_text
from standstill.engine.variants.boards import named_game, new_board
from standstill.engine.variants.notation import set_epd, set_fen

from ..output import flush_output
from .options import game_options, json_option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from standstill.engine.variants.notation import Board


@click.command()
@click.option("--fen", help="Position to count.")
@game_options()
@json_option("Print one JSON object for each position.")
@click.argument("file", required=False)
def command(fen: str | None, variant: str, as_json: bool, file: str | None) -> int:
    """Print the number of legal moves and the goal of positions.

    Each line shows the number of legal moves, `check` or `-`, and the goal: `7 - G7.5`. FILE has a FEN or EPD on
    each line; empty lines and lines that begin with # are skipped. - is standard input.
    """
    if (fen is None) == (file is None):
        raise click.UsageError("expected --fen or one FILE (- is standard input)")
    if file == "-" and sys.stdin is None:
        raise click.UsageError("standard input is closed")
    board = new_board(game=named_game(variant))
    report = report_json if as_json else report_text
    if fen is not None:
        set_fen(board, fen)
        click.echo(report(board))
        return 0
    assert file is not None
    return report_file(board, file, report)


def report_file(board: Board, file: str, report: Callable[..., str]) -> int:
    """Report on each line. Returns exit status 2 if any line could not be read, else 0."""
    name = "<stdin>" if file == "-" else file
    status = 0
    for number, line in read_lines(file, name):
        text = line.decode("utf-8", "replace").strip("\ufeff \t\r\n")
        if not text or text.startswith("#"):
            continue
        try:
            set_epd(board, text)
        except StandstillError as error:
            flush_output()
            print(f"{name}:{number}: {error}", file=sys.stderr)
            status = 2
        else:
            print(report(board))
    return status


def read_lines(file: str, name: str) -> Iterator[tuple[int, bytes]]:
    """Lines with their numbers; bytes, because a position may be followed by names in any encoding."""
    try:
        with sys.stdin.buffer if file == "-" else open(file, "rb") as lines:
            yield from enumerate(lines, 1)
    except OSError as error:
        raise click.UsageError(f"cannot read {name}: {error.strerror}") from None


def report_text(board: Board) -> str:
    return f"{board.count_legal()} {'check' if board.checkers else '-'} {goal_text(board.goal()) or '-'}"


def report_json(board: Board) -> str:
    goal = goal_text(board.goal()) or None
    return json.dumps({"legal_moves": board.count_legal(), "check": board.checkers != 0, "goal": goal})
