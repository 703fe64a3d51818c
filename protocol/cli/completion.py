"""`standstill completion` prints a script for completing commands, options and values in a shell."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem, ShellComplete, get_completion_class

from standstill.engine.common.errors import StandstillError

from .. import COMPLETE_VARIABLE

PROGRAM = "standstill"
_PLACES = {
    "bash": "~/.local/share/bash-completion/completions/standstill",
    "zsh": "a folder of $fpath, as _standstill",
    "fish": "~/.config/fish/completions/standstill.fish",
}


@click.command(
    help="Print a script that completes `standstill` in your shell.\n\n\b\n"
    "Store it where the shell looks for such scripts:\n" + "\n".join(f"{name}: {_PLACES[name]}" for name in _PLACES)
)
@click.argument("shell", type=click.Choice(list(_PLACES)))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    click.echo(_completer(shell, context.find_root().command).source())


def answer(wanted: str, group: click.Command) -> int:
    """Answer a completion request (``SHELL_complete``) of such a script; return the exit status."""
    shell, _, what = wanted.partition("_")
    if shell not in _PLACES or what != "complete":
        raise StandstillError(f"expected {COMPLETE_VARIABLE} to be {', '.join(f'{name}_complete' for name in _PLACES)}")
    click.echo(_completer(shell, group).complete())
    return 0


def _completer(shell: str, group: click.Command) -> ShellComplete:
    found = get_completion_class(shell)
    assert found is not None  # click knows these shells

    class Completer(found):  # type: ignore[misc, valid-type]
        @staticmethod
        def _check_version() -> None:
            """Skip click's check, which starts bash to ask for its version."""

        def source(self) -> str:
            script = str(super().source())
            # No blank after ``NAME=``, because its value follows; fish adds none anyway.
            script = script.replace(
                "COMPREPLY+=($value)", "COMPREPLY+=($value); [[ $value == *[=.] ]] && compopt -o nospace"
            )
            script = script.replace(
                "compadd -U -V unsorted -a completions",
                "[[ $completions[1] == *[=.] ]] && compadd -S '' -U -V unsorted -a completions"
                " || compadd -U -V unsorted -a completions",
            )
            # For fish: the description after a tab may contain commas.
            return script.replace('(string split "," $completion)', '(string split -m 1 "," $completion)')

        def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[str]]:
            """Complete file names where no other values are known, as a shell does without a script."""
            divided = ""
            if args[-1:] == ["="]:  # bash splits words there
                divided = "" if args[-2:-1] == [] or args[-2].startswith("-") else f"{args[-2]}="
                args, incomplete = args[: -2 if divided else -1], divided + incomplete
            found: list[CompletionItem[str]] = super().get_completions(args, incomplete)
            if not found:
                return [CompletionItem(incomplete, type="file")]
            option, equals, _ = incomplete.partition("=")
            for item in found:
                item.value = str(item.value).removeprefix(divided)
            if equals and option.startswith("-"):  # shells other than bash replace the whole word
                for item in found:
                    item.value = f"{option}={item.value}"
            return found

    made: ShellComplete = Completer(group, {}, PROGRAM, COMPLETE_VARIABLE)
    return made
