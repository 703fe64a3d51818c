"""Help texts fit a terminal of 80 columns, and are whole sentences in plain words."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click
import pytest

from standstill.protocol.cli.group import group

COLUMNS = 80
# Words that make a sentence hard to understand, and words for people that were used for pieces.
ODD = re.compile(
    r"\b(no more than \w+ is|so many|what is there|go on with|goes on)\b"
    r"|\b(?<!three-)(?<!-)\bmen\b(?!\w)",
    re.IGNORECASE,
)


def commands(command: click.Command, parent: click.Context | None, name: str) -> Iterator[click.Context]:
    context = click.Context(command, parent, info_name=name, terminal_width=COLUMNS - 2)  # click's margin
    yield context
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            found = command.get_command(context, below)
            assert found is not None
            yield from commands(found, context, below)


@pytest.fixture(scope="module")
def contexts() -> list[click.Context]:
    """All commands. The commands are not parameters of the tests, because each worker would load all commands to
    collect the tests."""
    return list(commands(group, None, "standstill"))


def test_help_is_as_wide_as_a_terminal(contexts: list[click.Context]) -> None:
    assert len(contexts) > 80
    for context in contexts:
        text = context.command.get_help(context)
        long = [line for line in text.splitlines() if len(line) > COLUMNS]
        assert not long, context.command_path
        if isinstance(context.command, click.Group):
            after = text.rpartition("Show this message and exit.")[2].splitlines()
            listed = [line for line in after if line.startswith("  ")]
            assert len(listed) == len(context.command.list_commands(context)), "the help of a command exceeds its line"
            assert not [line for line in listed if line.endswith("...") or not line.endswith(".")]


def texts(context: click.Context) -> Iterator[str]:
    yield context.command.help or ""
    for parameter in context.command.params:
        if isinstance(parameter, click.Option):
            yield parameter.help or ""


def test_help_is_written_in_plain_sentences(contexts: list[click.Context]) -> None:
    for text in (text for context in contexts for text in texts(context)):
        assert text[:1].isupper() or text[:1] in "-$", text
        assert not ODD.search(text), text
        first = text.split("\n\n")[0].rstrip()
        assert first.endswith((".", ")", "as", "...")), text
