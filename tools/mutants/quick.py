"""`python -m tools.mutants.quick MODULE.pyx`: builds one module of the core in place within seconds.

The release build optimises for minutes, and setuptools looks at every module first. A mistake shows its effect in a
slower module as well, so this build translates one file and compiles it with -O1. It keeps the flags that change
results: those of the processor and of rounding. Modules that cimport a changed .pxd are not rebuilt, so it takes .pyx
files only. Other options are passed to the compiler. A module that does not build ends with status 1.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from tools.building.compiling import SUFFIX
from tools.building.flags import COMMON_FLAGS, DIRECTIVES, compiler, march_flags
from tools.building.translating import CYTHON_PATH

FLAGS = ("-shared", "-fPIC", "-fwrapv", "-O1", "-g0", "-w", "-DNDEBUG", "-DCYTHON_WITHOUT_ASSERTIONS")


def build(source: Path, options: list[str]) -> bool:
    """Build the module in the current folder, the root of a tree; return whether it could be built.

    The finished module replaces the old file, which running processes keep.
    """
    from Cython.Compiler.Errors import CompileError
    from Cython.Compiler.Main import compile_single
    from Cython.Compiler.Options import CompilationOptions

    with tempfile.TemporaryDirectory() as folder:
        translation = Path(folder, "module.c")
        wishes = CompilationOptions(
            output_file=str(translation), include_path=CYTHON_PATH, compiler_directives=dict(DIRECTIVES)
        )
        name = ".".join(("standstill", *source.with_suffix("").parts))
        try:
            if compile_single(str(source), wishes, name).num_errors:
                return False
        except CompileError:
            return False
        fresh = source.with_name(f"{source.stem}{SUFFIX}.new")
        includes = [f"-I{sysconfig.get_path('include')}", "-Icext/base"]
        command = [*compiler(), *FLAGS, *COMMON_FLAGS, *march_flags(), *options, *includes, str(translation)]
        if subprocess.run([*command, "-o", str(fresh)], check=False).returncode:
            return False
        os.replace(fresh, source.with_name(f"{source.stem}{SUFFIX}"))
    return True


if __name__ == "__main__":
    sys.exit(not build(Path(sys.argv[1]), sys.argv[2:]))
