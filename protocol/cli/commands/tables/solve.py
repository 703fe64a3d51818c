"""`standstill tables solve`: bounds for the outcome of a position that no table contains."""

from __future__ import annotations

import json
from textwrap import fill

import click

from standstill.cext.base.constants import BLACK, WHITE
from standstill.engine.archive.syzygy import Tables
from standstill.engine.common.goal import goal_text, parse_record
from standstill.engine.common.signals import unwind_on_signals
from standstill.engine.common.text import plural
from standstill.engine.tablebases import forward, probing
from standstill.engine.variants.notation import move_text, san

from ..renamed import Duration
from . import Place, record_option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from standstill.engine.tablebases.probing import ProbedBoard

MATED, MATES = (0, BLACK), (0, WHITE)  # the worst and the best outcome for White


@click.command()
@click.argument("fen")
@record_option
@click.option("--time", "ms", type=Duration("s", least=1), default="60s", show_default=True, help="Maximum time.")
@click.option(
    "--memory", type=click.IntRange(1), default=1000, show_default=True, metavar="MB", help="Maximum memory, roughly."
)
@click.option(
    "--syzygy",
    multiple=True,
    type=click.Path(exists=True, file_okay=False),
    metavar="DIR",
    help="Folder of Syzygy tables, which prove mates and their absence; may be repeated.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_obj
def command(  # noqa: PLR0917
    place: Place, fen: str, record: str | None, ms: int, memory: int, syzygy: tuple[str, ...], as_json: bool
) -> int:
    """Prove the outcome of any position, or bounds for it.

    The number of pieces does not matter. The command explores the positions that can arise until it meets mates,
    stalemates and the tables. All that the command prints is proven, except that the command ignores the 50-move
    rule, as tables do. It prints the outcome of the position and of each of its moves; if an outcome is not proven,
    it prints the least and the most that White can get.

    Exit status: 0 the outcome is proven, 1 the outcome is not proven, 2 bad input.
    """
    unwind_on_signals()
    store = place.open()
    board, given = probing.position_of(fen)
    if record is not None:
        owner, code = parse_record(record)
        given = code, owner
    mating_side = Tables(*syzygy).mating_side if syzygy else None
    found = forward.solve(store, board, given, seconds=ms / 1000, memory_mb=memory, mating_side=mating_side)
    if as_json:
        _print_json(board, found)
    else:
        _print(board, found, given)
    return 0 if found.bounds.is_proven else 1


def _texts(bounds: forward.Bounds) -> tuple[str, str]:
    return goal_text(*bounds.low), goal_text(*bounds.high)


def _print_json(board: ProbedBoard, found: forward.Solved) -> None:
    def fields(bounds: forward.Bounds) -> dict[str, object]:
        low, high = _texts(bounds)
        return {"proven": bounds.is_proven, "least": low, "most": high}

    moves = {move_text(board, move): fields(bounds) for move, bounds in found.moves}
    spent = {"positions": found.states, "seconds": round(found.seconds, 3)}
    click.echo(json.dumps(fields(found.bounds) | spent | {"moves": moves}))


def _print(board: ProbedBoard, found: forward.Solved, given: probing.Record | None) -> None:
    held = goal_text(*probing.record_of(board, given))
    if found.bounds.is_proven:
        click.echo(f"proven: {_texts(found.bounds)[0]}, record {held}")
    else:
        click.echo(f"not proven: {_limits(found.bounds) or 'no bound found'}, record {held}")
    unknown = []
    for move, bounds in found.moves:
        low, high = _texts(bounds)
        if bounds.is_proven:
            click.echo(f"  {san(board, move):<7} {low}")
        elif _limits(bounds):
            click.echo(f"  {san(board, move):<7} {low} to {high}")
        else:
            unknown.append(san(board, move))
    if unknown:
        text = f"no bound found for {len(unknown)} {plural(len(unknown), 'move')}: {', '.join(unknown)}"
        click.echo(fill(text, 79, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False))
    states = f"{found.states:,} {plural(found.states, 'position')}"
    click.echo(f"{states} with records in {found.seconds:.1f} s")
    if not found.bounds.is_proven:
        click.echo("for an estimate: standstill analyse FEN --mode Decisive")


def _limits(bounds: forward.Bounds) -> str:
    """Return the bounds in words, without trivial bounds: that a side is mated at worst."""
    low, high = _texts(bounds)
    parts = [f"at least {low}"] * (bounds.low != MATED) + [f"at most {high}"] * (bounds.high != MATES)
    return f"{' and '.join(parts)} for White" if parts else ""
