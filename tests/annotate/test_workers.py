"""Several engines at once: they give the same results as one engine, and leave nothing behind after an error."""

from __future__ import annotations

import contextlib
import io
import os
import random
import resource
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import chess
import chess.pgn
import pytest

from standstill.engine.annotate import workers
from standstill.engine.annotate.analysis import Analyst, Part, parts
from standstill.engine.annotate.engines import Setup
from standstill.engine.annotate.run import read
from standstill.engine.annotate.source import SourceGame
from standstill.engine.annotate.verdicts import Style
from standstill.engine.common.errors import EngineError
from tests.amounts import LONG
from tests.uci.client import PATIENCE_S, clean_environment

FAKE = Path(__file__).with_name("fake_engine.py")
FAKE_COMMAND = shlex.join([sys.executable, str(FAKE)])


def random_game(plies: int, seed: int) -> str:
    rng = random.Random(seed)
    game = chess.pgn.Game({"Event": f"Seed {seed}", "Result": "*"})
    node, board = game, chess.Board()
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        node = node.add_variation(rng.choice(moves))
        board.push(node.move)
    return f"{game}\n\n"


GAMES = random_game(150, 1) + random_game(3, 2) + random_game(70, 3)


class Run:
    """Runs the command in its own session, so that signals reach no other process."""

    def __init__(self, executable: Path, folder: Path, *arguments: str):
        (folder / "in.pgn").write_text(GAMES)
        self.folder = folder
        self.process = subprocess.Popen(
            [executable, "annotate", "in.pgn", "-o", "out.pgn", *arguments],
            cwd=folder,
            stderr=subprocess.PIPE,
            text=True,
            env=clean_environment(),
            start_new_session=True,
        )
        resource.prlimit(self.process.pid, resource.RLIMIT_CORE, (0, 0))

    def wait_for(self, done: Callable[[], object]):
        deadline = time.monotonic() + PATIENCE_S
        while not (found := done()):
            assert time.monotonic() < deadline
            time.sleep(0.005)
        return found

    def members(self) -> list[int]:
        """The running processes of the session except the command itself. Each engine has its own process group."""
        found = []
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                state, _, _, session = path.read_text().rpartition(")")[2].split()[:4]
            except OSError:
                continue
            if int(session) == self.process.pid and state != "Z" and int(path.parent.name) != self.process.pid:
                found.append(int(path.parent.name))
        return found

    def workers(self) -> list[int]:
        found = []
        for pid in self.members():
            status = Path(f"/proc/{pid}/stat")
            if int(status.read_text().rpartition(")")[2].split()[1]) == self.process.pid:
                found.append(pid)
        return found

    def has_found_something(self) -> bool:
        progress = self.folder / "out.pgn.progress"
        return progress.exists() and progress.read_text().count("\n") > 1

    def end(self) -> tuple[int, str]:
        _, errors = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, errors


@pytest.fixture
def begin(executable: Path, tmp_path: Path):
    runs = []

    def call(*arguments: str) -> Run:
        runs.append(Run(executable, tmp_path, *arguments))
        return runs[-1]

    yield call
    for run in runs:
        for pid in [run.process.pid, *run.members()]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        run.process.communicate(timeout=PATIENCE_S)


def outcome(run: Run) -> str:
    status, errors = run.end()
    assert status == 0 and "standstill:" not in errors
    return (run.folder / "out.pgn").read_text()


# ---- parts ----


@pytest.mark.parametrize("plies", [1, 62, 63, 64, 65, 127, 128, 129, 300])
def test_parts_cover_a_game_and_are_of_one_size(plies: int) -> None:
    moves = " ".join(["Nf3", "Nf6", "Ng1", "Ng8"][ply % 4] for ply in range(plies))
    (game,) = read([f"{moves} *".encode()])
    cut = parts(game)
    assert [index for part in cut for index in range(part.first, part.end)] == list(range(plies + 1))
    sizes = [part.size for part in cut]
    assert max(sizes) <= 64 and max(sizes) - min(sizes) <= 1 and len(cut) == -(-(plies + 1) // 64)


# ---- equal results with any number of workers ----


@pytest.mark.slow
def test_the_number_of_workers_does_not_change_the_findings(begin) -> None:
    found = {outcome(begin("--nodes", "30", "--eval", "--jobs", workers)) for workers in ("1", "3")}
    assert len(found) == 1 and found.pop().count("%eval") > 200


@pytest.mark.slow
def test_our_engine_finds_in_this_process_what_it_finds_over_uci(begin, executable: Path) -> None:
    arguments = ("--nodes", "1500", "--eval", "--variation", "6", "--jobs", "2")
    here = outcome(begin(*arguments, "--option", "Hash=4"))
    there = outcome(begin(*arguments, "--option", "Hash=4", "--engine", shlex.quote(str(executable))))
    assert here == there


@pytest.mark.slow
def test_an_engine_with_one_line_judges_as_well(begin) -> None:
    """For an engine without the option MultiPV, the next best move is searched separately."""
    text = outcome(begin("--engine", FAKE_COMMAND, "--depth", "1", "--move-scheme", "sparing-8"))
    nags = set().union(*(node.nags for node in chess.pgn.read_game(io.StringIO(text)).mainline()))
    assert nags & {1, 3, 5} and nags & {2, 4, 6}


class Waiting:
    """An analyst that counts its parts and notes its end."""

    made: ClassVar[list[Waiting]] = []

    def __init__(self, setup: Setup, style: Style):
        self.engine_name, self.parts, self.is_closed = f"{len(self.made)}", 0, False
        self.made.append(self)

    def positions(self, game: object, part: Part) -> list:
        assert not self.is_closed
        if part.end < 0:
            raise EngineError("no part")
        self.parts += 1
        return []

    def close(self) -> None:
        assert not self.is_closed
        self.is_closed = True


@pytest.mark.parametrize("seed", range(3))
def test_an_analyst_waits_for_parts_of_its_run_alone(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Against a slow model: at most the analyst of the last part waits, external engines and failures end at once."""
    monkeypatch.setattr(workers, "Analyst", Waiting)
    monkeypatch.setattr(workers, "_waiting", [])
    monkeypatch.setattr(Waiting, "made", [])
    rng, last = random.Random(seed), ("", -1)
    text = random_game(3, 2)
    for _ in range(60):
        run, fails, external = rng.choice("ab"), rng.random() < 0.15, rng.random() < 0.15
        setup = Setup(command=(FAKE_COMMAND,) if external else ())
        run += " external" * external
        part = Part(0, 0, -1 if fails else 1)
        expected = last[1] if last[0] == run else len(Waiting.made)
        try:
            name, found = workers.analyse_part(run, text, part, setup, Style())
            assert (name, found) == (str(expected), [])
            assert not fails
        except EngineError:
            assert fails
        last = ("", -1) if fails or external else (run, expected)
        assert [at for at, one in enumerate(Waiting.made) if not one.is_closed] == [at for at in last[1:] if at >= 0]
    assert max(one.parts for one in Waiting.made) > 1


# ---- trouble ----


def test_an_engine_that_fails_ends_the_run(begin) -> None:
    run = begin("--engine", f"{FAKE_COMMAND} crash", "--depth", "1", "--jobs", "2")
    status, errors = run.end()
    assert (status, len(errors.splitlines())) == (2, 1)
    assert not (run.folder / "out.pgn").exists() and not run.members()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("option", ["Nonsense=1", "Hash=none", "Hash=-5", "MultiPV=3"])
def test_an_option_that_our_engine_refuses(begin, option: str) -> None:
    status, errors = begin("--nodes", "10", "--option", option).end()
    assert (status, len(errors.splitlines())) == (2, 1)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("option", "reason"),
    [
        ("Nonsense=1", "it has no option 'Nonsense'"),
        ("UCI_ShowWDL=perhaps", "its option UCI_ShowWDL is true or false, found 'perhaps'"),
    ],
)
def test_an_option_that_another_engine_does_not_take(begin, executable: Path, option: str, reason: str) -> None:
    """Options are set as in matches: names without blanks and in any case, and `off` is not read as true."""
    status, errors = begin("--nodes", "10", "--engine", shlex.quote(str(executable)), "--option", option).end()
    assert (status, errors) == (2, f"standstill: engine {str(executable)!r}: {reason}\n")


@pytest.mark.slow
def test_a_worker_that_dies_ends_the_run_and_its_work_is_kept(begin) -> None:
    nodes = "6000"  # enough for the run to go on for a while after the first part
    run = begin("--nodes", nodes, "--jobs", "2", "--eval")
    run.wait_for(run.has_found_something)
    os.kill(run.wait_for(run.workers)[0], signal.SIGKILL)
    status, errors = run.end()
    assert (status, len(errors.splitlines())) == (2, 1)
    run.wait_for(lambda: not run.members())
    again = outcome(begin("--nodes", nodes, "--eval"))
    (run.folder / "out.pgn").unlink()
    assert outcome(begin("--nodes", nodes, "--eval")) == again


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(24 if LONG else 10))
def test_a_worker_that_dies_at_any_moment(begin, seed: int) -> None:
    """After an error the other workers are stopped at any point, even between two searches; only the parent prints a
    message."""
    run = begin("--nodes", "300", "--jobs", "2")
    victims = run.wait_for(lambda: len(run.workers()) == 2 and run.workers())
    time.sleep(random.Random(seed).random() * 0.5)
    with contextlib.suppress(ProcessLookupError):
        os.kill(victims[0], signal.SIGKILL)
    status, errors = run.end()
    if status:
        assert (status, len(errors.splitlines())) == (2, 1)
    else:  # the killed worker had no work left
        assert errors.startswith("games: 3, ") and "Traceback" not in errors


@pytest.mark.slow
def test_an_interrupt_from_the_keyboard_ends_all(begin) -> None:
    """The terminal sends the interrupt to the whole group; one process prints one line."""
    run = begin("--time", "1000s", "--jobs", "2")
    run.wait_for(lambda: len(run.workers()) == 2)
    time.sleep(0.3)  # time to begin searching
    interrupted(run)


@pytest.mark.slow
def test_quitting_from_the_keyboard_ends_all(begin) -> None:
    """Ctrl-\\ reaches the whole group as well."""
    run = begin("--time", "1000s", "--jobs", "2")
    run.wait_for(lambda: len(run.workers()) == 2)
    time.sleep(0.3)
    os.killpg(run.process.pid, signal.SIGQUIT)
    assert run.end() == (-signal.SIGQUIT, "")
    run.wait_for(lambda: not run.members())


@pytest.mark.slow
def test_an_interrupt_ends_engines_that_hear_nothing(begin, tmp_path: Path) -> None:
    run = begin("--depth", "1", "--jobs", "2", "--engine", f"{FAKE_COMMAND} hang {tmp_path / 'hangs'}")
    run.wait_for((tmp_path / "hangs").exists)
    interrupted(run)


def interrupted(run: Run) -> None:
    os.killpg(run.process.pid, signal.SIGINT)
    status, errors = run.end()
    assert (status, len(errors.splitlines())) == (130, 1)
    run.wait_for(lambda: not run.members())


@pytest.mark.slow
def test_workers_do_not_outlive_who_sent_them(begin) -> None:
    run = begin("--nodes", "2000", "--jobs", "2", "--engine", FAKE_COMMAND)
    run.wait_for(lambda: len(run.members()) >= 4)
    run.process.kill()
    run.wait_for(lambda: not run.members())


def test_an_engine_that_a_worker_keeps_remembers_nothing() -> None:
    """A reused engine evaluates parts of two games as new engines do, within one run and across runs."""
    setup, style = Setup(nodes=3000), Style()
    games = [SourceGame(1, random_game(12, seed).encode()) for seed in (4, 5)]
    part = Part(1, 0, 13)
    alone = [Analyst(setup, style).positions(game.movetext, part) for game in games]
    assert alone[0] != alone[1]
    for run in ("first", "first", "second"):
        assert [workers.analyse_part(run, game.text, part, setup, style)[1] for game in games] == alone
        assert [kept for kept, _ in workers._waiting] == [run]
    workers._waiting.pop()[1].close()


def test_a_worker_keeps_no_foreign_engine() -> None:
    setup = Setup((sys.executable, str(FAKE)), nodes=10)
    workers.analyse_part("run", random_game(4, 6), Part(1, 0, 5), setup, Style())
    assert not workers._waiting
