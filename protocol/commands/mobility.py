"""`standstill mobility`: legal moves, check and R-Mobility goal of positions."""

import json
import sys
from collections.abc import Callable, Iterator

import click

from engine.board import named_game, new_board
from engine.errors import StandstillError
from engine.notation import goal_text, set_epd, set_fen

from ..definitions import definitions


@click.command()
@click.option("--fen", help="One position.")
@click.option("--variant", default="chess", help="A game of `standstill variants list`.")
@definitions
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a position.")
@click.argument("file", required=False)
def command(fen: str | None, variant: str, as_json: bool, file: str | None) -> int:
    """For each position print the number of legal moves, `check` or `-`, and the goal: `7 - G7.5`.

    FILE holds one FEN or EPD a line (empty lines and lines beginning with # are skipped); - is standard input.
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
    return report_file(board, file, report)


def report_file(board, file: str, report: Callable[..., str]) -> int:
    """Exit status: 2 if any line could not be read; the others are answered all the same."""
    name = "<stdin>" if file == "-" else file
    status = 0
    for number, line in read_lines(file, name):
        text = line.decode("utf-8", "replace").strip("\ufeff \t\r\n")
        if not text or text.startswith("#"):
            continue
        try:
            set_epd(board, text)
        except StandstillError as error:
            sys.stdout.flush()
            print(f"{name}:{number}: {error}", file=sys.stderr)
            status = 2
        else:
            print(report(board))
    return status


def read_lines(file: str, name: str) -> Iterator[tuple[int, bytes]]:
    """Lines with their numbers; bytes, because there may be names in any encoding behind the positions."""
    try:
        with sys.stdin.buffer if file == "-" else open(file, "rb") as lines:
            yield from enumerate(lines, 1)
    except OSError as error:
        raise click.UsageError(f"cannot read {name}: {error.strerror}") from None


def report_text(board) -> str:
    return f"{board.count_legal()} {'check' if board.checkers else '-'} {goal_text(board.goal())}"


def report_json(board) -> str:
    goal = goal_text(board.goal())
    return json.dumps({"legal_moves": board.count_legal(), "check": board.checkers != 0, "goal": goal})
