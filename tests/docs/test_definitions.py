"""The files and pieces of docs/variants.md can be copied: each file is complete, and each piece is one valid line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import forked
from tests.variants.files import KNIGHT, block, text_of

from .blocks import BLOCKS

PAGE = [found for found in BLOCKS if found.page == "docs/variants.md"]
FILES = [found.text for found in PAGE if re.search(r"^(version|Game:|\d+x\d+)", found.text, re.MULTILINE)]
PIECES = [found.text for found in PAGE if re.match(r"[A-Za-z]:-?\d", found.text)]


@pytest.mark.parametrize("text", FILES)
def test_files_are_complete(executable: Path, text: str) -> None:
    command = [str(executable), "variants", "check", "-"]
    done = forked.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1].endswith("no errors"), done.stdout + done.stderr


def test_the_page_has_files_and_pieces() -> None:
    assert FILES and PIECES


@pytest.mark.sampled(3)
@pytest.mark.parametrize("line", [line for text in PIECES for line in text.splitlines()])
def test_pieces_are_read(executable: Path, line: str) -> None:
    """A pawn or king replaces that of chess, any other piece replaces the knight."""
    piece = re.sub(r" {4,}[A-Za-z].*", "", line)
    place = {"p": "white_pawn", "k": "king"}.get(piece[0], "knight")
    game = block("Game: mine", **{"knight": KNIGHT} | {place: piece})
    command = [str(executable), "variants", "check", "-"]
    done = forked.run(command, input=text_of(game), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_rule_of_the_tutorial_fits_its_game(executable: Path) -> None:
    """Each rule that the tutorial suggests can be tried in its file."""
    page = (Path(__file__).parents[2] / "docs" / "game-from-nothing.md").read_text(encoding="utf-8")
    file = page.partition("<<'END'\n")[2].partition("END\n")[0]
    rules = re.findall(r"`(# [a-z][^`]*)`", page)
    assert len(rules) > 5 and "# hand turn" in rules
    for rule in rules:
        if "gaol" in rule:
            continue  # it shows what a misspelt word does
        text = file.replace("7x8", "7x10") if "10" in rule else file
        lines = text.replace("h:0 bRfB\n\nThe end.", f"h:0 bRfB\n{rule}\n\nThe end.")
        assert rule in lines
        command = [str(executable), "variants", "check", "-"]
        done = forked.run(command, input=lines, capture_output=True, text=True, check=False)
        assert done.stdout == "-: 1 game, no errors\n", (rule, done.stdout, done.stderr)
