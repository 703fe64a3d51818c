"""Says where an option belongs that was given before its command, or after the command of a group.

Also suggests the option or command that a misspelt one may mean, and says that the words of an engine need quotes,
which other match runners do without.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence

import click

_ENGINE = "--engine"
_NO_COMMAND = re.compile(r"No such command '(.*)'")
_LIKE = 0.7  # least similarity of a suggestion, from 0 to 1


def hint(error: click.ClickException, words: Sequence[str]) -> str:
    """Return a better message for some mistakes, or an empty text. words: the words after the name of the program."""
    if isinstance(error, click.NoSuchOption):
        return place_of(error, words) or _like_option(error)
    if not isinstance(error, click.UsageError):
        return ""
    return _like_command(error) or unquoted(error, words)


def _like_option(error: click.NoSuchOption) -> str:
    """Return a message with the most similar option, or the commands of the same group that have the option.

    click compares names with their dashes, which make short names look alike: `--yes` and `--result`.
    """
    context, name = error.ctx, error.option_name
    if context is None:
        return ""
    if context.parent is not None and context.parent.parent is not None and name.startswith("--"):
        others = _having(context.parent, name)
        if others:
            what = "has" if len(others) == 1 else "have"
            return f"{error.message.rstrip('.')} of `{context.command_path}`; {', '.join(others)} {what} it"
    names = [other for each in context.command.params if isinstance(each, click.Option) and not each.hidden
             for other in (*each.opts, *each.secondary_opts) if other.startswith("--")]  # fmt: skip
    word = name.lstrip("-").lower()
    begun = [other for other in names if other[2:].startswith(word)] if len(word) > 1 else []
    meant = begun[0] if len(begun) == 1 else like(word, [other[2:] for other in names])
    return f"{error.message.rstrip('.')}; did you mean --{meant.lstrip('-')}?" if meant else error.message


def _like_command(error: click.UsageError) -> str:
    """Return a message with the most similar command of a group, or an empty text for another error."""
    found = _NO_COMMAND.match(error.message)
    if found is None or error.ctx is None or not isinstance(group := error.ctx.command, click.Group):
        return ""
    meant = like(found[1].lower(), group.list_commands(error.ctx))
    return f"{error.message.rstrip('.')}; did you mean {meant}?" if meant else error.message


def like(word: str, names: Iterable[str]) -> str:
    """Return the name that a word may misspell, or an empty text."""
    from difflib import get_close_matches  # imported here, because only messages need the module

    return next(iter(get_close_matches(word, sorted(names), 1, _LIKE)), "")


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
    found = _having(context, name)
    if not found:
        return ""
    return f"{name} belongs after a command of `{context.command_path}`: {', '.join(found)}"


def _having(context: click.Context, name: str) -> list[str]:
    """Return the names of the commands of a group that have an option."""
    group = context.command
    assert isinstance(group, click.Group)
    commands = [(word, group.get_command(context, word)) for word in group.list_commands(context)]
    return [word for word, command in commands if command is not None and _option(command, name)]


def _option(command: click.Command, name: str) -> click.Option | None:
    options = (each for each in command.params if isinstance(each, click.Option) and not each.hidden)
    return next((each for each in options if name in (*each.opts, *each.secondary_opts)), None)


def _example(option: click.Option, name: str) -> str:
    return name if option.is_flag or option.count else f"{name} ..."
