"""The executable: a chess engine on standard input and output, or with arguments a command line."""

import os
import sys

from . import COMPLETE_VARIABLE


def main(argv: list[str] | None = None) -> int:
    """Run and return the exit status. argv: arguments without the program's name; None for those of the process."""
    argv = sys.argv[1:] if argv is None else argv
    if not argv and COMPLETE_VARIABLE not in os.environ:
        from .loop import run

        return run()
    if sys.flags.no_site:
        # The launcher skips the site module to start fast. Only commands need installed packages.
        import site

        site.main()
    from .cli import run as run_command

    return run_command(argv, os.environ.get(COMPLETE_VARIABLE))
