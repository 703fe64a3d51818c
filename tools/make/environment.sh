#!/bin/sh
# tools/make/environment.sh PYTHON STAMP: recreate the virtual environment .venv with this Python, and write its name
# into STAMP. Prints one line if something is missing.

set -eu

command -v "$1" >/dev/null || {
    echo "standstill needs Python 3.11 or newer: apt install python3 python3-venv python3-dev build-essential" >&2
    exit 1
}
"$1" tools/make/prerequisites.py
echo "$1 -m venv --clear .venv"
"$1" -m venv --clear .venv
printf '%s' "$1" >"$2"
