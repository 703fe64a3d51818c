"""The executable: without arguments a chess engine on standard input and output, otherwise a command line."""

import sys


def main(argv: list[str] | None = None) -> int:
    """Run and return the exit status. ``argv`` is without the program's name, None means the process's own."""
    argv = sys.argv[1:] if argv is None else argv
    if not argv:
        from .loop import run

        return run()
    if sys.flags.no_site:
        # The launcher skips the site module to start fast; only subcommands need installed packages.
        import site

        site.main()
    from .cli import run

    return run(argv)
