"""The layers of docs/architecture.md, held by reading the import and cimport lines.

protocol -> engine -> cext, and within cext a module may use its own layer and those below, without a cycle.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

LAYERS = {
    # 0: header only
    "types": 0,
    "bits": 0,
    "atomics": 0,
    # 1: what every board has
    "zobrist": 1,
    "board": 1,
    "pgn_text": 1,
    # 2: boards and moves
    "attacks": 2,
    "chess_position": 2,
    "chess_scan": 2,
    "chess_movegen": 2,
    "chess_see": 2,
    "chess_board": 2,
    "chess_san": 2,
    "material": 2,
    "bare_kings": 2,
    "king_pawn": 2,
    "fairy_rules": 2,
    "fairy_position": 2,
    "fairy_scan": 2,
    "fairy_movegen": 2,
    "fairy_see": 2,
    "fairy_board": 2,
    # 3: what a position is worth
    "evaluator": 3,
    "chess_weights": 3,
    "chess_pawns": 3,
    "chess_pieces": 3,
    "chess_eval": 3,
    "fairy_weights": 3,
    "fairy_eval": 3,
    "objective": 3,
    # 4: search, one thread, no Python
    "tt": 4,
    "history": 4,
    "movepick": 4,
    "reductions": 4,
    "watch": 4,
    "worker": 4,
    "node": 4,
    "quiescence": 4,
    "search": 4,
    # 5: doors, where the interpreter lock is given and taken
    "pool": 5,
    "walk": 5,
    "games": 5,
}
DOORS = 5

# The search is written once, against Board, Evaluator and Objective; it knows no game by name.
SEARCH_MODULES = (
    "search",
    "node",
    "quiescence",
    "movepick",
    "reductions",
    "history",
    "tt",
    "watch",
    "worker",
    "pool",
)
GAME_NAMES = re.compile(r"(?<!in)variant|rmobility", re.IGNORECASE)

# Which compiled modules each module of engine may use; what is not named here uses none.
ENGINE_DOORS = {
    "engine.annotate.source": {"games"},
    "engine.board": {"chess_board", "chess_eval", "fairy_board", "fairy_eval", "fairy_rules"},
    "engine.perft": {"walk"},
    "engine.pgn.fairy": {"games"},
    "engine.pgn.games": {"games"},
    "engine.rmobility.archive": {"games"},
    "engine.rmobility.objectives": {"objective"},
    "engine.session": {"pool"},
}
# Where python-chess may be used: it costs 40 ms to import, and play does without, but for book and tables.
PYTHON_CHESS = (
    "engine.advice",
    "engine.annotate",
    "engine.book",
    "engine.correspondence.pgn",
    "engine.endgames",
    "engine.match",
    "engine.pgn",
    "engine.rmobility.goals",
)


def sources(package: str, *suffixes: str) -> list[Path]:
    return sorted(path for path in (ROOT / package).rglob("*") if path.suffix in suffixes)


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def resolve(path: Path, module: str) -> str:
    """The absolute name of ``module`` as written in ``path``: leading dots count packages upwards."""
    dots = len(module) - len(module.lstrip("."))
    if not dots:
        return module
    package = path.relative_to(ROOT).parts[:-dots]
    return ".".join([*package, *filter(None, module[dots:].split("."))])


def python_imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = resolve(path, "." * node.level + (node.module or ""))
            # `from engine import session` names a module, `from engine.session import Session` does not: give both,
            # as a rule about a module holds for what lies below it.
            yield from (f"{module}.{alias.name}" for alias in node.names)


def cython_imports(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    text = re.sub(r'"""(?:.|\n)*?"""|\'\'\'(?:.|\n)*?\'\'\'', '""', text)
    text = re.sub(r"#.*", "", text)
    text = re.sub(r"\\\n", " ", text)
    text = re.sub(r"\(([^()]*)\)", lambda group: group[1].replace("\n", " "), text)
    for line in text.splitlines():
        statement = line.strip()
        if found := re.match(r"from\s+(\.*[\w.]*)\s+c?import\s+(.*)", statement):
            module = resolve(path, found[1])
            yield from (f"{module}.{name.split()[0]}" for name in found[2].split(",") if name.strip())
        elif found := re.match(r"c?import\s+(.*)", statement):
            yield from (name.split()[0] for name in found[1].split(",") if name.strip())


@cache
def imports(path: Path) -> tuple[str, ...]:
    find = python_imports if path.suffix in {".py", ".pyi"} else cython_imports
    return tuple(find(path))


def uses(path: Path, package: str) -> list[str]:
    return [name for name in imports(path) if name == package or name.startswith(f"{package}.")]


def core_modules(path: Path) -> set[str]:
    """The modules of cext that ``path`` uses, by their short name."""
    return {name.split(".")[1] for name in uses(path, "cext") if "." in name} - {path.stem}


def by_path(package: str, *suffixes: str) -> pytest.MarkDecorator:
    paths = sources(package, *suffixes)
    return pytest.mark.parametrize("path", paths, ids=[str(path.relative_to(ROOT)) for path in paths])


@by_path("protocol", ".py")
def test_protocol_reaches_the_core_only_through_engine(path: Path) -> None:
    assert not uses(path, "cext")


@by_path("protocol", ".py")
def test_protocol_leaves_python_chess_to_engine(path: Path) -> None:
    assert not uses(path, "chess")


@by_path("engine", ".py")
def test_engine_does_not_know_its_front_ends(path: Path) -> None:
    assert not uses(path, "protocol")


@by_path("engine", ".py")
def test_engine_enters_the_core_by_named_doors(path: Path) -> None:
    assert core_modules(path) <= ENGINE_DOORS.get(module_name(path), set())


@by_path("engine", ".py")
def test_python_chess_stays_where_games_are_read(path: Path) -> None:
    if not module_name(path).startswith(PYTHON_CHESS):
        assert not uses(path, "chess")


@by_path("cext", ".py", ".pyx", ".pxd")
@pytest.mark.parametrize("package", ["engine", "protocol", "chess"])
def test_core_stands_alone(path: Path, package: str) -> None:
    assert not uses(path, package)


@by_path("cext", ".pyx", ".pxd")
def test_core_module_uses_no_layer_above_its_own(path: Path) -> None:
    if path.stem == "__init__":
        assert not core_modules(path)
        return
    assert path.stem in LAYERS, "a new module needs a layer in this file"
    above = {name for name in core_modules(path) if LAYERS[name] > LAYERS[path.stem]}
    assert not above


def test_core_has_no_cycle() -> None:
    graph: dict[str, set[str]] = {}
    for path in sources("cext", ".pyx", ".pxd"):
        graph.setdefault(path.stem, set()).update(core_modules(path))
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


@by_path("cext", ".pyx", ".pxd")
def test_only_doors_handle_the_interpreter_lock(path: Path) -> None:
    if LAYERS.get(path.stem, 0) < DOORS:
        assert not re.search(r"\bwith\s+(no)?gil\b", re.sub(r"#.*", "", path.read_text(encoding="utf-8")))


@by_path("cext", ".pyx", ".pxd", ".pyi")
def test_search_names_no_game(path: Path) -> None:
    if path.stem in SEARCH_MODULES:
        lines = path.read_text(encoding="utf-8").splitlines()
        assert not [f"{number}: {line.strip()}" for number, line in enumerate(lines, 1) if GAME_NAMES.search(line)]
