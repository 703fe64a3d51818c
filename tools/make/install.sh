#!/bin/sh
# tools/make/install.sh PYTHON PURPOSE: install what the table REQUIREMENTS in tools/building/requirements.py lists for
# this purpose. LOCKED=1 in the environment installs the releases of requirements/*.txt, checked by hash.

set -eu

install() {
    "$python" -m pip install -q --disable-pip-version-check "$@"
}

python=$1 purpose=$2
if [ "${LOCKED:-}" ]; then
    install --require-hashes -r requirements/build.txt
    # Without isolation: python-chess comes as a source distribution, and its build dependencies must be locked as well.
    [ "$purpose" = build ] || install --require-hashes --no-build-isolation -r requirements/ci.txt
else
    "$python" -m tools.building.requirements "$purpose" >.venv/requirements.txt
    install -r .venv/requirements.txt
fi
