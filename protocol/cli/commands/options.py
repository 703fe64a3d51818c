"""Options that several commands have, and how their text is read."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from math import isnan
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from standstill.engine.common.text import shown
from standstill.engine.network.shipped import DEFAULT, NONE

from ..completion_values import games

TYPE_CHECKING = False  # typing itself would slow the start
if TYPE_CHECKING:
    from concurrent.futures import Executor

Function = TypeVar("Function", bound=Callable[..., Any])


class Seconds(click.FloatRange):
    """A range of seconds; click takes ``nan``, which is neither below nor above anything, for one in every range."""

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> Any:
        found = super().convert(value, param, context)
        if isnan(found):
            self.fail(f"{value!r} is no number of seconds.", param, context)
        return found


DEPTHS = click.IntRange(1, 245)  # the core's search path has room for no more
_DEFINITIONS = "standstill.definitions"  # where the context keeps the value of --file
_MOST_GAMES = 8  # named in a message
_TABLES = (".rtbw", ".rtbz", ".rmv", ".rmd", ".wgv", ".wgd")
TABLES_HELP = "Folder of R-Mobility tables; `own`: those of three men that come with the program."
FILE_HELP = "File with definitions of games; they take precedence over the engine's own."


def json_option(text: str = "Print one JSON object.") -> Callable[[Function], Function]:
    """The option ``--json``; text: what is printed then."""
    return click.option("--json", "as_json", is_flag=True, help=text)


def threads_option(
    help: str = "Number of threads that search together.", **more: Any
) -> Callable[[Function], Function]:
    """The option ``--threads``."""
    return click.option("--threads", type=click.IntRange(1, 1024), help=help, **more)


def hash_option(
    help: str = "Memory for the transposition table, in MB.", **more: Any
) -> Callable[[Function], Function]:
    """The option ``--hash``, as ``hash_mb``."""
    return click.option("--hash", "hash_mb", type=click.IntRange(1, 1 << 20), help=help, **more)


def eval_file_option() -> Callable[[Function], Function]:
    """The option ``--eval-file``, as the engine's EvalFile."""
    return click.option(
        "--eval-file",
        default=DEFAULT,
        show_default=True,
        metavar="FILE",
        help=f"Network that evaluates, or `{NONE}` for the hand-crafted evaluation.",
    )


def game_options(
    text: str = "A game of `standstill variants list`.", default: str = "chess"
) -> Callable[[Function], Function]:
    """The options ``--variant``, a name, and ``--file``, whose games take precedence over the engine's own.

    The file is read before the command is called.
    """
    variant = click.option("--variant", default=default, help=text, shell_complete=games, callback=_game_wanted)
    file = click.option(
        "--file",
        "definitions",
        default="",
        metavar="DEFINITIONS",
        expose_value=False,
        callback=_use_definitions,
        help=FILE_HELP,
    )
    return lambda command: variant(file(command))


def _use_definitions(context: click.Context, parameter: click.Parameter, path: str) -> None:
    if path:
        context.meta[_DEFINITIONS] = path
        # Not imported for orthodox chess, which starts faster without it.
        from standstill.engine.variants.catalog import use_file

        use_file(path)


def _game_wanted(context: click.Context, parameter: click.Parameter, name: str) -> str:
    """A file of definitions without the name of a game would be read for nothing, where no tags name one."""
    path = context.meta.get(_DEFINITIONS)
    if path and name and context.get_parameter_source("variant") is ParameterSource.DEFAULT:
        from standstill.engine.variants.catalog import load

        if name not in (games := [game.name for game in load(path).games]):
            some = ", ".join(map(shown, games[:_MOST_GAMES])) + (", ..." if len(games) > _MOST_GAMES else "")
            raise click.UsageError(f"expected --variant with --file, whose games are {some}")
    return name


def read_besides(*folders: str) -> list[str]:
    """What a command reads besides the games that it is given: the file of ``--file``, and tables in these folders.

    For ``check_apart``: no output may replace them.
    """
    found = [click.get_current_context().meta.get(_DEFINITIONS, "")]
    for folder in folders:
        if os.path.isdir(folder):
            found += [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(_TABLES)]
    return found


# Where the games come from a file of games.
tagged_game_options = game_options("The game (`standstill variants list`); default: what the Variant tag says.", "")


def scheduler_option(where: str) -> Callable[[Function], Function]:
    """The option ``--scheduler``; where: the option that says how many local workers there are."""
    return click.option(
        "--scheduler",
        metavar="ADDRESS",
        help="Work on the Dask cluster at this address (tcp://HOST:8786); `local`: on processes of this computer, as "
        f"many as {where} says. The results are the same.",
    )


@contextlib.contextmanager
def cluster(scheduler: str | None, count: int) -> Iterator[tuple[Executor | None, int]]:
    """The executor of a cluster and the number of its workers; without a scheduler None, and the given number."""
    if scheduler is None:
        yield None, count
        return
    from standstill.engine.cluster.pool import workers

    with workers(scheduler, count) as found:
        yield found


partial_option = click.option(
    "--partial", is_flag=True, help="Write the output even if not all of the input could be read."
)


def listed(text: str) -> tuple[str, ...]:
    """The names of ``points, direct,sb``."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def name_and_value(text: str) -> tuple[str, str]:
    """What ``--option NAME=VALUE`` sets."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise click.UsageError(f"expected --option NAME=VALUE, found {shown(text)}")
    return name.strip(), value.strip()
