"""`standstill tag` on real-life files: any encoding, truncated, damaged, unterminated, very large."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import os
import random
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import chess
import chess.pgn
import pytest
import zstandard

from tests import forked
from tests.rmobility.naive import random_game, read, score

TABLES = Path(__file__).resolve().parents[1] / "data" / "syzygy"
Run = Callable[..., subprocess.CompletedProcess]

DRAWN = b'[White "A"]\n[Black "B"]\n[Result "1/2-1/2"]\n\n1. e4 e5 1/2-1/2\n\n'
TAGGED = DRAWN.replace(b'/2"]\n', b'/2"]\n[RMobilityResult "-G29.5"]\n')


@pytest.fixture
def run(executable: Path, tmp_path: Path) -> Run:
    def call(*arguments: str | Path, data: bytes = b"") -> subprocess.CompletedProcess:
        words = [executable, "tag", *arguments]
        return forked.run(words, cwd=tmp_path, input=data, capture_output=True, timeout=120, check=False)

    return call


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"\xef\xbb\xbf" + DRAWN, id="byte order mark"),
        pytest.param(b"\0\0" + DRAWN + b"\0", id="zeros around"),
        pytest.param(DRAWN.replace(b"e4 e5", b"e4 \0 e5"), id="zeros inside"),
        pytest.param(DRAWN.replace(b"\n", b"\r\n"), id="carriage returns"),
        pytest.param(DRAWN.replace(b"\n", b"\r"), id="carriage returns alone"),
        pytest.param(DRAWN.replace(b"\n", b"\r") * 3, id="many games with these"),
        pytest.param(DRAWN.replace(b'"A"', '"Müller"'.encode("latin-1")), id="latin-1"),
        pytest.param(DRAWN.replace(b" e5", " {é ♔} e5".encode()), id="utf-8"),
        pytest.param(DRAWN.replace(b" e5", b" (1. d4 d5 (1... f5 (1... Nf6)) 2. c4) e5"), id="nested variations"),
        pytest.param(DRAWN.replace(b" e5", b" " + b"(" * 50_000 + b")" * 50_000 + b" e5"), id="very nested ones"),
        pytest.param(b"% 1. d4\n" + DRAWN.replace(b" e5", b'\n% [Event "x"]\n e5'), id="escaped lines"),
        pytest.param(DRAWN.replace(b" e5", b' ; { ( [Event "x"] 1-0\n e5'), id="comments to the end of the line"),
        pytest.param(DRAWN.replace(b" e5", b" {" + b"x y\n" * 250_000 + b"} e5"), id="a megabyte of comment"),
        pytest.param(DRAWN.rstrip(), id="no line end"),
        pytest.param(DRAWN.replace(b"1. e4 e5", b"1.e4 $1 e5!? $14"), id="annotations"),
    ],
)
def test_one_result_for_each_game_and_nothing_else_is_touched(run: Run, data: bytes) -> None:
    done = run("-", "--quiet", data=data)
    assert (done.returncode, done.stderr) == (0, b"")
    ending = b"\r\n" if b"\r\n" in data else b"\r" if b"\r" in data else b"\n"
    tag = b'[RMobilityResult "-G29.5"]' + ending
    assert done.stdout.count(tag) == data.count(b"[White ")
    rest = done.stdout.replace(tag, b"")
    assert rest.removesuffix(b"\n") == data.removesuffix(b"\n")
    assert run("-", "--quiet", data=done.stdout).stdout == done.stdout


@pytest.mark.parametrize(
    ("damage", "ply", "reason"),
    [
        (b"1. e4 {never closed e5 1/2-1/2", 1, "'{never closed e5 1/2' is not closed"),
        (b"1. e4 e5 (2. d4 d5 1/2-1/2", 2, "'(2. d4 d5 1/2-1/2' is not closed"),
        (b"1. e4 e5 (2. d4 {x) 1/2-1/2", 2, "'(2. d4 {x) 1/2-1/2' is not closed"),
        (b"{never", 0, "'{never' is not closed"),
        (b"1. e4 e4 1/2-1/2", 2, "illegal move 'e4'"),
        (b"1. e4 rubbish 1/2-1/2", 2, "expected a move, found 'rubbish'"),
    ],
)
def test_damage_is_named_and_copied(run: Run, damage: bytes, ply: int, reason: str) -> None:
    # After an unterminated comment, the next game begins where a tag Event follows an empty line.
    broken = b'[Event "broken"]\n\n' + damage + b"\n\n"
    whole = b'[Event "e"]\n' + TAGGED
    done = run("-", "--quiet", data=b'[Event "e"]\n' + DRAWN + broken + b'[Event "e"]\n' + DRAWN)
    assert done.returncode == 1
    assert done.stdout == whole + broken + whole
    where = f", ply {ply}" if ply else ""
    assert done.stderr.decode() == f"standstill: <stdin>: game 2{where}: {reason}\n"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(5))
def test_noise_is_copied_in_one_line_a_game(run: Run, seed: int) -> None:
    rng = random.Random(seed)
    noise = rng.randbytes(400_000) if seed % 2 else bytes(rng.choices(b'e4NQ1.?!()[]{};%"\n\\ $*/-0', k=200_000))
    done = run("-", "--quiet", data=noise)
    assert done.returncode in (0, 1)
    assert b"Traceback" not in done.stderr
    assert done.stdout.replace(b"[RMobilityResult", b"").startswith(noise[:50])
    for line in done.stderr.splitlines():
        assert line.startswith(b"standstill: <stdin>: game ")


@pytest.mark.slow
def test_long_game(run: Run) -> None:
    """2000 moves that pass the 50-move mark repeatedly; every position is compared with the naive scorer."""
    game = chess.pgn.Game()
    game.headers["Result"] = "1/2-1/2"
    rng, node, board = random.Random(9), game, chess.Board()
    while board.ply() < 4000:  # no mate is played
        quiet = [move for move in board.legal_moves if not board.is_zeroing(move)]
        moves = quiet if quiet and board.halfmove_clock < 400 else list(board.legal_moves)
        for move in rng.sample(moves, len(moves)):
            board.push(move)
            if any(board.legal_moves):
                break
            board.pop()
        node = node.add_variation(move)
    assert board.ply() == 4000
    found = read(run("-", "--tags", "all", "--quiet", data=str(game).encode()).stdout.decode()).headers
    expected = score(game)
    assert [found[f"RMobility{name}"] for name in ("Result", "WG", "OTB", "Ply")] == [
        expected.phase,
        expected.whole,
        expected.otb,
        str(expected.ply),
    ]


# ---- files ----


@pytest.mark.parametrize(
    ("suffix", "pack"), [("gz", gzip.compress), pytest.param("bz2", bz2.compress, marks=pytest.mark.slow)]
)
def test_what_lies_before_the_cut_is_kept(run: Run, tmp_path: Path, suffix: str, pack) -> None:
    # Random comments do not compress well, so a truncated file loses only a few games.
    rng = random.Random(3)
    games = b"".join(DRAWN.replace(b" e5", b" {%s} e5" % rng.randbytes(300).hex().encode()) for _ in range(6000))
    packed = pack(games)
    (tmp_path / f"cut.pgn.{suffix}").write_bytes(packed[: len(packed) * 3 // 4])
    (tmp_path / "whole.pgn").write_bytes(DRAWN)
    done = run(f"cut.pgn.{suffix}", "whole.pgn", "--json", "-o", "out.pgn", "--partial")
    assert done.returncode == 2
    assert done.stderr.decode().splitlines()[-1].endswith(f"'cut.pgn.{suffix}': the compressed data end too early")
    out = (tmp_path / "out.pgn").read_bytes()
    assert out.endswith(TAGGED)
    assert json.loads(done.stdout)["tagged"] > 3000


def test_zstd_that_is_cut_is_named(run: Run, tmp_path: Path) -> None:
    packed = zstandard.ZstdCompressor().compress(DRAWN * 50)
    (tmp_path / "cut.pgn.zst").write_bytes(packed[:-5])
    done = run("cut.pgn.zst", "--quiet")
    assert done.returncode == 2
    assert done.stderr.endswith(b"'cut.pgn.zst': the compressed data end too early\n")


@pytest.mark.parametrize("suffix", ["gz", "bz2", "zst"])
def test_name_that_promises_what_is_not_there(run: Run, tmp_path: Path, suffix: str) -> None:
    (tmp_path / f"plain.pgn.{suffix}").write_bytes(DRAWN)
    done = run(f"plain.pgn.{suffix}", "-o", "out.pgn", "--quiet")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert b"Traceback" not in done.stderr


def test_outputs_that_cannot_be_written(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.pgn").write_bytes(DRAWN)
    for output in ("/dev/full", "/proc/none.pgn", "in.pgn/below.pgn"):
        done = run("in.pgn", "-o", output)
        assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, b"", 1)
        assert done.stderr.startswith(b"standstill: cannot ")
    done = run("in.pgn", "-o", "out.pgn", "--sheet", "/dev/full")
    assert (done.returncode, done.stderr.splitlines()[-1][:25]) == (2, b"standstill: cannot write ")
    assert (tmp_path / "in.pgn").read_bytes() == DRAWN


def test_reader_that_leaves_early(executable: Path, tmp_path: Path) -> None:
    (tmp_path / "in.pgn").write_bytes(DRAWN * 5_000)
    for jobs in ("1", "2"):
        words = [executable, "tag", "in.pgn", "--quiet", "--jobs", jobs]
        with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            process.stdout.read(1000)
            process.stdout.close()
            assert process.stderr.read() == b""
            process.wait(60)


def test_several_files_into_compressed_ones(run: Run, tmp_path: Path) -> None:
    for name in ("a.pgn", "b.pgn"):
        (tmp_path / name).write_bytes(DRAWN)
    (tmp_path / "c.pgn.gz").write_bytes(gzip.compress(DRAWN))
    assert run("a.pgn", "b.pgn", "c.pgn.gz", "-o", "out.pgn.zst", "--quiet").returncode == 0
    packed = (tmp_path / "out.pgn.zst").read_bytes()
    assert zstandard.ZstdDecompressor().decompressobj().decompress(packed) == TAGGED * 3
    assert run("a.pgn", "-", "c.pgn.gz", "-o", "folder/", "--quiet", data=DRAWN * 2).returncode == 0
    assert sorted(os.listdir(tmp_path / "folder")) == ["a.pgn", "c.pgn.gz", "stdin.pgn"]
    assert (tmp_path / "folder" / "stdin.pgn").read_bytes() == TAGGED * 2
    assert gzip.decompress((tmp_path / "folder" / "c.pgn.gz").read_bytes()) == TAGGED


# ---- archives ----


@pytest.mark.sampled(1)
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_archive_with_sheets_and_summary(run: Run, tmp_path: Path, jobs: str) -> None:
    """All that the command writes about 60 games, some of them Chess960, compared with the naive scorer."""
    rng = random.Random(12)
    games = [random_game(rng, rng.choice([0, 30, 90]), chess960=number % 3 == 0) for number in range(60)]
    (tmp_path / "in.pgn").write_text("\n\n".join(map(str, games)) + "\n", encoding="utf-8")
    done = run("in.pgn", "-o", "out.pgn", "--tags", "all", "--json", "--jobs", jobs, "--sheet", "sheets.txt")
    assert (done.returncode, done.stderr) == (0, b"")
    expected = [score(game) for game in games]
    summary = json.loads(done.stdout)
    played = [(game, one) for game, one in zip(games, expected, strict=True) if one.phase is not None]
    assert (summary["games"], summary["tagged"]) == (60, len(played))
    assert summary["plies"] == sum(one.plies for one in expected)
    won = [one.phase for _, one in played if one.phase in ("G0.0", "-G0.0")]
    assert summary["won"] == {"white": won.count("G0.0"), "black": won.count("-G0.0")}
    over = [one.phase for game, one in played if one.phase not in ("G0.0", "-G0.0") and game.headers["Result"] != "*"]
    black = sum(goal.startswith("-") for goal in over)
    assert summary["draws"] == {"white": len(over) - black, "black": black}
    for row in summary["histogram"]:
        assert (row["white"], row["black"]) == (over.count(row["goal"]), over.count(f"-{row['goal']}"))
    assert sum(row["white"] + row["black"] for row in summary["histogram"]) == len(over)
    assert (tmp_path / "sheets.txt").read_text(encoding="utf-8").count("Game ") == len(played)
    out = (tmp_path / "out.pgn").read_text(encoding="utf-8")
    assert [line for line in out.splitlines() if line.startswith("[RMobilityResult")] == [
        f'[RMobilityResult "{one.phase}"]' for _, one in played
    ]


# ---- tables and the 50-move rule ----

QUEEN = "8/8/8/8/8/3k4/7Q/K7 w - - {clock} 90"  # won, but not within five moves: a draw at clock 90


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_moves_on_the_line_of_a_tag_stay_behind_the_tags(run: Run, tmp_path: Path, newline: str) -> None:
    """Tags come in any order. A second run changes nothing; a plain run removes what options had added."""
    heads = [
        '[White "A"]\n[Result "1/2-1/2"]',
        '[Event "x"] [White "A"] [ECO "C20"] [Result "1/2-1/2"]',
        '[Event "x"] [Result "1/2-1/2"] [RMobilityResult "G1.0"]',
        '[White "A"]\n[Result "1/2-1/2"] {a remark\nof two lines}',
        '[White "A"]\n[Result "1/2-1/2"] ; a remark\n',
    ]
    games = "\n".join(f"{head} 1. e4 e5 {{here}} 2. d4 1/2-1/2" for head in heads) + "\n"
    path = tmp_path / "a.pgn"
    path.write_bytes(games.replace("\n", newline).encode())
    plain = run("a.pgn", "--quiet")
    texts = []
    for options in (["--tags", "ply"], ["--tags", "ply"], []):
        done = run("a.pgn", "-o", "a.pgn", "--quiet", *options)
        assert (done.returncode, done.stderr) == (0, b"")
        texts.append(path.read_bytes())
    assert texts[0] == texts[1] and texts[2] == plain.stdout
    assert texts[0].count(b"RMobilityResult") == texts[0].count(b"RMobilityPly") == len(heads)
    for text in re.split(r"(?<=e5 \{here\} 2\. d4 1/2-1/2)\s+", texts[0].decode())[:-1]:
        found = chess.pgn.read_game(io.StringIO(text))
        assert not found.errors and found.headers["RMobilityPly"] == "3"
        assert [move.uci() for move in found.mainline_moves()] == ["e2e4", "e7e5", "d2d4"]


def adjudicated(clock: int, moves: str, how: str = "SyzygyTB", result: str = "1/2-1/2") -> bytes:
    fen = QUEEN.format(clock=clock)
    return f'[Result "{result}"]\n[FEN "{fen}"]\n[SetUp "1"]\n[Termination "{how}"]\n\n{moves} {result}\n\n'.encode()


def result_of(done: subprocess.CompletedProcess) -> str:
    return read(done.stdout.decode()).headers["RMobilityResult"]


def test_the_queen_needs_more_than_is_left() -> None:
    """Checks with python-chess what the tests below assume."""
    import chess.syzygy

    with chess.syzygy.open_tablebase(str(TABLES)) as tables:
        board = chess.Board(QUEEN.format(clock=0))
        for move in ("a1b1", "d3d4"):
            board.push_uci(move)
        assert tables.probe_wdl(board) == 2
        assert 8 < tables.probe_dtz(board) < 40


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("clock", "how", "options", "cursed"),
    [
        (90, "SyzygyTB", [], True),
        (90, "adjudication", [], True),
        (90, "TB position", [], True),
        (10, "SyzygyTB", [], False),  # the win comes before move 50, so it is not cursed
        (90, "normal", [], False),  # an agreed draw is not an adjudication
        (90, "SyzygyTB", ["--result", "board"], False),
        (10, "SyzygyTB", ["--fifty", "iccf"], True),  # ICCF: every win in the tables counts
        (10, "normal", ["--fifty", "iccf"], False),
    ],
)
def test_cursed_wins_adjudicated_as_draws(run: Run, clock: int, how: str, options: list[str], cursed: bool) -> None:
    done = run("-", "--quiet", "--syzygy", TABLES, *options, data=adjudicated(clock, "90. Kb1 Kd4", how))
    assert done.returncode == 0, done.stderr
    assert (result_of(done) == "G0.0") == cursed
    without = run("-", "--quiet", *options, data=adjudicated(clock, "90. Kb1 Kd4", how))
    assert result_of(without) != "G0.0"


@pytest.mark.parametrize(("fifty", "expected"), [("fide", None), ("record", None), ("off", None), ("iccf", "G0.0")])
def test_fifty_move_draw_of_a_won_game(run: Run, fifty: str, expected: str | None) -> None:
    """At clock 100 the game is a draw over the board, and a win in correspondence chess with tables."""
    data = adjudicated(98, "90. Kb1 Kd4", "normal")
    done = run("-", "--quiet", "--syzygy", TABLES, "--fifty", fifty, data=data)
    assert result_of(done) == (expected or score(read(data.decode()), fifty=fifty).phase)


def test_black_may_be_the_one_who_wins(run: Run) -> None:
    fen = chess.Board(QUEEN.format(clock=90)).mirror().fen()
    data = f'[Result "1/2-1/2"]\n[FEN "{fen}"]\n[SetUp "1"]\n[Termination "SyzygyTB"]\n\n90... Kb8 91. Kd5 1/2-1/2\n'
    assert result_of(run("-", "--quiet", "--syzygy", TABLES, data=data.encode())) == "-G0.0"


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_damaged_table_is_named_in_one_line(run: Run, tmp_path: Path, jobs: int) -> None:
    for path in TABLES.glob("*.rtb?"):
        (tmp_path / path.name).write_bytes(path.read_bytes()[:100])
    data = adjudicated(90, "90. Kb1 Kd4")
    done = run("-", "--quiet", "--jobs", str(jobs), "--syzygy", tmp_path, data=data)
    assert done.returncode == 2
    assert done.stderr.decode().startswith(f"standstill: damaged endgame tables in '{tmp_path}'")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("jobs", [1, 2])
def test_tables_may_lie_in_several_folders(run: Run, tmp_path: Path, jobs: int) -> None:
    """Each folder lacks some of the requested tables, whichever of the two comes first."""
    folders = [tmp_path / name for name in ("results", "distances", "empty")]
    for folder, pattern in zip(folders, ("*.rtbw", "*.rtbz", "nothing"), strict=True):
        folder.mkdir()
        for path in TABLES.glob(pattern):
            shutil.copy(path, folder)
    data = adjudicated(90, "90. Kb1 Kd4")
    for first, second in (folders[:2], folders[1::-1]):
        done = run("-", "--quiet", "--jobs", str(jobs), "--syzygy", first, "--syzygy", second, data=data)
        assert result_of(done) == "G0.0", done.stderr
    done = run("-", "--quiet", "--syzygy", folders[0], "--syzygy", folders[2], data=data)
    assert (done.returncode, done.stderr.decode().count("\n")) == (2, 1) and str(folders[2]) in done.stderr.decode()


def test_positions_no_table_knows_are_scored_as_they_are(run: Run) -> None:
    drawn = DRAWN.replace(b'/2"]\n', b'/2"]\n[Termination "SyzygyTB"]\n')
    done = run("-", "--quiet", "--syzygy", TABLES, data=drawn)
    assert (done.returncode, result_of(done)) == (0, "-G29.5")
