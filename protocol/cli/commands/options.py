"""Options that several commands share, and the parsers of their values."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from standstill.engine.common.text import shown
from standstill.engine.network.shipped import DEFAULT, NONE
from standstill.engine.system.hardware import processors

from ..completion_values import games
from .renamed import Renamed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from concurrent.futures import Executor

Function = TypeVar("Function", bound=Callable[..., Any])


class _Jobs(click.IntRange):
    """A parameter for a number of processes; 0 becomes the number of cores that this process may use."""

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> Any:
        return super().convert(value, param, context) or processors()


DEPTHS = click.IntRange(1, 245)  # limit of the core's search path
_DEFINITIONS = "standstill.definitions"  # where the context keeps the value of --file
_MOST_GAMES = 8  # most names in a message
_TABLES = (".rtbw", ".rtbz", ".rmv", ".rmd", ".wgv", ".wgd")
TABLES_HELP = "Folder of R-Mobility tables; `own`: the three-man tables that come with the program."
FILE_HELP = "File that defines variants; they take precedence over built-in ones."


def json_option(text: str = "Print one JSON object.") -> Callable[[Function], Function]:
    """The option ``--json``. text: its help."""
    return click.option("--json", "as_json", is_flag=True, help=text)


def threads_option(help: str = "Number of search threads.", **more: Any) -> Callable[[Function], Function]:
    """The option ``--threads``."""
    return click.option("--threads", type=click.IntRange(1, 1024), help=help, **more)


def jobs_option(what: str, default: int = 1, old: str = "") -> Callable[[Function], Function]:
    """The option ``--jobs``.

    what: the noun for the things that run in parallel. default: the number of processes; 0 means one per core. old:
    the former name of the option.
    """
    named: dict[str, Any] = {"cls": Renamed, "old": old} if old else {}
    return click.option(
        "--jobs",
        **named,
        type=_Jobs(0, 1024),
        default=default,
        show_default=True,
        metavar="N",
        help=f"Number of parallel {what}; 0: one for each core.",
    )


def hash_option(help: str = "Size of the transposition table, in MB.", **more: Any) -> Callable[[Function], Function]:
    """The option ``--hash``, as ``hash_mb``."""
    return click.option("--hash", "hash_mb", type=click.IntRange(1, 1 << 20), help=help, **more)


def eval_file_option() -> Callable[[Function], Function]:
    """The option ``--eval-file``, as the engine's EvalFile."""
    return click.option(
        "--eval-file",
        default=DEFAULT,
        show_default=True,
        metavar="FILE",
        help=f"Evaluation network, or `{NONE}` for the hand-crafted evaluation.",
    )


def game_options(
    text: str = "A variant from `standstill variants list`.", default: str = "chess"
) -> Callable[[Function], Function]:
    """The option ``--variant`` for the name of a game, and the option ``--file`` of ``definitions_option``."""
    variant = click.option("--variant", default=default, help=text, shell_complete=games, callback=_game_wanted)
    file = definitions_option()
    return lambda command: variant(file(command))


def definitions_option() -> Callable[[Function], Function]:
    """The option ``--file``, whose games take precedence over the engine's own. It is read before the command runs."""
    return click.option(
        "--file",
        "definitions",
        default="",
        metavar="DEFINITIONS",
        expose_value=False,
        callback=_use_definitions,
        help=FILE_HELP,
    )


def _use_definitions(context: click.Context, parameter: click.Parameter, path: str) -> None:
    if path:
        context.meta[_DEFINITIONS] = path
        # Not imported for orthodox chess, so that orthodox games start faster.
        from standstill.engine.variants.catalog import use_file

        use_file(path)


def _game_wanted(context: click.Context, parameter: click.Parameter, name: str) -> str:
    """Refuse --file without --variant where no tags name the game: the file would have no effect."""
    path = context.meta.get(_DEFINITIONS)
    if path and name and context.get_parameter_source("variant") is ParameterSource.DEFAULT:
        from standstill.engine.variants.catalog import load

        if name not in (games := [game.name for game in load(path).games]):
            some = ", ".join(map(shown, games[:_MOST_GAMES])) + (", ..." if len(games) > _MOST_GAMES else "")
            raise click.UsageError(f"expected --variant with --file, which defines {some}")
    return name


def read_besides(*folders: str) -> list[str]:
    """The files that a command reads besides its games: the file of ``--file``, and tables in these folders.

    ``check_apart`` prevents outputs from replacing these files.
    """
    found = [click.get_current_context().meta.get(_DEFINITIONS, "")]
    for folder in folders:
        if os.path.isdir(folder):
            found += [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(_TABLES)]
    return found


# For commands that read their games from PGN files.
tagged_game_options = game_options(
    "A variant from `standstill variants list`; default: the one in the Variant tag.", ""
)


scheduler_option = click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Use the Dask cluster at this address (tcp://HOST:8786); `local`: --jobs processes on this computer. The "
    "results are the same.",
)


@contextlib.contextmanager
def cluster(scheduler: str | None, count: int) -> Iterator[tuple[Executor | None, int]]:
    """The executor of a cluster and the number of its workers; without a scheduler None and ``jobs`` itself."""
    if scheduler is None:
        yield None, count
        return
    from standstill.engine.cluster.pool import workers

    with workers(scheduler, count) as found:
        yield found


partial_option = click.option(
    "--partial", is_flag=True, help="Write the output even if some of the input could not be read."
)


def listed(text: str) -> tuple[str, ...]:
    """The names in a list such as ``points, direct,sb``."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def name_and_value(text: str) -> tuple[str, str]:
    """The name and value in ``--option NAME=VALUE``."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise click.UsageError(f"expected --option NAME=VALUE, found {shown(text)}")
    return name.strip(), value.strip()
