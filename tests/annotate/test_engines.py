"""`standstill annotate` with engines, ours and others."""

from __future__ import annotations

import io
import re
import shlex
from pathlib import Path

import chess
import chess.pgn
import pytest

from tests.annotate.conftest import Annotate
from tests.annotate.support import MATCH, MATES, games, nags


@pytest.mark.parametrize("seconds", ["nan", "inf", "1e300", "0"])
def test_a_time_that_is_none_is_refused(annotate: Annotate, seconds: str) -> None:
    done = annotate(MATES, "--time", seconds)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "Invalid value for '--time'" in done.stderr


@pytest.mark.parametrize("command", ["/nonexistent/engine", "true", "'", ""])
def test_an_engine_that_does_not_start(annotate: Annotate, tmp_path: Path, command: str) -> None:
    done = annotate(MATES, "--engine", command)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert not (tmp_path / "out.pgn").exists()


def test_own_engine_finds_the_mate_and_the_blunder(result) -> None:
    first, second = nags(result(MATES, "--nodes", "3000", "--eval", "--variation", "4"))
    assert first[2] & {2, 4} and first[2] & {21}
    assert len(second) == 14


@pytest.mark.slow
def test_a_better_line_is_written_once(result) -> None:
    """A line that is already there is not added, even if it is longer and has comments of its own."""
    arguments = ("--nodes", "8000", "--eval")
    once = result(MATES, *arguments, "--variation", "6")
    assert once.count("(") > MATES.count("(") and result(once, *arguments, "--variation", "6") == once
    longer = re.sub(r"\(5\.\s(\S+)\s(\S+)(?=\s)", r"(5. \1 {or so} (5... Ke7) 5... \2 $1", once, count=1)
    assert longer != once and result(longer, *arguments, "--variation", "2").count("(") == longer.count("(")


@pytest.mark.slow
def test_other_engines_judge_as_well(result, client_program) -> None:
    arguments = ("--engine", client_program("stockfish"), "--nodes", "10000", "--jobs", "2")
    text = result(MATES, *arguments, "--option", "Hash=16", "--variation", "4")
    first, second = nags(text)
    assert first[2] & {2, 4, 6} and second[8] & {2, 4, 6}  # 2. g4 and 5. Nxf7
    better = [node for game in games(text) for node in game.mainline() if node.nags & {2, 4, 6}]
    assert all(len(node.parent.variations) > 1 for node in better)


def test_xboard_engines_judge_as_well(result, client_program) -> None:
    game = MATES.split("\n\n[", maxsplit=1)[0] + "\n\n"
    text = result(game, "--engine", client_program("sjaakii"), "--protocol", "xboard", "--depth", "4", "--eval")
    assert any(found & {2, 4, 6} for found in nags(text)[0])


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "limit",
    [
        ("--depth", "5"),
        pytest.param(("--nodes", "2000"), marks=pytest.mark.slow),
        pytest.param(("--time", "0.02s"), marks=pytest.mark.slow),
    ],
    ids=" ".join,
)
def test_xboard_engines_with_exclude_find_good_moves_too(result, executable: Path, limit: tuple[str, str]) -> None:
    """The next best move comes from a search that excludes the best one."""
    found = nags(
        result(
            MATES,
            "--engine",
            shlex.quote(str(executable)),
            "--protocol",
            "xboard",
            "--move-scheme",
            "sparing-8",
            *limit,
        )
    )[1]
    assert found[8] & {2, 4, 6} and found[9] & {1, 3, 5}  # 5. Nxf7 Qxg2


def test_black_to_move_and_chess960(result) -> None:
    text = result(MATCH, "--nodes", "500", "--eval")
    assert all(node.eval() is not None for game in games(text) for node in game.mainline())


@pytest.mark.slow
@pytest.mark.parametrize(
    "letters", ["SLTDK", pytest.param("CFTDR", marks=pytest.mark.slow), "\u2658\u2657\u2656\u2655\u2654"]
)
def test_better_lines_have_the_letters_of_the_game(result, letters: str) -> None:
    """In German, French and figurines only the piece letters change, and a second run changes nothing."""
    arguments = ("--nodes", "8000", "--variation", "5", "--max-nag", "19")
    english = MATES.replace("(4... Qe7)", "")[MATES.index('[Event "Two"') :]
    expected = result(english, *arguments)
    table = dict(zip("NBRQK", letters, strict=True))

    def foreign(text: str) -> str:
        moves = re.sub(r"(?<![\w\[])[NBRQK](?=[a-h1-8x])", lambda found: table[found[0]], text)
        return moves.encode("utf-8").decode("latin-1")

    found = result(foreign(english), *arguments)
    assert " ".join(found.split()) == " ".join(foreign(expected).split())
    assert found.count("(") == expected.count("(") and re.search(r"\([^)]*[NBRQK][a-h1-8x]", expected)
    assert result(found, *arguments) == found


@pytest.mark.parametrize("black", [False, True], ids=["white", "black"])
@pytest.mark.parametrize("arguments", [(), ("--engine",)], ids=["own", "external"])
def test_the_only_legal_move_gets_no_symbol(result, executable: Path, black: bool, arguments: tuple[str, ...]) -> None:
    """A forced move cannot be compared with a second best move; the moves around it are judged as always."""
    board = chess.Board("k7/8/8/8/8/8/1r6/K7 w - - 0 1")
    board = board.mirror() if black else board
    moves = "1... Kxb7 2. Kb2 Kc6" if black else "1. Kxb2 Kb7 2. Kc3"
    words = ("--engine", shlex.quote(str(executable))) if arguments else ()
    head = f'[Event "e"]\n[White "A"]\n[Black "B"]\n[Result "*"]\n[SetUp "1"]\n[FEN "{board.fen()}"]\n\n'
    text = result(f"{head}{moves} *\n", "--nodes", "300", "--eval", "--jobs", "1", *words)
    game = chess.pgn.read_game(io.StringIO(text))
    nodes = list(game.mainline())
    assert [node.san() for node in nodes] == [word for word in moves.split() if word[0] == "K"]
    assert not nodes[0].nags & {1, 2, 3, 4, 5, 6}
    assert board.legal_moves.count() == 1
