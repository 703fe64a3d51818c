"""The command line: results on standard output, errors as one line on standard error and exit status 2."""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import chess
import pytest

from standstill.protocol.cli.group import SECTIONS
from tests import forked
from tests.board.support import KIWIPETE
from tests.forked import Process
from tests.posix import needs_devices
from tests.uci.client import PATIENCE_S, Client, clean_environment

Run = Callable[..., subprocess.CompletedProcess]


@pytest.fixture
def run(executable: Path) -> Run:
    """Run the executable to its end; a traceback fails the test."""

    def call(*arguments: str, told: bytes = b"", **options: object) -> subprocess.CompletedProcess:
        done = forked.run(
            [executable, *arguments],
            input=told,
            capture_output=True,
            timeout=5 * PATIENCE_S,
            text=True,
            env=clean_environment(),
            check=False,
            **options,
        )
        assert "Traceback" not in done.stderr
        return done

    return call


def nodes_of(text: str) -> int:
    (number,) = re.findall(r"^Nodes searched: (\d+)$", text, re.MULTILINE)
    return int(number)


def refused(done: subprocess.CompletedProcess) -> bool:
    """One line on standard error, nothing on standard output, exit status 2."""
    return done.returncode == 2 and done.stdout == "" and len(done.stderr.splitlines()) == 1


# ---- in general ----


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["perft", "--help"], ["mobility", "-h"], ["--version"]])
def test_help_and_version_are_no_errors(run: Run, arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout


def test_the_version_tells_what_this_copy_is(run: Run) -> None:
    lines = run("--version").stdout.splitlines()
    assert re.fullmatch(r"Standstill \d+\.\d+\.\d+", lines[0]) and len(lines) <= 20
    told = {name: line.split(name, 1)[1].strip() for line in lines[1:] for name in [line[:16].strip()]}
    assert re.fullmatch(r"[0-9a-f]{7,40}(-dirty)?|unknown", told["commit"])
    assert re.match(r"(release|debug|sanitize|thread), by (gcc|clang) .* and Cython 3\.", told["build"])
    assert Path(told["records"]).is_file()
    assert told["instruction set"].split(",")[0].split()[0] in ("avx512", "avx2", "neon", "portable")
    assert told["run by"] == f"{platform.python_implementation()} {platform.python_version()} on {platform.system()}"
    assert told["network"] == "none" or Path(told["network"]).is_file()
    number, tables = re.fullmatch(r"(\d) of R-Mobility, up to 3 pieces, in (.*)", told["tables"]).groups()
    assert (number, Path(tables).parts[-2:]) == ("6", ("tablebases", "data")) and Path(tables).is_absolute()
    assert Path(told["engine.ini"]).is_file()


@pytest.mark.parametrize("arguments", [["relevance"], ["games"]])
def test_a_command_without_its_subcommand_shows_its_help(run: Run, arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Usage: ") and len(done.stderr.splitlines()) > 5


def test_help_names_the_commands(run: Run) -> None:
    text = run("--help").stdout
    for heading, names in SECTIONS.items():
        listed = text.partition(f"\n{heading}:\n")[2].partition("\n\n")[0].splitlines()
        assert [line.split()[0] for line in listed] == list(names)


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["--nonsense"],
        ["perft"],
        ["perft", "x"],
        ["perft", "-1"],
        ["perft", "16"],
        ["perft", "99999999999999999999"],
        ["perft", "2", "3"],
        ["perft", "2", "--nonsense"],
        ["perft", "2", "--fen"],
        ["perft", "2", "--fen", "rubbish"],
        ["perft", "2", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"],
        ["perft", "2", "--fen", ""],
        ["mobility"],
        ["mobility", "--fen", "rubbish"],
        ["mobility", "--fen", "8/8/8/8/8/8/8/K1k4R w - - 0 1"],
        ["mobility", "/nonexistent/file"],
        ["mobility", "/"],
        ["mobility", "-", "--fen", KIWIPETE],
        ["bench", "0"],
        ["bench", "x"],
        ["bench", "1", "2"],
        ["selfplay", "--moves", "0"],
        ["selfplay", "--nonsense"],
        ["selfplay", "--fen", "rubbish"],
        ["", "x"],
        ["\u00e9"],
    ],
)
def test_bad_input_is_answered_in_one_line(run: Run, arguments: list[str]) -> None:
    assert refused(run(*arguments))


def test_an_error_shows_the_text_that_caused_it(run: Run) -> None:
    assert "rubbish" in run("perft", "2", "--fen", "rubbish").stderr


@needs_devices
def test_a_full_disk_is_named_as_such(executable: Path) -> None:
    """The command does not report an output error as an input error."""
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [executable, "mobility", "-"],
            input=f"{chess.STARTING_FEN}\n".encode() * 5000,
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=5 * PATIENCE_S,
            env=clean_environment(),
            check=False,
        )
    assert (done.returncode, done.stderr) == (2, b"standstill: No space left on device" + os.linesep.encode())


@pytest.mark.sampled(2)
@pytest.mark.parametrize("arguments", [["perft", "3", "--divide"], ["mobility", "-"], ["bench", "1"], ["--help"]])
def test_an_output_that_closes_early_is_no_error(executable: Path, arguments: list[str]) -> None:
    """The pipe closes early, as with `| head -1`."""
    process = subprocess.Popen(
        [executable, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=clean_environment(),
    )
    process.stdout.close()
    try:
        _, errors = process.communicate(f"{KIWIPETE}\n".encode() * 20_000, timeout=PATIENCE_S)
    finally:
        process.kill()
        process.wait()
    assert (process.returncode, errors) == (0, b"")


def test_unread_messages_do_not_stop_the_work(executable: Path, tmp_path: Path) -> None:
    """Both streams close early, as with `2>&1 | head -1`; games were once missing from the output then, with exit
    status 0."""
    games = ['[Result "1-0"]\n\n1. Ke4 1-0\n\n', '[Result "1-0"]\n\n1. e4 1-0\n\n']
    (tmp_path / "in.pgn").write_text("".join(games))
    process = subprocess.Popen(
        [executable, "tag", "in.pgn", "-o", "out.pgn"],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=clean_environment(),
    )
    process.stderr.close()
    assert process.wait(PATIENCE_S) == 1  # a game could not be read
    assert "1. e4" in (tmp_path / "out.pgn").read_text()


# ---- perft ----


@pytest.mark.parametrize(("depth", "leaves"), [(0, 1), (1, 20), (2, 400), (4, 197281)])
def test_perft_counts_from_the_start_position(run: Run, depth: int, leaves: int) -> None:
    assert nodes_of(run("perft", str(depth)).stdout) == leaves


@pytest.mark.parametrize(("fen", "leaves"), [(KIWIPETE, 97862), ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", 2812)])
def test_perft_counts_from_any_position(run: Run, fen: str, leaves: int) -> None:
    assert nodes_of(run("perft", "3", "--fen", fen).stdout) == leaves


@pytest.mark.parametrize("fen", [chess.STARTING_FEN, KIWIPETE])
def test_divide_has_a_line_for_each_move(run: Run, fen: str) -> None:
    position = chess.Board(fen)
    expected = {}
    for move in position.legal_moves:
        position.push(move)
        expected[move.uci()] = position.legal_moves.count()
        position.pop()
    text = run("perft", "2", "--divide", "--fen", fen).stdout
    counts = {move: int(count) for move, count in re.findall(r"^([a-h][1-8]\S+): (\d+)$", text, re.MULTILINE)}
    assert counts == expected


def test_divide_adds_up(run: Run) -> None:
    assert nodes_of(run("perft", "3", "--divide").stdout) == 8902


# ---- mobility ----


def mobility_line(fen: str) -> str:
    position = chess.Board(fen, chess960=True)
    check = position.is_check()
    moves = position.legal_moves.count()
    return f"{moves} {'check' if check else '-'} G{moves}.{0 if check else 5}"


SOME = [
    chess.STARTING_FEN,
    KIWIPETE,
    "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
]


@pytest.mark.parametrize("fen", SOME)
def test_mobility_of_one_position(run: Run, fen: str) -> None:
    """The goal without its sign: half a point more when the side to move is not in check."""
    assert run("mobility", "--fen", fen).stdout == mobility_line(fen) + "\n"


def test_mobility_reads_standard_input(run: Run) -> None:
    done = run("mobility", "-", told="\n".join(SOME).encode())
    assert done.stdout.splitlines() == [mobility_line(fen) for fen in SOME]


def test_mobility_reads_a_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "some.epd").write_text("".join(f"{fen}\n" for fen in SOME))
    done = run("mobility", str(tmp_path / "some.epd"))
    assert (done.returncode, done.stdout.splitlines()) == (0, [mobility_line(fen) for fen in SOME])


@pytest.mark.parametrize(
    "line",
    [
        f"{KIWIPETE}\r",
        f"  {KIWIPETE}  ",
        f"\ufeff{KIWIPETE}",
        " ".join(KIWIPETE.split()[:4]),
        " ".join(KIWIPETE.split()[:4]) + ' bm e2a6; id "position \u00e9";',
        KIWIPETE + " ;D1 48 ;D2 2039",
        f"# a comment\n\n{KIWIPETE}",
    ],
)
def test_mobility_reads_fen_and_epd_lines(run: Run, line: str) -> None:
    assert run("mobility", "-", told=line.encode()).stdout == mobility_line(KIWIPETE) + "\n"


def test_mobility_reads_what_is_no_utf8(run: Run) -> None:
    told = " ".join(KIWIPETE.split()[:4]).encode() + b' id "\xe9\xff";\n'
    assert run("mobility", "-", told=told).stdout == mobility_line(KIWIPETE) + "\n"


@pytest.fixture
def half_bad(run: Run) -> subprocess.CompletedProcess:
    return run("mobility", "-", told=f"{SOME[0]}\nrubbish\n\n8/8/8/8/8/8/8/8 w - - 0 1\n{SOME[1]}\n".encode())


def test_mobility_names_the_number_of_each_bad_line(half_bad) -> None:
    assert [re.search(r":(\d+): ", line)[1] for line in half_bad.stderr.splitlines()] == ["2", "4"]


def test_mobility_goes_on_after_a_bad_line(half_bad) -> None:
    assert half_bad.stdout.splitlines() == [mobility_line(SOME[0]), mobility_line(SOME[1])]


def test_mobility_ends_with_status_2_after_a_bad_line(half_bad) -> None:
    assert half_bad.returncode == 2


def test_mobility_of_nothing(run: Run) -> None:
    done = run("mobility", "-", told=b"")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_mobility_of_noise(run: Run) -> None:
    done = run("mobility", "-", told=bytes(range(256)) * 20)
    assert done.returncode == 2 and done.stdout == ""


# ---- bench ----


@pytest.mark.slow
def test_bench_gives_the_same_count_twice(run: Run) -> None:
    assert nodes_of(run("bench", "5").stdout) == nodes_of(run("bench", "5").stdout)


def told_to_the_end(executable: Path, command: str) -> str:
    """The complete output of a console command, which `quit` or the end of input would interrupt."""
    client = Client(Process([executable]))
    try:
        return "\n".join(client.ask(command, "Nodes"))
    finally:
        assert client.end() == []


@pytest.mark.slow
def test_bench_with_threads_and_hash(run: Run) -> None:
    """JSON has the settings as numbers. A smaller table changes the tree; explicit default values do not."""
    found = json.loads(run("bench", "2", "--threads", "2", "--hash", "1", "--json").stdout)
    assert (found["threads"], found["hash_mb"]) == (2, 1) and found["nodes"] > 0
    usual = run("bench", "3", "--threads", "1", "--hash", "16").stdout
    assert nodes_of(usual) == nodes_of(run("bench", "3").stdout)
    assert refused(run("bench", "--threads", "0"))


@pytest.mark.slow
def test_the_speedtest_in_json(run: Run) -> None:
    found = json.loads(run("speedtest", "1", "--threads", "1", "--hash", "1", "--json").stdout)
    assert found["threads"] == 1 and found["nodes"] > 0


def test_bench_on_the_command_line_and_in_uci_agree(run: Run, executable: Path) -> None:
    assert nodes_of(run("bench", "4").stdout) == nodes_of(told_to_the_end(executable, "bench 4"))


@pytest.mark.slow
def test_deeper_bench_searches_more(run: Run) -> None:
    assert nodes_of(run("bench", "2").stdout) < nodes_of(run("bench", "5").stdout)


def test_bench_of_another_game(run: Run) -> None:
    told = run("bench", "3", "--variant", "capablanca").stdout
    assert nodes_of(told) == nodes_of(run("bench", "3", "--variant", "capablanca").stdout)
    assert "PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1" in told
    assert run("bench", "--variant", "nix").returncode == 2


def test_bench_in_json(run: Run) -> None:
    assert json.loads(run("bench", "3", "--json").stdout)["nodes"] == nodes_of(run("bench", "3").stdout)


def test_perft_in_json(run: Run) -> None:
    assert json.loads(run("perft", "3", "--json").stdout)["nodes"] == 8902


# ---- selfplay ----


def test_selfplay_plays_the_moves_it_was_asked_for(run: Run) -> None:
    done = run("selfplay", "--moves", "4", "--time", "5ms", "--seed", "1")
    assert (done.returncode, done.stderr) == (0, "")


def test_selfplay_says_how_it_ended(run: Run) -> None:
    text = run("selfplay", "--moves", "4", "--time", "5ms", "--seed", "1").stdout
    assert re.search(r"\b(1-0|0-1|1/2-1/2)\b", text)


def test_selfplay_counts_the_record_of_its_first_position(run: Run) -> None:
    text = run("selfplay", "--fen", "8/8/8/2K3k1/8/8/8/8 w - - 0 1 -G4.0", "--time", "5ms").stdout
    assert "R-Mobility result: -G4.0 (by Black, after half-move 0 of 0)" in text


def test_selfplay_says_which_path_a_client_needs(run: Run, executable: Path) -> None:
    assert str(executable) in run("selfplay", "--moves", "1", "--time", "5ms", "--seed", "1").stdout


def test_selfplay_ends_by_mate(run: Run) -> None:
    text = run("selfplay", "--fen", "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", "--time", "20ms").stdout
    assert re.search(r"\b1-0\b", text)


@pytest.mark.parametrize(
    "fen", ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "8/8/8/8/8/8/8/K1k5 w - - 0 1", "4k3/8/8/8/8/8/8/R3K3 w Q - 100 80"]
)
def test_selfplay_from_a_drawn_end(run: Run, fen: str) -> None:
    done = run("selfplay", "--fen", fen, "--time", "5ms")
    assert done.returncode == 0 and "1/2-1/2" in done.stdout


def test_selfplay_moves_are_legal(run: Run) -> None:
    """Read the numbered SAN of the output with python-chess."""
    text = run("selfplay", "--moves", "6", "--time", "5ms", "--seed", "2").stdout
    position = chess.Board()
    for san in re.findall(r"^ *\d+\.(?:\.\.)? *(\S+)", text, re.MULTILINE):
        position.push_san(san)
    assert position.ply() > 5
