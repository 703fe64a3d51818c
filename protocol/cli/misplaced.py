"""Says where an option belongs that was given before its command, or after the command of a group.

Also says that the words of an engine need quotes, which other match runners do without.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import click

_ENGINE = "--engine"


def hint(error: click.ClickException, words: Sequence[str]) -> str:
    """Return a better message for some mistakes, or an empty text. words: the words after the name of the program."""
    if isinstance(error, click.NoSuchOption):
        return place_of(error, words)
    return unquoted(error, words) if isinstance(error, click.UsageError) else ""


def place_of(error: click.NoSuchOption, words: Sequence[str]) -> str:
    """Return a message that names the right place of an option, or an empty text if no command of the line has it.

    words: the words after the name of the program.
    """
    context, name = error.ctx, error.option_name
    if context is None:
        return ""
    if isinstance(context.command, click.Group):
        for path, command in _named(context, words):
            if option := _option(command, name):
                return f"{name} belongs after `{path[-1]}`: `{' '.join(path)} {_example(option, name)}`"
        if context.parent is not None and (found := _commands_with(context, name)):
            return found
    below = [context.info_name or ""]
    while (context := context.parent) is not None:
        if option := _option(context.command, name):
            rest = " ".join(reversed(below))
            return f"{name} belongs before `{below[-1]}`: `{context.command_path} {_example(option, name)} {rest}`"
        below.append(context.info_name or "")
    return ""


def unquoted(error: click.UsageError, words: Sequence[str]) -> str:
    """Return a message if the words of an engine follow ``--engine`` without quotes, otherwise an empty text."""
    if error.ctx is None or _option(error.ctx.command, _ENGINE) is None or "extra argument" not in error.message:
        return ""
    for at, (option, first, second) in enumerate(zip(words, words[1:], words[2:], strict=False)):
        if option == _ENGINE and not second.startswith("-"):
            rest = itertools.takewhile(lambda word: not word.startswith("-"), words[at + 1 :])
            return f'expected the words of an engine in quotes, {_ENGINE} "{" ".join(rest)}", found {first} {second}'
    return ""


def _named(context: click.Context, words: Sequence[str]) -> Iterator[tuple[list[str], click.Command]]:
    """Yield the commands below a group that the words name, each with its path from the name of the program."""
    group = context.command
    if not isinstance(group, click.Group):
        return
    for at, word in enumerate(words):
        if (command := group.get_command(context, word)) is not None:
            below = click.Context(command, parent=context, info_name=word)
            yield below.command_path.split(), command
            yield from _named(below, words[at + 1 :])


def _commands_with(context: click.Context, name: str) -> str:
    """Return a message with the commands of a group that have an option, for a line without a command."""
    group = context.command
    assert isinstance(group, click.Group)
    commands = [(word, group.get_command(context, word)) for word in group.list_commands(context)]
    found = [word for word, command in commands if command is not None and _option(command, name)]
    if not found:
        return ""
    return f"{name} belongs after a command of `{context.command_path}`: {', '.join(found)}"


def _option(command: click.Command, name: str) -> click.Option | None:
    options = (each for each in command.params if isinstance(each, click.Option) and not each.hidden)
    return next((each for each in options if name in (*each.opts, *each.secondary_opts)), None)


def _example(option: click.Option, name: str) -> str:
    return name if option.is_flag or option.count else f"{name} ..."
