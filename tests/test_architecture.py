"""Checks the layers of docs/architecture.md by reading import and cimport lines.

protocol -> engine -> cext. Within engine and cext each folder belongs to a layer. A module uses its own folder and
lower layers, and no imports form a circle.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# The folders of each package, lowest layer first. Folders in the same line do not use each other.
LAYERS = {
    "cext": (
        ("base",),
        ("endings", "value"),
        ("chess", "fairy"),
        ("evaluation", "tablebases"),
        ("network",),
        ("memory",),
        ("search",),
        ("bindings", "training"),
    ),
    "engine": (
        ("system",),
        ("common",),
        ("variants", "external", "cluster"),
        ("network",),
        ("rmobility", "relevance", "clock", "tablebases"),
        ("archive",),
        ("settings",),
        ("play",),
        ("annotate", "correspondence", "live", "match", "training"),
        ("api",),
        ("web",),
    ),
}
# The most source files in a folder, so that its listing can be read at a glance.
MOST_FILES = 20
# The most lines of a function, from first to last; each table in it counts as one line.
MOST_LINES = 60
MOST_LINES_OF_A_FILE = 600

# The search is written once, for Board, Evaluator and Objective; it names no game.
GAME_NAMES = re.compile(r"(?<!in)variant|rmobility", re.IGNORECASE)

# The compiled modules that each module of engine may use; modules that are not listed use none.
ENGINE_BINDINGS = {
    "engine.annotate.attribution": {"bindings.pgn_games"},
    "engine.annotate.movetext": {"bindings.pgn_games"},
    "engine.archive.end_tags": {"bindings.pgn_games"},
    "engine.archive.fairy_scoring": {"bindings.pgn_games"},
    "engine.archive.pgn": {"bindings.pgn_games"},
    "engine.archive.piecework": {"bindings.pgn_games"},
    "engine.archive.played": {"bindings.pgn_games"},
    "engine.archive.respelling": {"bindings.pgn_games"},
    "engine.archive.scorer": {"chess.chess_board", "bindings.pgn_games"},
    "engine.archive.tagging": {"bindings.pgn_games"},
    "engine.archive.variations": {"bindings.pgn_games"},
    "engine.variants.boards": {
        *("chess.chess_board", "evaluation.chess_eval", "fairy.fairy_board", "fairy.rules", "evaluation.fairy_eval"),
        *("network.fairy_network_eval", "network.network_eval", "network.record_eval", "network.weights"),
    },
    "engine.variants.chess_notation": {"chess.chess_board"},  # boards only for annotations, here and below
    "engine.variants.fairy_notation": {"fairy.fairy_board"},
    "engine.variants.notation": {"base.board"},
    "engine.variants.perft": {"bindings.perft"},
    "engine.variants.game_over": {"fairy.fairy_board"},
    "engine.variants.show": {"fairy.fairy_board", "fairy.rules"},
    "engine.live.reading": {"bindings.pgn_games"},
    "engine.network.loading": {"network.weights"},
    "engine.play.endgames": {"chess.chess_board"},
    "engine.play.equipment": {"bindings.pool", "network.record_eval", "network.weights", "value.objective"},
    "engine.rmobility.objectives": {"value.objective"},
    "engine.settings.about": {"base.compiled"},
    "engine.tablebases.adjudication": {"chess.chess_board"},
    "engine.tablebases.playing": {"chess.chess_board"},  # boards only for annotations, here and below
    "engine.tablebases.probing": {"chess.chess_board"},
    "engine.tablebases.sharing": {"bindings.table_solver"},
    "engine.tablebases.solving": {"bindings.table_solver", "bindings.table_library"},
    "engine.tablebases.store": {"bindings.table_library"},
    "engine.training.generator": {
        *("training.mean_eval", "training.selfplay", "network.weights", "value.evaluator"),
    },
    "engine.training.plain": {"chess.chess_board", "training.samples"},
    "engine.training.starts": {"chess.chess_board", "training.samples"},
    "engine.training.reading": {"training.fairy_samples", "training.samples", "training.selfplay"},
    "engine.training.rescoring": {"training.selfplay"},
    "engine.web.study.lines": {"bindings.pgn_games"},
    "engine.web.study.tags": {"bindings.pgn_games"},
}
# The core's constants: every module may use them, because they load nothing compiled.
CONSTANTS = "base.constants"
# The interface of every board: imported only for annotations, under TYPE_CHECKING.
BOARD = "base.board"
# Where python-chess may be used. Its import takes 40 ms, so play uses it only for books and tables.
PYTHON_CHESS = (
    "engine.annotate",
    "engine.api",
    "engine.archive",
    "engine.correspondence",
    "engine.external",
    "engine.variants.drawing",
    "engine.match",
    "engine.play.advice",
    "engine.play.book",
    "engine.play.endgames",
    "engine.rmobility.goals",
    "engine.web.puzzles.checking",
    *("engine.web.study.foreign", "engine.web.study.survey", "engine.web.study.tree"),
)


def sources(package: str, *suffixes: str) -> list[Path]:
    return sorted(path for path in (ROOT / package).rglob("*") if path.suffix in suffixes)


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def resolve(path: Path, module: str) -> str:
    """The name of ``module``, as written in ``path``, from the root of the tree; each dot goes up one package."""
    dots = len(module) - len(module.lstrip("."))
    if not dots:
        return module.removeprefix("standstill.")
    package = path.relative_to(ROOT).parts[:-dots]
    return ".".join([*package, *filter(None, module[dots:].split("."))])


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def syntax(path: Path) -> ast.Module:
    return ast.parse(text_of(path))


def absolute(path: Path, module: str) -> str:
    return module


def python_imports(path: Path, *, whole: bool = False) -> Iterator[str]:
    """The imports of a file, as names from the root of the tree, or as written with ``whole``."""
    found = absolute if whole else resolve
    for node in ast.walk(syntax(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = found(path, "." * node.level + (node.module or ""))
            # `from engine import session` imports a module, `from engine.session import Session` does not. Both forms
            # are returned, because a rule about a module also holds for everything in it.
            yield from (f"{module}.{alias.name}" for alias in node.names)


def cython_imports(path: Path, *, whole: bool = False) -> Iterator[str]:
    found_name = absolute if whole else resolve
    text = path.read_text(encoding="utf-8")
    text = re.sub(r'"""(?:.|\n)*?"""|\'\'\'(?:.|\n)*?\'\'\'', '""', text)
    text = re.sub(r"#.*", "", text)
    text = re.sub(r"\\\n", " ", text)
    text = re.sub(r"\(([^()]*)\)", lambda group: group[1].replace("\n", " "), text)
    for line in text.splitlines():
        statement = line.strip()
        if found := re.match(r"from\s+(\.*[\w.]*)\s+c?import\s+(.*)", statement):
            module = found_name(path, found[1])
            yield from (f"{module}.{name.split()[0]}" for name in found[2].split(",") if name.strip())
        elif found := re.match(r"c?import\s+(.*)", statement):
            yield from (name.split()[0] for name in found[1].split(",") if name.strip())


@cache
def imports(path: Path) -> tuple[str, ...]:
    find = python_imports if path.suffix in {".py", ".pyi"} else cython_imports
    return tuple(find(path))


def uses(path: Path, package: str) -> list[str]:
    # A relative import names the file's own package only. Reading the syntax of every file would take seconds.
    if package not in text_of(path) and path.relative_to(ROOT).parts[0] != package:
        return []
    return [name for name in imports(path) if name == package or name.startswith(f"{package}.")]


PACKAGES = ("cext", "engine", "protocol", "tools")
MODULES = {module_name(path) for package in PACKAGES for path in sources(package, ".py", ".pyx", ".pxd")}


def modules_used(path: Path, package: str) -> set[str]:
    """The modules of ``package`` that ``path`` uses, except itself; lazy imports and those for types count, too."""
    found = set()
    for name in uses(path, package):
        # `from .session import Session` names no module of its own, `from . import session` does.
        module = name if name in MODULES else name.rpartition(".")[0]
        if module in MODULES and module != package:
            found.add(module)
    return found - {module_name(path)}


def layer(module: str) -> int | None:
    """The layer of the module's folder, 0 for the lowest, or None for a module outside folders."""
    package, *rest = module.split(".")
    for height, folders in enumerate(LAYERS[package]):
        if rest and rest[0] in folders:
            return height
    return None


def every_file(package: str, *suffixes: str) -> Callable[[Callable[[Path], object]], Callable[[], None]]:
    """Turn a function that returns a file's fault, if any, into a test of every file."""

    def decorate(faults_of: Callable[[Path], object]) -> Callable[[], None]:
        def test() -> None:
            paths = sources(package, *suffixes)
            assert paths
            assert not {str(path.relative_to(ROOT)): faults for path in paths if (faults := faults_of(path))}

        test.__name__ = faults_of.__name__
        return test

    return decorate


@every_file("protocol", ".py")
def test_protocol_reaches_the_core_only_through_engine(path: Path) -> object:
    return modules_used(path, "cext") - {f"cext.{CONSTANTS}"}


@every_file("protocol", ".py")
def test_protocol_leaves_python_chess_to_engine(path: Path) -> object:
    return uses(path, "chess")


@every_file("engine", ".py")
def test_engine_does_not_know_its_front_ends(path: Path) -> object:
    return uses(path, "protocol")


@every_file("engine", ".py")
def test_engine_enters_the_core_by_named_modules(path: Path) -> object:
    used = {name.removeprefix("cext.") for name in modules_used(path, "cext")}
    return used - {BOARD, CONSTANTS} - ENGINE_BINDINGS.get(module_name(path), set())


def is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


@every_file("engine", ".py")
def test_face_of_the_board_is_for_annotations_alone(path: Path) -> object:
    if BOARD not in text_of(path):  # reading the syntax of every file would take a second
        return []
    tree = syntax(path)
    checked = {id(inner) for node in ast.walk(tree) if is_type_checking(node) for inner in ast.walk(node)}
    imported = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and id(node) not in checked]
    return [node.lineno for node in imported if node.module == f"standstill.cext.{BOARD}"]


@every_file("engine", ".py")
def test_python_chess_stays_where_games_are_read(path: Path) -> object:
    return [] if module_name(path).startswith(PYTHON_CHESS) else uses(path, "chess")


@every_file("cext", ".py", ".pyx", ".pxd")
def test_core_stands_alone(path: Path) -> object:
    return [name for package in ("engine", "protocol", "chess") for name in uses(path, package)]


@pytest.mark.parametrize("package", LAYERS)
def test_every_folder_has_its_layer(package: str) -> None:
    listed = [folder for folders in LAYERS[package] for folder in folders]
    assert sorted(listed) == sorted(path.parent.name for path in (ROOT / package).glob("*/__init__.py"))


def upward(path: Path, package: str) -> list[str]:
    own = layer(module_name(path))
    if own is None:  # the package itself must not use its folders
        return sorted(module for module in modules_used(path, package) if layer(module) is not None)
    folder = module_name(path).split(".")[1]
    return [
        module
        for module in sorted(modules_used(path, package))
        if (height := layer(module)) is not None
        and (height > own or (height == own and module.split(".")[1] != folder))
    ]


@every_file("cext", ".py", ".pyx", ".pxd", ".pyi")
def test_core_module_uses_no_layer_above_its_own(path: Path) -> object:
    return upward(path, "cext")


@every_file("engine", ".py")
def test_engine_module_uses_no_layer_above_its_own(path: Path) -> object:
    return upward(path, "engine")


def test_the_map_for_contributors_is_that_of_the_layers() -> None:
    """A row for each layer, top layer first."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## A map")[2].partition("\n##")[0]
    shown = [set(re.findall(r"`((?:engine|cext)/\w+)`", line)) for line in text.splitlines()]
    expected = [{f"{package}/{name}" for name in line} for package in ("cext", "engine") for line in LAYERS[package]]
    assert [folders for folders in shown if folders] == expected[::-1]


@pytest.mark.parametrize("package", PACKAGES)
def test_no_circle_of_imports(package: str) -> None:
    graph: dict[str, set[str]] = {}
    for path in sources(package, ".py", ".pyx", ".pxd"):
        graph.setdefault(module_name(path), set()).update(modules_used(path, package))
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


@every_file("cext", ".pyx", ".pxd")
def test_only_bindings_handle_the_interpreter_lock(path: Path) -> object:
    text = re.sub(r"#.*", "", path.read_text(encoding="utf-8"))
    return [] if path.parent.name in {"bindings", "training"} else re.findall(r"\bwith\s+(?:no)?gil\b", text)


@every_file("cext/search", ".pyx", ".pxd", ".pyi")
def test_search_names_no_game(path: Path) -> object:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [f"{number}: {line.strip()}" for number, line in enumerate(lines, 1) if GAME_NAMES.search(line)]


@pytest.mark.parametrize("package", [*PACKAGES, "tests"])
def test_no_file_is_longer_than_can_be_read_at_a_sitting(package: str) -> None:
    lines = {
        str(path.relative_to(ROOT)): path.read_text(encoding="utf-8").count("\n")
        for path in [*sources(package, ".py", ".pyx", ".pxd", ".pyi", ".h"), ROOT / "setup.py"]
    }
    assert len(lines) > 1
    assert not {name for name, number in lines.items() if number > MOST_LINES_OF_A_FILE}


@pytest.mark.parametrize("package", ["tests", "tools"])
def test_packages_have_one_name(package: str) -> None:
    """Every module is imported as standstill.*, because `import engine` from the root would load a second copy."""
    found = {}
    suspect = re.compile(r"\b(?:import|from)\b.*(?<![.\w])(?:engine|protocol|cext)\b")  # to parse few files
    for path in sources(package, ".py", ".pyx"):
        if not suspect.search(path.read_text(encoding="utf-8")):
            continue
        find = python_imports if path.suffix == ".py" else cython_imports
        wrong = [name for name in find(path, whole=True) if name.split(".")[0] in {"engine", "protocol", "cext"}]
        if wrong:
            found[str(path.relative_to(ROOT))] = wrong
    assert not found


@pytest.mark.parametrize("package", PACKAGES)
def test_no_folder_is_crowded(package: str) -> None:
    crowded = {}
    for folder in (ROOT / package).rglob("*"):
        if folder.is_dir() and folder.name != "__pycache__":
            files = [path for path in folder.iterdir() if path.suffix in {".py", ".pyx", ".pxd", ".pyi", ".h"}]
            if len(files) > MOST_FILES:
                crowded[str(folder.relative_to(ROOT))] = len(files)
    assert not crowded


def functions(tree: ast.AST, owner: str = "") -> Iterator[tuple[str, ast.AST]]:
    """The functions of a tree, with their names inside the module."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{owner}{node.name}"
            if not isinstance(node, ast.ClassDef):
                yield name, node
            yield from functions(node, f"{name}.")
        else:
            yield from functions(node, owner)


def lines_of_tables(tree: ast.AST) -> int:
    """The number of lines saved if each dictionary, list, set and tuple were written in one line."""
    if isinstance(tree, ast.Dict | ast.List | ast.Set | ast.Tuple):
        return tree.end_lineno - tree.lineno
    return sum(map(lines_of_tables, ast.iter_child_nodes(tree)))


def python_lengths(path: Path) -> Iterator[tuple[str, int]]:
    for name, function in functions(syntax(path)):
        yield name, function.end_lineno - function.lineno + 1 - lines_of_tables(function)


CYTHON_FUNCTION = re.compile(r"( *)(?:cdef|cpdef|def) (?!class |enum|struct |extern )[^=#]*?(\w+)\(")


def cython_lengths(path: Path) -> Iterator[tuple[str, int]]:
    """A function ends before a line indented no more than its first line, because ``ast`` cannot read Cython."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for start, line in enumerate(lines):
        if head := CYTHON_FUNCTION.match(line):
            last = start
            for number, inner in enumerate(lines[start + 1 :], start + 1):
                if inner.strip():
                    if len(inner) - len(inner.lstrip()) <= len(head[1]):
                        break
                    last = number
            yield head[2], last - start + 1


@pytest.mark.sampled(2)
@pytest.mark.parametrize("package", [*PACKAGES, "tests"])
def test_no_function_is_longer_than_a_screen(package: str) -> None:
    long = {}
    for path in sources(package, ".py", ".pyx"):
        lengths = python_lengths if path.suffix == ".py" else cython_lengths
        for name, lines in lengths(path):
            if lines > MOST_LINES:
                long[f"{path.relative_to(ROOT)}: {name}"] = lines
    assert not long
