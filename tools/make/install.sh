#!/bin/sh
# tools/make/install.sh PYTHON PURPOSE: install what the table REQUIREMENTS in tools/building/requirements.py has for this
# purpose. With LOCKED=1 in the environment, all of it in the releases of requirements/*.txt, by their hashes.

set -eu

install() {
    "$python" -m pip install -q --disable-pip-version-check "$@"
}

python=$1 purpose=$2
if [ "${LOCKED:-}" ]; then
    install --require-hashes -r requirements/build.txt
    # Without isolation, because python-chess comes as sources, and what builds it has to be locked as well.
    [ "$purpose" = build ] || install --require-hashes --no-build-isolation -r requirements/ci.txt
else
    "$python" -m tools.building.requirements "$purpose" >.venv/requirements.txt
    install -r .venv/requirements.txt
fi
