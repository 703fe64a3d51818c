#!/bin/sh
# tools/make/hints.sh PYTHON: fail if Cython has a performance hint or a warning about a module.
# Hints go to standard error with exit status 0, and only for what is translated in that run.

set -eu

log=build/hints/log
rm -rf build/hints
mkdir -p build/hints
"$1" setup.py -q translate --into build/hints >"$log" 2>&1 || {
    cat "$log"
    exit 1
}
! grep -A6 -E 'performance hint|^warning' "$log"
