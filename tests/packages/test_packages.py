"""Wheel and archive as users get them: installed without a network, started without a compiler and Python."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import chess
import chess.engine
import pytest

from tests.packages.conftest import CLEAN, ROOT

pytestmark = pytest.mark.slow

LEVELS = ("avx512", "x86-64-v3", "portable")
PATIENCE_S = 60
needs_levels = pytest.mark.skipif(platform.machine() != "x86_64", reason="only x86-64 has several builds")


def run(command: Sequence[str | Path], check: bool = True, **variables: str) -> subprocess.CompletedProcess[str]:
    words = [str(word) for word in command]
    done = subprocess.run(
        words, env=CLEAN | variables, cwd="/", capture_output=True, text=True, timeout=300, check=False
    )
    assert not check or done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done


def game(open_engine: Callable[..., chess.engine.SimpleEngine], command: Sequence[str], **variables: str) -> int:
    """Let the engine play a game against itself, with python-chess as the referee. Returns the number of plies."""
    board = chess.Board()
    with open_engine(list(command), timeout=PATIENCE_S, env=CLEAN | variables) as engine:
        while not board.is_game_over() and board.ply() < 60:
            played = engine.play(board, chess.engine.Limit(depth=3))
            assert played.move in board.legal_moves
            board.push(played.move)
    return board.ply()


PROTOCOLS = [chess.engine.SimpleEngine.popen_uci, chess.engine.SimpleEngine.popen_xboard]
protocols = pytest.mark.parametrize("open_engine", PROTOCOLS, ids=["uci", "xboard"])


# ---- the wheel ----


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel's command, installed from local files only, with nothing else on the path."""
    place = tmp_path_factory.mktemp("installed") / "environment"
    run([sys._base_executable, "-m", "venv", place])
    pip = [place / "bin/python", "-m", "pip", "--disable-pip-version-check", "install", "-q", "--no-index"]
    run([*pip, "--find-links", ROOT / "dist/offline", wheel], PATH="/nowhere")
    return place / "bin/standstill"


def able(installed: Path) -> list[str]:
    program = "from standstill.cext.processor import levels; print(*levels())"
    return run([installed.with_name("python"), "-c", program]).stdout.split()


def test_the_wheel_is_small_and_names_its_c_library(wheel: Path) -> None:
    assert wheel.stat().st_size < 15_000_000
    assert re.search(rf"-cp311-abi3-.*manylinux_2_\d+_{platform.machine()}", wheel.name)


def test_pipx_of_debian_installs_the_wheel(wheel: Path, tmp_path: Path) -> None:
    """Install by the README's line. pipx 1.1 takes a file name without a folder for a package name."""
    pipx = Path("/usr/bin/pipx")
    if not pipx.exists():
        pytest.skip("Debian's pipx is not installed")
    line = re.search(r"`(pipx install [^`]*)`", (ROOT / "README.md").read_text(encoding="utf-8"))[1]
    places = {"PIPX_HOME": str(tmp_path / "home"), "PIPX_BIN_DIR": str(tmp_path / "bin"), "HOME": str(tmp_path)}
    words = ["/bin/sh", "-c", f"cd '{wheel.parent}' && {line.replace('pipx', str(pipx), 1)}"]
    run(words, PATH="/usr/bin:/bin", **places)
    assert "Standstill" in run([tmp_path / "bin/standstill", "--version"]).stdout


@protocols
def test_the_wheel_plays(installed: Path, open_engine: Callable[..., chess.engine.SimpleEngine]) -> None:
    assert game(open_engine, [str(installed)]) > 20


@needs_levels
def test_each_build_in_the_wheel_searches_the_same_tree(installed: Path) -> None:
    runnable = able(installed)
    counts = {run([installed, "bench", "9", "--json"], STANDSTILL_ISA=level).stdout for level in runnable}
    assert len({json.loads(count)["nodes"] for count in counts}) == 1
    for level in LEVELS:
        told = run([installed, "--version"], check=False, STANDSTILL_ISA=level)
        if level in runnable:
            assert f"(build {level} of " in told.stdout
        else:
            assert (told.returncode, told.stderr.count("\n")) == (2, 1)


@needs_levels
def test_no_build_uses_instructions_of_a_higher_level(wheel: Path, tmp_path: Path) -> None:
    """The test disassembles the modules: running them shows nothing, because the test machine supports all
    instructions."""
    if not shutil.which("objdump"):
        pytest.skip("objdump is not installed")
    with zipfile.ZipFile(wheel) as opened:
        opened.extractall(tmp_path)
    core = tmp_path / "standstill/cext"
    assert sorted(path.name for path in (core / "builds").iterdir()) == sorted(LEVELS)
    modules = {path.relative_to(ROOT / "cext").with_suffix("") for path in (ROOT / "cext").glob("*/*.pyx")}
    # x86-64 has only xmm registers, AVX2 also ymm, AVX-512 also zmm and mask registers.
    beyond = {"portable": r"%[yz]mm|%k[0-7]", "x86-64-v3": r"%zmm|%k[0-7]"}
    for level in LEVELS:
        files = {path.relative_to(core / "builds" / level): path for path in (core / "builds" / level).glob("*/*.so")}
        assert {Path(str(name).split(".")[0]) for name in files} == modules
        if level in beyond:
            shown = run(["objdump", "-d", *files.values()], PATH=os.environ["PATH"]).stdout
            assert not re.search(beyond[level], shown)


def test_the_sources_build_nothing_but_what_is_in_the_repository(sources: Path, tmp_path: Path) -> None:
    shutil.unpack_archive(sources, tmp_path, filter="data")
    (tree,) = tmp_path.iterdir()
    assert re.fullmatch(r"[0-9a-f]{7,40}(-dirty)?|unknown", (tree / "commit").read_text().strip())
    if (ROOT / ".git").exists():
        listed = set(run(["git", "-C", ROOT, "ls-files", "cext", "engine", "protocol", "tests"]).stdout.split())
        held = {
            str(path.relative_to(tree)) for name in ("cext", "engine", "protocol", "tests")
            for path in (tree / name).rglob("*") if path.is_file()
        }  # fmt: skip
        assert not listed - held
        assert not {name for name in held if name.endswith((".so", ".pyc"))}


# ---- the archive ----


@protocols
def test_the_archive_plays_where_there_is_no_python(
    archive: list[str], open_engine: Callable[..., chess.engine.SimpleEngine]
) -> None:
    assert game(open_engine, archive) > 20


def test_the_archive_is_a_command_line(archive: list[str], bare_root: Path) -> None:
    assert run([*archive, "perft", "4"]).stdout.split()[-1].replace(",", "") == "197281"
    told = run([*archive, "--version"]).stdout
    if platform.machine() == "x86_64":
        assert re.search(r"\(build \S+ of avx512, portable, x86-64-v3\)", told)
    assert "/My Engines/standstill-" in told
    (bare_root / "tmp/game.pgn").write_text('[Result "1-0"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n')
    assert "RMobility" in run([*archive, "tag", "/tmp/game.pgn"]).stdout
    run([*archive, "games", "--store", "/tmp/games.sqlite", "new", "trial", "50/75/1"])
    assert "trial" in run([*archive, "games", "--store", "/tmp/games.sqlite", "list"]).stdout
    run([*archive, "annotate", "/tmp/game.pgn", "-o", "/tmp/out.pgn", "--depth", "4"])
    assert (bare_root / "tmp/out.pgn").read_text().count("Qxf7#") == 1


def test_the_archive_starts_through_a_link(archive: list[str], bare_root: Path) -> None:
    link = bare_root / "bin/engine"
    if not link.is_symlink():
        link.symlink_to(archive[-1])
    for command in ("/bin/engine --version", "cd '/My Engines' && exec ./*/standstill --version", "engine --version"):
        assert run([*archive[:-1], "/bin/sh", "-c", command]).stdout.startswith("Standstill ")


def test_the_archive_brings_what_its_commands_import(archive: list[str], bare_root: Path) -> None:
    root = Path(archive[-1]).parent
    (python,) = (bare_root / str(root)[1:] / "bin").iterdir()
    program = (
        "import sys, glob; sys.path.insert(0, glob.glob(sys.prefix + '/lib/python*/site-packages')[0]);"
        "import ssl, sqlite3, lzma, bz2, zlib, hashlib, asyncio, multiprocessing, zoneinfo, unicodedata;"
        "import httpx, keyring, icalendar, defusedxml, chess.pgn, rich, zstandard, jinja2;"
        "ssl.create_default_context(); print(sys.prefix)"
    )
    assert run([*archive[:-1], root / "bin" / python.name, "-IS", "-c", program]).stdout.strip() == str(root)


def test_the_archive_says_what_is_in_it(archive: list[str], bare_root: Path) -> None:
    root = bare_root / archive[-1][1:]
    bill = json.loads((root.parent / "share/standstill/sbom.cdx.json").read_text())
    named = {re.sub("[-_.]+", "-", part["name"]).lower() for part in bill["components"]}
    assert bill["bomFormat"] == "CycloneDX"
    folders = (root.parent / "lib").glob("python*/site-packages/*.dist-info")
    installed = [re.split(r"-\d", folder.name)[0] for folder in folders]
    libraries = [path.name for path in (root.parent / "lib").glob("*.so*")]
    assert {"cpython", *(re.sub("[-_.]+", "-", name).lower() for name in (*installed, *libraries))} <= named
    assert list((root.parent / "share/licences").iterdir())
    assert os.access(root, os.X_OK)
