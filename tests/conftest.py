"""Shared by all tests: the executable, child processes that cannot hang, missing clients.

STANDSTILL_EXECUTABLE names the executable under test (default: ./standstill of the clone).
STANDSTILL_REQUIRE_CLIENTS=1 turns a test that would be skipped for a missing client into a failure.
"""

from __future__ import annotations

import gc
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests import sampling
from tests.forked import Process
from tests.uci.client import Client, clean_environment, launched

ROOT = Path(__file__).resolve().parents[1]
GAMES = "/usr/games"  # where Debian puts engines; often not on PATH
SLOW_LIMIT_S = 1800  # includes builds of the whole program on a busy machine

# The same examples in every run, so that failures can be repeated. No deadline: machines are busy.
settings.register_profile("full", deadline=None, derandomize=True, database=None)
settings.register_profile("fast", settings.get_profile("full"), max_examples=30)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests marked slow as well")


def wants_slow(config: pytest.Config) -> bool:
    """Whether --slow or an expression that names slow tests (-m slow) is given."""
    return config.getoption("--slow") or re.search(r"(?<!not )\bslow\b", config.getoption("markexpr")) is not None


def pytest_configure(config: pytest.Config) -> None:
    """Give each property fewer examples in a fast run.

    Collecting creates a million objects that stay, among which the garbage collector would search in vain.
    """
    gc.disable()
    settings.load_profile("full" if wants_slow(config) else "fast")


@pytest.hookimpl(tryfirst=True)  # run before pytest applies -m
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out slow tests unless --slow or an expression that names them (-m slow) is given."""
    sampling.leave_out(items)
    for item in items:
        if "browser" in item.fixturenames:
            item.add_marker(pytest.mark.slow)  # starting a browser alone takes eight seconds of CPU time
        if item.get_closest_marker("slow") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(SLOW_LIMIT_S))
    if config.getoption("--slow") or "slow" in config.getoption("markexpr"):  # pytest applies the expression itself
        return
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.skip(reason="slow: asked for by --slow or -m slow"))


if os.name == "nt":

    def _without_posix() -> Iterator[None]:
        """Skip a test that, itself or in a fixture, calls a function that only POSIX has, such as os.mkfifo."""
        try:
            return (yield)
        except AttributeError as error:
            if re.match(r"module '(os|select|signal|socket)' has no attribute", str(error)):
                pytest.skip(f"Windows: {error}")
            raise

    pytest_runtest_setup = pytest_runtest_call = pytest.hookimpl(wrapper=True)(_without_posix)


def pytest_collection_finish() -> None:
    """Freeze the collected tests, which stay until the end, so that the garbage collector skips them."""
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def executable() -> Path:
    """The executable under test."""
    path = Path(os.environ.get("STANDSTILL_EXECUTABLE") or ROOT / "standstill").absolute()
    if not path.exists():
        pytest.fail(f"{path} does not exist: run `make`")
    return path


@pytest.fixture
def start(executable: Path, request: pytest.FixtureRequest) -> Iterator[Callable[..., Client]]:
    """Start the executable, or the program of ``command``, as a UCI process that ends with the test.

    Our executable is forked from a process that has imported everything, unless the test is marked `launcher`
    or passes options for subprocess. At the end each of our processes must exit by itself, with status 0 and
    an empty standard error.
    """
    started: list[tuple[Client, bool]] = []

    def begin(*arguments: str, command: str | None = None, **options: object) -> Client:
        words = [command or str(executable), *arguments]
        warm = command is None and options.keys() <= {"cwd"} and not request.node.get_closest_marker("launcher")
        client = Client(Process(words, **options) if warm else launched(words, **options))
        started.append((client, command is None))
        return client

    yield begin
    problems: list[str] = []
    for client, ours in started:
        problems += client.end(strict=ours)
    assert not problems


@pytest.fixture
def engine(start: Callable[..., Client]) -> Client:
    """The executable under test after `uci`."""
    client = start()
    client.ask("uci", "uciok")
    return client


@pytest.fixture(scope="session")
def client_program() -> Callable[[str], str]:
    """The path of another program. If it is missing, the test is skipped, or fails if all programs are required."""

    def find(name: str) -> str:
        path = shutil.which(name, path=os.pathsep.join((os.environ.get("PATH", ""), GAMES)))
        if path is None:
            reason = f"{name} is neither on PATH nor in {GAMES}"
            if os.environ.get("STANDSTILL_REQUIRE_CLIENTS") == "1":
                pytest.fail(f"{reason}, and STANDSTILL_REQUIRE_CLIENTS=1 asks for it")
            pytest.skip(reason)
        return path

    return find


@pytest.fixture(scope="session")
def foreign_environment() -> dict[str, str]:
    """Our environment without the preloaded sanitizer, which some other programs do not tolerate."""
    return clean_environment()


@pytest.fixture(scope="module")  # not the session: playwright's event loop would keep other tests from starting one
def browser(client_program: Callable[[str], str]) -> Iterator:
    """Debian's chromium, driven by playwright."""
    if os.environ.get("LD_PRELOAD"):
        pytest.skip("a browser does not run with a preloaded sanitizer")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=client_program("chromium"), args=["--no-sandbox"])
        yield found
        found.close()
