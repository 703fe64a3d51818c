#!/bin/sh
# tools/make/install.sh PYTHON PURPOSE: install what builds the program (build), or what the table REQUIREMENTS in setup.py
# has for this purpose. With LOCKED=1 in the environment, all of it in the releases of requirements/*.txt, by their hashes.

set -eu

install() {
    "$python" -m pip install -q --disable-pip-version-check "$@"
}

python=$1 purpose=$2
if [ "${LOCKED:-}" ]; then
    install --require-hashes -r requirements/build.txt
    # Without isolation, because python-chess comes as sources, and what builds it has to be locked as well.
    [ "$purpose" = build ] || install --require-hashes --no-build-isolation -r requirements/ci.txt
elif [ "$purpose" = build ]; then
    # Not by setup.py, which imports setuptools.
    "$python" -c '
import tomllib
with open("pyproject.toml", "rb") as file:
    print(*tomllib.load(file)["build-system"]["requires"], sep="\n")' >.venv/requirements.txt
    install -r .venv/requirements.txt
else
    "$python" setup.py -q requirements --purpose "$purpose" >.venv/requirements.txt
    install -r .venv/requirements.txt
fi
