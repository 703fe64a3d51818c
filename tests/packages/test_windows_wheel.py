"""The wheel for Windows, installed by pip under Wine.

The Python is a copy of the one in our zip for Windows, with its folders arranged as in an installation from python.org.
"""

from __future__ import annotations

import shutil
import xmlrpc
from pathlib import Path

import pip
import pytest

from tools.windows import wine

from .conftest import ROOT, made

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]


@pytest.fixture(scope="module")
def python(program: Path, settings: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A python.exe with pip, the packages that the wheel requires, and the wheel."""
    wheel = made("standstill_chess-*-win_amd64.whl")
    folder = tmp_path_factory.mktemp("python") / "Python 3.11"
    shutil.copytree(program.parent / "runtime", folder, ignore=shutil.ignore_patterns("start.py", "*._pth"))
    packages = folder / "Lib/site-packages"
    packages.parent.mkdir()
    (folder / "site-packages").rename(packages)
    for package in (pip, xmlrpc):  # pip imports xmlrpc, which the Python of the zip lacks
        shutil.copytree(Path(package.__file__).parent, packages / package.__name__)
    (folder / "python311._pth").write_text("python311.zip\n.\nLib\\site-packages\n", encoding="ascii")
    options = ["--disable-pip-version-check", "--no-index", "--no-warn-script-location"]
    status, said = wine.run(folder / "python.exe", ["-m", "pip", "install", *options, wheel], settings=settings)
    assert status == 0, said
    return folder / "python.exe"


def test_pip_takes_the_wheel_and_all_its_numbers_are_right(python: Path, settings: dict[str, str]) -> None:
    words = [ROOT / "tools/package/probe.py", ROOT / "tests/data/everywhere.txt"]
    status, said = wine.run(python, words, settings=settings)
    assert status == 0, said
    assert "47 of 47 lines equal" in said


def test_the_console_script_is_the_engine(python: Path, settings: dict[str, str]) -> None:
    script = python.parent / "Scripts/standstill.exe"
    status, said = wine.run(script, [], "uci\nisready\nquit\n", settings=settings)
    assert status == 0, said
    assert said.split()[-1] == "readyok"
    status, said = wine.run(script, ["bench"], settings=settings)
    assert f"Nodes searched: {wine.NODES}\n" in said


def test_python_imports_it(python: Path, settings: dict[str, str]) -> None:
    words = ["-c", "import standstill, standstill.cext as core; print(standstill.__version__, *core.BUILDS)"]
    status, said = wine.run(python, words, settings=settings)
    assert status == 0, said
    assert said.split()[1:] == ["avx512", "portable", "x86-64-v3"]
