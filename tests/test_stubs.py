"""Compiled modules and their stubs agree, in both directions."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_architecture import modules_used, sources

ROOT = Path(__file__).resolve().parents[1]
LIB = Path(os.environ.get("STANDSTILL_BUILD_LIB", ROOT / "build/tree"))

# Names that a stub leaves out or declares differently: regular expressions for mypy.stubtest.
ALLOWED = """
.*\\.__(reduce|setstate)_cython__  # what Cython puts into every module
.*\\.__(test|pyx_capi)__
standstill.cext.bindings.pool.PoolWorker  # internal to the pool
standstill.cext.training.selfplay.Player  # likewise
standstill.cext.chess.chess_board.ChessBoard.__init__  # takes no arguments; the compiled module has no signature
"""


def stubbed(package: str = "cext") -> set[str]:
    """Names of the modules that have a stub, as seen from the root of the tree."""
    return {".".join(path.relative_to(ROOT).with_suffix("").parts) for path in sources(package, ".pyi")}


@pytest.mark.slow
def test_stubs_and_modules_agree(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    allowed = tmp_path / "allowed"
    allowed.write_text(ALLOWED, encoding="utf-8")
    modules = [f"standstill.{name}" for name in sorted(stubbed())]
    command = [sys.executable, "-P", "-m", "mypy.stubtest", "--concise", "--allowlist", str(allowed), *modules]
    environment = os.environ | {"MYPYPATH": str(LIB), "PYTHONPATH": str(LIB)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("package", ["engine", "protocol", "tests"])
def test_every_compiled_module_that_python_imports_has_a_stub(package: str) -> None:
    used = set().union(*(modules_used(path, "cext") for path in sources(package, ".py")))
    compiled = {name for name in used if (ROOT / f"{name.replace('.', '/')}.pyx").exists()}
    assert not compiled - stubbed()


def test_every_stub_has_its_module() -> None:
    assert not [name for name in stubbed() if not (ROOT / f"{name.replace('.', '/')}.pyx").exists()]
