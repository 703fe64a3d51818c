"""`standstill adjudicate` answers questions about games, a JSON object a line, for match runners and servers."""

from __future__ import annotations

import json
import sys

import click

from standstill.engine.archive.questions import Questions
from standstill.engine.common.errors import StandstillError

from .commands.options import TABLES_HELP

_LONGEST = 1 << 24  # bytes of a question
_encode = json.JSONEncoder(separators=(",", ":")).encode  # json.dumps would build an encoder for each answer


@click.command()
@click.option("--tables", multiple=True, metavar="DIR", help=TABLES_HELP)
def command(tables: tuple[str, ...]) -> int:
    """Answer questions of other programs about games, in JSON.

    Each line of standard input is a JSON object with fen, moves, record, rules, komi and id, all of them optional; each
    line of standard output is the answer to one, or has the field error. The command ends with the input.

    Exit status: 0 done, 1 some questions had an error, 2 bad input.
    """
    if sys.stdin is None:
        raise click.UsageError("standard input is closed")
    questions, status = Questions(tables), 0
    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        answer = answered(questions, line)
        status |= "error" in answer
        sys.stdout.write(_encode(answer) + "\n")
        sys.stdout.flush()
    return status


def answered(questions: Questions, line: bytes) -> dict[str, object]:
    """Answer one line; the object has the field ``error`` if that is impossible."""
    question: object = None
    try:
        if len(line) > _LONGEST:
            raise ValueError
        question = json.loads(line)
    except (ValueError, RecursionError):
        return {"error": "expected a JSON object on each line"}
    try:
        return questions.answer(question)
    except (StandstillError, ValueError) as error:
        named = {"id": question["id"]} if isinstance(question, dict) and "id" in question else {}
        return {**named, "error": " ".join(str(error).split())}
