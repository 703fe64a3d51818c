"""`tables export`, `tables stats --pgn`, and builds for which the disk is too small."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import subprocess
from pathlib import Path

import chess
import chess.pgn
import pytest

from standstill.engine.tablebases import listing
from standstill.engine.tablebases.material import classes
from standstill.engine.tablebases.store import SUPPLIED, TableStore
from tests import forked
from tests.posix import resource
from tests.rmobility.naive import code_of
from tests.uci.client import PATIENCE_S, clean_environment

from .conftest import Run


def exported(tables: Run, folder: Path, path: Path, name: str = "KNvK") -> None:
    done = tables(folder, "export", name, "-o", str(path))
    assert (done.returncode, done.stderr) == (0, "")


def board_of(row: dict[str, str]) -> chess.Board:
    board = chess.Board(None)
    for letter in filter(row.get, "KkN"):
        board.set_piece_at(chess.parse_square(row[letter]), chess.Piece.from_symbol(letter))
    board.turn = row["to_move"] == "w"
    return board


@pytest.mark.parametrize("chunk", [1, 100, 4000])
def test_batches_of_any_size_hold_the_same_positions(monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    store = TableStore(SUPPLIED)
    together = [row for part in listing.rows(store, "KvK") for row in part]
    monkeypatch.setattr(listing, "CHUNK", chunk)
    assert [row for part in listing.rows(store, "KvK") for row in part] == together
    assert len(set(together)) == len(together) == 2 * 462  # the placements of two kings, without mirror images


@pytest.mark.parametrize("name", ["KvK", pytest.param("KNvK", marks=pytest.mark.slow)])
def test_a_class_as_csv(tables: Run, folder: Path, tmp_path: Path, name: str) -> None:
    exported(tables, folder, tmp_path / "n.csv", name)
    rows = list(csv.DictReader((tmp_path / "n.csv").open(encoding="ascii")))
    assert list(rows[0]) == ["to_move", "K", "k", *("N" if "N" in name else ""), "goal", "outcome", "plies"]
    boards = [board_of(row) for row in rows]
    assert len({board.epd() for board in boards}) == len(rows)
    rng = random.Random(1)
    chosen = rng.sample(range(len(rows)), 40)
    told = "".join(f"{boards[at].fen()}\n" for at in chosen)
    answers = tables(folder, "probe", "--batch", "-", told=told).stdout.splitlines()
    for at, answer in zip(chosen, map(json.loads, answers), strict=True):
        row = rows[at]
        assert boards[at].is_valid()
        assert float(row["goal"]) == code_of(boards[at]) / 2
        assert (row["outcome"], int(row["plies"])) == (answer["value"], answer["plies"])


@pytest.mark.slow
def test_every_placement_has_an_image_in_the_csv(tables: Run, folder: Path, tmp_path: Path) -> None:
    """The rows and their images by the symmetry of the board are the 205,496 placements with White to move."""
    exported(tables, folder, tmp_path / "n.csv")
    rows = csv.DictReader((tmp_path / "n.csv").open(encoding="ascii"))
    images = set()
    for row in rows:
        if row["to_move"] == "w":
            men = [chess.parse_square(row[letter]) for letter in "KkN"]
            for turned in (men, [sq >> 3 | (sq & 7) << 3 for sq in men]):
                images |= {tuple(sq ^ mask for sq in turned) for mask in (0, 7, 56, 63)}
    assert len(images) == 205_496


def test_a_class_as_parquet_is_that_of_the_csv(tables: Run, folder: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    exported(tables, folder, tmp_path / "q.parquet", "KvK")
    exported(tables, folder, tmp_path / "q.csv", "KvK")
    lines = parquet.read_table(tmp_path / "q.parquet").to_pylist()
    rows = list(csv.DictReader((tmp_path / "q.csv").open(encoding="ascii")))
    assert [{name: str(value) for name, value in line.items()} for line in lines] == rows


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["KNvK", "-o", "n.txt"], "n.txt"),
        (["KXvK", "-o", "n.csv"], "KXvK"),
        (["KQvKR", "-o", "n.csv"], "KQvKR"),
        (["KNvK", "-o", "no/n.csv"], "no/n.csv"),
    ],
)
def test_bad_exports_are_answered_in_one_line(
    executable: Path, tmp_path: Path, arguments: list[str], found: str
) -> None:
    done = forked.run([executable, "tables", "export", *arguments], cwd=tmp_path, text=True)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert found in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["KvK", "KBvK", "KPvK"])
def test_longest_lines_are_games_with_these_results(executable: Path, tables: Run, folder: Path, name: str) -> None:
    text = tables(folder, "stats", name, "--pgn").stdout
    tagged = forked.run([executable, "tag", "-", "--quiet"], input=text, text=True)
    assert tagged.returncode == 0
    marked = forked.run([executable, "tag", "-", "--quiet", "--comments"], input=text, text=True).stdout
    assert re.findall(r"\[%rm [^]\n]*\]", text) == re.findall(r"\[%rm [^]]*\]", marked)
    stream, found = io.StringIO(tagged.stdout), {}
    while (game := chess.pgn.read_game(stream)) is not None:
        assert not game.errors
        value, _, plies = game.headers["RMobilityTable"].split()
        assert game.headers["RMobilityResult"] == value
        assert game.end().ply() - game.ply() == int(plies)
        found[game.turn(), value] = int(plies)
    sides = json.loads(tables(folder, "stats", name, "--json").stdout)["to_move"]
    expected = {(side == "white", value): plies for side, rows in sides.items() for value, _, plies in rows if plies}
    assert found == expected


@pytest.mark.slow
def test_a_full_disk_ends_a_build_in_one_line_and_spares_what_is_done(
    executable: Path, tables: Run, folder: Path, tmp_path: Path
) -> None:
    """A limit on the size of files simulates the disk: KQvK and KRvK fit, KBvK does not."""
    done = subprocess.run(
        [executable, "tables", "--path", str(tmp_path), "build", "--men", "3", "--jobs", "1"],
        capture_output=True,
        encoding="utf-8",
        timeout=20 * PATIENCE_S,
        env=clean_environment(),
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)),
    )
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "KBvK" in done.stderr
    left = {path.name for path in tmp_path.iterdir()}
    assert {"KvK.rmd", "KQvK.rmd", "KRvK.rmd"} <= left
    assert left <= {path.name for path in folder.iterdir()}
    again = tables(tmp_path, "build", "--men", "3")
    assert again.returncode == 0
    assert not any(f"{name}:" in again.stdout for name in ("KvK", "KQvK", "KRvK"))
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(path.name for path in folder.iterdir())
    assert len(tables(tmp_path, "list").stdout.splitlines()) == len(classes(3))
