"""Every tool imports names that exist, so that moving a module cannot break tools that CI never runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "tools").rglob("*.py"))
OURS = ("standstill", "tests", "tools")


def imported(path: Path) -> Iterator[tuple[str, str]]:
    """(module, name) of each import of our own code anywhere in the file; name is empty for ``import x``."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield from ((node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = ".".join(path.relative_to(ROOT).parts[: -node.level])
            module = f"{package}.{node.module}" if node.module else package
            yield from ((module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)


def exists(module: str, name: str) -> bool:
    try:
        found = import_module(module)
        if not name or hasattr(found, name):
            return True
        import_module(f"{module}.{name}")
    except ModuleNotFoundError as error:
        # A missing third-party package, such as PyTorch, says nothing about our names.
        return error.name is not None and error.name.partition(".")[0] not in OURS
    return True


@pytest.mark.parametrize("tool", TOOLS)
def test_a_tool_imports_what_exists(tool: str) -> None:
    found = [pair for pair in imported(ROOT / tool) if pair[0].partition(".")[0] in OURS]
    assert [pair for pair in found if not exists(*pair) and not only_for_types(tool, pair)] == []


def only_for_types(tool: str, pair: tuple[str, str]) -> bool:
    """Stubs (.pyi) declare types that a compiled module does not have at run time."""
    stub = ROOT / (pair[0].removeprefix("standstill.").replace(".", "/") + ".pyi")
    return stub.exists() and pair[1] in stub.read_text(encoding="utf-8")
