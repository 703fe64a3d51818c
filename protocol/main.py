"""The executable: a chess engine on standard input and output, or with arguments a command line."""

import os
import sys

from . import COMPLETE_VARIABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from signal import SIG_DFL, SIGINT, signal
else:
    from _signal import SIG_DFL, SIGINT, signal  # importing signal would take a tenth of the whole start


def is_definition_file(argv: list[str]) -> bool:
    """Return whether the only argument is a file of definitions, as for Fairy-Max.

    No name of a command has a dot or slash.
    """
    return len(argv) == 1 and not argv[0].startswith("-") and ("." in argv[0] or os.path.basename(argv[0]) != argv[0])


def main(argv: list[str] | None = None) -> int:
    """Run and return the exit status.

    argv: arguments without the program's name; None for the arguments of the process.
    """
    signal(SIGINT, SIG_DFL)  # Ctrl-C during the imports would print a traceback
    argv = sys.argv[1:] if argv is None else argv
    try:
        from standstill import cext  # noqa: F401  # chooses the build of the core that the processor can run
    except ImportError as error:
        if error.name != "standstill.cext":
            raise
        print(f"standstill: {error}", file=sys.stderr)
        return 2
    named = [word for word in argv if word]  # XBoard adds an empty argument after a quoted last argument
    if COMPLETE_VARIABLE not in os.environ and (not named or is_definition_file(named)):
        from .loop import run

        return run(named[0] if named else "")
    if sys.flags.no_site:
        # The launcher skips the site module to start fast. Only subcommands need installed packages.
        import site

        site.main()
    from .cli.group import run as run_command

    return run_command(argv, os.environ.get(COMPLETE_VARIABLE))
