"""The build: what is loaded, what is rebuilt, what is installed, and how the executable starts."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LIB = Path(os.environ.get("STANDSTILL_BUILD_LIB", ROOT / "build/tree"))
EXECUTABLE = Path(os.environ.get("STANDSTILL_EXECUTABLE", ROOT / "standstill"))
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
IS_X86 = os.uname().machine == "x86_64"

# Variables set by the surrounding `make test` or build, which a build started here must not inherit.
INHERITED = re.compile(
    r"STANDSTILL_|PYTHON|_PYTHON|LD_PRELOAD|MAKE|MFLAGS|BUILD$|MARCH$|ABI$|REQUEST$|TESTS$|WORKERS$|LOCKED$|VIRTUAL_ENV"
)


def run(command: Sequence[str | Path], folder: Path, stdin: str = "", **variables: str) -> str:
    environment = {name: value for name, value in os.environ.items() if not INHERITED.match(name)}
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=environment | variables,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def setup(folder: Path, *words: str, **variables: str) -> str:
    pytest.importorskip("Cython", reason="the build needs Cython: run `make`")
    return run([sys.executable, "setup.py", "-q", *words], folder, **variables)


def require_setuptools() -> None:
    """Skip the test without setuptools; importing setuptools here would replace distutils in the whole process."""
    if importlib.util.find_spec("setuptools") is None:
        pytest.skip("the build needs setuptools: run `make`")


# Optimising takes most of the build time, and the speed of these builds does not matter.
QUICK = "-O0"


def copy_tree(folder: Path) -> Path:
    """A fresh clone: no virtual environment, nothing built."""
    unwanted = shutil.ignore_patterns(".*", "build", "dist", "*.so", "__pycache__", "*.egg-info", "standstill")
    shutil.copytree(ROOT, folder, ignore=unwanted)
    return folder


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """The project's build files, with a core of one tiny module."""
    for name in ("setup.py", "pyproject.toml", "engine.ini", "LICENSE", "README.md"):
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, tmp_path)
    for package in ("cext", "cext/base", "engine", "engine/api", "protocol"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").touch()
    shutil.copytree(ROOT / "tools/building", tmp_path / "tools/building", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "engine/__init__.py").write_text('VERSION = "0.0.1"\n')
    (tmp_path / "cext/base/tiny.pyx").write_text("def value(list numbers, int at):\n    return numbers[at]\n")
    return tmp_path


def tiny(folder: Path) -> Path:
    return folder / f"cext/base/tiny{SUFFIX}"


# --- the build under test ----------------------------------------------------------------------------------------


def compiled_modules() -> list[str]:
    return [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in sorted((ROOT / "cext").rglob("*.pyx"))]


@pytest.mark.parametrize("module", compiled_modules())
def test_modules_come_from_the_build_under_test(module: str) -> None:
    loaded = Path(importlib.import_module(f"standstill.{module}").__file__)
    assert loaded == LIB / "standstill" / f"{module.replace('.', '/')}{SUFFIX}"


def test_executable_starts_the_build_under_test() -> None:
    assert f"sys.path.insert(0, {str(LIB)!r})" in EXECUTABLE.read_text(encoding="utf-8").splitlines()


def test_executable_names_its_interpreter_directly() -> None:
    lines = EXECUTABLE.read_text(encoding="utf-8").splitlines()
    line = lines[1] if lines[0] == "#!/bin/sh" else lines[0]
    assert re.fullmatch(r"(#!/|'''exec' '/).*/python'? -IS( \"\$0\" \"\$@\")?", line)


def test_no_generated_code_among_the_sources() -> None:
    assert not list((ROOT / "cext").rglob("*.c"))


# --- setup.py ----------------------------------------------------------------------------------------------------


def test_unknown_build_is_refused_by_name() -> None:
    require_setuptools()
    command = [sys.executable, "setup.py", "--version"]
    environment = {**os.environ, "BUILD": "fast"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.strip().endswith("BUILD must be one of release, debug, sanitize, thread, fuzz, not 'fast'")


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("words", "variables", "said"),
    [
        (["--version"], {"ABI": "abi4"}, "ABI must be one of version, stable, not 'abi4'"),
        (["bdist_wheel"], {"MARCH": "native"}, "MARCH=native: a wheel may be installed on another processor"),
        (
            ["--version"],
            {"MARCH": "avx512", "_PYTHON_HOST_PLATFORM": "linux-aarch64"},
            "MARCH=avx512: expected all, portable or a name that the compiler knows on aarch64",
        ),
    ],
    ids=["interface", "native wheel", "levels of another architecture"],
)
def test_what_cannot_be_built_is_refused_in_one_line(words: list[str], variables: dict[str, str], said: str) -> None:
    require_setuptools()
    command = [sys.executable, "setup.py", *words]
    environment = os.environ | variables
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith(said)


def test_a_free_threaded_python_is_refused_with_the_reason() -> None:
    require_setuptools()
    program = (
        "import runpy, sys, sysconfig; sysconfig.get_config_vars()['Py_GIL_DISABLED'] = 1;"
        "sys.argv = ['setup.py', '--version']; runpy.run_path('setup.py', run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "needs a Python with the global interpreter lock" in done.stderr


@pytest.mark.parametrize(
    ("platform", "flags"),
    [
        ("linux-x86_64", {"avx512": ["-march=x86-64-v4"], "portable": []}),
        ("win-amd64", {"avx512": ["-march=x86-64-v4"], "portable": []}),
        ("macosx-11.0-x86_64", {"avx512": ["-march=x86-64-v4"], "portable": []}),
        ("linux-aarch64", {"all": [], "portable": [], "armv8.2-a": ["-march=armv8.2-a"]}),
        ("macosx-11.0-arm64", {"all": [], "native": []}),
        ("macosx-10.9-universal2", {"all": []}),
    ],
)
def test_flags_are_those_of_the_machine_that_is_built_for(platform: str, flags: dict[str, list[str]]) -> None:
    """``MARCH=all`` once gave x86-64 levels to ARM compilers."""
    program = "from tools.building import flags; print(*flags.march_flags()[:1])"
    for march, expected in flags.items():
        told = run([sys.executable, "-c", program], ROOT, MARCH=march, _PYTHON_HOST_PLATFORM=platform)
        assert told.split() == expected


def test_version_is_the_one_of_engine() -> None:
    engine = importlib.import_module("standstill.engine")
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
    script = small / "tools/building/flags.py"
    script.write_text(script.read_text().replace('"embedsignature": True', '"embedsignature": False'))
    setup(small, "build_ext", "--inplace")
    assert next(small.glob("build/inplace/**/tiny.c")).stat().st_mtime_ns > before


@pytest.mark.slow
def test_builds_share_one_translation(small: Path) -> None:
    setup(small, "translate")
    (translation,) = small.glob("build/**/tiny.c")
    before = translation.stat().st_mtime_ns
    setup(small, "build_ext", "--inplace")
    setup(small, "build", "--build-base", "build/other", MARCH="portable")
    assert [path.stat().st_mtime_ns for path in small.glob("build/**/tiny.c")] == [before]


@pytest.mark.slow
def test_a_build_waits_for_no_build_of_another_folder(small: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    setup(small, "build_ext", "--inplace")
    with open(small / "build/inplace/lib.state/lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        setup(small, "build", "--build-base", "build/other", MARCH="portable")


@pytest.mark.slow
def test_a_performance_hint_is_an_error_also_of_what_was_translated_before(small: Path) -> None:
    hinted = "cdef void slow() except * nogil:\n    pass\n\ndef call():\n    with nogil:\n        slow()\n"
    (small / "cext/base/tiny.pyx").write_text(hinted)
    setup(small, "build_ext", "--inplace")
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "setup.py", "-q", "translate"], cwd=small, capture_output=True, text=True, check=False
        )
        assert done.returncode == 1
        assert "performance hint: cext/base/tiny.pyx:" in done.stderr


@pytest.mark.slow
def test_a_module_of_another_interface_is_not_shipped(small: Path) -> None:
    """Python would prefer the stale module, because it tries suffixes with a version first."""
    setup(small, "build", "--build-lib", "build/lib", MARCH="portable")
    assert [path.name for path in small.glob("build/lib/**/*.so")] == [f"tiny{SUFFIX}"]
    setup(small, "build", "--build-lib", "build/lib", MARCH="portable", ABI="stable")
    assert [path.name for path in small.glob("build/lib/**/*.so")] == ["tiny.abi3.so"]


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
    (small / "cext/chess").mkdir()
    (small / "cext/chess/__init__.py").touch()
    (small / "cext/base/tiny.pyx").rename(small / "cext/chess/other.pyx")
    # A file of a version in which the core had no folders.
    (small / f"cext/old{SUFFIX}").touch()
    setup(small, "build_ext", "--inplace")
    assert [path.relative_to(small) for path in small.glob("cext/**/*.so")] == [Path(f"cext/chess/other{SUFFIX}")]


@pytest.mark.slow
def test_portable_build_assumes_no_processor(small: Path) -> None:
    setup(small, "build_ext", "--inplace", MARCH="portable")
    flags = (small / "build/inplace/lib.state/flags").read_text()
    assert '"-march=native"' not in flags


@pytest.mark.slow
def test_debug_build_checks_bounds(small: Path) -> None:
    setup(small, "build_ext", "--inplace", BUILD="debug")
    program = "import standstill.cext.base.tiny as t\ntry: t.value([1], 7)\nexcept IndexError: print('caught')"
    assert run([sys.executable, "-c", program], small, PYTHONPATH=str(small / "build/tree")) == "caught\n"


# --- several builds in one package ------------------------------------------------------------------------------


def packaged(folder: Path, *levels: str) -> Path:
    """A package with builds of the core for these levels; standstill.cext.base.NAME is the name of the loaded one."""
    core = folder / "standstill/cext"
    (core / "base").mkdir(parents=True)
    (folder / "standstill/__init__.py").touch()
    shutil.copy(ROOT / "cext/__init__.py", core)
    shutil.copy(LIB / f"standstill/cext/processor{SUFFIX}", core)
    (core / "base/__init__.py").write_text("NAME = 'outside of the builds'\n")
    for level in levels:
        (core / "builds" / level / "base").mkdir(parents=True)
        (core / "builds" / level / "base/__init__.py").write_text(f"NAME = {level!r}\n")
    return folder


def chosen(folder: Path, wish: str = "") -> str:
    """The name of the loaded build, or the error message."""
    program = (
        f"import sys; sys.path.insert(0, {str(folder)!r})\n"
        "try: from standstill.cext.base import NAME; print(NAME)\n"
        "except ImportError as error: print(error.name, error)"
    )
    return run([sys.executable, "-IS", "-c", program], folder, STANDSTILL_ISA=wish).strip()


def able() -> list[str]:
    """The builds that the processor can run, according to the features that Linux lists."""
    flags = set(re.search(r"^flags\s*:(.*)", Path("/proc/cpuinfo").read_text(), re.MULTILINE)[1].split())
    v3 = {"avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"} <= flags
    names = ("f", "bw", "cd", "dq", "vl", "vbmi", "_vbmi2", "_vnni", "_bitalg", "_vpopcntdq")
    more = {f"avx512{name}" for name in names}
    return [*(["avx512"] if v3 and more <= flags else []), *(["x86-64-v3"] if v3 else []), "portable"]


needs_x86 = pytest.mark.skipif(
    not IS_X86 or bool(os.environ.get("LD_PRELOAD")), reason="levels of x86-64, without a sanitizer"
)


@needs_x86
def test_the_fastest_build_that_runs_is_loaded(tmp_path: Path) -> None:
    assert chosen(packaged(tmp_path / "all", "portable", "avx512", "x86-64-v3")) == able()[0]
    assert chosen(packaged(tmp_path / "one", "portable")) == "portable"
    assert chosen(packaged(tmp_path / "none")) == "outside of the builds"


@needs_x86
def test_another_build_can_be_asked_for(tmp_path: Path) -> None:
    folder = packaged(tmp_path, "portable", "avx512", "x86-64-v3")
    assert [chosen(folder, level) for level in able()] == able()
    told = "standstill.cext STANDSTILL_ISA: expected one of avx512, portable, x86-64-v3, found 'sse'"
    assert chosen(folder, "sse") == told


@needs_x86
def test_a_build_that_cannot_run_is_refused(tmp_path: Path) -> None:
    folder = packaged(tmp_path, "portable", "avx512")
    Path(folder, f"standstill/cext/processor{SUFFIX}").unlink()
    Path(folder, "standstill/cext/processor.py").write_text("def levels(): return ['portable']\n")
    assert chosen(folder) == "portable"
    assert chosen(folder, "avx512") == "standstill.cext STANDSTILL_ISA=avx512: this processor runs only portable"


@pytest.mark.parametrize("arguments", [(), ("bench", "1"), ("--version",)], ids=str)
def test_the_command_refuses_in_one_line(arguments: tuple[str, ...]) -> None:
    environment = os.environ | {"STANDSTILL_ISA": "avx512"}
    done = subprocess.run([EXECUTABLE, *arguments], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "standstill: STANDSTILL_ISA=avx512: this copy has only one build of its core\n"


# --- the launcher ------------------------------------------------------------------------------------------------

MAIN = """
import sys

def main(argv=None):
    print(sys.argv[1:], sys.flags.isolated, sys.flags.no_site)
    return 3
"""


@pytest.mark.sampled(1)
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
    (place / "standstill/protocol").mkdir(parents=True)
    (place / "standstill/protocol/main.py").write_text(MAIN)
    interpreter = place / "python"
    interpreter.symlink_to(sys.executable)
    script = place / "launcher"
    setup(ROOT, "launcher", "--root", str(place), "--output", str(script), "--interpreter", str(interpreter))

    done = subprocess.run([script, "a b", "$c"], cwd="/", capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("['a b', '$c'] 1 1\n", "", 3)
    first = script.read_text(encoding="utf-8").splitlines()[0]
    assert first == (f"#!{interpreter} -IS" if direct else "#!/bin/sh")


def test_the_start_imports_nothing_heavy() -> None:
    """Importing any of these modules takes half as long as the start to uciok."""
    program = "import sys; from standstill.protocol.main import main; main(); print(*sys.modules, file=sys.stderr)"
    command = [sys.executable, "-IS", "-c", f"import sys; sys.path.insert(0, {str(LIB)!r}); {program}"]
    done = subprocess.run(command, input="uci\nquit\n", capture_output=True, text=True, timeout=60, check=True)
    heavy = {"re", "enum", "typing", "dataclasses", "logging", "pathlib", "click", "rich", "chess", "sqlite3"}
    assert "uciok" in done.stdout
    assert not heavy & set(done.stderr.split())


# --- make --------------------------------------------------------------------------------------------------------


@pytest.fixture
def make() -> str:
    return shutil.which("make") or pytest.skip("make is not installed")


def test_make_help_lists_every_target(make: str) -> None:
    files = [ROOT / "Makefile", *(ROOT / "tools/make").glob("*.mk")]
    makefile = "".join(path.read_text(encoding="utf-8") for path in files)
    phony = " ".join(re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE))
    listed = re.findall(r"^  make (\S+) +\S", run([make, "help"], ROOT), re.MULTILINE)
    assert sorted(listed) == sorted(set(phony.split()) - {"FORCE"})


def test_make_help_has_sections_that_fit_a_terminal(make: str) -> None:
    lines = run([make, "help"], ROOT).splitlines()
    assert not [line for line in lines if len(line) > 80]
    titles = [line for line in lines[:-1] if line and not line.startswith("  ")]
    assert len(titles) >= 5
    # Each section has targets, and a blank line before the next section.
    for title in titles:
        at = lines.index(title)
        assert lines[at + 1].startswith("  make ")
        assert at == 0 or lines[at - 1] == ""


def test_make_match_names_a_commit_that_git_does_not_know(make: str) -> None:
    command = [shutil.which("sh"), "tools/make/match.sh"]
    environment = os.environ | {"BASE": "no-such-commit", "MAKE": make}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "match: expected a commit in BASE, found no-such-commit\n"


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
    shutil.copytree(ROOT / "tools/make", tmp_path / "tools/make")
    environment = {name: value for name, value in os.environ.items() if not INHERITED.match(name)}
    done = subprocess.run(
        [make], cwd=tmp_path, env=environment | variables, capture_output=True, text=True, check=False
    )
    said = [line for line in (done.stdout + done.stderr).splitlines() if not line.startswith("make")]
    assert len(said) == 1
    assert advice in said[0]
    assert done.returncode != 0


@pytest.mark.slow
def test_clone_with_a_blank_in_its_path_builds_and_speaks_uci(
    make: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone = copy_tree(tmp_path / "My Engines")
    monkeypatch.setenv("CFLAGS", QUICK)
    run([make, f"PYTHON={sys.executable}"], clone)
    assert "uciok" in run([clone / "standstill"], tmp_path, stdin="uci\nquit\n").splitlines()

    # The second run has nothing to do, and a moved clone needs only a new launcher.
    assert run([make], clone).splitlines() == [f"ready: {clone}/standstill"]
    moved = clone.rename(tmp_path / "moved")
    assert run([make], moved).splitlines() == [f"ready: {moved}/standstill"]
    assert "uciok" in run([moved / "standstill"], tmp_path, stdin="uci\nquit\n").splitlines()


# --- pip ---------------------------------------------------------------------------------------------------------


def data_files() -> list[Path]:
    """The files that the program reads besides its modules: templates, definitions, schemas."""
    found = []
    for package in ("engine", "protocol"):
        for path in (ROOT / package).rglob("*"):
            if path.is_file() and path.suffix not in {".py", ".pyc", ".typed"}:
                found.append(path.relative_to(ROOT))
    assert found
    return found


def test_a_build_holds_the_data_that_the_program_reads() -> None:
    assert not [path for path in data_files() if not (LIB / "standstill" / path).is_file()]


def test_a_build_says_that_it_is_typed() -> None:
    assert (LIB / "standstill/py.typed").is_file()


@pytest.mark.slow
def test_the_archive_of_sources_builds_by_itself(small: Path, tmp_path: Path) -> None:
    """Build as pip does: without setup.py's folder on the path, and in a folder that has only the archive.

    Without MARCH the wheel is for every processor of the architecture and every Python version.
    """
    shutil.copy(ROOT / "MANIFEST.in", small)
    shutil.copy(ROOT / "cext/processor.pyx", small / "cext")
    for name in ("tests", "docs"):
        (small / name).mkdir()
    (small / "docs/standstill.1").touch()
    setup(small, "sdist", "--dist-dir", str(small / "dist"))
    (archive,) = small.glob("dist/*.tar.gz")
    command = [sys.executable, "-P", "-m", "pip", "wheel", "-q", "--disable-pip-version-check", "--no-build-isolation"]
    run([*command, "--no-deps", "--wheel-dir", tmp_path / "wheels", archive], tmp_path)
    (made,) = (tmp_path / "wheels").glob("*.whl")
    with zipfile.ZipFile(made) as opened:
        names = opened.namelist()
    assert "-cp311-abi3-" in made.name
    modules = {name.removeprefix("standstill/cext/") for name in names if name.endswith(".so")}
    folders = [f"builds/{level}/" for level in ("avx512", "x86-64-v3", "portable")] if IS_X86 else [""]
    assert modules == {"processor.abi3.so", *(f"{folder}base/tiny.abi3.so" for folder in folders)}
    assert not [name for name in names if name.startswith("tools")]


@pytest.mark.slow
def test_pip_install_gives_a_working_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CFLAGS", QUICK)
    clone = copy_tree(tmp_path / "clone")
    translated = Path("build/inplace/lib.state/cext")
    if (ROOT / translated).is_dir():  # translating again would take longer than compiling; another test does it
        shutil.copytree(ROOT / translated, clone / translated)
    place = tmp_path / "environment"
    run([sys.executable, "-m", "venv", place], tmp_path)
    run([place / "bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check", clone], tmp_path)
    shutil.rmtree(clone)

    assert "uciok" in run([place / "bin/standstill"], tmp_path, stdin="uci\nquit\n").splitlines()
    program = "from standstill.engine.settings import config; print(config.locate())"
    located = Path(run([place / "bin/python", "-P", "-c", program], tmp_path).strip())
    assert located == place / "share/standstill/engine.ini"
    assert located.read_bytes() == (ROOT / "engine.ini").read_bytes()
    packages = next(place.glob("lib/python*/site-packages"))
    assert list(packages.glob("standstill/cext/*/*.pxd"))
    assert not list(packages.glob("standstill/cext/**/*.pyx"))
    assert (packages / "standstill/py.typed").is_file()
    assert not [path for path in data_files() if not (packages / "standstill" / path).is_file()]
    # This command reads a data file, the schema of its store.
    run([place / "bin/standstill", "games", "--store", tmp_path / "games.sqlite", "new", "trial", "50/75/1"], tmp_path)

    # The package takes only one name in site-packages, and installs no file twice.
    (metadata,) = packages.glob("standstill_chess-*.dist-info")
    installed = [line.split(",")[0] for line in (metadata / "RECORD").read_text().splitlines()]
    claimed = {path.split("/")[0] for path in installed if not path.startswith("../")}
    assert claimed == {"standstill", metadata.name}
    assert {path for path in installed if path.startswith("../")} == {
        "../../../bin/standstill",
        "../../../share/standstill/engine.ini",
        "../../../share/man/man1/standstill.1",
    }
    assert not (packages / "standstill/engine/api").exists()
    assert run([place / "bin/python", "-P", "-c", "import standstill; print(standstill.__version__)"], tmp_path).strip()
    assert "uciok" in run([place / "bin/python", "-P", "-m", "standstill"], tmp_path, stdin="uci\nquit\n").splitlines()
    program = "from standstill.engine.common.install import install_command; print(install_command('calendar'))"
    told = run([place / "bin/python", "-P", "-c", program], tmp_path).strip()
    assert told == 'pip install "standstill-chess[calendar]"'


@pytest.fixture
def haunted(tmp_path: Path) -> Path:
    """An interpreter whose environment also has other copies of the program, from before and after its renaming."""
    run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "environment"], tmp_path)
    packages = next((tmp_path / "environment").glob("lib/python*/site-packages"))
    for name in ("standstill", "engine", "protocol", "cext"):
        (packages / name).mkdir()
        (packages / name / "__init__.py").write_text("raise SystemExit('the installed copy')\n")
    # The environment of the tests supplies the packages that commands need.
    (packages / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return tmp_path / "environment/bin/python"


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("arguments", "expected"), [((), "uciok"), (("perft", "1"), "20"), (("--version",), "Standstill")], ids=str
)
def test_the_launcher_of_a_clone_never_starts_an_installed_copy(
    tmp_path: Path, haunted: Path, arguments: tuple[str, ...], expected: str
) -> None:
    if os.environ.get("LD_PRELOAD"):
        pytest.skip("a sanitized build starts by an interpreter of its own")
    script = tmp_path / "clone"
    setup(ROOT, "launcher", "--root", str(LIB), "--output", str(script), "--interpreter", str(haunted))
    packages = str(next(haunted.parents[1].glob("lib/python*/site-packages")))
    assert expected in run([script, *arguments], Path(packages), stdin="uci\nquit\n", PYTHONPATH=packages)
