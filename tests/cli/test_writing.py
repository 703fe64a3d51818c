"""Files that commands write: whatever goes wrong, no data is lost and no device is replaced."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import lzma
import os
import random
import shutil
import sqlite3
import stat
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from standstill.engine.tablebases.store import SUPPLIED
from standstill.engine.variants.catalog import OWN_FILE
from tests import forked
from tests.posix import IS_ADMINISTRATOR, WINDOWS, link, needs_devices

Run = Callable[..., subprocess.CompletedProcess]

DRAWN = b'[White "A"]\n[Black "B"]\n[Result "1/2-1/2"]\n\n1. e4 {[%eval 0.3]} e5 {[%eval 0.2]} 1/2-1/2\n\n'
TAGGED = DRAWN.replace(b'/2"]\n', b'/2"]\n[RMobilityResult "-G29.5"]\n')
PACKED = {
    "gz": (gzip.compress, gzip.decompress),
    "bz2": (bz2.compress, bz2.decompress),
    "xz": (lzma.compress, lzma.decompress),
    "zst": (zstandard.compress, lambda data: zstandard.ZstdDecompressor().decompressobj().decompress(data)),
}

# Every command that writes a file, with a placeholder for the file's name.
WRITERS = [
    ["tag", "in.pgn", "-o", "{}"],
    ["tag", "in.pgn", "--quiet", "--sheet", "{}"],
    ["standings", "in.pgn", "-o", "{}"],
    ["annotate", "in.pgn", "--from-comments", "-o", "{}"],
    ["study", "in.pgn", "--html", "{}"],
    ["relevance", "form", "-o", "{}"],
    ["variants", "show", "makruk", "--svg", "{}"],
    ["games", "--store", "store", "export", "-o", "{}"],
    ["games", "--store", "store", "calendar", "-o", "{}"],
    ["games", "--store", "store", "backup", "-o", "{}"],
]
writers = pytest.mark.parametrize("words", WRITERS, ids=lambda words: " ".join(words).replace("{}", "FILE"))


@pytest.fixture
def run(executable: Path, tmp_path: Path) -> Run:
    (tmp_path / "in.pgn").write_bytes(DRAWN)

    def call(*arguments: str | Path, data: bytes = b"") -> subprocess.CompletedProcess:
        words = [executable, *arguments]
        if "store" in arguments and not (tmp_path / "store").exists():
            made = [executable, "games", "--store", "store", "new", "one", "50/75/1", "--white", "A", "--black", "B"]
            forked.run(made, cwd=tmp_path, capture_output=True, timeout=60, check=True)
        return forked.run(words, cwd=tmp_path, input=data, capture_output=True, timeout=60, check=False)

    return call


def filled(words: list[str], name: str) -> list[str]:
    return [word.replace("{}", name) for word in words]


def listed(folder: Path) -> list[str]:
    """All files except those that SQLite puts beside a store."""
    return sorted(name for name in os.listdir(folder) if not name.startswith("store-"))


def devices() -> list[str]:
    return [] if WINDOWS else sorted(os.listdir("/dev"))


def left_over(folder: Path) -> list[str]:
    return [name for name in os.listdir(folder) if name.startswith(".")]


@pytest.mark.sampled(3)
@writers
def test_a_new_file_has_the_usual_permissions(run: Run, tmp_path: Path, words: list[str]) -> None:
    done = run(*filled(words, "new"))
    assert done.returncode == 0, done.stderr
    (tmp_path / "usual").write_bytes(b"")
    if "backup" in words:  # a backup is as private as the store
        (tmp_path / "usual").chmod(0o600)
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode
    assert (tmp_path / "new").stat().st_size
    assert not left_over(tmp_path)


@pytest.mark.sampled(3)
@writers
def test_links_and_permissions_stay(run: Run, tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "elsewhere").mkdir()
    target = tmp_path / "elsewhere" / "file"
    target.write_bytes(old := b"" if "backup" in words else b"old")  # a backup replaces only a backup or an empty file
    target.chmod(0o640)
    link(tmp_path / "link", Path("elsewhere", "file"))
    assert run(*filled(words, "link")).returncode == 0
    assert (tmp_path / "link").is_symlink()
    assert target.read_bytes() != old
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert not left_over(tmp_path / "elsewhere")


@pytest.mark.sampled(4)
@writers
@pytest.mark.parametrize("name", [os.devnull, "device"])
def test_devices_are_written_and_stay(run: Run, tmp_path: Path, words: list[str], name: str) -> None:
    """A backup cannot be a device, because SQLite opens it by name."""
    if name == "device":
        link(tmp_path / "device", os.devnull)
    before, files = os.stat(os.devnull), devices()
    done = run(*filled(words, name))
    if "backup" in words:
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
        assert b"it is a device" in done.stderr
    else:
        assert done.returncode == 0, done.stderr
    assert os.stat(os.devnull)[:3] == before[:3]
    assert devices() == files
    assert (tmp_path / "device").is_symlink() == (name == "device")
    assert not left_over(tmp_path)


@needs_devices
@pytest.mark.sampled(3)
@pytest.mark.parametrize("words", WRITERS[:-1], ids=lambda words: " ".join(words).replace("{}", "FILE"))
def test_a_device_without_room_is_named(run: Run, words: list[str]) -> None:
    done = run(*filled(words, "/dev/full"))
    assert done.returncode == 2
    assert b"/dev/full" in done.stderr.splitlines()[-1]
    assert b"No space left on device" in done.stderr.splitlines()[-1]


def test_an_engine_annotates_into_a_device_and_leaves_no_progress(run: Run, tmp_path: Path) -> None:
    before = devices(), listed(tmp_path)
    done = run("annotate", "in.pgn", "-o", os.devnull, "--depth", "1")
    assert done.returncode == 0, done.stderr
    assert (devices(), listed(tmp_path)) == before


@pytest.mark.sampled(3)
@writers
def test_folders_and_missing_folders_are_named(run: Run, tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "folder").mkdir()
    if "tag" not in words or "--sheet" in words:  # tag writes the games into the folder under their names
        done = run(*filled(words, "folder"))
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
        assert b"directory" in done.stderr
    done = run(*filled(words, "none/file"))
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert b"none/file" in done.stderr
    assert b"standstill-" not in done.stderr


@pytest.mark.skipif(IS_ADMINISTRATOR, reason="the administrator may write everything")
@writers
def test_protected_files_stay(run: Run, tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "kept").write_bytes(b"old")
    (tmp_path / "kept").chmod(0o444)
    assert run(*filled(words, "kept")).returncode == 2
    assert (tmp_path / "kept").read_bytes() == b"old"


def test_a_pipe_gets_the_games(run: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    found = []
    reader = threading.Thread(target=lambda: found.append((tmp_path / "pipe").read_bytes()), daemon=True)
    reader.start()
    assert run("tag", "in.pgn", "-o", "pipe").returncode == 0
    reader.join(30)
    assert found == [TAGGED]
    assert (tmp_path / "pipe").is_fifo()


# ---- nothing is replaced unless all input was read ----


def cut(suffix: str) -> bytes:
    """A truncated compressed archive. Random comments keep the games from compressing to a single block."""
    rng = random.Random(3)
    games = b"".join(DRAWN.replace(b"1. e4", b"1. e4 {%s}" % rng.randbytes(300).hex().encode()) for _ in range(4000))
    packed = PACKED[suffix][0](games)
    return packed[: len(packed) * 3 // 4]


@needs_devices
@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "link"])
@writers
def test_a_stream_by_its_name_is_written_behind_what_is_there(
    run: Run, executable: Path, tmp_path: Path, words: list[str], name: str
) -> None:
    """Output to an open stream is appended, as with `>>`; renaming once replaced the output of an earlier command."""
    (tmp_path / "link").symlink_to("/dev/stdout")
    run("games", "--store", "store", "list")
    (tmp_path / "out").write_bytes(b"before\n")
    call = [executable, *filled(words, name)]
    with (tmp_path / "out").open("ab") as out:
        done = [
            subprocess.run(call, cwd=tmp_path, stdout=out, stderr=subprocess.PIPE, timeout=60, check=False)
            for _ in range(2)
        ]
    found = (tmp_path / "out").read_bytes()
    assert found.startswith(b"before\n")
    if "backup" in words:  # SQLite opens files by name
        assert [(each.returncode, len(each.stderr.splitlines())) for each in done] == [(2, 1)] * 2
        return
    assert [each.returncode for each in done] == [0, 0]
    once = found[len(b"before\n") : (len(found) + len(b"before\n")) // 2]
    if "calendar" not in words:  # a calendar contains its time of creation
        assert found == b"before\n" + once * 2 and once
    assert not [entry for entry in os.listdir(tmp_path) if "deleted" in entry or "standstill" in entry]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", ["", "none/"])
@writers
def test_a_name_of_no_file_is_refused(run: Run, tmp_path: Path, words: list[str], name: str) -> None:
    """An unset shell variable gives an empty name: `tag` once replaced its input, other commands reported a folder."""
    if "tag" in words and ("--sheet" in words or name):
        pytest.skip("`--sheet ''` writes nothing, and `tag` may write into a folder")
    run("games", "--store", "store", "list")
    before = listed(tmp_path)
    done = run(*filled(words, name))
    assert (done.returncode, done.stdout if "-" not in words else b"") == (2, b"")
    assert len(done.stderr.splitlines()) == 1
    assert b"No such file or directory" in done.stderr
    assert listed(tmp_path) == before
    assert (tmp_path / "in.pgn").read_bytes() == DRAWN


@pytest.mark.slow
@pytest.mark.skipif(WINDOWS, reason="Windows does not limit the size of files")
def test_progress_that_finds_no_room_is_named(executable: Path, tmp_path: Path) -> None:
    (tmp_path / "in.pgn").write_bytes(DRAWN * 10)
    limited = ["sh", "-c", 'ulimit -f 1; exec "$0" "$@"', executable]
    done = subprocess.run(
        [*limited, "annotate", "in.pgn", "-o", "out.pgn", "--nodes", "1"],
        cwd=tmp_path,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (2, b"standstill: cannot write out.pgn.progress: File too large\n")
    assert not (tmp_path / "out.pgn").exists()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("inputs", [["missing.pgn"], ["in.pgn", "missing.pgn"], ["missing.pgn", "in.pgn"]])
@pytest.mark.parametrize("command", ["tag", "standings"])
def test_missing_input_leaves_the_output(run: Run, tmp_path: Path, command: str, inputs: list[str]) -> None:
    (tmp_path / "keep").write_bytes(b"kept")
    done = run(command, *inputs, "-o", "keep")
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, b"", 1)
    assert b"'missing.pgn': No such file" in done.stderr
    assert b"nothing is written to 'keep'" in done.stderr
    assert (tmp_path / "keep").read_bytes() == b"kept"
    assert not left_over(tmp_path)
    assert run(command, *inputs, "-o", "keep", "--partial").returncode == 2
    assert (tmp_path / "keep").read_bytes() != b"kept"


# bzip2 and xz take seconds, because the output must have more than one block; all formats get the same number of games.
@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "suffix", [*("gz", "zst"), *(pytest.param(suffix, marks=pytest.mark.slow) for suffix in ("bz2", "xz"))]
)
def test_archive_that_breaks_off_is_not_replaced_by_its_beginning(run: Run, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"season.pgn.{suffix}"
    path.write_bytes(before := cut(suffix))
    for output in (path.name, "./"):
        done = run("tag", path.name, "-o", output)
        assert (done.returncode, done.stdout) == (2, b"")
        assert b"the compressed data end too early; nothing is written" in done.stderr
        assert path.read_bytes() == before
    assert run("tag", path.name, "-o", path.name, "--partial").returncode == 2
    games = PACKED[suffix][1](path.read_bytes())
    assert games.count(b"[RMobilityResult ") > 1500


def test_two_files_of_a_folder_are_not_one(run: Run, tmp_path: Path) -> None:
    """If both files became one, the games of the second file would replace those of the first."""
    (tmp_path / "more.pgn").write_bytes(DRAWN)
    (tmp_path / "out").mkdir()
    link(tmp_path / "out" / "in.pgn", "more.pgn")
    done = run("tag", "in.pgn", "more.pgn", "-o", "out/")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert b"same file" in done.stderr
    assert not (tmp_path / "out" / "more.pgn").exists()


def test_sheets_of_half_an_archive_are_not_written(run: Run, tmp_path: Path) -> None:
    (tmp_path / "sheets").write_bytes(b"kept")
    done = run("tag", "in.pgn", "missing.pgn", "--sheet", "sheets", "--quiet")
    assert (done.returncode, done.stdout) == (2, TAGGED)
    assert b"nothing is written to 'sheets'" in done.stderr
    assert (tmp_path / "sheets").read_bytes() == b"kept"
    assert run("tag", "in.pgn", "missing.pgn", "--sheet", "sheets", "--quiet", "--partial").returncode == 2
    assert b"Game 1 of in.pgn: A - B" in (tmp_path / "sheets").read_bytes()


def test_each_file_of_a_folder_counts_by_itself(run: Run, tmp_path: Path) -> None:
    (tmp_path / "cut.pgn.gz").write_bytes(cut("gz"))
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "cut.pgn.gz").write_bytes(b"kept")
    assert run("tag", "cut.pgn.gz", "in.pgn", "-o", "out/").returncode == 2
    assert (tmp_path / "out" / "cut.pgn.gz").read_bytes() == b"kept"
    assert (tmp_path / "out" / "in.pgn").read_bytes() == TAGGED
    assert run("tag", "cut.pgn.gz", "in.pgn", "-o", "out/", "--partial").returncode == 2
    assert gzip.decompress((tmp_path / "out" / "cut.pgn.gz").read_bytes()).startswith(TAGGED[:60])


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "words",
    [
        ["tag", "in.pgn", "-o", "out.pgn", "--sheet", "in.pgn"],
        ["tag", "in.pgn", "-o", "out.pgn", "--sheet", "out.pgn"],
        ["tag", "in.pgn", "more.pgn", "-o", "in.pgn"],  # the second run of `tag *.pgn -o all.pgn`
        ["tag", "in.pgn", "-o", "link.pgn", "--sheet", "./in.pgn"],
        ["tag", "in.pgn", "more.pgn", "-o", "folder/", "--sheet", "folder/in.pgn"],
        ["standings", "in.pgn", "-o", "link.pgn"],
        ["annotate", "in.pgn", "--from-comments", "-o", "link.pgn"],
    ],
)
def test_games_are_not_written_over(run: Run, tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "more.pgn").write_bytes(DRAWN)
    if "link.pgn" in words:
        link(tmp_path / "link.pgn", "in.pgn")
    done = run(*words)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert b"same file" in done.stderr
    assert (tmp_path / "in.pgn").read_bytes() == DRAWN


# Every command that reads files and writes one, with an input file as the output. `soft` is a symbolic link
# to the store; `hard` and `hard.pgn` are hard links to the store and the games.
READERS = [
    ["games", "--store", "store", "export", "-o", "store"],
    ["games", "--store", "store", "export", "-o", "./store"],
    ["games", "--store", "store", "export", "-o", "hard"],
    ["games", "--store", "store", "export", "-o", "soft"],
    ["games", "--store", "soft", "export", "-o", "store-wal"],
    ["games", "--store", "store", "standings", "-o", "store"],
    ["games", "--store", "store", "standings", "--json", "-o", "store-wal"],
    ["games", "--store", "store", "calendar", "--all", "-o", "store"],
    ["games", "--store", "store", "calendar", "--all", "-o", "store-shm"],
    ["games", "--store", "store", "backup", "-o", "hard"],
    ["games", "--store", "store", "backup", "-o", "store-journal"],
    ["games", "export", "-o", "data/standstill/games.sqlite"],
    ["clock", "recompute", "in.pgn", "--svg", "in.pgn"],
    ["clock", "recompute", "in.pgn", "--svg", "hard.pgn"],
    ["variants", "show", "--file", "my.ini", "--html", "my.ini"],
    ["variants", "show", "makruk", "--file", "my.ini", "--svg", "./my.ini"],
    ["variants", "convert", "my.ini", "-o", "my.ini"],
    ["variants", "balance", "makruk", "--file", "my.ini", "-o", "out.pgn", "--html", "my.ini"],
    ["variants", "values", "makruk", "--file", "my.ini", "-o", "out.pgn", "--html", "my.ini"],
    ["puzzles", "in.pgn", "-o", "hard.pgn"],
    ["data", "play", "--starts", "in.pgn", "--nodes", "100", "-o", "in.pgn"],
    ["data", "play", "--starts", "in.pgn", "--nodes", "100", "-o", "hard.pgn"],
    ["data", "rescore", "in.pgn", "--nodes", "100", "-o", "hard.pgn"],
    ["data", "starts", "in.pgn", "-o", "in.pgn"],
    ["data", "import", "in.pgn", "-o", "in.pgn", "--origin", "me"],
    ["tables", "--path", "tables", "browse", "KBvK", "-o", "tables/KBvK.rmv"],
    ["tables", "--path", "tables", "export", "KBvK", "-o", "table.csv"],
    ["tag", "in.pgn", "--file", "my.ini", "-o", "my.ini"],
    ["tag", "in.pgn", "--file", "my.ini", "--sheet", "my.ini"],
    ["tag", "in.pgn", "--tables", "tables", "-o", "tables/KBvK.rmd"],
    ["tag", "in.pgn", "hard.pgn", "-o", "in.pgn"],
    ["standings", "in.pgn", "-o", "hard.pgn"],
    ["standings", "in.pgn", "--tables", "tables", "-o", "tables/KBvK.rmd"],
    ["annotate", "in.pgn", "--from-comments", "-o", "hard.pgn"],
    ["study", "in.pgn", "--html", "hard.pgn"],
    ["study", "in.pgn", "--pdf", "in.pgn"],
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("words", READERS, ids=" ".join)
def test_what_a_command_reads_is_not_written_over(run: Run, tmp_path: Path, monkeypatch, words: list[str]) -> None:
    (tmp_path / "hard.pgn").hardlink_to(tmp_path / "in.pgn")
    shutil.copy(OWN_FILE, tmp_path / "my.ini")
    if "tables" in words:
        shutil.copytree(SUPPLIED, tmp_path / "tables")
    if "table.csv" in words:
        link(tmp_path / "table.csv", Path("tables", "KBvK.rmv"))
    if words[0] == "games":
        if "soft" in words:
            link(tmp_path / "soft", "store")
        assert run("games", "--store", "store", "result", "one", "1-0").returncode == 0
        with contextlib.closing(sqlite3.connect(tmp_path / "store")) as connection:
            connection.execute("PRAGMA wal_checkpoint")  # the checkpoint moves everything into one file
        (tmp_path / "hard").hardlink_to(tmp_path / "store")
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
        (tmp_path / "data" / "standstill").mkdir(parents=True)
        shutil.copy(tmp_path / "store", tmp_path / "data" / "standstill" / "games.sqlite")
    before = contents(tmp_path)
    done = run(*words)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, b"", 1)
    assert b"same file" in done.stderr
    assert contents(tmp_path) == before


def contents(folder: Path) -> dict[Path, bytes]:
    """The contents of the files, without empty files and the `-shm` files that coordinate readers of a store."""
    found = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and not path.name.endswith("-shm")}
    return {path: data for path, data in found.items() if data}


def a_text(path: Path) -> None:
    path.write_bytes(b"notes")


def another_database(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE games (name TEXT)")


def a_store_in_use(path: Path) -> None:
    """Leave a store as a killed process does: SQLite would apply the leftover log to any file of that name."""
    path.write_bytes(path.with_name("store").read_bytes())
    Path(f"{path}-wal").write_bytes(b"left")


@pytest.mark.parametrize("make", [a_text, another_database, a_store_in_use])
def test_a_backup_replaces_nothing_but_backups(run: Run, tmp_path: Path, make: Callable[[Path], None]) -> None:
    backup = ["games", "--store", "store", "backup", "-o", "kept"]
    for _ in range(2):  # the second backup replaces the first
        assert run(*backup).returncode == 0
    (tmp_path / "kept").unlink()
    make(tmp_path / "kept")
    before = contents(tmp_path)
    done = run(*backup)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, b"", 1)
    assert b"kept: expected " in done.stderr
    assert contents(tmp_path) == before


# ---- compressed files ----


@pytest.mark.sampled(2)
@pytest.mark.parametrize("suffix", [*PACKED, "XZ", "Gz"])
def test_packed_in_and_out(run: Run, tmp_path: Path, suffix: str) -> None:
    pack, unpack = PACKED[suffix.lower()]
    (tmp_path / f"a.pgn.{suffix}").write_bytes(pack(DRAWN) + pack(DRAWN))
    assert run("tag", f"a.pgn.{suffix}", "-o", f"b.pgn.{suffix}").returncode == 0
    if suffix.lower() != "zst":
        assert unpack((tmp_path / f"b.pgn.{suffix}").read_bytes()) == TAGGED * 2
    assert run("tag", f"b.pgn.{suffix}", "--quiet").stdout == TAGGED * 2
    # If the name does not give the format, the first bytes do.
    (tmp_path / "plain.pgn").write_bytes(pack(DRAWN))
    assert run("tag", "plain.pgn", "--quiet").stdout == TAGGED
    assert run("tag", "-", "--quiet", data=pack(DRAWN)).stdout == TAGGED


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["a.pgn.zip", "a.7z", "a.pgn.lz4", "a.tar.gz", "a.tgz", "A.ZIP"])
def test_other_archives_are_refused_by_name(run: Run, tmp_path: Path, name: str) -> None:
    for words in (["in.pgn", "-o", name], [name]):
        done = run("tag", *words, "--quiet")
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
        assert b"expected an uncompressed file or one of .gz, .bz2, .zst, .xz, found ." in done.stderr
        (tmp_path / name).write_bytes(b"kept")
    assert (tmp_path / name).read_bytes() == b"kept"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"PK\x03\x04....", b"found .zip"),
        (DRAWN.decode().encode("utf-32"), b"expected text in UTF-8, UTF-16 or Latin-1, found UTF-32"),
    ],
)
def test_what_is_no_text_is_refused(run: Run, tmp_path: Path, data: bytes, reason: bytes) -> None:
    (tmp_path / "a.pgn").write_bytes(data)
    for done in (run("tag", "a.pgn", "-o", "a.pgn"), run("tag", "-", data=data)):
        assert done.returncode == 2
        assert reason in done.stderr
    assert (tmp_path / "a.pgn").read_bytes() == data


def test_utf_16_is_written_as_utf_8(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_bytes(b"\xff\xfe" + DRAWN.decode().encode("utf-16-le"))
    done = run("tag", "a.pgn", "-o", "a.pgn", "--quiet", "--jobs", "2")
    assert (done.returncode, done.stderr) == (0, b"standstill: a.pgn: the text is in UTF-16; its copy is in UTF-8\n")
    assert (tmp_path / "a.pgn").read_bytes() == TAGGED


def test_end_of_the_last_line_is_kept(run: Run) -> None:
    assert run("tag", "-", "--quiet", data=DRAWN.rstrip()).stdout == TAGGED.rstrip()
    assert run("tag", "-", "in.pgn", "--quiet", data=DRAWN.rstrip()).stdout == TAGGED.rstrip() + b"\n" + TAGGED
    beside = DRAWN.rstrip() + b" 1. d4 *"
    assert run("tag", "-", "--quiet", data=beside).stdout.endswith(
        b"1/2-1/2 " + b'[RMobilityResult "G20.5"]\n[RMobilityProvisional "yes"]\n\n1. d4 *'
    )
