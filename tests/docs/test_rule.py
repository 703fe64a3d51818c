"""The rule on one page: the engine and a slow implementation confirm its examples, and it fits on one sheet."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import chess

from tests import forked

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs/rule.md").read_text(encoding="utf-8")
ROWS = [line.strip("| ").split(" |") for line in TEXT.splitlines() if re.match(r"\| (the start|`)", line)]


def vectors() -> list[tuple[dict, str, str | None, int]]:
    """(question, record, end, half-move) of each row."""
    found = []
    for place, moves, told, ply in ROWS:
        record, _, end = told.strip().partition(", ")
        fen = chess.STARTING_FEN if place.startswith("the start") else place.strip("` ")
        found.append(({"fen": fen, "moves": moves.split()}, record, end or None, int(ply)))
    return found


def ends(word: str | None, found: str | None) -> bool:
    return (word is None) == (found is None) and (word or "").split("-")[0].replace("50", "fifty") in (found or "")


def test_the_examples_are_those_of_the_engine(executable: Path) -> None:
    told = "".join(json.dumps(question) + "\n" for question, *_ in vectors())
    done = forked.run([executable, "adjudicate"], input=told, capture_output=True, text=True, check=True)
    assert len(ROWS) == 11
    for (question, record, end, ply), line in zip(vectors(), done.stdout.splitlines(), strict=True):
        found = json.loads(line)
        assert (found["record"], found["ply"]) == (record, ply), question
        assert ends(end, found["over"]), (question, found["over"])


def test_the_examples_are_those_of_the_slow_reading() -> None:
    """kit/conformance/make.py applies the rule with python-chess."""
    script = "import json, sys, make\nfor line in sys.stdin: print(json.dumps(make.answer(json.loads(line))))"
    told = "".join(json.dumps(question) + "\n" for question, *_ in vectors())
    words = [sys.executable, "-c", script]
    folder = ROOT / "kit/conformance"
    done = subprocess.run(words, input=told, capture_output=True, text=True, check=True, cwd=folder)
    for (question, record, end, ply), line in zip(vectors(), done.stdout.splitlines(), strict=True):
        found = json.loads(line)
        assert (found["record"], found["ply"]) == (record, ply), question
        assert ends(end, found["over"]), (question, found["over"])
