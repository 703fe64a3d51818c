"""Tries the wheel in dist/ with every Python from 3.11 that is on this machine: `make pythons`.

For each Python it makes an empty environment, installs the wheel there, imports all compiled modules, and compares what
the engine counts and writes. The exit status is 1 if any Python fails or differs from the others.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from ..building.refusal import refuse

DIST = Path("dist")
OLDEST = (3, 11)
PATIENCE_S = 600
GAME = '[Result "1-0"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n'
ENDING = "8/8/8/4k3/8/8/2B1K3/6N1 w - - 0 1"
# Prints the version as three numbers, then whether Python is free-threaded, CPython, and outside a virtual environment.
ASK = (
    "import sys, sysconfig; print(*sys.version_info[:3], int(bool(sysconfig.get_config_var('Py_GIL_DISABLED'))),"
    " sys.implementation.name == 'cpython', sys.prefix == sys.base_prefix)"
)
IMPORT_ALL = """
import importlib, pkgutil, standstill.cext as core
names = [module.name for module in pkgutil.walk_packages(core.__path__, "standstill.cext.")]
for name in names:
    importlib.import_module(name)
compiled = [n for n in names if importlib.import_module(n).__file__.endswith((".abi3.so", ".pyd"))]
print(len(compiled))
"""


def interpreters() -> dict[tuple[int, ...], Path]:
    """One path for each Python, by version and whether it is free-threaded, the oldest first."""
    places = [Path(folder) for folder in os.get_exec_path()]
    places += sorted(Path.home().glob(".pyenv/versions/*/bin"), reverse=True)
    found: dict[tuple[int, ...], Path] = {}
    for place in places:
        for path in sorted(place.glob("python3.*")):
            if not path.name.removeprefix("python3.").rstrip("t").isdigit():
                continue  # python3.11-config
            done = subprocess.run([path, "-I", "-c", ASK], capture_output=True, text=True, check=False)
            words = done.stdout.split()
            if done.returncode or words[4:] != ["True", "True"] or tuple(map(int, words[:2])) < OLDEST:
                continue
            found.setdefault((int(words[0]), int(words[1]), int(words[3])), path)
    return dict(sorted(found.items()))


def text_of(command: list[str | Path], folder: Path, stdin: str = "") -> str:
    """What a command prints. Raises RuntimeError with the last line of its error output."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment["XDG_DATA_HOME"] = str(folder)
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"status {done.returncode}"]
        raise RuntimeError(lines[-1])
    return done.stdout


def tried(python: Path, wheel: Path, folder: Path) -> dict[str, object]:
    """What the wheel does under this Python; the results must be the same for every Python."""
    place = folder / "environment"
    text_of([python, "-I", "-m", "venv", place], folder)
    command = place / "bin/standstill"
    pip = [place / "bin/python", "-I", "-m", "pip", "--disable-pip-version-check", "install", "-q"]
    text_of([*pip, wheel.resolve()], folder)
    (folder / "game.pgn").write_text(GAME, encoding="utf-8")
    if "uciok" not in text_of([command], folder, "uci\nquit\n").split():
        raise RuntimeError("no uciok")
    return {
        "modules": int(text_of([place / "bin/python", "-I", "-c", IMPORT_ALL], folder)),
        "bench": json.loads(text_of([command, "bench", "9", "--json"], folder))["nodes"],
        "perft": text_of([command, "perft", "4"], folder).split()[-1],
        "mobility": text_of([command, "mobility", "--fen", ENDING], folder),
        "tag": text_of([command, "tag", "game.pgn"], folder),
    }


def main() -> None:
    wheels = sorted(DIST.glob(f"standstill_chess-*-abi3-*_{platform.machine()}.whl"))
    if len(wheels) != 1:
        refuse(f"expected one wheel for {platform.machine()} in {DIST}, found {len(wheels)}: run `make packages`")
    results: dict[str, object] = {}
    failed = False
    for version, python in interpreters().items():
        name = f"Python {version[0]}.{version[1]}{'t' if version[2] else ''}"
        folder = Path(tempfile.mkdtemp(prefix="standstill-"))
        try:
            results[name] = found = tried(python, wheels[0], folder)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            failed = failed or not version[2]
            expected = ", as expected: the wheel is for Pythons with the global lock" if version[2] else ""
            print(f"{name} ({python}): failed{expected}: {error}", flush=True)
        else:
            print(f"{name} ({python}): {found['modules']} modules, bench 9: {found['bench']} nodes", flush=True)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    if not results:
        refuse("no Python from 3.11 on could run the wheel")
    if len({json.dumps(found) for found in results.values()}) > 1:
        sys.exit("the Pythons differ in what the engine counts or writes")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
