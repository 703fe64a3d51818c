"""If another engine misbehaves, every command that uses the engine names it, ends, and leaves no process behind."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import standstill
from standstill.engine.common.errors import EngineError
from tests import forked
from tests.external.misbehaving import KINDS
from tests.uci.client import PATIENCE_S

PROGRAM = Path(__file__).with_name("misbehaving.py")
PLAYER = Path(__file__).parents[1] / "match" / "engine.py"
GAME = '[Event "?"]\n[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n'
SILENT = "no answer within 3 s (patience: 3 s)"
# The message for each kind of fault in a search, including silence.
SAID = {
    "illegal": "moves illegally: ",
    "endless-line": "it sends a line of more than 65536 bytes",
    "dies": "died unexpectedly (exit code: 3)",
    "closes": "it has closed its output",
    "orphan": "died unexpectedly (exit code: 0)",
}
FAILING = [kind for kind in KINDS if kind not in ("quit", "second-game")]


def slowly(*kinds: str) -> list[object]:
    """All kinds of failure; only the named ones run in the fast tests."""
    return [kind if kind in kinds else pytest.param(kind, marks=pytest.mark.slow) for kind in FAILING]


@pytest.fixture
def mark(tmp_path: Path) -> Iterator[str]:
    """A word in the command line of each engine. At the end no such process may be left."""
    word = str(tmp_path / "mark")
    yield word
    # The system may take a moment to remove a killed process; the engine's own processes would outlive this by far.
    deadline = time.monotonic() + 5
    while (left := processes(word)) and time.monotonic() < deadline:
        time.sleep(0.05)
    for process in left:
        os.kill(process, signal.SIGKILL)
    assert not left


def processes(word: str) -> list[int]:
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if word.encode() in (place / "cmdline").read_bytes().split(b"\0"):
                found.append(int(place.name))
    return found


def run(executable: Path, folder: Path, *words: str, game: str = GAME) -> subprocess.CompletedProcess:
    (folder / "in.pgn").write_text(game)
    return forked.run(
        [executable, *words], cwd=folder, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )  # fmt: skip


def engine(kind: str, mark: str) -> list[str]:
    return ["--engine", shlex.join([sys.executable, str(PROGRAM), kind, mark]), "--patience", "3s"]


COMMANDS = {
    "annotate": ["annotate", "in.pgn", "-o", "out.pgn", "--nodes", "100"],
    "fit": ["relevance", "fit", "--evaluate", "--pool", "in.pgn", "--depth", "3"],
    "workers": ["annotate", "in.pgn", "-o", "out.pgn", "--nodes", "100", "--jobs", "2"],
}


def check_named(done: subprocess.CompletedProcess, kind: str) -> None:
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr
    assert done.stderr.startswith(f"standstill: engine {sys.executable!r}"), done.stderr
    assert SAID.get(kind.removeprefix("exclude-"), SILENT) in done.stderr, done.stderr


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", FAILING)
def test_a_search_of_a_uci_engine(executable: Path, tmp_path: Path, mark: str, kind: str) -> None:
    check_named(run(executable, tmp_path, *COMMANDS["annotate"], *engine(kind, mark)), kind)
    assert not (tmp_path / "out.pgn").exists()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", slowly("illegal", "never", "closes"))
def test_a_search_of_an_xboard_engine(executable: Path, tmp_path: Path, mark: str, kind: str) -> None:
    if kind == "many-lines":
        kind = "never"  # XBoard's lines have no number
    check_named(run(executable, tmp_path, *COMMANDS["annotate"], "--protocol=xboard", *engine(kind, mark)), kind)


@pytest.mark.parametrize("kind", slowly("closes"))
def test_an_analysis_of_an_xboard_engine(executable: Path, tmp_path: Path, mark: str, kind: str) -> None:
    """An analysis has no best move; it ends once the engine reports that it has reached the limit."""
    more = ["--protocol=xboard", *engine(f"exclude-{kind}", mark)]
    if kind in ("flood", "illegal"):  # these engines react to the stop, slowly on a busy machine
        more[-1] = "30"
    done = run(executable, tmp_path, *COMMANDS["annotate"], *more)
    if kind in ("flood", "illegal"):
        assert done.returncode == 0 and (tmp_path / "out.pgn").exists()
    else:
        check_named(done, kind)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("command", ["fit", "workers"])
@pytest.mark.parametrize("kind", slowly("illegal", "never"))
def test_other_commands(executable: Path, tmp_path: Path, mark: str, command: str, kind: str) -> None:
    check_named(run(executable, tmp_path, *COMMANDS[command], *engine(kind, mark)), kind)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["illegal", "never"])
def test_on_a_cluster(executable: Path, tmp_path: Path, mark: str, kind: str) -> None:
    check_named(run(executable, tmp_path, *COMMANDS["annotate"], "--scheduler=local", *engine(kind, mark)), kind)


@pytest.mark.parametrize("kind", slowly("illegal", "never"))
def test_the_api(mark: str, kind: str) -> None:
    command = [sys.executable, str(PROGRAM), kind, mark]
    with pytest.raises(EngineError, match=r"^engine '.*(no answer within 2 s|illegal|65536|died|closed its output)"):
        standstill.annotate(GAME, command, nodes=100, patience=2)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("protocol", ["uci", "xboard"])
@pytest.mark.parametrize("kind", slowly("closes"))
def test_a_match(executable: Path, tmp_path: Path, mark: str, protocol: str, kind: str) -> None:
    """The engine loses its games, and the match ends."""
    program, script = shlex.quote(sys.executable), shlex.quote(str(PROGRAM))
    bad = f"cmd={program} arg={script} arg={kind} arg={shlex.quote(mark)} name=bad proto={protocol}"
    other = f"cmd={program} arg={shlex.quote(str(PLAYER))} arg=random name=other"
    words = ["match", "--output=m.pgn", "--nodes=1", "--patience=15s", "--engine", bad, "--engine", other]
    done = run(executable, tmp_path, *words)
    assert (done.returncode, done.stderr) == (1, "standstill: bad failed in 2 games\n")
    assert (tmp_path / "m.pgn").read_text().count("engine fails") == 2


@pytest.mark.sampled(1)
@pytest.mark.parametrize("protocol", ["uci", "xboard"])
def test_an_engine_that_does_not_leave(executable: Path, tmp_path: Path, mark: str, protocol: str) -> None:
    done = run(executable, tmp_path, *COMMANDS["annotate"], f"--protocol={protocol}", *engine("quit", mark))
    assert (done.returncode, "standstill:" in done.stderr) == (0, False)
    assert (tmp_path / "out.pgn").read_text().startswith("[Event")


def test_a_longer_patience_goes_on_where_a_shorter_one_ended(executable: Path, tmp_path: Path, mark: str) -> None:
    """The results so far are kept, because the option `--patience` does not change them."""
    words = [*COMMANDS["annotate"], *engine("second-game", mark)]
    games = GAME + GAME
    check_named(run(executable, tmp_path, *words, game=games), "never")
    progress = (tmp_path / "out.pgn.progress").read_text()
    assert progress.count('"part"') == 1
    Path(mark).touch()
    assert run(executable, tmp_path, *words[:-1], "5", game=games).returncode == 0
    assert (tmp_path / "out.pgn").read_text().count("[Event") == 2
