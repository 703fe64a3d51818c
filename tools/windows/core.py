"""Compiles the core for Windows: every module for each processor level, as MARCH=all does for Linux.

It compiles the C files of the build in the tree, which do not depend on the system. The modules use only Python's
stable interface, so the same files serve the zip and the wheel.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ..building.flags import BUILDS, CHOOSER, COMMON_FLAGS, STABLE_FLAGS, WARNING_FLAGS, X86_LEVELS
from ..building.refusal import refuse
from .interpreter import Interpreter
from .stable import COMPILER

MODULES = "cext/**/*.pyx"
TRANSLATED = Path("build/inplace/lib.state/cext")
# Without the assembler's flag, old compilers put 32-byte registers at addresses of the stack that are not aligned
# (https://gcc.gnu.org/bugzilla/show_bug.cgi?id=54412): Windows aligns it to 16 bytes.
FLAGS = ["-DMS_WIN64", "-DNDEBUG", "-fwrapv", "-Wa,-muse-unaligned-vector-move", "-Icext/base"]
# With the stable interface Cython leaves the docstrings of special methods unused.
FLAGS += ["-Wall", "-Wno-unused-const-variable"]
# Link the compiler's runtime libraries into the modules.
LINKED = ["-s", "-static-libgcc", "-Wl,-Bstatic", "-lwinpthread", "-Wl,-Bdynamic"]


def build(python: Interpreter, work: Path, jobs: int, levels: Sequence[str], more: Sequence[str] = ()) -> Path:
    """Compile changed modules; return the folder that holds all modules as the package ``cext`` does.

    levels: names of X86_LEVELS. more: flags that follow those of the release build.
    """
    core = work / "core/cext"
    # The folder may also hold C files of modules that were removed.
    sources = [TRANSLATED / Path(path).relative_to("cext").with_suffix(".c") for path in sorted(Path().glob(MODULES))]
    if missing := [path for path in sources if not path.exists()]:
        refuse(f"{missing[0]}: expected the C of the core, found none: run `make` first")
    tasks = []
    for level in levels:
        for source in sources:
            name = source.relative_to(TRANSLATED).with_suffix("")
            folder = core if name.parts == (CHOOSER,) else core / "builds" / level
            if folder != core or level == levels[0]:
                flags = X86_LEVELS["portable" if folder == core else level]
                tasks.append((source, folder / name, [*flags, *more]))
    wanted = {place.with_suffix(".pyd") for _, place, _ in tasks}
    for old in core.rglob("*.pyd"):
        if old not in wanted:
            old.unlink()
    with ThreadPoolExecutor(jobs) as pool:
        done = sum(pool.map(lambda task: _compiled(python, *task), tasks))
    print(f"compiled {done} of {len(tasks)} modules for Windows")
    return core


def _compiled(python: Interpreter, source: Path, place: Path, level: list[str]) -> bool:
    """Compile and link one module unless that has been done; False if there was nothing to do."""
    target = place.with_suffix(".pyd")
    flags = [*FLAGS, *COMMON_FLAGS, *WARNING_FLAGS, *STABLE_FLAGS, *BUILDS["release"][0], *level]
    command = [COMPILER, *flags, f"-I{python.headers}", "-c", str(source), "-o", str(place.with_suffix(".o"))]
    note = place.with_suffix(".flags")
    newest = max(path.stat().st_mtime for path in (source, *Path("cext/base").glob("*.h")))
    if (
        target.exists()
        and target.stat().st_mtime > newest
        and note.exists()
        and note.read_text(encoding="utf-8") == " ".join(command)
    ):
        return False
    place.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(command, check=True)
    link = [COMPILER, "-shared", str(place.with_suffix(".o")), str(python.stable), *LINKED, "-o", f"{target}.new"]
    subprocess.run(link, check=True)
    os.replace(f"{target}.new", target)
    place.with_suffix(".o").unlink()
    note.write_text(" ".join(command), encoding="utf-8")
    return True
