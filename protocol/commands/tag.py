"""`standstill tag`: write the R-Mobility results of games into their PGN."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from engine.board import named_game
from engine.errors import PgnError
from engine.notation import parse_goal
from engine.pgn.files import STANDARD, display_name, open_input, open_output
from engine.rmobility.archive import Rules
from engine.rmobility.goals import FIFTY_RULES
from engine.rmobility.scoring import SCHEMES, parse_komi
from engine.rmobility.tagging import TAGS, Summary, Wishes, tag_stream

from ..definitions import definitions
from .tag_report import progress_bar, show_summary


def tags_wanted(context: click.Context, parameter: click.Parameter, value: str) -> frozenset[str]:
    names = {name.strip() for name in value.split(",") if name.strip()}
    if "all" in names:
        return frozenset(TAGS)
    for name in sorted(names):
        if name not in TAGS:
            raise click.BadParameter(f"expected some of {', '.join(TAGS)} or all, found {name!a}")
    return frozenset(names)


def rule_options(function):
    """Options that say by which rules games are scored; shared by the commands that score."""
    options = (
        click.option(
            "--fifty", type=click.Choice(FIFTY_RULES), default="fide", show_default=True, help="The 50-move rule."
        ),
        click.option("--keep-trigger", is_flag=True, help="The 50-move rule's last position may set a record."),
        click.option("--wg-trigger", is_flag=True, help="That position sets no record of the whole game either."),
        click.option("--otb-limit", default="G3.5", show_default=True, help="Weakest goal noted down over the board."),
        click.option(
            "--result",
            "result_from",
            type=click.Choice(["tag", "board"]),
            default="tag",
            show_default=True,
            help="Believe the Result tag, or the final position alone.",
        ),
        click.option("--scheme", type=click.Choice(list(SCHEMES)), default="tcec", show_default=True, help="Points."),
        click.option("--komi", help="Full points for White with a goal below this one, such as G3.75."),
        click.option("--syzygy", metavar="DIR", help="Tables: cursed wins adjudicated as draws are wins."),
    )
    for option in reversed(options):
        function = option(function)
    return function


def rules_from(chosen: dict) -> Rules:
    """The rules that ``rule_options`` were given. Raises NotationError."""
    return Rules(
        fifty=chosen["fifty"],
        keep_trigger=chosen["keep_trigger"],
        wg_trigger=chosen["wg_trigger"],
        otb_limit=parse_goal(chosen["otb_limit"])[1],
        board_only=chosen["result_from"] == "board",
    )


@click.command()
@click.argument("inputs", metavar="IN...", nargs=-1, required=True)
@click.option("-o", "--output", default=STANDARD, metavar="OUT", help="File or folder to write; else standard output.")
@click.option("--tags", callback=tags_wanted, default="", help=f"More tags: some of {','.join(TAGS)}, or all.")
@click.option("--comments", is_flag=True, help="A comment [%rm G3.5] at each move that sets a record.")
@click.option("--sheet", metavar="FILE", help="Write the over-the-board score sheets there.")
@click.option("--variant", default="", help="The game, of `standstill variants list`; else what the Variant tag says.")
@definitions
@click.option("--jobs", type=click.IntRange(0, 512), default=1, show_default=True, help="Processes; 0 is one a core.")
@click.option("--json", "as_json", is_flag=True, help="The summary as JSON, on standard output if OUT is a file.")
@click.option("--quiet", is_flag=True, help="No summary and no progress bar.")
@rule_options
def command(  # noqa: PLR0917
    inputs: tuple[str, ...],
    output: str,
    tags: frozenset[str],
    comments: bool,
    sheet: str | None,
    variant: str,
    jobs: int,
    as_json: bool,
    quiet: bool,
    **chosen,
) -> int:
    """Copy games and write their R-Mobility results into them.

    IN are files of games, plain or .gz, .bz2, .zst; - is standard input. Games that cannot be read are copied as they
    are and named on standard error. If OUT is a folder, or ends with /, each file goes there under its own name.

    Exit status: 0 all games were read, 1 some could not be read, 2 a file could not be read or written.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)  # temporary files have to be removed
    wishes = Wishes(
        rules=rules_from(chosen),
        tags=tags,
        comments=comments,
        sheets=sheet is not None,
        scheme=chosen["scheme"],
        komi=parse_komi(chosen["komi"]) if chosen["komi"] else None,
        syzygy=chosen["syzygy"],
        variant=variant,
    )
    if variant:
        named_game(variant)  # an unknown one is said now, not of every game
    if wishes.syzygy is not None:
        from engine.pgn.tables import Tables

        Tables(wishes.syzygy)  # an empty folder is said now, not by every process
    with processes(jobs) as (executor, count):
        run = Run(wishes, executor, count, quiet)
        with contextlib.ExitStack() as stack:
            sheets = stack.enter_context(open_output(sheet)) if sheet else None
            run.bar = stack.enter_context(progress_bar(inputs, quiet))
            run.all(inputs, output, sheets)
    if not quiet:
        if as_json:
            print(json.dumps(run.summary.as_json()), file=sys.stdout if output != STANDARD else sys.stderr)
        else:
            show_summary(run.summary)
    if run.failed_files:
        return 2
    return 1 if run.summary.damaged else 0


class Run:
    """One call of the command."""

    def __init__(self, wishes: Wishes, executor, jobs: int, quiet: bool):
        self.wishes = wishes
        self.executor = executor
        self.jobs = jobs
        self.quiet = quiet
        self.summary = Summary()
        self.failed_files = 0
        self.bar = None

    def all(self, inputs: tuple[str, ...], output: str, sheets) -> None:
        if output == STANDARD or not (Path(output).is_dir() or output.endswith(os.sep)):
            with open_output(output) as out:
                for path in inputs:
                    self.one(path, out, sheets)
            return
        folder = Path(output)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise PgnError(f"cannot make the folder {output!a}: {error.strerror}") from None
        names = [Path(path).name if path != STANDARD else "stdin.pgn" for path in inputs]
        for path, name in zip(inputs, names, strict=True):
            if names.count(name) > 1:
                raise click.UsageError(f"two files of the name {name!a} cannot go into one folder")
            # Opened before the output is, or a missing input would leave an empty file.
            with self.reported(), open_input(path) as stream, open_output(folder / name) as out:
                self.copy(path, stream, out, sheets)

    def one(self, path: str, out, sheets) -> None:
        with self.reported(), open_input(path) as stream:
            self.copy(path, stream, out, sheets)

    def copy(self, path: str, stream, out, sheets) -> None:
        last = b"\n"
        name = display_name(path)
        try:
            for piece in tag_stream(stream, self.wishes, self.executor, self.jobs):
                out.write(piece.text)
                last = piece.text[-1:]
                self.summary.add(piece.summary)
                if sheets is not None:
                    sheets.write(piece.sheets.encode())
                for complaint in piece.complaints:
                    where = f", ply {complaint.ply}" if complaint.ply else ""
                    self.say(f"{name}: game {complaint.number}{where}: {complaint.reason}")
                self.bar.advance(len(piece.text), piece.summary.games)
        finally:
            if last != b"\n":
                out.write(b"\n")  # the next file may follow

    @contextlib.contextmanager
    def reported(self) -> Iterator[None]:
        """A file that cannot be read is named, and the others go on; one that cannot be written ends all."""
        try:
            yield
        except PgnError as error:
            if str(error).startswith("cannot write"):
                raise
            self.failed_files += 1
            self.say(str(error))

    def say(self, text: str) -> None:
        self.bar.print(f"standstill: {text}")


@contextlib.contextmanager
def processes(jobs: int) -> Iterator[tuple[object | None, int]]:
    """An executor and its size, None for a single process."""
    jobs = jobs or len(os.sched_getaffinity(0))
    if jobs == 1:
        yield None, 1
        return
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # Forked while there is but one thread; the launcher cannot be imported, as other ways of starting would.
    context = multiprocessing.get_context("fork")
    executor = ProcessPoolExecutor(jobs, context, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN))
    try:
        executor.submit(int).result()
        yield executor, jobs
    finally:
        executor.shutdown(cancel_futures=True)
