"""Interrupted runs of `standstill match`, and how the next run continues their files."""

from __future__ import annotations

import contextlib
import random
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests import forked
from tests.amounts import LONG
from tests.match.conftest import Run
from tests.match.support import BISHOP, KINGS, NEARLY_OVER, fake, games_in


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "rounds", "kills"), [(0, 8, 3), *((seed, 30, 6) for seed in range(5 if LONG else 2))])
def test_killed_runs_are_continued_without_loss(command, tmp_path: Path, seed: int, rounds: int, kills: int) -> None:
    """After kills at random instants the file keeps its bytes, and no game is in it twice."""
    rng = random.Random(seed)
    words = command(
        fake("random"), fake("random", name="other"), openings=f"{KINGS}\n{BISHOP}",
        more=f"--nodes 1 --rounds {rounds} --jobs 2",
    )  # fmt: skip
    path = tmp_path / "m.pgn"
    before: list[str] = []
    for _ in range(kills):
        process = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(rng.uniform(0.2, 0.4 + rounds / 12))
        process.kill()
        complaint = process.communicate()[1]
        assert not complaint or b"repeat others move by move" in complaint  # if all games were played before the kill
        games = re.split(r"(?<=\n)(?=\[Event )", path.read_text(encoding="utf-8")) if path.exists() else []
        assert games[: len(before)] == before
        before = [game for game in games if game.endswith(("0\n\n", "1\n\n", "2\n\n"))]
    done = forked.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=200, check=True)
    assert f"{len(before)} game" in done.stdout or not before
    numbers = [int(game.headers["MatchGame"]) for game in games_in(path)]
    assert sorted(numbers) == list(range(1, 2 * rounds + 1))


def test_interrupted_run_leaves_no_engine_and_can_go_on(command, tmp_path: Path) -> None:
    engines = fake("random", 3, tmp_path / "pids"), fake("hang", name="slow")
    words = command(*engines, more="--nodes 1 --rounds 3 --jobs 2")
    process = subprocess.Popen(
        words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    deadline = time.monotonic() + 60
    while len(children(process.pid)) < 4 and time.monotonic() < deadline:
        time.sleep(0.05)
    started = children(process.pid)
    assert len(started) == 4
    process.send_signal(signal.SIGINT)
    _, complaint = process.communicate(timeout=60)
    assert process.returncode == 130
    assert complaint == "interrupted: give the same command again to continue\n"
    deadline = time.monotonic() + 30
    while any(map(alive, started)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(alive, started))


def children(pid: int) -> list[int]:
    found = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += map(int, task.read_text(encoding="ascii").split())
    return found


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_two_runs_at_a_time_do_not_play_the_same_games(command, run: Run, tmp_path: Path) -> None:
    engines = fake("random"), fake("hang")
    first = subprocess.Popen(command(*engines), cwd=tmp_path, stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while not children(first.pid) and time.monotonic() < deadline:
            time.sleep(0.05)
        done = run(*engines)
        assert done.returncode == 2
        assert done.stderr == "standstill: cannot write 'm.pgn': another run is playing this match\n"
    finally:
        first.kill()
        first.wait()


@pytest.mark.slow
def test_file_that_was_cut_or_touched_up(run: Run, tmp_path: Path) -> None:
    arguments = {"openings": NEARLY_OVER, "more": "--nodes 1 --rounds 2"}
    engines = fake("random"), fake("random", name="other")
    run(*engines, **arguments)
    path = tmp_path / "m.pgn"
    whole = path.read_bytes()
    for cut in (1, 3, len(whole) // 2):
        path.write_bytes(whole[:-cut])
        assert run(*engines, **arguments).returncode == 0
        games = games_in(path)
        assert sorted(int(game.headers["MatchGame"]) for game in games) == [1, 2, 3, 4]
        assert not any(game.errors for game in games)
    path.write_bytes(whole.replace(b'[MatchGame "1"]', b'[MatchGame "one"]'))
    assert "3 games already played, 1 left" in run(*engines, **arguments).stdout


@pytest.mark.slow
@pytest.mark.parametrize("cut", [0, 1])
def test_fewer_rounds_take_no_game_from_the_file(run: Run, tmp_path: Path, cut: int) -> None:
    """cut: how many bytes of its last game a killed run has not written."""
    engines = fake("random"), fake("random", name="other")
    run(*engines, openings=NEARLY_OVER, more="--nodes 1 --rounds 3")
    path = tmp_path / "m.pgn"
    whole = path.read_bytes()
    if cut:
        path.write_bytes(whole + whole[: whole.index(b"\n\n[Event") - cut])
    done = run(*engines, openings=NEARLY_OVER, more="--nodes 1 --rounds 1")
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "2 games already played, 0 left")
    assert path.read_bytes() == whole
    again = run(*engines, openings=NEARLY_OVER, more="--nodes 1 --rounds 3")
    assert "6 games already played, 0 left" in again.stdout


def test_a_single_game_of_another_match_is_left_alone(run: Run, tmp_path: Path) -> None:
    """The game is complete, so it cannot come from a killed run of this match."""
    engines = fake("random"), fake("random", name="other")
    assert run(*engines, openings=NEARLY_OVER).returncode == 0
    path = tmp_path / "m.pgn"
    first = path.read_bytes().split(b"\n\n[Event", 1)[0] + b"\n\n"
    path.write_bytes(first)
    done = run(*engines, openings=NEARLY_OVER, more="--nodes 2")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "another match" in done.stderr
    assert path.read_bytes() == first


def openings_in(path: Path) -> list[tuple[str, list[str]]]:
    """The white player and the moves of the opening of each game."""
    found = []
    for game in games_in(path):
        moves = [move.uci() for move in game.mainline_moves()][: int(game.headers.get("OpeningPlies", "0"))]
        found.append((game.headers["MatchGame"], moves))
    return found


@pytest.mark.slow
def test_random_openings_go_on_with_the_seed_of_the_file(run: Run, tmp_path: Path) -> None:
    """Each pair has its own opening, and a run with more rounds adds pairs to those that the file has."""
    engines = fake("random", 4), fake("random", 5, name="other")
    done = run(*engines, more="--nodes 1 --rounds 2")
    assert done.returncode == 0 and done.stderr == ""
    before = (tmp_path / "m.pgn").read_text(encoding="utf-8")
    (seed,) = set(re.findall(r'\[MatchOpenings "(random \d+)"\]', before))
    white, drawn, black = map(int, re.search(r"White (\d+), drawn (\d+), Black (\d+): ", done.stdout).groups())
    assert white + drawn + black == 4
    assert run(*engines, more="--nodes 1 --rounds 3").returncode == 0
    text = (tmp_path / "m.pgn").read_text(encoding="utf-8")
    assert text.startswith(before) and text.count(f'[MatchOpenings "{seed}"]') == 6
    found = dict(openings_in(tmp_path / "m.pgn"))
    assert [found[str(number)] for number in (1, 3, 5)] == [found[str(number)] for number in (2, 4, 6)]
    assert len({tuple(moves) for moves in found.values()}) == 3 and all(len(moves) == 6 for moves in found.values())
    again = run(*engines, more=f"--nodes 1 --rounds 3 --openings random:{seed.split()[1]}", pgn="again.pgn")
    assert again.returncode == 0 and dict(openings_in(tmp_path / "again.pgn")) == found


@pytest.mark.slow
def test_half_a_pair_goes_on_with_the_opening_in_the_file(run: Run, tmp_path: Path) -> None:
    """Another version may choose other moves for a seed; the second game of a pair must begin like the first game."""
    engines = fake("random", 4), fake("random", 5, name="other")
    assert run(*engines, more="--nodes 1 --rounds 1 --openings random:7").returncode == 0
    path = tmp_path / "m.pgn"
    first, _ = re.split(r"(?<=\n)(?=\[Event )", path.read_text(encoding="utf-8"))
    path.write_text(first.replace("random 7", "random 8"), encoding="utf-8")
    ((_, moves),) = openings_in(path)
    match_id = re.search(r'MatchId "(\w+)"', run(*engines, more="--nodes 1 --openings random:8", pgn="o.pgn") and (
        tmp_path / "o.pgn").read_text(encoding="utf-8"))[1]  # fmt: skip
    path.write_text(
        re.sub(r'MatchId "\w+"', f'MatchId "{match_id}"', path.read_text(encoding="utf-8")), encoding="utf-8"
    )
    assert run(*engines, more="--nodes 1 --rounds 1").returncode == 0
    assert [found for _, found in openings_in(path)] == [moves, moves]
    assert dict(openings_in(tmp_path / "o.pgn"))["1"] != moves


@pytest.mark.slow
def test_a_match_from_the_start_position_goes_on_from_there(run: Run, tmp_path: Path) -> None:
    """In earlier versions, matches without openings began from the start position, and their files name no openings."""
    engines = fake("random", 4), fake("resign", proto="xboard")
    assert run(*engines, more="--nodes 1 --rounds 1 --openings start").returncode == 0
    assert run(*engines, more="--nodes 1 --rounds 2").returncode == 0
    games = games_in(tmp_path / "m.pgn")
    assert len(games) == 4 and not any("OpeningPlies" in game.headers for game in games)


@pytest.mark.slow
def test_games_that_repeat_others_are_counted(ours, run: Run) -> None:
    """The engine plays by nodes, so it always plays the same game from the start position."""
    specs = ours("A", "option.Hash=1"), ours("B", "option.Hash=1")
    done = run(*specs, more="--nodes 20 --rounds 2 --openings start")
    warning = "2 of 4 games repeat others move by move: the error bars assume different games, so give more --openings"
    assert (done.returncode, done.stderr) == (0, f"standstill: {warning}\n")


@pytest.mark.parametrize("openings", ["random:", "random:x", "random:-1"])
def test_a_wrong_seed(run: Run, openings: str) -> None:
    done = run(fake("random"), fake("random", name="other"), more=f"--nodes 1 --openings {openings}")
    assert done.returncode == 2 and done.stderr.startswith(
        "standstill: expected a seed of up to 9 digits, such as random:123, found"
    )
