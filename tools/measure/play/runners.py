"""Plays matches in foreign match runners that call kit/rmobility.c, and compares every game with our own referee.

    PYTHONPATH=build/tree:. python -m tools.measure.play.runners fastchess --source FOLDER --patch FILE [--komi G5.25]

The source is a folder, or a git directory without a work tree. The patch, which is not part of this repository, adds
the option ``-rmobility`` to the runner. This tool copies the sources and the C file to ``build/runners``, applies the
patch, builds, plays our engine against itself with few nodes from random openings and endings, and replays the games:
each must end where our referee ends it, with the same result, record and half-move.
"""

from __future__ import annotations

import argparse
import io
import random
import shutil
import subprocess
import sys
import tarfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import chess
import chess.pgn

from standstill.engine.common.goal import parse_weakest
from standstill.engine.match.orthodox import OrthodoxReferee
from standstill.engine.match.referee import MatchRules
from standstill.engine.match.setup import Opening
from standstill.engine.rmobility.scoring import Terms, parse_komi

ROOT = Path(__file__).resolve().parents[3]
WORK = ROOT / "build/runners"
PIECES = ("", "N", "B", "R", "Q", "P", "BN", "RP", "NN")
NODES = (20, 60)  # node limits of the two engines, so that games with reversed colours differ
MEN = {"N": 2, "B": 3, "R": 4, "Q": 5, "P": 1}


class Runner(NamedTuple):
    """place: where the C file belongs. build: commands. each: arguments for both engines in addition to the options."""

    place: str
    build: tuple[tuple[str, ...], ...]
    program: str
    each: tuple[str, ...]
    output: str


RUNNERS = {
    "fastchess": Runner(
        "app/third_party/rmobility",
        (("make", "-C", "app", "BINARY_PATH=../", "-j2"),),
        "fastchess",
        ("proto=uci",),
        "file=",
    ),
    "cutechess": Runner(
        "projects/lib/src",
        (("cmake", "-S", ".", "-B", "build", "-DWITH_TESTS=OFF"), ("make", "-C", "build", "-j2", "cli")),
        "build/cutechess-cli",
        ("proto=uci", "tc=inf"),
        "",
    ),
}


# ---- building ----


def copied(source: Path, target: Path) -> None:
    if (source / "HEAD").is_file():
        words = ["git", f"--git-dir={source}", "archive", "HEAD"]
        packed = subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(target, filter="data")
    else:
        shutil.copytree(source, target)


def built(name: str, source: Path, patch: Path) -> Path:
    """Build the runner unless ``build/runners`` has it already. Returns its program."""
    runner, target = RUNNERS[name], WORK / name
    program = target / runner.program
    if not program.exists():
        if not target.exists():
            copied(source, target)
            subprocess.run(["patch", "--quiet", "-p1", "-d", str(target), "-i", str(patch.resolve())], check=True)
        (target / runner.place).mkdir(exist_ok=True)
        for file in ("rmobility.c", "rmobility.h"):
            shutil.copy(ROOT / "kit" / file, target / runner.place)
        for words in runner.build:
            subprocess.run(words, cwd=target, check=True)
    return program


# ---- playing ----


def openings(seed: int, count: int) -> Iterator[str]:
    """Yield FENs: half of them after random moves, half with few pieces and some plies without captures."""
    rng = random.Random(seed)
    while count:
        board = chess.Board()
        if count % 2:
            for _ in range(rng.randrange(4, 12)):
                board.push(rng.choice(list(board.legal_moves)))
        else:
            board = placed(rng)
            board.halfmove_clock = rng.choice([0, 0, 40, 70])
        if board.is_valid() and board.legal_moves.count() > 1:
            count -= 1
            yield board.fen()


def placed(rng: random.Random) -> chess.Board:
    board, squares = chess.Board(None), rng.sample(range(8, 56), 8)
    for colour in (chess.WHITE, chess.BLACK):
        for kind in (chess.KING, *(MEN[letter] for letter in rng.choice(PIECES))):
            board.set_piece_at(squares.pop(), chess.Piece(kind, colour))
    board.turn = rng.random() < 0.5
    return board


def played(name: str, program: Path, games: int, settings: list[str], nodes: tuple[int, int]) -> str:
    """Play the match and return its PGN. settings: the words after ``-rmobility``."""
    runner, folder = RUNNERS[name], WORK / "games"
    folder.mkdir(parents=True, exist_ok=True)
    first, out = folder / f"{name}.epd", folder / f"{name}.pgn"
    first.write_text("".join(f"{line}\n" for line in openings(1, (games + 1) // 2)))
    out.unlink(missing_ok=True)
    words = [str(program)]
    for letter, count in zip("AB", nodes, strict=True):
        words += ["-engine", f"cmd={ROOT / 'standstill'}", f"name={letter}", f"nodes={count}"]
    words += ["-each", *runner.each, "option.Hash=1", "option.RMobility=Decisive"]
    words += ["-openings", f"file={first}", "format=epd", "order=sequential", "-rounds", str((games + 1) // 2)]
    words += ["-games", "2", "-repeat", "-concurrency", "2", "-pgnout", f"{runner.output}{out}"]
    with (folder / f"{name}.log").open("w") as log:
        subprocess.run([*words, "-rmobility", *settings], check=True, stdout=log, stderr=log, cwd=folder)
    return out.read_text(encoding="utf-8")


# ---- comparing ----


def difference(game: chess.pgn.Game, rules: MatchRules) -> tuple[str, str]:
    """(what differs from our referee, or "" if nothing differs; how the game ends)."""
    board = game.board()
    referee = OrthodoxReferee(Opening(board.fen(), (), board.chess960), rules)
    for move in game.mainline_moves():
        if (end := referee.end()) is not None:
            return f"goes on after {end[1]} at ply {referee.plies}", end[1]
        referee.push(move)
    end, told = referee.end(), game.headers
    if end is None:  # resigned, lost on time or interrupted
        goal = {"1-0": "G0.0", "0-1": "-G0.0"}.get(told["Result"], str(referee.record))
        expected = [told["Result"], goal, str(referee.plies)]
    elif end[0] != "1/2-1/2":
        expected = [end[0], "G0.0" if end[0] == "1-0" else "-G0.0", str(referee.plies)]
    else:
        record = referee.record
        assert record is not None
        expected = [rules.terms.result(record), str(record), str(record.ply)]
    found = [told.get(name, "") for name in ("Result", "RMobilityResult", "RMobilityPly")]
    reason = end[1] if end is not None else f"on the clock or unfinished, {told['Result']}"
    return "" if found == expected else f"expected {' '.join(expected)}, found {' '.join(found)}", reason


def compared(text: str, rules: MatchRules) -> tuple[list[str], Counter[str], int]:
    """(the differences with the numbers of their games, how many games ended how, half-moves in all)."""
    wrong, ends, plies, source = [], Counter[str](), 0, io.StringIO(text)
    while (game := chess.pgn.read_game(source)) is not None:
        found, end = difference(game, rules)
        by_komi = end not in ("mate", "") and game.headers["Result"] in ("1-0", "0-1") and rules.terms.komi is not None
        ends[f"{end}, decided by komi" if by_komi else end] += 1
        plies += game.end().ply() - game.ply()
        if found:
            wrong.append(f"game {ends.total()}: {found}")
    return wrong, ends, plies


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("runner", choices=RUNNERS)
    asked.add_argument("--source", type=Path, required=True, help="the sources of the runner")
    asked.add_argument("--patch", type=Path, required=True, help="our patch for the sources")
    asked.add_argument("--games", type=int, default=200)
    asked.add_argument("--komi", help="decides drawn games, such as G5.25")
    asked.add_argument("--cut-off", help="this goal and weaker ones are plain draws")
    asked.add_argument("--nodes", type=int, nargs=2, default=NODES, help="nodes for each move of the two engines")
    told = asked.parse_args()
    terms = Terms(parse_komi(told.komi) if told.komi else None, parse_weakest(told.cut_off) if told.cut_off else None)
    settings = [f"komi={told.komi}"] * bool(told.komi) + [f"cutoff={told.cut_off}"] * bool(told.cut_off)
    program = built(told.runner, told.source, told.patch)
    text = played(told.runner, program, told.games, settings, tuple(told.nodes))
    wrong, ends, plies = compared(text, MatchRules(terms=terms, longest=1_000_000))
    for end, count in ends.most_common():
        print(f"{count:5}  {end}")
    print("\n".join([f"{ends.total()} games, {plies} half-moves, {len(wrong)} differences", *wrong]))
    sys.exit(bool(wrong) or ends.total() != told.games)


if __name__ == "__main__":
    main()
