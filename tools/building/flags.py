"""Cython directives and C compiler flags, chosen by the environment variables BUILD, MARCH and ABI.

The modules may run on another machine than the one that builds them. sysconfig then reads the name of the target from
_PYTHON_HOST_PLATFORM, which tools/package/cross.py and cibuildwheel set.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from functools import cache

from .refusal import refuse

# Compiler directives are set only here, because a misspelt one at the top of a file is silently ignored.
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "embedsignature": True,
}
# cdivision and wraparound stay as they are, because they change results and not only checks. nonecheck would need the
# interpreter lock at every self.x += 1, but the core runs without the lock.
DEBUG_DIRECTIVES = DIRECTIVES | {"boundscheck": True, "initializedcheck": True}

# Contracted multiply-add would round differently on machines that have it, but every build has to search the same tree.
COMMON_FLAGS = ["-ffp-contract=off"]
# Cython emits helpers that a module may not need, and gcc does not see that its number formatting fills its buffer.
# All other warnings of -Wall stay on.
WARNING_FLAGS = ["-Wno-unused-function", "-Wno-maybe-uninitialized"]

SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
THREAD = ["-fsanitize=thread"]
# Python's own flags contain -fwrapv, under which signed overflow is never reported.
CHECKED = ["-UNDEBUG", "-fno-wrapv", "-fno-omit-frame-pointer", "-g", "-O1"]

# Each build has (compiler flags, linker flags). Python's flags come first, so the last -O here takes effect.
BUILDS: dict[str, tuple[list[str], list[str]]] = {
    # The move counter consists of many small functions. With AVX2, it is nearly twice as fast when fully inlined.
    "release": (["-DCYTHON_WITHOUT_ASSERTIONS", "-O3", "-finline-limit=3000"], []),
    "debug": (["-UNDEBUG", "-g3", "-Og"], []),
    "sanitize": ([*SANITIZE, *CHECKED], SANITIZE),
    "thread": ([*THREAD, *CHECKED], THREAD),
    "fuzz": ([*SANITIZE, *CHECKED, "-fsanitize-coverage=trace-pc"], SANITIZE),
}

# Only gcc knows these flags.
GCC_FLAGS = {"-finline-limit=3000", "-Wno-maybe-uninitialized"}

# Modules for a wheel use the stable interface, so that they suit every Python from 3.11 on. Leaving out debug
# information saves two thirds of their size, and leaving out the names of functions another tenth.
OLDEST_PYTHON = (3, 11)
STABLE_FLAGS = ["-g0", f"-DPy_LIMITED_API=0x{OLDEST_PYTHON[0]:02X}{OLDEST_PYTHON[1]:02X}0000", "-DCYTHON_LIMITED_API=1"]

PLATFORM, _, MACHINE = sysconfig.get_platform().lower().rpartition("-")
IS_MACOS = PLATFORM.startswith("macosx")

# The builds that MARCH=all puts into one package, and their compiler flags. cext/processor detects which of them can
# run.
X86_LEVELS = {
    "avx512": [
        "-march=x86-64-v4",
        *("-mavx512vbmi", "-mavx512vbmi2", "-mavx512vnni", "-mavx512bitalg", "-mavx512vpopcntdq"),
    ],
    # The first processors of AMD with AVX2 extract bits far slower than they multiply.
    "x86-64-v3": ["-march=x86-64-v3", "-DNO_PEXT"],
    "portable": [],
}
# Other machines need no choice: NEON is part of every ARM64.
LEVELS = X86_LEVELS if MACHINE in ("x86_64", "amd64") else {}
# This module is outside those builds, because it chooses among them.
CHOOSER = "processor"

# The sanitizer libraries that are loaded before the interpreter.
RUNTIMES = {
    "release": [],
    "debug": [],
    "sanitize": ["asan", "ubsan"],
    "thread": ["tsan"],
    "fuzz": ["asan", "ubsan"],
}

BUILD = os.environ.get("BUILD") or "release"
# A wheel may be installed on another machine and under another Python than those that built it.
FOR_WHEEL = "bdist_wheel" in sys.argv
MARCH = os.environ.get("MARCH") or ("all" if FOR_WHEEL else "native")
if MARCH == "all" and not LEVELS:
    MARCH = "portable"
ABIS = ("version", "stable")
ABI = os.environ.get("ABI") or ("stable" if FOR_WHEEL else "version")


def refuse_what_cannot_be_built() -> None:
    if BUILD not in BUILDS:
        refuse(f"BUILD must be one of {', '.join(BUILDS)}, not {BUILD!r}")
    if ABI not in ABIS:
        refuse(f"ABI must be one of {', '.join(ABIS)}, not {ABI!r}")
    if MARCH in X86_LEVELS and MARCH not in (*LEVELS, "portable"):
        refuse(f"MARCH={MARCH}: expected all, portable or a name that the compiler knows on {MACHINE}")
    if MARCH == "native" and FOR_WHEEL:
        refuse("MARCH=native: a wheel may be installed on another processor; leave MARCH out, or use `make`")
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        refuse(
            "standstill needs a Python with the global interpreter lock: its modules rely on the lock, and a"
            " free-threaded Python would turn it on again at the first of them"
        )


refuse_what_cannot_be_built()


def march_flags() -> list[str]:
    if MARCH == "portable":
        return []
    if MARCH == "native" and IS_MACOS and MACHINE == "arm64":
        return []  # without a flag clang compiles for the oldest of these processors
    return LEVELS.get(MARCH, [f"-march={MARCH}"])


@cache
def is_gcc() -> bool:
    """Return whether the compiler is gcc; clang may also be called gcc."""
    command = [*compiler(), "-dM", "-E", "-x", "c", os.devnull]
    try:
        shown = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False).stdout
    except OSError:
        return False
    return "__GNUC__" in shown and "__clang__" not in shown


def flags() -> tuple[list[str], list[str]]:
    """The flags of compiler and linker."""
    compile_flags, link_flags = BUILDS[BUILD]
    compile_flags = [*COMMON_FLAGS, *WARNING_FLAGS, *march_flags(), *compile_flags]
    if ABI == "stable":
        compile_flags = [*compile_flags, *STABLE_FLAGS]
        link_flags = [*link_flags, "-Wl,-x" if IS_MACOS else "-Wl,-s"]
    return [flag for flag in compile_flags if is_gcc() or flag not in GCC_FLAGS], link_flags


def compiler() -> list[str]:
    return (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()


def compiler_identity() -> list[str]:
    """Return what -march=native means on this machine, so that a clone moved to another machine is rebuilt."""
    command = [*compiler(), *march_flags(), "-###", "-E", "-x", "c", os.devnull]
    shown = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False).stderr
    return [line.strip() for line in shown.splitlines() if "version" in line or "cc1" in line]


def runtime(name: str) -> str:
    """Return the path of a sanitizer's runtime library; without one, the compiler answers with the bare name."""
    command = [*compiler(), f"-print-file-name=lib{name}.so"]
    path = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    if not os.path.isabs(path):
        refuse(f"{' '.join(command)}: the {BUILD} build needs this library")
    return path
