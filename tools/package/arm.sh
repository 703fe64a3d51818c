#!/bin/sh
# `make arm`: try the wheel for ARM64 in dist/ under qemu, in a small Debian for ARM64, build/arm/root. Run as root. The
# wheel must find the moves, goals, tables and trees of tests/data/everywhere.txt. The emulator is about ten times
# slower than a processor, so the checks are small.

set -eu

# ARM_ROOT: another place, such as a copy that several clones share.
root=${ARM_ROOT:-build/arm/root}
need() {
    command -v "$1" >/dev/null || {
        echo "arm: expected the command $1: apt install $2" >&2
        exit 2
    }
}
need mmdebstrap mmdebstrap
need arch-test arch-test
need qemu-aarch64-static qemu-user-static
[ "$(id -u)" = 0 ] || {
    echo "arm: expected root, who may change the root directory" >&2
    exit 2
}
set -- dist/standstill_chess-*_aarch64.whl
[ $# = 1 ] && [ -f "$1" ] || {
    echo "arm: expected one wheel dist/standstill_chess-*_aarch64.whl: make cross TARGET=linux-aarch64" >&2
    exit 2
}
wheel=$1
# The kernel must start qemu for ARM64 programs, inside the other root as well.
if [ ! -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ]; then
    [ -e /proc/sys/fs/binfmt_misc/register ] || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
    cat /usr/lib/binfmt.d/qemu-aarch64.conf >/proc/sys/fs/binfmt_misc/register
fi
if [ ! -x $root/usr/bin/python3 ]; then
    echo "making a Debian for ARM64 in $root (some minutes)"
    rm -rf $root
    mkdir -p "$(dirname "$root")"
    mmdebstrap --quiet --mode=root --variant=minbase --architectures=arm64 --include=python3-minimal,libpython3-stdlib \
        bookworm $root.new
    mv $root.new $root
fi

# The wheel is unpacked, not installed. Of its dependencies the checks load only click, which is written in Python.
place=$root/opt/standstill
rm -rf $place
mkdir -p $place
.venv/bin/python -m zipfile -e "$wheel" $place
cp -r "$(.venv/bin/python -c "import click, os; print(os.path.dirname(click.__file__))")" $place
cp tools/package/probe.py tests/data/everywhere.txt $place
run() {
    chroot $root env -i HOME=/root LANG=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=/opt/standstill "$@"
}
run python3 -c 'import platform, sys; assert platform.machine() == "aarch64"'
run python3 /opt/standstill/probe.py /opt/standstill/everywhere.txt
