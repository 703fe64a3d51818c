"""The build: what is loaded, what is rebuilt, what is installed, and how the executable starts."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LIB = Path(os.environ.get("STANDSTILL_BUILD_LIB", ROOT))
EXECUTABLE = Path(os.environ.get("STANDSTILL_EXECUTABLE", ROOT / "standstill"))
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")

# What a build or the surrounding `make test` puts into the environment and a build started here must not inherit.
INHERITED = re.compile(r"STANDSTILL_|PYTHON|LD_PRELOAD|MAKE|MFLAGS|BUILD$|MARCH$|REQUEST$|CHECK$|TESTS$|VIRTUAL_ENV")


def run(command: Sequence[str | Path], folder: Path, stdin: str = "", **variables: str) -> str:
    environment = {name: value for name, value in os.environ.items() if not INHERITED.match(name)}
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=environment | variables,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def setup(folder: Path, *words: str, **variables: str) -> str:
    pytest.importorskip("Cython", reason="the build needs Cython: run `make`")
    return run([sys.executable, "setup.py", "-q", *words], folder, **variables)


def copy_tree(folder: Path) -> Path:
    """A clone as a user has it: no virtual environment, nothing built."""
    unwanted = shutil.ignore_patterns(".*", "build", "dist", "*.so", "__pycache__", "*.egg-info", "standstill")
    shutil.copytree(ROOT, folder, ignore=unwanted)
    return folder


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """The project's build with a core of one tiny module."""
    for name in ("setup.py", "pyproject.toml", "engine.ini", "LICENSE", "README.md"):
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, tmp_path)
    for package in ("cext", "engine", "protocol"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").touch()
    (tmp_path / "engine/__init__.py").write_text('VERSION = "0.0.1"\n')
    (tmp_path / "cext/tiny.pyx").write_text("def value(list numbers, int at):\n    return numbers[at]\n")
    return tmp_path


def tiny(folder: Path) -> Path:
    return folder / f"cext/tiny{SUFFIX}"


# --- the build under test ----------------------------------------------------------------------------------------


def compiled_modules() -> list[str]:
    return [path.stem for path in sorted((ROOT / "cext").glob("*.pyx"))]


@pytest.mark.parametrize("module", compiled_modules())
def test_modules_come_from_the_build_under_test(module: str) -> None:
    loaded = Path(importlib.import_module(f"cext.{module}").__file__)
    assert loaded.parent == LIB / "cext"
    assert loaded.name == f"{module}{SUFFIX}"


def test_executable_starts_the_build_under_test() -> None:
    assert f"sys.path.insert(0, {str(LIB)!r})" in EXECUTABLE.read_text(encoding="utf-8").splitlines()


def test_executable_names_its_interpreter_directly() -> None:
    lines = EXECUTABLE.read_text(encoding="utf-8").splitlines()
    line = lines[1] if lines[0] == "#!/bin/sh" else lines[0]
    assert re.fullmatch(r"(#!/|'''exec' '/).*/python'? -IS( \"\$0\" \"\$@\")?", line)


def test_no_generated_code_among_the_sources() -> None:
    assert not list((ROOT / "cext").glob("*.c"))


# --- setup.py ----------------------------------------------------------------------------------------------------


def test_unknown_build_is_refused_by_name() -> None:
    pytest.importorskip("setuptools")
    command = [sys.executable, "setup.py", "--version"]
    environment = {**os.environ, "BUILD": "fast"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.strip().endswith("BUILD must be one of release, debug, sanitize, thread, not 'fast'")


def test_version_is_the_one_of_engine() -> None:
    engine = importlib.import_module("engine")
    assert setup(ROOT, "--version").strip().splitlines()[-1] == engine.VERSION


@pytest.mark.slow
def test_same_flags_rebuild_nothing(small: Path) -> None:
    setup(small, "build_ext", "--inplace")
    before = tiny(small).stat().st_mtime_ns
    setup(small, "build_ext", "--inplace")
    assert tiny(small).stat().st_mtime_ns == before


@pytest.mark.slow
@pytest.mark.parametrize("change", [{"MARCH": "portable"}, {"BUILD": "debug"}, {"CFLAGS": "-DANYTHING"}], ids=str)
def test_changed_flags_rebuild(small: Path, change: dict[str, str]) -> None:
    setup(small, "build_ext", "--inplace")
    before = tiny(small).stat().st_mtime_ns
    setup(small, "build_ext", "--inplace", **change)
    assert tiny(small).stat().st_mtime_ns > before


@pytest.mark.slow
def test_changed_directives_translate_again(small: Path) -> None:
    setup(small, "build_ext", "--inplace")
    before = next(small.glob("build/inplace/**/tiny.c")).stat().st_mtime_ns
    script = small / "setup.py"
    script.write_text(script.read_text().replace('"embedsignature": True', '"embedsignature": False'))
    setup(small, "build_ext", "--inplace")
    assert next(small.glob("build/inplace/**/tiny.c")).stat().st_mtime_ns > before


@pytest.mark.slow
def test_build_for_pip_leaves_the_build_in_the_tree_alone(small: Path) -> None:
    setup(small, "build_ext", "--inplace")
    before = tiny(small).read_bytes()
    setup(small, "build", MARCH="portable", BUILD="debug")
    setup(small, "build_ext", "--inplace")
    assert tiny(small).read_bytes() == before


@pytest.mark.slow
def test_module_without_source_is_removed(small: Path) -> None:
    setup(small, "build_ext", "--inplace")
    (small / "cext/tiny.pyx").rename(small / "cext/other.pyx")
    setup(small, "build_ext", "--inplace")
    assert [path.name for path in small.glob("cext/*.so")] == [f"other{SUFFIX}"]


@pytest.mark.slow
def test_portable_build_assumes_no_processor(small: Path) -> None:
    setup(small, "build_ext", "--inplace", MARCH="portable")
    flags = (small / "build/inplace/lib.state/flags").read_text()
    assert '"-march=native"' not in flags


@pytest.mark.slow
def test_debug_build_checks_bounds(small: Path) -> None:
    setup(small, "build_ext", "--inplace", BUILD="debug")
    program = "import cext.tiny as t\ntry: t.value([1], 7)\nexcept IndexError: print('caught')"
    assert run([sys.executable, "-c", program], small) == "caught\n"


# --- the launcher ------------------------------------------------------------------------------------------------

MAIN = """
import sys

def main(argv=None):
    print(sys.argv[1:], sys.flags.isolated, sys.flags.no_site)
    return 3
"""


@pytest.mark.parametrize(
    ("folder", "direct"),
    [
        ("plain", True),
        ("My Engines", False),
        ("it's $HOME", False),
        ("long" * 40, False),
    ],
    ids=["direct", "blank", "quote and dollar", "long"],
)
def test_launcher_starts_from_any_path(tmp_path: Path, folder: str, direct: bool) -> None:
    if len(os.fsencode(tmp_path)) > 90:
        direct = False
    place = tmp_path / folder
    (place / "protocol").mkdir(parents=True)
    (place / "protocol/main.py").write_text(MAIN)
    interpreter = place / "python"
    interpreter.symlink_to(sys.executable)
    script = place / "standstill"
    setup(ROOT, "launcher", "--root", str(place), "--output", str(script), "--interpreter", str(interpreter))

    done = subprocess.run([script, "a b", "$c"], cwd="/", capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("['a b', '$c'] 1 1\n", "", 3)
    first = script.read_text(encoding="utf-8").splitlines()[0]
    assert first == (f"#!{interpreter} -IS" if direct else "#!/bin/sh")


# --- make --------------------------------------------------------------------------------------------------------


@pytest.fixture
def make() -> str:
    return shutil.which("make") or pytest.skip("make is not installed")


def test_make_help_lists_every_target(make: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    listed = re.findall(r"^  make (\S+) +\S", run([make, "help"], ROOT), re.MULTILINE)
    assert sorted(listed) == sorted(set(phony[1].split()) - {"FORCE"})


@pytest.mark.parametrize(
    ("variables", "advice"),
    [
        ({"PYTHON": "no-such-python"}, "apt install python3 "),
        ({"CC": "no-such-compiler"}, "apt install build-essential"),
    ],
    ids=["python", "compiler"],
)
def test_make_says_in_one_line_what_is_missing(
    make: str, tmp_path: Path, variables: dict[str, str], advice: str
) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    environment = {name: value for name, value in os.environ.items() if not INHERITED.match(name)}
    done = subprocess.run(
        [make], cwd=tmp_path, env=environment | variables, capture_output=True, text=True, check=False
    )
    said = [line for line in (done.stdout + done.stderr).splitlines() if not line.startswith("make")]
    assert len(said) == 1
    assert advice in said[0]
    assert done.returncode != 0


@pytest.mark.slow
def test_clone_with_a_blank_in_its_path_builds_and_speaks_uci(make: str, tmp_path: Path) -> None:
    clone = copy_tree(tmp_path / "My Engines")
    run([make, f"PYTHON={sys.executable}"], clone)
    assert "uciok" in run([clone / "standstill"], tmp_path, stdin="uci\nquit\n").splitlines()

    # Nothing to do the second time, and a moved clone needs no more than its launcher.
    assert run([make], clone).splitlines() == [f"ready: {clone}/standstill"]
    moved = clone.rename(tmp_path / "moved")
    assert run([make], moved).splitlines() == [f"ready: {moved}/standstill"]
    assert "uciok" in run([moved / "standstill"], tmp_path, stdin="uci\nquit\n").splitlines()


# --- pip ---------------------------------------------------------------------------------------------------------


def data_files() -> list[Path]:
    """What the program reads beside its modules: templates, definitions, schemas."""
    found = []
    for package in ("engine", "protocol"):
        for path in (ROOT / package).rglob("*"):
            if path.is_file() and path.suffix not in {".py", ".pyc"}:
                found.append(path.relative_to(ROOT))
    assert found
    return found


def test_a_build_holds_the_data_that_the_program_reads() -> None:
    assert not [path for path in data_files() if not (LIB / path).is_file()]


@pytest.mark.slow
def test_pip_install_gives_a_working_command(tmp_path: Path) -> None:
    clone = copy_tree(tmp_path / "clone")
    place = tmp_path / "environment"
    run([sys.executable, "-m", "venv", place], tmp_path)
    run([place / "bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check", clone], tmp_path)
    shutil.rmtree(clone)

    assert "uciok" in run([place / "bin/standstill"], tmp_path, stdin="uci\nquit\n").splitlines()
    program = "import engine.config; print(engine.config.locate())"
    located = Path(run([place / "bin/python", "-P", "-c", program], tmp_path).strip())
    assert located == place / "share/standstill/engine.ini"
    assert located.read_bytes() == (ROOT / "engine.ini").read_bytes()
    packages = next(place.glob("lib/python*/site-packages"))
    assert list(packages.glob("cext/*.pxd"))
    assert not list(packages.glob("cext/*.pyx"))
    assert not [path for path in data_files() if not (packages / path).is_file()]
    # A command that reads such data: the schema of its store.
    run([place / "bin/standstill", "games", "--store", tmp_path / "games.sqlite", "new", "trial", "50/75/1"], tmp_path)
