"""`standstill tables` on real folders: building, probing, damaged files, killed builds."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import re
import shutil
import signal
import subprocess
import time
import zlib
from pathlib import Path

import chess
import pytest

from standstill.cext.base.constants import WHITE
from standstill.engine.tablebases import probing
from standstill.engine.tablebases.adjudication import Adjudicator
from standstill.engine.tablebases.material import classes
from standstill.engine.tablebases.playing import PlayedTables
from standstill.engine.tablebases.store import TableStore
from standstill.engine.variants.boards import new_board
from tests import forked
from tests.rmobility import solver
from tests.rmobility.naive import code_of
from tests.uci.client import PATIENCE_S, clean_environment

from .conftest import Run

ROOT = Path(__file__).resolve().parents[2]
BISHOP = "8/8/8/4KBk1/8/8/8/8 b - - 0 1"
LONGEST = "8/8/8/8/8/8/3k4/K2B4 w - - 0 1"


def random_board(rng: random.Random, men: str) -> chess.Board:
    """A position with the kings and these pieces in which the game is not over."""
    while True:
        squares = rng.sample(range(64), len(men) + 2)
        board = chess.Board(None)
        for square, symbol in zip(squares, "Kk" + men, strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        board.turn = rng.random() < 0.5
        if board.is_valid() and code_of(board) > 1:
            return board


def random_record(rng: random.Random, board: chess.Board) -> tuple[int, int]:
    return rng.randrange(2, code_of(board) + 1), rng.randrange(2)


# ---- answers ----


def test_probe_names_value_plies_and_every_move(tables: Run, folder: Path) -> None:
    done = tables(folder, "probe", BISHOP, "--record", "-G1.5")
    assert done.stdout.splitlines()[0] == "G5.5 in 12 plies, record -G1.5"
    moves = [line.split() for line in done.stdout.splitlines()[1:]]
    assert sorted(moves) == [["Kh4", "G5.5", "12"], ["Kh5", "G5.5", "6"], ["Kh6", "G5.5", "12"]]


def test_the_record_in_a_fen_is_the_record(tables: Run, folder: Path) -> None:
    for what in ("probe", "line"):
        assert tables(folder, what, f"{BISHOP} -G1.5").stdout.startswith("G5.5 in 12 plies")
        assert tables(folder, what, f"{BISHOP} -G1.5", "--record", "G3.5").stdout.startswith("G1.5 in 4 plies")
    assert tables(folder, "probe", f"{BISHOP} -G0.5").returncode == 2


@pytest.mark.parametrize("words", [("stats", "--json", "--pgn"), ("probe", "--batch", "-", "--record", "G3.5")])
def test_what_would_be_ignored_is_refused(tables: Run, folder: Path, words: tuple[str, ...]) -> None:
    done = tables(folder, *words)
    assert (done.returncode, done.stdout) == (2, "") and words[1] in done.stderr


@pytest.mark.slow
def test_plies_that_are_missing_are_not_made_up(tables: Run, folder: Path, tmp_path: Path) -> None:
    for file in folder.glob("*.rm[vd]"):
        if file.name != "KBvK.rmd":
            shutil.copy(file, tmp_path)
    first, *moves = tables(tmp_path, "probe", BISHOP).stdout.splitlines()
    assert first == "G1.5, record G3.5" and all(line.split()[1:] == ["G1.5", "?"] for line in moves)
    (tmp_path / "in").write_text(BISHOP)
    found = json.loads(tables(tmp_path, "probe", "--json", tmp_path / "in").stdout)
    assert found["plies"] is None and {move["plies"] for move in found["moves"].values()} == {None}
    done = tables(tmp_path, "line", BISHOP)
    assert done.returncode == 2 and "build KBvK" in done.stderr
    # Neither adjudication nor the engine uses tables without plies.
    board, judge = probing.chess_board(BISHOP), Adjudicator([str(tmp_path)])
    assert judge.value(board, None) is not None and not judge.knows_plies(board) and judge.verdict(board, None) is None
    assert Adjudicator([str(folder)]).verdict(board, None) == (3, WHITE)
    said: list[str] = []
    playing = PlayedTables(said.append)
    playing.follow([str(tmp_path)], False, 3)
    assert playing.narrow(board, board.legal_moves(), probing.record_of(board, None)) is None
    assert not [line for line in said if " in " in line]
    assert tables(tmp_path, "build", "KBvK").returncode == 0
    assert tables(tmp_path, "probe", BISHOP).stdout == tables(folder, "probe", BISHOP).stdout


def test_probe_answers_line_by_line(tables: Run, folder: Path) -> None:
    told = f"{BISHOP} ; -G1.5\n{LONGEST}\n\n8/8/8/8/8/8/3k4/K2B3x w - - 0 1\n"
    done = tables(folder, "probe", "--batch", "-", told=told)
    first, second, third = map(json.loads, done.stdout.splitlines())
    assert (first["value"], first["plies"], first["record"]) == ("G5.5", 12, "-G1.5")
    assert first["moves"]["g5h5"] == {"value": "G5.5", "plies": 6}
    assert (second["value"], second["plies"]) == ("G1.5", 45)
    assert list(third) == ["error"]
    assert done.returncode == 2


def test_probe_answers_bytes_that_are_no_text_as_well(executable: Path, folder: Path) -> None:
    told = b"\xef\xbb\xbf" + BISHOP.encode() + b"\n8/8/\xff\xfe w - - 0 1\n" + LONGEST.encode() + b" ; \xe9\n"
    done = forked.run([executable, "tables", "--path", folder, "probe", "--batch", "-"], input=told)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, done.stderr) == (2, b"")
    assert answers[0]["value"] == "G1.5"
    assert [list(answer) for answer in answers[1:]] == [["error"], ["error"]]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("words", [["verify"], ["list"], ["stats"], ["line", BISHOP], ["probe", BISHOP]])
def test_a_folder_without_tables_is_named(tables: Run, tmp_path: Path, words: list[str]) -> None:
    done = tables(tmp_path / "nowhere", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"standstill: there are no tables in {tmp_path / 'nowhere'}\n"


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("fen", "record", "found"),
    [
        ("r3k3/8/8/8/8/8/8/4K3 b q - 0 1", None, "castling"),
        ("4k3/8/8/8/8/8/8/2QQK1R1 w - - 0 1", None, "expected at most 3 pieces, found 5"),
        ("4k3/8/8/8/8/8/8/4K2 w - - 0 1", None, ""),
        (BISHOP, "G0.5", "G0.5"),
        (BISHOP, "well", "well"),
    ],
)
def test_positions_outside_every_table_are_refused_in_one_line(
    tables: Run, folder: Path, fen: str, record: str | None, found: str
) -> None:
    done = tables(folder, "probe", fen, *(["--record", record] if record else []))
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert found in done.stderr


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("arguments", "found"),
    [(["KQRvKXX"], "KQRvKXX"), (["KQQvKRR"], "at most 5 pieces"), ([], "--men N"), (["KQvKR", "--memory", "1"], "MB")],
)
def test_what_cannot_be_built_is_refused_in_one_line(
    tables: Run, tmp_path: Path, arguments: list[str], found: str
) -> None:
    done = tables(tmp_path, "build", *arguments)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert found in done.stderr


def test_line_ends_with_the_final_record(tables: Run, folder: Path) -> None:
    done = tables(folder, "line", LONGEST)
    head, *moves = done.stdout.splitlines()
    assert (head, len(moves)) == ("G1.5 in 45 plies", 45)
    assert moves[-1].split()[1] == "G1.5"
    assert "G1.5" not in [move.split()[1] for move in moves[:-1]]


def test_stats_and_list(tables: Run, folder: Path) -> None:
    entries = json.loads(tables(folder, "stats", "kbvk", "--json").stdout)
    assert entries["to_move"]["white"] == [["G0.5", 7360, 17], ["G1.5", 185924, 45]]
    assert "G5.5          988    13 plies" in tables(folder, "stats", "KvK").stdout
    assert [line.split()[0] for line in tables(folder, "list").stdout.splitlines()] == classes(3)


def test_tables_of_three_men_are_small(folder: Path) -> None:
    assert sum(path.stat().st_size for path in folder.glob("*.rmv")) < 50_000
    assert sum(path.stat().st_size for path in folder.iterdir()) < 300_000


def test_without_a_folder_the_supplied_tables_answer(executable: Path, tmp_path: Path) -> None:
    for words in (["probe", BISHOP, "--record", "-G1.5"], ["--whole-game", "probe", BISHOP]):
        done = forked.run([executable, "tables", *words], cwd=tmp_path, text=True)
        assert (done.returncode, done.stderr) == (0, "")
        assert "Kh5" in done.stdout
    assert not list(tmp_path.iterdir())


# ---- verifying tables ----


def test_every_state_follows_from_its_moves(tables: Run, folder: Path) -> None:
    done = tables(folder, "verify", "--every", "101")
    assert done.returncode == 0
    assert done.stdout.count(" 0 wrong") == len(classes(3))


@pytest.mark.slow
def test_every_single_state_follows_from_its_moves(tables: Run, folder: Path) -> None:
    assert tables(folder, "verify").returncode == 0


@pytest.mark.sampled(2)
@pytest.mark.parametrize("men", ["", "Q", "r", "B", "n", "P", "p"])
def test_values_follow_from_the_moves_of_python_chess(folder: Path, men: str) -> None:
    store, rng = TableStore(str(folder)), random.Random(men)
    for _ in range(60):
        board = random_board(rng, men)
        record = random_record(rng, board)
        own = new_board(board.fen())
        value = probing.look_up(store, own, record)
        entries = probing.move_values(store, own, record)
        assert {own.notation.move_text(own, entry.move) for entry in entries} == {m.uci() for m in board.legal_moves}
        assert value == probing.best(own, record, entries)
        for entry in entries:
            after = board.copy()
            after.push_uci(own.notation.move_text(own, entry.move))
            reset, code = board.is_zeroing(after.peek()), code_of(after)
            kept = (code, int(board.turn == chess.BLACK)) if reset or code < record[0] else record
            there = probing.look_up(store, new_board(after.fen()), kept)
            assert there.outcome == entry.value.outcome


@pytest.mark.slow
@pytest.mark.parametrize("man", ["", "Q", "R", "B", "N", "P"])
def test_values_are_those_of_an_independent_solver(folder: Path, man: str) -> None:
    store, rng = TableStore(str(folder)), random.Random(man)
    for _ in range(2000):
        board = random_board(rng, rng.choice([man, man.lower()]))
        code, owner = random_record(rng, board)
        score = int(solver.score(board, (code, owner == 0)))
        value = int(solver.score_of(score))
        found = probing.look_up(store, new_board(board.fen()), (code, owner))
        assert (found.outcome, found.plies) == (value, abs(score - solver.PLY * value)), board.fen()


def reader():
    spec = importlib.util.spec_from_file_location("table_reader", ROOT / "docs" / "table_reader.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.sampled(2)
@pytest.mark.parametrize("men", ["", "Q", "r", "B", "n", "P", "p"])
def test_the_reader_of_the_documentation_agrees(folder: Path, men: str) -> None:
    store, rng, program = TableStore(str(folder)), random.Random(men), reader()
    for _ in range(10):
        board = random_board(rng, men)
        code, owner = random_record(rng, board)
        assert program.probe(folder, board.fen(), code, owner) == probing.look_up(
            store, new_board(board.fen()), (code, owner)
        )


# ---- files ----

REGIONS = ("magic", "header", "dictionary", "statistics", "list of blocks", "first block", "last block")


def place_in(path: Path, region: str) -> int:
    """The offset of a byte in this part of a file, found as docs/table-format.md describes."""
    data = path.read_bytes()
    blocks = int.from_bytes(data[44:48], "little")
    dictionary, _, statistics = (int.from_bytes(data[at : at + 4], "little") for at in (52, 56, 60))
    listed = 84 + dictionary + statistics
    starts = [0, 40, 84 + dictionary // 2, 84 + dictionary + statistics // 2, listed + 5, listed + 8 * blocks + 3]
    return [*starts, len(data) - 1][REGIONS.index(region)]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("suffix", [".rmv", ".rmd"])
@pytest.mark.parametrize("region", REGIONS)
def test_a_flipped_bit_is_found(tables: Run, folder: Path, tmp_path: Path, region: str, suffix: str) -> None:
    for path in folder.glob("KBvK.*"):
        shutil.copy(path, tmp_path)
    for path in folder.glob("KvK.*"):
        shutil.copy(path, tmp_path)
    damaged = tmp_path / f"KBvK{suffix}"
    data = bytearray(damaged.read_bytes())
    data[place_in(damaged, region)] ^= 4
    damaged.write_bytes(data)
    done = tables(tmp_path, "verify", "KvK")
    assert done.returncode == 1
    assert damaged.name in done.stderr or "1 block corrupt" in done.stdout


def test_no_sound_class_is_blamed_for_a_damaged_one(tables: Run, folder: Path, tmp_path: Path) -> None:
    for path in folder.glob("*.rm?"):
        shutil.copy(path, tmp_path)
    damaged = tmp_path / "KRvK.rmv"
    data = bytearray(damaged.read_bytes())
    data[place_in(damaged, "first block")] ^= 4
    damaged.write_bytes(data)
    done = tables(tmp_path, "verify", "--every", "500")
    assert done.returncode == 1 and f"KRvK: damaged ({damaged}, " in done.stdout
    assert "KPvK: not tested, because KRvK is damaged\n" in done.stdout
    assert set(re.findall(r"(\S+): [\d,]+ states, 0 wrong", done.stdout)) == {"KvK", "KBvK", "KNvK", "KQvK"}


def test_a_file_that_claims_more_positions_than_there_are_is_refused(tables: Run, folder: Path, tmp_path: Path) -> None:
    """Found by `make fuzz`: the test once went through as many positions as the header claimed."""
    for path in [*folder.glob("KBvK.*"), *folder.glob("KvK.*")]:
        shutil.copy(path, tmp_path)
    damaged = tmp_path / "KBvK.rmv"
    data = bytearray(damaged.read_bytes())
    data[38] ^= 1
    data[80:84] = zlib.crc32(data[:80]).to_bytes(4, "little")
    damaged.write_bytes(data)
    done = tables(tmp_path, "verify", "KBvK")
    size = int.from_bytes(data[32:40], "little")
    assert done.returncode == 2
    assert f"KBvK.rmv: expected {size - (1 << 48)} positions, found {size}" in done.stderr


def test_a_corrupt_block_answers_nothing_rather_than_something_wrong(folder: Path, tmp_path: Path) -> None:
    for path in folder.glob("*.rmv"):
        shutil.copy(path, tmp_path)
    damaged = tmp_path / "KBvK.rmv"
    data = bytearray(damaged.read_bytes())
    data[place_in(damaged, "first block")] ^= 1
    damaged.write_bytes(data)
    good, bad, rng, silent = TableStore(str(folder)), TableStore(str(tmp_path)), random.Random(5), 0
    for _ in range(300):
        board = new_board(random_board(rng, "B").fen())
        found = bad.library.look_up(board)
        silent += found is None
        assert found is None or found[0] == good.library.look_up(board)[0]
    assert silent


@pytest.mark.slow
def test_a_build_makes_damaged_tables_anew_that_it_needs(tables: Run, folder: Path, tmp_path: Path) -> None:
    """A build rebuilds values or plies but does not read tables that it does not need; a second run has nothing to
    do."""
    for path in folder.glob("*.rm?"):
        shutil.copy(path, tmp_path)
    for name in ("KNvK.rmv", "KQvK.rmd"):
        data = bytearray((tmp_path / name).read_bytes())
        data[place_in(tmp_path / name, "first block")] ^= 1
        (tmp_path / name).write_bytes(data)
    (tmp_path / "KPvK.rmv").unlink()
    done = tables(tmp_path, "build", "KPvK")
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(line.split(":")[0] for line in done.stdout.splitlines()) == ["KNvK", "KPvK", "KQvK"]
    for path in folder.glob("*.rm?"):
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()
    done = tables(tmp_path, "build", "KPvK")
    assert done.returncode == 0 and done.stdout.startswith("nothing to build: ")


def test_foreign_and_mixed_up_files_are_refused_by_name(tables: Run, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "KvK.rmv").write_bytes(b"no table at all" * 20)
    (tmp_path / "KQvK.rmv").write_bytes(b"")
    shutil.copy(folder / "KNvK.rmv", tmp_path / "KBvK.rmv")
    (tmp_path / "KRvK.rmv").write_bytes((folder / "KRvK.rmv").read_bytes()[:-9])
    shutil.copy(folder / "KPvK.rmv", tmp_path)
    data = bytearray((folder / "KPvK.rmd").read_bytes())
    (tmp_path / "KPvK.rmd").write_bytes(data[:30])
    done = tables(tmp_path, "list")
    lines = done.stderr.splitlines()
    assert done.stdout == ""
    refused = [name for name in classes(3) if any(f"{os.sep}{name}.rm" in line for line in lines)]
    assert (refused, len(lines)) == (["KvK", "KQvK", "KRvK", "KBvK", "KPvK"], 5)
    assert "expected values of KBvK, found values of KNvK" in done.stderr


def test_a_file_of_the_other_form_of_the_game_is_refused(tables: Run, folder: Path, tmp_path: Path) -> None:
    shutil.copy(folder / "KBvK.rmv", tmp_path / "KBvK.wgv")
    done = tables(tmp_path, "--whole-game", "list")
    assert done.stderr == (
        f"standstill: {tmp_path / 'KBvK.wgv'}: expected values of KBvK for the whole game, found values of KBvK\n"
    )


@pytest.mark.slow
def test_a_killed_build_goes_on(executable: Path, tables: Run, folder: Path, tmp_path: Path) -> None:
    command = [executable, "tables", "--path", str(tmp_path), "build", "--men", "3", "--jobs", "1"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=clean_environment())
    deadline = time.monotonic() + 5 * PATIENCE_S
    while not list(tmp_path.glob("K?vK.rmv")) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait(PATIENCE_S)
    done = tables(tmp_path, "build", "--men", "3")
    assert done.returncode == 0
    assert "KvK:" not in done.stdout.split("\n")[0]
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in folder.iterdir()}
    for path in tmp_path.iterdir():
        assert path.read_bytes() == (folder / path.name).read_bytes()


def test_a_folder_that_cannot_be_written_is_refused_in_one_line(tables: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    done = tables(tmp_path / "file", "build", "KvK")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals")
def test_a_build_shows_its_progress_on_a_terminal_only(
    executable: Path, tables: Run, folder: Path, tmp_path: Path
) -> None:
    quiet, shown = tmp_path / "quiet", tmp_path / "shown"
    for place in (quiet, shown):
        place.mkdir()
        shutil.copy(folder / "KvK.rmv", place)
        shutil.copy(folder / "KvK.rmd", place)
    assert tables(quiet, "build", "KRvK").stderr == ""
    person, terminal = os.openpty()
    words = [executable, "tables", "--path", str(shown), "build", "KRvK"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=terminal, env=clean_environment())
    os.close(terminal)
    said = b""
    while True:
        try:
            said += os.read(person, 1 << 16)
        except OSError:  # the process has closed the terminal
            break
    os.close(person)
    assert process.communicate(timeout=PATIENCE_S)[0].startswith(b"KRvK: ")
    assert process.returncode == 0
    lines = said.decode().split("\r\x1b[K")
    assert re.fullmatch(r"KRvK: entering positions: \d+ %", lines[1])
    assert lines[-1] == ""
