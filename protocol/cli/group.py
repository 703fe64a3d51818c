"""The command line, `standstill COMMAND`. It is imported only if there are arguments."""

import gc
import importlib
import signal
import sys

import click

from standstill.engine.common.errors import StandstillError
from standstill.engine.common.signals import Ended, die
from standstill.engine.common.text import visible
from standstill.engine.system.consoles import typed_words

from .misplaced import hint
from .output import discard, guard_output
from .painting import colours_wanted
from .sections import SectionedGroup

# As `--help` lists them.
SECTIONS = {
    "In the browser": ("web", "study", "puzzles"),
    "Games and tournaments": ("analyse", "annotate", "relevance", "tag", "standings", "match", "follow"),
    "R-Mobility": ("mobility", "adjudicate", "tables"),
    "Variants": ("variants",),
    "Correspondence chess": ("games", "clock"),
    "Engine": ("selfplay", "bench", "speedtest", "perft", "data", "completion"),
}

# The commands without a module of their own in ``commands``, with the module and the name of the function.
_ELSEWHERE = {
    "adjudicate": (".adjudicate", "command"),
    "completion": (".completion", "command"),
    "follow": (".follow", "command"),
    "puzzles": (".puzzles", "command"),
    "speedtest": (".commands.bench", "speedtest"),
    "study": (".commands.web", "study"),
}


class Commands(SectionedGroup):
    """Imports a command only when it is used, so that a command does not load the imports of others."""

    sections = SECTIONS

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in self.list_commands(context):
            return None
        module, attribute = _ELSEWHERE.get(name, (f".commands.{name}", "command"))
        command: click.Command = getattr(importlib.import_module(module, __package__), attribute)
        return command


_VERSION_HELP = "Show the version, commit, build, instruction set, network and tables, and exit."


def tell_version(context: click.Context, option: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        from standstill.engine.settings.about import about

        click.echo(about())
        context.exit()


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, expose_value=False, is_eager=True, callback=tell_version, help=_VERSION_HELP)
def group() -> None:
    """Standstill, a chess engine.

    Without a command it starts the engine, which speaks UCI or XBoard's protocol with a chess GUI on standard input and
    output.
    """


def run(argv: list[str], asked: str | None = None) -> int:
    """Run a command and return the exit status: 0 done, 1 a check failed, 2 bad input, 130 interrupted.

    Bad input is reported in one line on standard error. asked: the completion request of a shell, answered instead of
    running a command.
    """
    guard_output()
    # Python handles Ctrl-C only after a long count in the core returns, so the system's default action handles it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    ended = 0
    try:
        status = invoke(typed_words(argv)) if asked is None else answer(asked)
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        status = fail(error.format_message(), lines=True)
    except click.ClickException as error:
        return fail(hint(error, argv) or error.format_message())
    except StandstillError as error:
        return fail(str(error))
    except (click.Abort, KeyboardInterrupt):
        return 130
    except Ended as end:
        ended = end.number
    except BrokenPipeError:
        # The program that reads our output has exited, as `head` does in `| head`.
        forget_output()
        return 0
    except OSError as error:
        forget_output()
        return fail(f"{said_name(error)}{error.strerror or error}")
    if ended:
        # By now Python has freed the exception and its frames. If a signal arrived between entering a context manager
        # and its block, only the freeing of its frame runs its cleanup.
        gc.collect()
        status = die(ended)
    return status


def invoke(argv: list[str]) -> int:
    """Do what ``click.Command.main`` does, except that it turns a broken pipe into exit status 1."""
    try:
        with group.make_context("standstill", list(argv), color=colours_wanted()) as context:
            status = group.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    return status if isinstance(status, int) else 0


def answer(asked: str) -> int:
    from .completion import answer as answer_shell

    return answer_shell(asked, group)


def forget_output() -> None:
    """Discard output that Python still buffers: writing it at exit would fail again."""
    if sys.stdout is not None:
        discard(sys.stdout)


def said_name(error: OSError) -> str:
    """The file name before the message; an empty name is shown as quotes."""
    return "" if error.filename is None else f"{error.filename or repr('')}: "


def fail(message: str, *, lines: bool = False) -> int:
    """Print the message and return exit status 2. lines: keep line breaks, as in the help of a command."""
    print(message if lines else f"standstill: {visible(' '.join(message.split()))}", file=sys.stderr)
    return 2
