"""Commands on two workers of a local cluster, one of which is killed, give the results of one process."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import chess.pgn
import pytest

from standstill.engine.tablebases.store import SUPPLIED
from tests.uci.client import PATIENCE_S, clean_environment

if find_spec("distributed") is None:  # importing distributed would cost each test run half a second
    pytest.skip("needs distributed, as the commands do", allow_module_level=True)


def children(parent: int) -> list[int]:
    """Worker processes of a command, in starting order; the foreman process forks them."""
    found = []
    for foreman, line in _begun_by(parent):
        if b"cluster.foreman" in line:
            found += [worker for worker, _ in _begun_by(foreman)]
    return sorted(found)


def _begun_by(parent: int) -> Iterator[tuple[int, bytes]]:
    """(process id, command line) of the children of a process."""
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            if int(fields[1]) == parent:
                yield int(entry.name), (entry / "cmdline").read_bytes()


def run(command: list, seconds: float, ready: Callable[[], bool] | None = None) -> tuple[int, str, str, int]:
    """Run a command and kill a worker once ``ready``. Returns (status, output, errors, number of killed workers)."""
    process = subprocess.Popen(
        list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=clean_environment()
    )
    killed = 0

    def kill() -> None:
        nonlocal killed
        deadline = time.monotonic() + seconds
        while ready is not None and process.poll() is None and time.monotonic() < deadline:
            workers = children(process.pid)
            if len(workers) == 2 and ready():
                with contextlib.suppress(ProcessLookupError):  # all workers are ending
                    os.kill(workers[0], signal.SIGKILL)
                    killed = 1
                return
            time.sleep(0.01)

    killer = threading.Thread(target=kill)
    killer.start()
    output, errors = process.communicate(timeout=seconds)
    killer.join()
    assert "Traceback" not in errors, errors
    return process.returncode, output, errors, killed


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A file of many games with comments."""
    one = "".join(f"{n}. Nf3 {{[%clk 0:10:00] book}} Nf6 {n + 1}. Ng1 Ng8 " for n in range(1, 40, 2))
    path = tmp_path / "games.pgn"
    path.write_text("".join(f'[Event "{n}"]\n[Result "1/2-1/2"]\n\n{one} 1/2-1/2\n\n' for n in range(4000)))
    return path


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "address", ["nonsense:one", "tcp://127.0.0.1:1", pytest.param("tcp://127.0.0.1:99999", marks=pytest.mark.slow)]
)
def test_without_a_scheduler_at_the_address_there_is_one_line(executable: Path, games: Path, address: str) -> None:
    command = [executable, "tag", games, "-o", games.with_suffix(".out"), "--scheduler", address]
    status, output, errors, _ = run(command, 5 * PATIENCE_S)
    assert (status, output, len(errors.splitlines())) == (2, "", 1)
    assert address in errors
    assert not games.with_suffix(".out").exists()


@pytest.fixture
def certificate(tmp_path: Path) -> dict[str, str]:
    """The environment that gives Dask a key and its certificate."""
    openssl = shutil.which("openssl") or pytest.skip("no openssl here")
    key, own = tmp_path / "key.pem", tmp_path / "own.pem"
    made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", own, "-subj", "/CN=localhost"]
    subprocess.run([openssl, *made], check=True, capture_output=True)
    both = tmp_path / "both.pem"
    both.write_bytes(key.read_bytes() + own.read_bytes())
    tls = "DASK_DISTRIBUTED__COMM__TLS"
    return {f"{tls}__CA_FILE": str(own), f"{tls}__CLIENT__CERT": str(both)}


def tagged_by_tls(executable: Path, games: Path, port: int, settings: dict[str, str]) -> subprocess.CompletedProcess:
    return subprocess.run(
        [executable, "tag", games, "-o", games.with_suffix(".out"), "--scheduler", f"tls://127.0.0.1:{port}"],
        env=clean_environment() | settings,
        capture_output=True,
        text=True,
        timeout=5 * PATIENCE_S,
        check=False,
    )


@pytest.mark.slow
def test_tls_without_a_certificate_is_one_line(executable: Path, games: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        done = tagged_by_tls(executable, games, port, {})
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
        assert "expected a certificate" in done.stderr and "found none" in done.stderr
        done = tagged_by_tls(executable, games, port, {"DASK_DISTRIBUTED__COMM__TLS__CA_FILE": "/none.pem"})
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
        assert "expected a certificate" in done.stderr


@pytest.mark.slow
def test_a_server_without_tls_is_one_line(executable: Path, games: Path, certificate: dict[str, str]) -> None:
    """A scheduler at `tcp://` has no TLS; the command once waited for its answer forever."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            with contextlib.suppress(OSError):
                while True:
                    with server.accept()[0] as caller:
                        caller.recv(64)
                        caller.sendall(b"no TLS")

        threading.Thread(target=answer, daemon=True).start()
        done = tagged_by_tls(executable, games, server.getsockname()[1], certificate)
        server.shutdown(socket.SHUT_RDWR)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "expected TLS at 'tls://127.0.0.1:" in done.stderr


@pytest.mark.slow
def test_games_are_tagged_the_same_when_a_worker_dies(executable: Path, games: Path, tmp_path: Path) -> None:
    alone, shared = tmp_path / "alone.pgn", tmp_path / "shared.pgn"
    assert run([executable, "tag", games, "-o", alone, "--comments"], 20 * PATIENCE_S)[0] == 0
    words = ["tag", games, "-o", shared, "--comments", "--scheduler", "local", "--jobs", "2"]
    status, _, errors, _ = run([executable, *words], 20 * PATIENCE_S, lambda: bool(list(tmp_path.glob(".standstill*"))))
    assert (status, errors.count("standstill:")) == (0, 0)
    assert shared.read_bytes() == alone.read_bytes()


def listening(root: int) -> set[str]:
    """Addresses at which a process and its children listen, as the system writes them."""
    sockets = set()
    for number in (root, *children(root)):
        for handle in Path(f"/proc/{number}/fd").iterdir():
            with contextlib.suppress(OSError):
                sockets.add(os.readlink(handle))
    found = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in Path(table).read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and f"socket:[{fields[9]}]" in sockets:
                found.add(fields[1].split(":")[0])
    return found


@pytest.mark.slow
def test_a_local_cluster_listens_to_this_computer_alone(executable: Path, games: Path) -> None:
    """Workers once listened on all networks, and all commands shared one port for the scheduler's web pages."""
    words = ["tag", games, "-o", games.with_suffix(".out"), "--scheduler", "local", "--jobs", "2"]
    process = subprocess.Popen([executable, *words], stderr=subprocess.PIPE, text=True, env=clean_environment())
    heard: set[str] = set()
    while process.poll() is None:
        with contextlib.suppress(OSError):
            heard |= listening(process.pid)
        time.sleep(0.05)
    assert heard == {"0100007F"}
    assert "Port" not in process.communicate()[1]


@pytest.mark.slow
def test_tables_are_the_same_when_a_worker_dies(executable: Path, tmp_path: Path) -> None:
    """A worker is killed once the first pawn slices exist: only the slice it was solving is solved again."""

    def ready() -> bool:
        return len(list(tmp_path.glob(".KPvK.work/slice-*"))) > 3

    words = ["tables", "--path", tmp_path, "build", "--men", "3", "--scheduler", "local", "--jobs", "2"]
    status, output, errors, killed = run([executable, *words], 40 * PATIENCE_S, ready)
    assert (status, errors, killed) == (0, "", 1)
    assert "100.0 % done" in output
    words = ["tables", "--path", tmp_path]
    for name in ("KvK", "KQvK", "KPvK"):
        expected = run([executable, "tables", "--path", SUPPLIED, "stats", name, "--json"], 5 * PATIENCE_S)[1]
        assert run([executable, *words, "stats", name, "--json"], 5 * PATIENCE_S)[1] == expected
    assert run([executable, *words, "verify", "--every", "301"], 20 * PATIENCE_S)[0] == 0
    assert not list(tmp_path.glob(".*"))


@pytest.mark.slow
def test_training_games_are_the_same_when_a_worker_dies(executable: Path, tmp_path: Path) -> None:
    alone, shared = tmp_path / "alone.bin", tmp_path / "shared.bin"
    words = ["--games", "48", "--nodes", "60", "--jobs", "2", "--eval-file", "none"]
    assert run([executable, "data", "play", "-o", alone, *words], 20 * PATIENCE_S)[0] == 0
    command = [executable, "data", "play", "-o", shared, *words, "--scheduler", "local"]
    status, _, errors, killed = run(command, 40 * PATIENCE_S, shared.exists)
    assert (status, errors, killed) == (0, "", 1)
    assert shared.read_bytes() == alone.read_bytes()


@pytest.mark.slow
def test_findings_are_the_same_when_a_worker_dies(executable: Path, tmp_path: Path) -> None:
    source, alone, shared = (tmp_path / name for name in ("in.pgn", "alone.pgn", "shared.pgn"))
    source.write_text('[Result "*"]\n\n1. e4 e5 2. Qh5 Ke7 3. a3 Nf6 *\n\n' * 6)
    words = ["--nodes", "300", "--eval"]
    assert run([executable, "annotate", source, "-o", alone, *words], 20 * PATIENCE_S)[0] == 0
    command = [executable, "annotate", source, "-o", shared, *words, "--jobs", "2", "--scheduler", "local"]
    status, _, errors, killed = run(command, 40 * PATIENCE_S, (tmp_path / "shared.pgn.progress").exists)
    assert (status, killed) == (0, 1), errors
    assert shared.read_bytes() == alone.read_bytes()


@pytest.mark.slow
def test_a_match_is_the_same_when_a_worker_dies(executable: Path, tmp_path: Path) -> None:
    def moves(path: Path) -> dict[str, tuple[str, str]]:
        with path.open() as file:
            played = list(iter(lambda: chess.pgn.read_game(file), None))
        return {game.headers["MatchGame"]: (game.headers["Result"], str(game.mainline_moves())) for game in played}

    alone, shared = tmp_path / "alone.pgn", tmp_path / "shared.pgn"
    ours = shlex.quote(str(executable))
    words = ["--engine", f"cmd={ours} name=A", "--engine", f"cmd={ours} name=B option.Hash=1"]
    words += ["--nodes", "40", "--rounds", "2", "--no-comments", "--openings", "random:1"]
    assert run([executable, "match", *words, "-o", alone], 20 * PATIENCE_S)[0] == 0
    command = [executable, "match", *words, "-o", shared, "--jobs", "2", "--scheduler", "local"]
    status, _, errors, killed = run(command, 40 * PATIENCE_S, shared.exists)
    assert (status, killed) == (0, 1), errors
    assert moves(shared) == moves(alone)
    assert len(moves(shared)) == 4


@pytest.mark.slow
def test_local_workers_run_nothing_that_lies_in_the_current_folder(executable: Path, tmp_path: Path) -> None:
    """By default Python searches the current folder first, and that folder may hold downloaded files."""
    ran = tmp_path / "ran"
    for name in ("dask", "random", "chess", "standstill"):
        (tmp_path / f"{name}.py").write_text(f"open({str(ran)!r}, 'a').write({name!r})\nraise SystemExit(1)\n")
    (tmp_path / "in.pgn").write_text('[Result "*"]\n\n1. e4 e5 *\n\n')
    words = ["annotate", "in.pgn", "-o", "out.pgn", "--nodes", "10", "--scheduler", "local", "--jobs", "1"]
    done = subprocess.run(
        [executable, *words], cwd=tmp_path, stderr=subprocess.DEVNULL, env=clean_environment(), check=False
    )
    assert (done.returncode, ran.exists()) == (0, False)
