"""Files on all systems. The tests in this folder run on Linux and Windows."""

from __future__ import annotations

import mmap
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from standstill.engine.common.atomic_files import write_whole
from standstill.engine.common.regular_files import open_regular
from standstill.engine.system import files, leftovers

_BYTES = bytes(range(256)) + b"\r\n\n\r\x1a\n"


def test_bytes_stay_as_they_are(tmp_path: Path) -> None:
    """Without O_BINARY Windows would write \\n as \\r\\n and end the file at \\x1a."""
    path = tmp_path / "bytes"
    handle = files.open_plain(path, os.O_RDWR | os.O_CREAT | os.O_EXCL)
    assert os.write(handle, _BYTES) == len(_BYTES)
    os.close(handle)
    assert path.read_bytes() == _BYTES
    for opened in (files.open_plain(path, os.O_RDONLY), files.open_replaceable(path, os.O_RDONLY)):
        assert os.read(opened, 1000) == _BYTES
        assert files.read_at(opened, 6, 250) == _BYTES[250:256]
        os.close(opened)


@pytest.mark.parametrize("mapped", [False, True])
def test_an_open_file_is_replaced(tmp_path: Path, mapped: bool) -> None:
    old, fresh = tmp_path / "table", tmp_path / "fresh"
    old.write_bytes(b"old")
    fresh.write_bytes(b"fresh")
    with os.fdopen(files.open_replaceable(old, os.O_RDONLY), "rb") as stream:
        view = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) if mapped else None
        files.replace(fresh, old)
        assert old.read_bytes() == b"fresh"
        assert stream.read() == b"old"
        assert not fresh.exists()
        if view is not None:
            assert view[:] == b"old"
            view.close()


def test_a_failed_replacement_leaves_both_files(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "content").write_bytes(b"")
    (tmp_path / "fresh").write_bytes(b"fresh")
    with pytest.raises(OSError):
        files.replace(tmp_path / "fresh", tmp_path / "folder")
    assert (tmp_path / "fresh").read_bytes() == b"fresh"
    assert (tmp_path / "folder" / "content").exists()


def test_appending_goes_to_the_end_and_removal_works_while_open(tmp_path: Path) -> None:
    path = tmp_path / "log"
    first = files.open_replaceable(path, os.O_RDWR | os.O_APPEND | os.O_CREAT)
    second = files.open_replaceable(path, os.O_RDWR | os.O_APPEND | os.O_CREAT)
    os.write(first, b"one\n")
    os.write(second, b"two\n")
    os.write(first, b"three\n")
    assert path.read_bytes() == b"one\ntwo\nthree\n"
    os.unlink(path)
    os.close(first)
    os.close(second)
    assert not path.exists()
    files.remove(path)


def test_flush_reports_a_missing_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"content")
    files.flush(str(tmp_path / "file"))
    files.flush_folder(str(tmp_path))
    with pytest.raises(FileNotFoundError):
        files.flush(str(tmp_path / "missing"))


def test_a_file_without_write_rights_is_not_writable(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"")
    assert files.writable(str(path))
    path.chmod(stat.S_IREAD)
    try:
        path.open("r+b").close()
        is_allowed = True  # root may write everywhere
    except PermissionError:
        is_allowed = False
    assert files.writable(str(path)) == is_allowed
    path.chmod(stat.S_IREAD | stat.S_IWRITE)


def test_no_disk_holds_an_exabyte(tmp_path: Path) -> None:
    assert files.is_full(tmp_path, 1 << 60)
    assert not files.is_full(tmp_path, 1)


def test_a_stream_of_the_process_has_a_name() -> None:
    """Runs in a separate process, because the folders' names contain the process id."""
    if sys.platform == "win32":
        pytest.skip("Windows has no folder of open files")
    code = (
        "import os; from standstill.engine.common.atomic_files import descriptor;"
        "print(descriptor('/dev/stdout'), descriptor(f'/dev/fd/{os.dup(1)}'), descriptor('/dev/null'))"
    )
    root = str(Path(files.__file__).parents[3])
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {root!r}); {code}"],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    first, second, third = done.stdout.split()
    assert (first, third) == ("1", "None")
    assert int(second) > 2


@pytest.mark.parametrize("opened", [files.open_plain, files.open_replaceable])
def test_errors_have_the_same_words_everywhere(tmp_path: Path, opened) -> None:
    """Windows itself says "Invalid argument" for a wildcard, and answers in the language of the user."""
    for name in ("none", "*.pgn"):
        with pytest.raises(FileNotFoundError, match="No such file or directory"):
            opened(tmp_path / name, os.O_RDONLY)
    with pytest.raises(IsADirectoryError, match="Is a directory"):
        opened(tmp_path, os.O_RDWR)


def test_a_file_is_replaced_while_it_is_read_as_games_are(tmp_path: Path) -> None:
    """On Windows a program that writes a running game cannot move the old file away while a reader forbids it."""
    path = tmp_path / "live.pgn"
    path.write_bytes(b"old")
    with open_regular(str(path)) as stream:
        os.rename(path, tmp_path / "old")
        (tmp_path / "fresh").write_bytes(b"fresh")
        os.rename(tmp_path / "fresh", path)
        assert stream.read() == b"old"
    assert path.read_bytes() == b"fresh"


def test_what_a_killed_process_left_is_removed_by_the_next_write(tmp_path: Path) -> None:
    """Files of a process that runs stay, and so do those of other machines that share the folder."""
    code = """if True:
        import sys
        from standstill.engine.common.atomic_files import new_path
        with new_path(sys.argv[1]) as temporary:
            print(temporary, flush=True)
            sys.stdin.read()
    """
    paths = []
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    for name in ("killed.pgn", "running.pgn"):
        words = [sys.executable, "-c", code, tmp_path / name]
        process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
        paths.append((process, Path(process.stdout.readline().strip())))
    (killed, left), (running, kept) = paths
    killed.kill()
    killed.communicate()
    left.with_name(f"{left.name}-journal").touch()
    *_, number, mark = left.name.split("-")
    elsewhere = left.with_name(f".standstill-{number}-{int(mark[:8], 16) ^ 1:08x}{mark[8:]}")
    elsewhere.touch()
    write_whole(str(tmp_path / "games.pgn"), "text")
    assert {path.name for path in tmp_path.iterdir()} == {kept.name, elsewhere.name, "games.pgn"}
    running.communicate("")
    assert {path.name for path in tmp_path.iterdir()} == {elsewhere.name, "games.pgn", "running.pgn"}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not tell the user of a file by its status")
def test_a_file_of_another_user_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    left = Path(leftovers.temporary_beside(tmp_path / "x").replace(f"-{os.getpid()}-", f"-{gone.pid}-"))
    left.touch()
    user = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: user + 1)
    leftovers.remove_left(tmp_path)
    assert left.exists()
    monkeypatch.undo()
    leftovers.remove_left(tmp_path)
    assert not left.exists()


def test_what_processes_of_other_machines_left_is_removed_after_a_week(tmp_path: Path) -> None:
    """The clean-up removes only temporary files with our names; other files, and files that a process may still write,
    stay."""
    week_s = 7 * 86_400
    left = [".standstill-17-0a1b2c3d", ".standstill-17-0a1b2c3d-journal"]
    kept = [".standstill-18-0a1b2c3d", ".standstill-notes-0a1b2c3d", "standstill-17-0a1b2c3d", ".standstill-17-0a1b"]
    for name in (*left, *kept):
        (tmp_path / name).write_text("x")
        age_s = week_s - 60 if name == kept[0] else week_s + 60
        os.utime(tmp_path / name, (time.time() - age_s,) * 2)
    (tmp_path / ".standstill-19-0a1b2c3d").mkdir()
    write_whole(str(tmp_path / "games.pgn"), "text")
    assert {path.name for path in tmp_path.iterdir()} == {*kept, "games.pgn", ".standstill-19-0a1b2c3d"}
