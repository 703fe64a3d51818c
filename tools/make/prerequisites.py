"""Print in one line what `make` needs but this machine lacks; `make` runs this with the Python that PYTHON names.

That Python may be too old for the engine, so this file uses only syntax that every Python accepts.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036
    found = "%d.%d" % sys.version_info[:2]  # noqa: UP031
    line = "standstill needs Python 3.11 or newer, this is " + found + "; name another one: make PYTHON=python3.12\n"
    sys.stderr.write(line)
    sys.exit(2)

import os
import shutil
import sysconfig
from importlib.util import find_spec

missing = []
if not (find_spec("ensurepip") and find_spec("venv")):
    missing.append("python3-venv")
if not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")):
    missing.append("python3-dev")
compiler = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
if not shutil.which(compiler.split()[0]):
    missing.append("build-essential")
if missing:
    sys.stderr.write("standstill needs packages that are missing here: apt install " + " ".join(missing) + "\n")
    sys.exit(2)
