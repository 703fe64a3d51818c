"""Every command and every Python block of the documentation works, and prints what the page shows."""

from __future__ import annotations

import ast
import doctest
import gzip
import os
import re
import shlex
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
import zstandard

from standstill.engine.network.file import packed
from tests.network.nets import random_network

from .blocks import BLOCKS, PAGES, ROOT, Block, blocks, steps

RUN = sorted({block.page for block in BLOCKS if block.is_run})
# The limit keeps blocks from being exempted too easily.
MOST_NOT_RUN = 34

# Text that the reader fills in, or that would take hours, by page: (pattern, replacement in the test).
FILLED: dict[str, list[tuple[str, str]]] = {
    "README.md": [("--time 8h", "--time 1s")],
    "docs/adjudication.md": [
        (r"\bkit/", f"{ROOT}/kit/"),
        ("import chess, rmobility", f"import sys; sys.path.insert(0, '{ROOT}/kit'); import chess, rmobility"),
        (r'"tables"', f"'{ROOT}/engine/tablebases/data'"),
        (r"python -m http\.server (\S+ \S+)", r"timeout 2 python -m http.server 0 \1 || test $? = 124"),
    ],
    "docs/correspondence.md": [("--all --time 8h", "--all --time 1s --slice 0.2s")],
    "docs/annotate.md": [("--nodes 200000", "--nodes 500"), ("--time 500ms", "--time 10ms")],
    "docs/matches.md": [("--rounds 100 --nodes 20000", "--rounds 1 --nodes 100")],
    "docs/puzzles.md": [
        (r"((?:GAMES\.pgn|web puzzles) +)#", r"\1 --no-open --idle 1s #"),
        (r"GAMES\.pgn", "games.pgn"),
        ("Brown, Carl", "LCZero"),
    ],
    "docs/rmobility.md": [("--time 200ms", "--time 10ms"), ("--mode Decisive$", "--mode Decisive --depth 6")],
    "docs/scale.md": [(r"--jobs 4", "--jobs 2"), (r"\bIN\.pgn", "games.pgn")],
    "docs/tables.md": [
        ("--men 4", "--men 3"),
        (r"--path DIR fetch https://example\.org/tables/", "--path fetched fetch tables"),
        (r"KRPvKR( +# with)", r"KQvK\1"),
        (r"\bDIR\b", "tables"),
        (r"(probe|line|solve) FEN", r"\1 '8/8/8/8/8/5k2/5p2/5K2 w - - 0 1'"),
        (r"--batch -(\s)", r"--batch - < positions.txt\1"),
        ("browse  ", "browse -o browse.html  "),
    ],
    "docs/training-data.md": [
        (r"play -o FILE --nodes 1000", "play -o FILE --nodes 50 --games 16"),
        (r"-o DEEP --nodes 1000", "-o DEEP --nodes 50"),
        (r"--eval-file NET", "--eval-file net.nn --nodes 50 --games 16"),
        (r"--mean --nodes 150", "--mean --nodes 50 --games 16"),
        (r"--starts LEVEL --nodes 100", "--starts LEVEL --nodes 30 --games 8"),
        (r"capablanca --nodes 150", "capablanca --nodes 50 --games 8"),
        (r"--game 17", "--game 7"),
        (r"FILE\.\.\.", "FILE"),
        (r"import TEXT -o FILE", "import text.txt -o imported"),
    ],
    "docs/variants.md": [
        ("--time 100ms --rounds 50", "--time 5ms --rounds 1"),
        ("--fen F", "--fen \"$(standstill variants show spartan | sed -n 's/^Fen: *//p')\""),
    ],
    # A server that gets no request exits after one second.
    "docs/game-from-nothing.md": [(r"variants edit ", "variants edit --no-open --idle 1s ")],
    "docs/web.md": [
        (r"standstill (web|study|variants edit)\b", r"standstill \1 --no-open --idle 1s"),
        (r"GAMES\.pgn", "games.pgn"),
    ],
}
# Pages whose commands count days, each with the simulated time.
CLOCKS = {"docs/correspondence.md": "2026-11-22T01:40Z"}

GAMES = """[Event "Test"]
[Site "?"]
[Date "2026.01.01"]
[Round "1"]
[White "Stockfish"]
[Black "LCZero"]
[Result "1/2-1/2"]

1. e4 {[%eval 0.3]} e5 {[%eval 0.25]} 2. Nf3 {[%eval 0.35]} Nc6 {[%eval 0.3]} 3. Bb5 {[%eval 0.3]} 1/2-1/2

[Event "Test"]
[Site "?"]
[Date "2026.01.02"]
[Round "2"]
[White "LCZero"]
[Black "Stockfish"]
[Result "0-1"]

1. f3 {[%eval -0.6]} e5 {[%eval -0.6]} 2. g4 {[%eval -80.0]} Qh4# 0-1

"""
# The last lines of the launcher, run at the time given in the environment.
STANDSTILL = """#!{python} -IS
import os, sys
sys.path.insert(0, {lib!r})
if "TEST_NOW" in os.environ:
    from standstill.engine.clock import instants
    now = instants.parse_instant(os.environ["TEST_NOW"])
    instants.now_ms = lambda: now
from standstill.protocol.main import main
sys.exit(main())
"""


@pytest.fixture
def folder(tmp_path: Path, executable: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as a reader of the pages might have it: games, positions and definitions beside the program."""
    if os.environ.get("LD_PRELOAD"):
        pytest.skip("what the pages say does not depend on the build")
    lib = os.environ.get("STANDSTILL_BUILD_LIB") or ROOT / "build/tree"
    program = tmp_path / "standstill"
    program.write_text(STANDSTILL.format(python=sys.executable, lib=str(lib)))
    program.chmod(0o755)
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    for name in ("games.pgn", "game.pgn", "season.pgn"):
        (tmp_path / name).write_text(GAMES)
    (tmp_path / "season.pgn.zst").write_bytes(zstandard.compress(GAMES.encode()))
    (tmp_path / "season.pgn.gz").write_bytes(gzip.compress(GAMES.encode()))
    (tmp_path / "positions.txt").write_text("8/8/8/8/8/5k2/5p2/5K2 w - - 0 1\n4k3/8/8/8/8/8/8/4KQ2 w - - 0 1 ; G1.5\n")
    (tmp_path / "mine.ini").write_text(definition())
    (tmp_path / "variants.ini").write_text("[rider:crazyhouse]\nknight = -\ncustomPiece1 = n:NN\n")
    (tmp_path / "text.txt").write_text("-||1/2-1/2|e2e4:10 e7e5:-5 g1f3:20\n")
    (tmp_path / "net.nn").write_bytes(packed(random_network()))
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}:/usr/games")
    monkeypatch.setenv("STANDSTILL_STORE", str(tmp_path / "games.sqlite"))
    monkeypatch.setenv("STANDSTILL_PUZZLES", str(tmp_path / "puzzles.sqlite"))
    monkeypatch.setenv("TZ", "UTC")
    return tmp_path


def definition() -> str:
    """The file that a reader of docs/variants.md writes: the example, with the new piece in place of the first one."""
    pieces = re.compile(r"^w:.*", re.MULTILINE)
    page = (ROOT / "docs/variants.md").read_text(encoding="utf-8")
    (new,) = re.findall(r"`(l:500 [-\d, ]+)`", " ".join(page.split()))
    (example,) = (block.text for block in BLOCKS if "// Chess with Woody Rooks" in block.text)
    return pieces.sub(new, example).replace("Game: woody", "Game: mine")


def filled(block: Block) -> str:
    text = block.text.replace("/path/to/standstill", "./standstill")
    for pattern, there in FILLED.get(block.page, []):
        text = re.sub(pattern, there, text, flags=re.MULTILINE)
    return text


def shell(script: str, folder: Path, block: Block) -> str:
    """The commands' output on both streams. The test fails if a command fails."""
    env = dict(os.environ)
    if block.page in CLOCKS:
        env["TEST_NOW"] = CLOCKS[block.page]
    command = ["bash", "-e", "-o", "pipefail", "-c", script]
    done = subprocess.run(
        command,
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, f"{block.page}:{block.line}: status {done.returncode}\n{script}\n{done.stdout}"
    return done.stdout


def differences(shown: list[str], printed: list[str]) -> list[str]:
    """Lines on the page that the program does not print in this order; `...` stands for any lines."""
    missing, at = [], 0
    for line in (line for line in shown if line.strip() and line != "..."):
        # Within a line `...` stands for what changes from run to run, such as speeds.
        pattern = re.sub(r"\[", "[[]", line).replace("...", "*")
        there = next((i for i in range(at, len(printed)) if fnmatchcase(printed[i].rstrip(), pattern)), None)
        if there is None:
            missing.append(line)
        else:
            at = there + 1
    return missing


def run_block(block: Block, folder: Path, names: dict[str, object]) -> None:
    text = filled(block)
    if block.kind == "sh":
        shell(text, folder, block)
    elif block.kind == "console":
        for command, shown in steps(text):
            printed = shell(command, folder, block).splitlines()
            assert not differences(shown, printed), f"{block.page}:{block.line}: {command}\n" + "\n".join(printed)
    elif text.startswith(">>> "):
        examples = doctest.DocTestParser().get_doctest(text, names, block.page, block.page, block.line)
        assert doctest.DocTestRunner().run(examples, clear_globs=False).failed == 0
        names.update(examples.globs)
    else:
        (folder / "script.py").write_text(text)
        shell(f"{shlex.quote(sys.executable)} script.py", folder, block)


@pytest.mark.slow
@pytest.mark.parametrize("page", RUN)
def test_what_the_page_shows_works(page: str, folder: Path) -> None:
    names: dict[str, object] = {}
    for block in BLOCKS:
        if block.page == page and block.is_run:
            run_block(block, folder, names)


def test_a_block_that_fails_or_prints_something_else_is_noticed(folder: Path) -> None:
    for kind, text in (
        ("sh", "false\n"),
        ("sh", "false | true\n"),
        ("console", "$ echo one\ntwo\n"),
        ("python", ">>> 1 + 1\n3\n"),
        ("python", "raise SystemExit(1)\n"),
    ):
        with pytest.raises(AssertionError):
            run_block(Block("docs/none.md", 1, kind, text, None), folder, {})
    run_block(Block("docs/none.md", 1, "console", "$ seq 3\n1\n...\n3\n$ echo ab cd\nab ...\n", None), folder, {})


def test_blocks_are_found(tmp_path: Path) -> None:
    text = "a\n\n    make\n    x\n\n<!-- not run: hours -->\n\n```sh\nls\n```\n\n```\n$ ls\na\n```\n\n    f(x)\n"
    page = tmp_path / "page.md"
    page.write_text(text)
    assert [(block.kind, block.text, block.not_run) for block in blocks(page)] == [
        ("sh", "make\nx\n", None),
        ("sh", "ls\n", "hours"),
        ("console", "$ ls\na\n", None),
        ("text", "f(x)\n", None),
    ]


def test_what_is_not_run_says_why_and_is_little() -> None:
    left = [block for block in BLOCKS if block.not_run is not None]
    assert all(len(block.not_run.split()) > 1 for block in left)
    assert all(block.kind in ("sh", "console", "python") for block in left)
    assert len(left) <= MOST_NOT_RUN
    # Every comment `not run` must stand above a block.
    assert len(left) == sum(page.read_text(encoding="utf-8").count("<!-- not run:") for page in PAGES)


def test_python_on_the_pages_is_python() -> None:
    for block in BLOCKS:
        if block.kind == "python" and not block.text.startswith(">>> "):
            ast.parse(block.text)


@pytest.mark.parametrize("page", sorted({block.page for block in BLOCKS if block.not_run}))
def test_commands_that_are_not_run_name_what_exists(page: str) -> None:
    files = [ROOT / "Makefile", *(ROOT / "tools/make").glob("*.mk")]
    makefile = "".join(path.read_text(encoding="utf-8") for path in files)
    for block in (block for block in BLOCKS if block.page == page and block.not_run):
        for path in re.findall(r"(?<![\w/])(?:tests|tools|engine)/[\w./-]+", block.text):
            assert (ROOT / path).exists(), path
        for module in re.findall(r"-m ((?:tests|tools)[\w.]+)", block.text):
            path = ROOT / module.replace(".", "/")
            assert path.with_suffix(".py").exists() or (path / "__main__.py").exists(), module
        for target in re.findall(r"^make ([a-z][\w-]*)(?!\S)", block.text, re.MULTILINE):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
