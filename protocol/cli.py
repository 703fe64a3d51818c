"""The command line: `standstill COMMAND`. Imported only when there are arguments."""

import importlib
import os
import signal
import sys

import click

from engine import NAME, VERSION
from engine.errors import StandstillError

from .painting import colours_wanted

# The order in which `--help` lists them: what one tries first comes first.
COMMANDS = (
    "selfplay",
    "annotate",
    "relevance",
    "tag",
    "standings",
    "match",
    "analyse",
    "bench",
    "perft",
    "mobility",
    "variants",
    "clock",
    "games",
)


class Commands(click.Group):
    """Imports a command when it is asked for, so that none pays for the others' imports."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        return importlib.import_module(f".commands.{name}", __package__).command


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name=NAME, message="%(prog)s %(version)s")
def group() -> None:
    """Chess engine. Without a command it speaks UCI on standard input and output, for a chess program to use."""


def run(argv: list[str]) -> int:
    """Exit status: 0 done, 1 a check failed, 2 bad input (said in one line on stderr), 130 interrupted."""
    # Long counts run without the interpreter: leave Ctrl-C to the system, or it would wait for their end.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        status = invoke(argv)
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        status = fail(error.format_message(), lines=True)
    except click.ClickException as error:
        return fail(error.format_message())
    except StandstillError as error:
        return fail(str(error))
    except (click.Abort, KeyboardInterrupt):
        return 130
    except BrokenPipeError:
        # Whoever read our output has gone, `| head` for one.
        forget_output()
        return 0
    except OSError as error:
        forget_output()
        return fail((f"{error.filename}: " if error.filename else "") + (error.strerror or str(error)))
    return status


def invoke(argv: list[str]) -> int:
    """What ``click.Command.main`` does, but it would turn a broken pipe into exit status 1."""
    try:
        with group.make_context("standstill", list(argv), color=colours_wanted()) as context:
            status = group.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    return status if isinstance(status, int) else 0


def forget_output() -> None:
    """What Python still holds must not be written, and fail again, at exit."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def fail(message: str, *, lines: bool = False) -> int:
    """lines: the message is a text with lines of its own, such as the help of a command."""
    print(message if lines else f"standstill: {' '.join(message.split())}", file=sys.stderr)
    return 2
