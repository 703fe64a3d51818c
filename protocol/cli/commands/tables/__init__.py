"""`standstill tables` builds R-Mobility tablebases and answers from them."""

from __future__ import annotations

import importlib
import json
import os
import sys
import time

import click

from standstill.engine.common.errors import StandstillError, TablebaseError
from standstill.engine.common.goal import goal_text, parse_record
from standstill.engine.common.signals import unwind_on_signals
from standstill.engine.common.text import plural
from standstill.engine.settings.config import load, table_folders
from standstill.engine.tablebases import probing
from standstill.engine.tablebases.material import MOST_MEN, class_name, classes, needed
from standstill.engine.tablebases.store import SUPPLIED, TableStore
from standstill.engine.variants.notation import fen as fen_of
from standstill.engine.variants.notation import move_text, san

from ..options import cluster, jobs_option, scheduler_option
from ..renamed import Duration, Renamed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from standstill.engine.tablebases.probing import ProbedBoard

MEN = click.IntRange(2, MOST_MEN)


class Place:
    """The folders of the tables, and their variant. more: folders for classes that the first folder lacks."""

    def __init__(self, folder: str, whole_game: bool, more: Sequence[str] = ()):
        self.folder = folder
        self.whole_game = whole_game
        self.more = tuple(more)

    def open(self, *, alone: bool = False) -> TableStore:
        """The tables; each refused file is reported once. alone: only the tables of the first folder, which may be
        empty.

        Raises TablebaseError if there are no tables.
        """
        store = TableStore(self.folder, more=() if alone else self.more, whole_game=self.whole_game)
        for text in store.refused:
            print(f"standstill: {text}", file=sys.stderr)
        if not (alone or store.files or store.refused):
            raise TablebaseError(f"there are no tables in {self.folder}")
        return store


LATER = ("browse", "checksums", "export", "fetch", "solve")


class Subcommands(click.Group):
    """Imports some commands only when they are used, so that the others start without a web server or client."""

    def list_commands(self, context: click.Context) -> list[str]:
        return sorted([*super().list_commands(context), *LATER])

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in LATER:
            return super().get_command(context, name)
        command: click.Command = importlib.import_module(f".{name}", __package__).command
        return command


@click.group(cls=Subcommands)
@click.option(
    "--path",
    metavar="DIR",
    help="Folder of the tables; default: RMobilityTablePath in engine.ini, or `tables` here, and the three-man tables "
    "that come with the program.",
)
@click.option("--whole-game", is_flag=True, help="Use the tables in which records survive captures and pawn moves.")
@click.pass_context
def command(context: click.Context, path: str | None, whole_game: bool) -> None:
    """Build, fetch, check and query R-Mobility tablebases.

    The tables give the exact outcome of every position with up to five pieces, for every record.
    """
    if path is not None:
        context.obj = Place(path, whole_game)
        return
    settings, _ = load()
    first, *more = table_folders(settings) or ["tables"]
    context.obj = Place(first, whole_game, [*more, SUPPLIED])


@command.command()
@click.argument("names", metavar="[CLASS]...", nargs=-1)
@click.option("--men", type=MEN, help="Build all classes of up to this many pieces.")
@jobs_option("threads", 0, old="--threads")
@click.option("--memory", type=click.IntRange(1), metavar="MB", help="Maximum memory for solving.")
@click.option(
    "--keep-every",
    "keep_every_ms",
    type=Duration("s", least=0),
    default="2m",
    show_default=True,
    help="Interval at which unfinished work on a class is saved; longer if saving takes more than a tenth of it.",
)
@scheduler_option
@click.pass_obj
def build(  # noqa: PLR0917
    place: Place,
    names: tuple[str, ...],
    men: int | None,
    jobs: int,
    memory: int | None,
    keep_every_ms: int,
    scheduler: str | None,
) -> None:
    """Build the tables of classes such as KQvKR.

    The classes to which captures and promotions lead are built as well. Finished tables are kept, so an interrupted
    build continues where it stopped: within a large class at the last finished placement of the pawns, or at the last
    checkpoint of --keep-every. A terminal shows the progress within a class.

    A class for which --memory is too small is built in files beside the tables. The workers of a cluster need
    access to the same folder; each may use --memory.
    """
    if not names and men is None:
        raise click.UsageError("expected classes such as KQvKR, or --men N")
    from standstill.engine.tablebases import building  # imported here, because queries do not need threads

    from . import watching

    wanted = [class_name(name) for name in names] + (classes(men) if men else [])
    start = time.monotonic()

    built_any = False

    def report(built: building.Built) -> None:
        nonlocal built_any
        built_any = True
        display.clear()
        left = (time.monotonic() - start) * (1 - built.share) / built.share
        click.echo(
            f"{built.name}: {built.positions:,} positions in {built.seconds:.1f} s, "
            f"{built.evaluations / built.positions:.0f} steps each; {100 * built.share:.1f} % done, {left:.0f} s left"
        )

    if scheduler is not None:
        unwind_on_signals()  # so that an interruption stops the workers
    with cluster(scheduler, jobs) as (executor, count), watching.display() as display:
        building.build(
            *(place.open(alone=True), wanted),
            threads=count,
            memory_mb=memory,
            keep_every_s=keep_every_ms / 1000,
            executor=executor,
            report=report,
            watch=display.show,
            note=display.note,
        )
    if not built_any:
        click.echo(f"nothing to build: all classes are in {place.folder} (`standstill tables verify` tests them)")


@command.command()
@click.argument("names", metavar="[CLASS]...", nargs=-1)
@click.option("--every", type=click.IntRange(1), default=1, metavar="N", help="Check one position in N; default: all.")
@jobs_option("threads", 0, old="--threads")
@click.pass_obj
def verify(place: Place, names: tuple[str, ...], every: int, jobs: int) -> int:
    """Check the files, and every state in them against its moves.

    Files are checked block by block. A state is a position with a record. The value and plies of a state must be
    those of the best move; a better record must never be worth less; an outcome that beats a record must hold under
    all weaker records; and mirrored boards must have the same value.

    Exit status: 0 no faults, 1 there are faults.
    """
    store = place.open()
    corrupt = store.library.corrupt_blocks()
    click.echo(
        f"{len(store.files)} {plural(len(store.files), 'class', 'classes')},"
        f" {len(store.refused)} {plural(len(store.refused), 'file')} refused,"
        f" {corrupt} {plural(corrupt, 'block')} corrupt"
    )
    damaged = [name for name in store.files if corrupt and not store.is_sound(name)]
    for name in damaged:
        click.echo(f"{name}: damaged ({', '.join(file.path for file in store.files[name])})")
    wrong_ones = 0
    for name in [class_name(name) for name in names] or list(store.files):
        if missing := [other for other in needed(name) if other in damaged]:
            if name not in damaged:
                click.echo(
                    f"{name}: not tested, because {', '.join(missing)} {'is' if len(missing) == 1 else 'are'} damaged"
                )
            continue
        wrong, states, first = store.faults(name, every, jobs)
        where = "" if first is None else f", the first in position {first:,}"
        click.echo(f"{name}: {states:,} states, {wrong:,} wrong{where}")
        wrong_ones += wrong
    return 1 if corrupt or store.refused or wrong_ones else 0


@command.command("list")
@click.pass_obj
def list_(place: Place) -> None:
    """List the classes and the sizes of their files in bytes."""
    for name, files in place.open().files.items():
        sizes = " ".join(str(os.path.getsize(file.path)) for file in files)
        click.echo(f"{name} {sizes}")


@command.command()
@click.argument("names", metavar="[CLASS]...", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each class.")
@click.option("--pgn", "as_pgn", is_flag=True, help="Print the longest line for each outcome as a PGN game.")
@click.pass_obj
def stats(place: Place, names: tuple[str, ...], as_json: bool, as_pgn: bool) -> None:
    """Count the positions of a class by their outcome after a reset.

    For each outcome the command also prints the maximum number of plies. Symmetric positions count separately.
    """
    if as_json and as_pgn:
        raise click.UsageError("expected --pgn or --json, not both")
    store = place.open()
    chosen = [class_name(name) for name in names] or list(store.files)
    if as_pgn:
        from standstill.engine.tablebases.listing import longest_lines

        for name in chosen:
            for game in longest_lines(store, name):
                click.echo(game)
        return
    for name in chosen:
        counted = store.statistics(name)
        rows = {
            side: [
                (probing.Value(int(value), 0).text, counted[key][value][0], counted[key][value][1])
                for value in _best_first(counted[key])
            ]
            for key, side in (("0", "white"), ("1", "black"))
        }
        if as_json:
            click.echo(json.dumps({"class": name, "to_move": rows}))
            continue
        for key, (side, entries) in zip(("0", "1"), rows.items(), strict=True):
            total = sum(entry[0] for entry in counted[key].values())
            click.echo(f"{name}, {side} to move: {total:,} positions")
            for text, count, plies in entries:
                click.echo(f"  {text:>7} {count:>12,}  {plies:>4} {plural(plies, 'ply', 'plies')}")


def _best_first(counts: dict[str, list[int]]) -> list[str]:
    return sorted(counts, key=int, reverse=True)


record_option = click.option(
    "--record", metavar="GOAL", help="The record, such as -G8.5; default: the record of the position."
)


@command.command()
@click.argument("fen", required=False)
@record_option
@click.option(
    "--batch",
    "source",
    cls=Renamed,
    old="--json",
    metavar="FILE",
    help="Answer each line, `FEN` or `FEN ; RECORD`, with a JSON object; -: standard input.",
)
@click.pass_obj
def probe(place: Place, fen: str | None, record: str | None, source: str | None) -> int:
    """Print the outcome of a position and of each of its moves.

    The outcome is the final record, with the number of plies until it is reached.
    """
    if (fen is None) == (source is None):
        raise click.UsageError("expected a FEN or --batch FILE (- is standard input)")
    if source is not None and record is not None:
        raise click.UsageError("--record belongs to a single FEN: the lines of --batch have the form FEN ; RECORD")
    store = place.open()
    if source is not None:
        return probe_lines(store, source)
    assert fen is not None
    board, held = position(store, fen, record)
    value = probing.look_up(store, board, held)
    knows = probing.knows_plies(store, board)
    click.echo(f"{_in_plies(value) if knows else value.text}, record {goal_text(*held)}")
    entries = probing.move_values(store, board, held)
    for entry in sorted(entries, key=lambda entry: probing.rank(board.stm, held, entry.value)):
        click.echo(f"  {san(board, entry.move):<7} {entry.value.text:>7} {entry.value.plies if knows else '?':>4}")
    return 0


def _in_plies(value: probing.Value) -> str:
    return f"{value.text} in {value.plies} {plural(value.plies, 'ply', 'plies')}"


def probe_lines(store: TableStore, source: str) -> int:
    """Answer each line. Returns exit status 2 if any position could not be answered, else 0."""
    status = 0
    with click.open_file(source, encoding="utf-8-sig", errors="backslashreplace") as lines:
        for line in lines:
            if not line.strip():
                continue
            text, _, record = line.partition(";")
            try:
                board, held = position(store, text.strip(), record.strip() or None)
                answer = described(store, board, held)
            except StandstillError as error:
                answer = {"error": str(error)}
                status = 2
            print(json.dumps(answer), flush=True)
    return status


def described(store: TableStore, board: ProbedBoard, record: probing.Record) -> dict[str, object]:
    """A value for JSON. The field plies is null where the tables do not contain plies."""
    value = probing.look_up(store, board, record)
    knows = probing.knows_plies(store, board)
    moves = {
        move_text(board, entry.move): {"value": entry.value.text, "plies": entry.value.plies if knows else None}
        for entry in probing.move_values(store, board, record)
    }
    plies = value.plies if knows else None
    return {"record": goal_text(*record), "value": value.text, "plies": plies, "moves": moves}


def position(store: TableStore, fen: str, record: str | None) -> tuple[ProbedBoard, probing.Record]:
    """The board and the record in force: the given record, or the record in the FEN. Raises NotationError,
    TablebaseError."""
    board, given = probing.position_of(fen)
    if record is not None:
        owner, code = parse_record(record)
        given = code, owner
    probing.check_covered(store, board)
    return board, probing.record_of(board, given)


@command.command()
@click.argument("fen")
@record_option
@click.pass_obj
def line(place: Place, fen: str, record: str | None) -> None:
    """Print best play until the final record is on the board.

    Each line has a move, the goal after it and the position.
    """
    store = place.open()
    board, held = position(store, fen, record)
    moves = probing.line(store, board, held)
    click.echo(_in_plies(probing.look_up(store, board, held)))
    for move in moves:
        text = san(board, move)
        board.push(move)
        click.echo(f"{text:<7} {goal_text(board.goal(), 1 - board.stm):>7}  {fen_of(board)}")
