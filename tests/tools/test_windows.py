"""The Windows build: what it refuses in one line, and its icon."""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tools.windows import icon, interpreter, mathlib, needs, stable

ROOT = Path(__file__).resolve().parents[2]


def library(machine: int) -> bytes:
    """The beginning of a Windows library: the two headers that name the processor."""
    return b"MZ".ljust(0x3C, b"\0") + struct.pack("<I", 0x80) + bytes(0x40) + b"PE\0\0" + struct.pack("<H", machine)


def refused(capsys: pytest.CaptureFixture[str], call: Callable[[], object]) -> str:
    """The one line with which the call ends the program, with status 2."""
    with pytest.raises(SystemExit) as end:
        call()
    said = capsys.readouterr().err
    assert (end.value.code, said.count("\n"), said[-1:]) == (2, 1, "\n")
    return said


@pytest.fixture
def headers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "headers"
    folder.mkdir()
    (folder / "patchlevel.h").write_text("#define PY_MAJOR_VERSION 3\n#define PY_MINOR_VERSION        11\n")
    (folder / "pyconfig.h").write_text("")
    monkeypatch.setenv("WINDOWS_HEADERS", str(folder))
    return folder


@pytest.mark.usefixtures("headers")
@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, "expected one library python3NN.dll, found 0"),
        ({"readme.txt": b"x"}, "expected one library python3NN.dll, found 0"),
        ({"python3.dll": library(0x8664)}, "expected one library python3NN.dll, found 0"),
        ({"python311.dll": library(0x8664), "python312.dll": library(0x8664)}, "found 2"),
        ({"python311.dll": b"not a library"}, "for Windows on x86-64, found another file"),
        ({"python311.dll": library(0x14C)}, "for Windows on x86-64, found another file"),
        ({"python311.dll": library(0x8664)[:-1]}, "for Windows on x86-64, found another file"),
        ({"python311.dll": b"MZ"}, "for Windows on x86-64, found another file"),
        ({"python311.dll": library(0xAA64)}, "for Windows on x86-64, found another file"),
        ({"python312.dll": library(0x8664)}, "expected Python 3.11, that of the headers in"),
        ({"python311.dll": library(0x8664)}, "expected the standard library python311.zip, found none"),
        (
            {"python311.dll": library(0x8664), "python311.zip": b""},
            "expected the library of the stable interface python3.dll, found none",
        ),
    ],
)
def test_a_foreign_interpreter_is_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    files: dict[str, bytes],
    expected: str,
) -> None:
    folder = tmp_path / "python"
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    monkeypatch.setenv("WINDOWS_PYTHON", str(folder))
    assert expected in refused(capsys, lambda: interpreter.provided(tmp_path))


@pytest.mark.usefixtures("headers")
def test_a_missing_interpreter_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WINDOWS_PYTHON", str(tmp_path / "nowhere"))
    said = refused(capsys, lambda: interpreter.provided(tmp_path))
    assert "embeddable package, a folder or zip, found" in said


def test_a_damaged_zip_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "python.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("python311.dll", b"library" * 100)
    path.write_bytes(path.read_bytes().replace(b"library", b"Library", 1))
    monkeypatch.setenv("WINDOWS_PYTHON", str(path))
    said = refused(capsys, lambda: interpreter.provided(tmp_path))
    assert said.startswith(f"WINDOWS_PYTHON={path}: expected a zip that can be unpacked: Bad CRC-32")


def test_a_fitting_interpreter_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, headers: Path) -> None:
    folder = tmp_path / "python"
    folder.mkdir()
    (folder / "python311.dll").write_bytes(library(0x8664))
    (folder / "python311.zip").write_bytes(b"")
    (folder / "python3.dll").write_bytes(library(0x8664))
    monkeypatch.setenv("WINDOWS_PYTHON", str(folder))
    found = interpreter.provided(tmp_path)
    assert (found.library, found.stable) == (folder / "python311.dll", folder / "python3.dll")
    assert found.headers == headers


@pytest.mark.skipif(shutil.which(stable.COMPILER) is None, reason="needs the compiler for Windows")
def test_the_stable_library_forwards_each_name(tmp_path: Path) -> None:
    source = tmp_path / "python3dll.c"
    lines = ["EXPORT_FUNC(Py_IncRef)", "EXPORT_FUNC(Py_IncRef)", "EXPORT_DATA(PyExc_OSError)", "#define EXPORT_FUNC(x)"]
    source.write_text("\n".join(lines) + "\n")
    stable.forwarder(tmp_path / "python311.dll", source)
    dump = ["x86_64-w64-mingw32-objdump", "-p", tmp_path / "python3.dll"]
    shown = subprocess.run(dump, capture_output=True, text=True, check=True).stdout
    assert re.findall(r"Forwarder RVA -- (\S+)", shown) == ["python311.PyExc_OSError", "python311.Py_IncRef"]
    assert {path.name for path in tmp_path.iterdir()} == {"python3dll.c", "python3.dll"}


@pytest.mark.skipif(shutil.which(stable.COMPILER) is None, reason="needs the compiler for Windows")
def test_modules_get_our_library_of_mathematics_and_the_cache_keeps_theirs(tmp_path: Path) -> None:
    cache, folder = tmp_path / "cache.pyd", tmp_path / "packages" / "numpy"
    folder.mkdir(parents=True)
    (tmp_path / "math.def").write_text("LIBRARY api-ms-win-crt-math-l1-1-0.dll\nEXPORTS\ncsqrt\n")
    (tmp_path / "module.c").write_text("extern void csqrt(void); void f(void) { csqrt(); }\n")
    for command in (
        ["x86_64-w64-mingw32-dlltool", "-d", "math.def", "-l", "libtheirs.a"],
        [stable.COMPILER, "-shared", "-nostdlib", "-fno-builtin", "-o", cache, "module.c", "libtheirs.a"],
    ):
        subprocess.run(command, cwd=tmp_path, check=True)
    before = cache.read_bytes()
    (folder / "module.pyd").hardlink_to(cache)  # as uv installs it
    mathlib.replace(folder.parent)
    assert cache.read_bytes() == before
    assert b"own-ms-win-crt-math-l1-1-0.dll" in (folder / "module.pyd").read_bytes()
    assert {path.name for path in folder.iterdir()} == {"module.pyd", "own-ms-win-crt-math-l1-1-0.dll"}


def test_a_list_without_names_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "python3dll.c"
    source.write_text("int main;\n")
    assert "expected lines EXPORT_FUNC" in refused(capsys, lambda: stable.forwarder(tmp_path / "python311.dll", source))


def test_missing_programs_are_named_with_their_packages(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert needs.missing(needs.COMPILING) == ["gcc-mingw-w64-x86-64", "binutils-mingw-w64-x86-64"]
    said = refused(capsys, lambda: needs.ensure(needs.COMPILING | needs.RUNNING))
    assert "gcc-mingw-w64-x86-64, binutils-mingw-w64-x86-64, wine, wine64, which this system lacks" in said


@pytest.mark.slow
def test_the_icon_has_pictures_that_can_be_read() -> None:
    data = icon.icon()
    assert struct.unpack_from("<HHH", data) == (0, 1, len(icon.SIZES))
    for number, size in enumerate(icon.SIZES):
        width, *_, length, place = struct.unpack_from("<BBBBHHII", data, 6 + 16 * number)
        picture = data[place : place + length]
        assert width == size % 256
        assert picture.startswith(b"\x89PNG\r\n\x1a\n")
        assert struct.unpack_from(">II", picture, 16) == (size, size)
        start = picture.index(b"IDAT") + 4
        rows = zlib.decompress(picture[start : start + struct.unpack_from(">I", picture, start - 8)[0]])
        assert len(rows) == size * (1 + 4 * size)
        # a bar of the sign; a square at the top left, another one at the top right
        middle, left, right = (rows[row * (1 + 4 * size) + 1 + 4 * column :][:3]
                               for row, column in ((int(size * 0.37), size // 2), (1, 1), (1, size - 2)))  # fmt: skip
        assert len({middle, left, right}) == 3
