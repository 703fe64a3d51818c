"""Writes the manual page docs/standstill.1 from the help texts of the commands. `make docs` runs it."""

from __future__ import annotations

import inspect
import os
import re
import sys

import click

from standstill.engine import NAME, VERSION
from standstill.engine.common.atomic_files import write_whole

from .group import group

PAGE = os.path.join("docs", "standstill.1")

# Characters that roff interprets or prints differently.
_SIGNS = str.maketrans({"\\": "\\e", "-": "\\-", "`": "\\(ga", "~": "\\(ti", "^": "\\(ha"})

_HEAD = f"""\
.\\" Written by `make docs` from the texts of `standstill --help`.
.TH STANDSTILL 1 "" "{NAME} {VERSION}" "Games"
.SH NAME
standstill \\- chess engine for UCI and XBoard, with tools for games
.SH SYNOPSIS
.B standstill
[\\fICOMMAND\\fR [\\fIARGUMENTS\\fR]]
.SH DESCRIPTION
"""
_TAIL = """\
.SH EXIT STATUS
0: done. 1: a check failed. 2: bad input, which is reported in one line on standard error. 130: interrupted.
.SH FILES
.TP
.I engine.ini
Defaults of the engine's options; beside the engine's folders in a clone, in share/standstill of the environment when
installed.
"""


def page() -> str:
    """The text of the manual page, in the macros of man(7)."""
    context = click.Context(group, info_name="standstill")
    parts = [_HEAD, _paragraphs(group.help or ""), ".SH COMMANDS\n"]
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None  # it was listed
        parts += _entry(command, click.Context(command, parent=context, info_name=name))
    return "".join([*parts, _TAIL])


def _entry(command: click.Command, context: click.Context) -> list[str]:
    """The section of a command, followed by the sections of its subcommands."""
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    parts = [f".SS {_escaped(usage)}\n", _paragraphs(command.help or "")]
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and record[1] and "--help" not in parameter.opts:
            parts.append(f".TP\n.B {_escaped(record[0])}\n{_escaped(_plain(record[1]))}\n")
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None  # it was listed
            parts += _entry(below, click.Context(below, parent=context, info_name=name))
    return parts


def _paragraphs(text: str) -> str:
    """The paragraphs that click finds in a help text. A paragraph after a backspace keeps its line breaks."""
    found = []
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(text).partition("\f")[0]):
        lines = paragraph.strip().splitlines()
        if lines[:1] == ["\b"]:
            found.append(".nf\n" + "".join(f"{_escaped(line) or '.sp'}\n" for line in lines[1:]) + ".fi\n")
        else:
            found.append(f"{_escaped(_plain(paragraph))}\n")
    return ".PP\n".join(found)


def _plain(text: str) -> str:
    return " ".join(text.split())


def _escaped(text: str) -> str:
    """The text as roff reads it.

    A line must not begin with a full stop or an apostrophe, which would make it a request.
    """
    text = text.translate(_SIGNS)
    return f"\\&{text}" if text[:1] in {".", "'"} else text


if __name__ == "__main__":
    write_whole(os.path.join(sys.argv[1], PAGE), page())
