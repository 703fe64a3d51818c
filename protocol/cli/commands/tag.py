"""`standstill tag` writes the R-Mobility results of games into their PGN."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from concurrent.futures import Executor
from io import BufferedIOBase
from pathlib import Path
from typing import BinaryIO, TypedDict, Unpack

import click

from standstill.engine.archive.piecework import SharedFile, tag_stream
from standstill.engine.archive.scoring_rules import ScoringRules
from standstill.engine.archive.streams import STANDARD, check_apart, display_name, is_converted, open_input, open_output
from standstill.engine.archive.tagging import TAGS, Summary, Wishes
from standstill.engine.common.errors import PgnError, PgnOutputError
from standstill.engine.common.goal import parse_weakest
from standstill.engine.common.signals import awaited, deferred, unwind_on_signals
from standstill.engine.common.text import shown
from standstill.engine.rmobility.goals import FIFTY_RULES
from standstill.engine.rmobility.scoring import SCHEMES, Terms, parse_komi
from standstill.engine.system.processes import begin_worker, workers
from standstill.engine.variants.boards import named_game

from .messages import converted, in_game
from .options import (
    TABLES_HELP,
    Function,
    cluster,
    jobs_option,
    json_option,
    listed,
    partial_option,
    read_besides,
    scheduler_option,
    tagged_game_options,
)
from .tag_report import Quiet, progress_bar, show_summary


def tags_wanted(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> frozenset[str]:
    names = {name for value in values for name in listed(value)}
    if "all" in names:
        return frozenset(TAGS)
    for name in sorted(names):
        if name not in TAGS:
            raise click.BadParameter(f"expected some of {', '.join(TAGS)} or all, found {name!a}")
    return frozenset(names)


class RuleOptions(TypedDict):
    """Values of the options that ``rule_options`` adds to a command."""

    fifty: str
    keep_trigger: bool
    wg_trigger: bool
    otb_limit: str
    result_from: str
    scheme: str
    komi: str | None
    cut_off: str | None
    dead_outcome: bool
    syzygy: tuple[str, ...]
    tables: tuple[str, ...]


def rule_options(function: Function) -> Function:
    """Add the options for the rules of scoring to a command."""
    options = (
        click.option(
            "--fifty", type=click.Choice(FIFTY_RULES), default="fide", show_default=True, help="The 50-move rule."
        ),
        click.option(
            "--keep-trigger", is_flag=True, help="The position that triggers the 50-move rule may set a record."
        ),
        click.option(
            "--wg-trigger", is_flag=True, help="Also keep this position from setting a record in the whole-game form."
        ),
        click.option(
            "--otb-limit", default="G3.5", show_default=True, help="Weakest goal that players record over the board."
        ),
        click.option(
            "--result",
            "result_from",
            type=click.Choice(["tag", "board"]),
            default="tag",
            show_default=True,
            help="Score by the Result tag or by the final position alone.",
        ),
        click.option(
            "--scheme",
            type=click.Choice(list(SCHEMES)),
            default="tcec",
            show_default=True,
            help="Points scheme.",
        ),
        click.option("--komi", help="Komi such as G3.75: White wins with a lower goal, and Black wins otherwise."),
        click.option("--cut-off", metavar="G", help="This goal, such as G6.0, and all weaker ones are plain draws."),
        click.option(
            "--dead-outcome",
            is_flag=True,
            help="Score games ended by insufficient material by the outcome of best play, if tables contain it.",
        ),
        click.option(
            "--tables",
            multiple=True,
            metavar="DIR",
            help=f"{TABLES_HELP} Adjudicated games are scored by the outcome of best play.",
        ),
        click.option(
            "--syzygy",
            multiple=True,
            metavar="DIR",
            help="Folder of Syzygy tables; may be given more than once. "
            "Cursed wins that were adjudicated as draws count as wins.",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


def rules_from(chosen: RuleOptions) -> ScoringRules:
    """The rules that the options of ``rule_options`` specify. Raises NotationError."""
    return ScoringRules(
        fifty=chosen["fifty"],
        keep_trigger=chosen["keep_trigger"],
        wg_trigger=chosen["wg_trigger"],
        otb_limit=parse_weakest(chosen["otb_limit"]),
        board_only=chosen["result_from"] == "board",
        dead_outcome=chosen["dead_outcome"],
    )


def terms_from(komi: str | None, cut_off: str | None) -> Terms:
    """The terms that the options of ``rule_options`` specify. Raises NotationError."""
    return Terms(parse_komi(komi) if komi else None, parse_weakest(cut_off) if cut_off else None)


@click.command()
@click.argument("inputs", metavar="IN...", nargs=-1, required=True)
@click.option(
    "-o", "--output", default=STANDARD, metavar="OUT", help="File or folder to write; default: standard output."
)
@click.option(
    "--tags", callback=tags_wanted, multiple=True, help=f"Additional tags to write, from {','.join(TAGS)}, or all."
)
@click.option("--comments", is_flag=True, help="Write a comment [%rm G3.5] after each move that sets a record.")
@click.option("--sheet", metavar="FILE", help="Write over-the-board score sheets to this file.")
@partial_option
@tagged_game_options
@jobs_option("processes")
@scheduler_option
@json_option("Print the summary as JSON, on standard output if OUT is a file.")
@click.option("--quiet", is_flag=True, help="Print no summary and no progress bar.")
@rule_options
def command(  # noqa: PLR0917
    inputs: tuple[str, ...],
    output: str,
    tags: frozenset[str],
    comments: bool,
    sheet: str | None,
    partial: bool,
    variant: str,
    jobs: int,
    scheduler: str | None,
    as_json: bool,
    quiet: bool,
    **chosen: Unpack[RuleOptions],
) -> int:
    """Write the R-Mobility results of games into their PGN.

    IN are PGN files, plain or compressed (.gz, .bz2, .zst, .xz); - is standard input. Games that cannot be read are
    copied unchanged and named on standard error. If OUT is a folder or ends with /, each file goes there under its
    own name. A file is written or replaced only after all of its input has been read.

    Exit status: 0 all games were read, 1 some games could not be read, 2 a file could not be read or written.
    """
    unwind_on_signals()  # so that an interruption removes temporary files
    for option in ("komi", "cut_off"):
        if chosen[option] and "points" not in tags:
            raise click.UsageError(f"expected --tags points with --{option.replace('_', '-')}")
    wishes = Wishes(
        rules=rules_from(chosen),
        tags=tags,
        comments=comments,
        sheets=sheet is not None,
        scheme=chosen["scheme"],
        terms=terms_from(chosen["komi"], chosen["cut_off"]),
        syzygy=chosen["syzygy"],
        tables=chosen["tables"],
        variant=variant,
    )
    if variant:
        named_game(variant)  # so that an unknown scheme is reported once, not for every game
    check_tables(wishes)
    targets = targets_of(inputs, output)
    check_files(inputs, targets, sheet, read_besides(*wishes.syzygy, *wishes.tables))
    with processes(jobs, scheduler) as (executor, count):
        run = Run(wishes, executor, count, quiet, partial)
        with contextlib.ExitStack() as stack:
            sheets = stack.enter_context(open_output(sheet)) if sheet else None
            run.bar = stack.enter_context(progress_bar(inputs, quiet))
            run.all(inputs, targets, sheets)
            if sheet:
                run.check_complete(sheet)
    # other parts of the command have already reported the errors
    nothing_read = run.failed_files and not run.summary.games
    if not quiet and not nothing_read:
        if as_json:
            print(json.dumps(run.summary.as_json()), file=sys.stdout if output != STANDARD else sys.stderr)
        else:
            show_summary(run.summary)
    if run.failed_files:
        return 2
    return 1 if run.summary.damaged else 0


def check_tables(wishes: Wishes) -> None:
    """Raise TablebaseError for an empty folder here, once, rather than in every process."""
    if wishes.syzygy:
        from standstill.engine.archive.syzygy import Tables

        Tables(*wishes.syzygy)
    if wishes.tables:
        from standstill.engine.tablebases.adjudication import Adjudicator

        Adjudicator(wishes.tables)


def targets_of(inputs: tuple[str, ...], output: str) -> list[str]:
    """The file to write, or one for each input if the output is a folder, which is created if it is missing."""
    if output == STANDARD or not (os.path.isdir(output) or output.endswith((os.sep, os.altsep or os.sep))):
        return [output]
    names = [Path(path).name if path != STANDARD else "stdin.pgn" for path in inputs]
    for name in names:
        if names.count(name) > 1:
            raise click.UsageError(f"two input files named {name!a} cannot go into one folder")
    try:
        Path(output).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PgnOutputError(f"cannot create the folder {output!a}: {error.strerror}") from None
    return [str(Path(output, name)) for name in names]


def check_files(inputs: tuple[str, ...], targets: list[str], sheet: str | None, besides: list[str]) -> None:
    """Raise PgnError if an output would replace a file that has not been read: games may only replace their own file.

    besides: other files that the command reads.
    """
    if sheet == STANDARD == targets[0]:
        raise click.UsageError("-o and --sheet cannot both be standard output")
    check_apart((*inputs, *besides), {"--sheet": sheet})
    check_apart((), {f"the output {shown(target)}": target for target in targets})
    for at, target in enumerate(targets):
        own = inputs[at] if len(targets) == len(inputs) else None
        others = [path for path in inputs if path != own]
        check_apart((*others, *besides), {"-o": target, "--sheet": sheet})


class Run:
    """One call of the command."""

    def __init__(self, wishes: Wishes, executor: Executor | None, jobs: int, quiet: bool, partial: bool):
        self.wishes = wishes
        self.executor = executor
        self.jobs = jobs
        self.quiet = quiet
        self.partial = partial
        self.summary = Summary()
        self.failed_files = 0
        self.bar = Quiet()
        self.last = b""  # the last byte written

    def all(self, inputs: tuple[str, ...], targets: list[str], sheets: BinaryIO | None) -> None:
        """Tag all inputs into one target, or each input into its own target."""
        if len(targets) == 1:
            with open_output(targets[0]) as out:
                self.last = b""
                for path in inputs:
                    with self.reported(targets[0]), open_input(path) as stream:
                        self.copy(path, stream, out, sheets)
            return
        for path, target in zip(inputs, targets, strict=True):
            # The input is opened before the output, so that a missing input does not leave an empty file.
            with self.reported(), open_input(path) as stream, open_output(target) as out:
                self.last = b""
                try:
                    self.copy(path, stream, out, sheets)
                except PgnOutputError:
                    raise
                except PgnError as error:
                    if not self.partial:
                        raise
                    self.fail(error)

    def copy(self, path: str, stream: BufferedIOBase, out: BinaryIO, sheets: BinaryIO | None) -> None:
        joint = b"" if self.last in b"\r\n" else b"\n"  # the previous file may lack a final newline
        if is_converted(stream):
            self.say(converted(path))
        file = SharedFile.at(path) if self.executor is not None else None
        for piece in tag_stream(stream, self.wishes, self.executor, self.jobs, name=display_name(path), file=file):
            out.write(joint + piece.text if joint else piece.text)
            joint = b""
            self.last = piece.text[-1:]
            self.summary.add(piece.summary)
            if sheets is not None:
                sheets.write(piece.sheets.encode())
            for complaint in piece.complaints:
                self.say(f"{in_game(path, complaint.number, complaint.ply)}: {complaint.reason}")
            self.bar.advance(piece.read, piece.summary.games)

    def check_complete(self, target: str) -> None:
        """Raise PgnError, so that nothing is replaced, if some input could not be read and --partial is not given."""
        if self.failed_files and not self.partial and target != STANDARD:
            raise PgnError(f"nothing is written to {shown(target)}: not all of the input was read (see --partial)")

    def fail(self, error: PgnError) -> None:
        self.failed_files += 1
        self.say(str(error))

    @contextlib.contextmanager
    def reported(self, target: str = STANDARD) -> Iterator[None]:
        """Report a file that cannot be read. The other files are tagged unless they share its target.

        A file that cannot be written ends the command.
        """
        try:
            yield
        except PgnOutputError:
            raise
        except PgnError as error:
            if target != STANDARD and not self.partial:
                raise PgnError(f"{error}; nothing is written to {shown(target)} (see --partial)") from None
            self.fail(error)

    def say(self, text: str) -> None:
        self.bar.print(f"standstill: {text}")


@contextlib.contextmanager
def processes(jobs: int, scheduler: str | None = None) -> Iterator[tuple[Executor | None, int]]:
    """The executor and its number of processes; None and 1 for a single process."""
    if scheduler is not None:
        with cluster(scheduler, jobs) as found:
            yield found
        return
    if jobs == 1:
        yield None, 1
        return
    from concurrent.futures import ProcessPoolExecutor

    # The workers start while this process has only one thread, because forking a process with several threads is
    # unsafe.
    executor = ProcessPoolExecutor(jobs, workers(), initializer=begin_worker)
    try:
        with deferred():  # otherwise a signal during a start would leave the worker waiting for ever
            started = executor.submit(int)
        awaited(started)
        yield executor, jobs
    finally:
        executor.shutdown(cancel_futures=True)
