"""`standstill adjudicate` answers questions about games, a JSON object a line, for match runners and servers."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from typing import BinaryIO

import click

from standstill.engine.archive.pgn import decoded
from standstill.engine.archive.questions import Questions
from standstill.engine.common.errors import StandstillError
from standstill.engine.common.text import shown

from .commands.options import TABLES_HELP

_LONGEST = 1 << 24  # bytes of a question
_encode = json.JSONEncoder(separators=(",", ":")).encode  # json.dumps would build a new encoder for each answer


@click.command()
@click.option("--tables", multiple=True, metavar="DIR", help=TABLES_HELP)
def command(tables: tuple[str, ...]) -> int:
    """Answer questions of other programs about games, in JSON.

    Each line of standard input is a JSON object with fen, moves, record, rules, komi and id, all of them optional; each
    line of standard output is an answer, or has the field error. The command exits at the end of the input.

    Exit status: 0 done, 1 some questions had an error, 2 bad input.
    """
    if sys.stdin is None:
        raise click.UsageError("standard input is closed")
    if sys.stdout is None:
        raise click.UsageError("standard output is closed")
    questions, status = Questions(tables), 0
    for line in lines_of(sys.stdin.buffer):
        answer = answered(questions, line)
        status |= "error" in answer
        sys.stdout.write(_encode(answer) + "\n")
        sys.stdout.flush()
    return status


def lines_of(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines that are not blank.

    A line that is longer than the limit is cut, so that it does not fill the memory.
    """
    while line := stream.readline(_LONGEST + 1):
        rest = line
        while len(rest) > _LONGEST and not rest.endswith(b"\n"):
            rest = stream.readline(_LONGEST + 1)
        if line.strip():
            yield line


def answered(questions: Questions, line: bytes) -> dict[str, object]:
    """Answer one line; if that is impossible, the answer has the field ``error``."""
    question: object = None
    if len(line) > _LONGEST:
        return {"error": f"expected a question of at most {_LONGEST >> 20} MB, found more"}
    try:
        question = json.loads(line, parse_constant=refuse, parse_float=finite)
    except (ValueError, RecursionError):
        return {"error": f"expected a JSON object on each line, found {shown(decoded(line[:200]).strip())}"}
    try:
        return questions.answer(question)
    except (StandstillError, ValueError) as error:
        named = {"id": question["id"]} if isinstance(question, dict) and "id" in question else {}
        return {**named, "error": " ".join(str(error).split())}


def refuse(constant: str) -> object:
    """Raise ValueError for NaN and infinities: Python reads and writes them, but JSON does not have them."""
    raise ValueError(constant)


def finite(text: str) -> float:
    """Return a number with a fraction or exponent. Raises ValueError if it is too large for a float."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number
