"""Published tables: lists of checksums, and fetching from folders and from servers that behave badly."""

from __future__ import annotations

import hashlib
import http.server
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from standstill.engine.common.errors import StandstillError, TablebaseError
from standstill.engine.tablebases import downloads
from standstill.engine.tablebases.downloads import LIST, DownloadError, checksums, fetch, read_list
from standstill.engine.tablebases.store import SUPPLIED, TableStore

from .conftest import Run

BISHOP = ["KvK.rmv", "KvK.rmd", "KBvK.rmv", "KBvK.rmd"]
CUT = 1000  # bytes after which a server breaks off


class Server(http.server.ThreadingHTTPServer):
    """Serves a folder. asked: the path and the first byte of each request. Its behaviour can be changed."""

    def __init__(self, folder: Path):
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder, self.asked = folder, list[tuple[str, int]]()
        self.cuts = 0  # number of answers that break off
        self.busy = 0  # number of answers with status 503
        self.knows_ranges = True
        self.begins_late = 0  # distance from the requested byte to the first one sent

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/tables"


class Handler(http.server.BaseHTTPRequestHandler):
    server: Server

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        server, name = self.server, self.path.removeprefix("/tables/")
        start = int(self.headers.get("Range", "bytes=0-")[6:-1])
        server.asked.append((name, start))
        if server.busy and name != LIST:
            server.busy -= 1
            self.send_error(503)
            return
        if not (server.folder / name).is_file():
            self.send_error(404)
            return
        data = (server.folder / name).read_bytes()
        if start and start >= len(data) and server.knows_ranges:
            self.send_error(416)
            return
        if start and server.knows_ranges:
            start += server.begins_late
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        else:
            start = 0
            self.send_response(200)
        rest = data[start:]
        self.send_header("Content-Length", str(len(rest)))
        self.end_headers()
        if server.cuts and len(rest) > CUT and name != LIST:
            server.cuts -= 1
            rest = rest[:CUT]
        self.wfile.write(rest)


@pytest.fixture
def published(tmp_path: Path) -> Path:
    """The tables that come with the program, with their list."""
    folder = tmp_path / "published"
    folder.mkdir()
    for file in Path(SUPPLIED).glob("K*.rm[vd]"):
        shutil.copyfile(file, folder / file.name)
    (folder / LIST).write_text(checksums(str(folder)), encoding="utf-8")
    return folder


@pytest.fixture
def server(published: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(downloads, "_PAUSE_S", 0.0)
    with Server(published) as found:
        threading.Thread(target=found.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield found
        found.shutdown()


def same(first: Path, second: Path, names: list[str]) -> bool:
    return all((first / name).read_bytes() == (second / name).read_bytes() for name in names)


def fetched(folder: Path, source: str, *names: str, **more: object) -> list[str]:
    return fetch(TableStore(str(folder)), source, names, **more)  # type: ignore[arg-type]


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.suffix == ".part")


# ---- the list ----


def test_the_list_is_one_that_sha256sum_reads(published: Path) -> None:
    if shutil.which("sha256sum") is None:
        pytest.skip("without coreutils")
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", LIST], cwd=published, check=True)
    written = subprocess.run(["sha256sum", *BISHOP], cwd=published, check=True, capture_output=True).stdout
    assert read_list(written, "x").items() <= read_list((published / LIST).read_bytes(), "x").items()


def test_a_list_names_only_tables() -> None:
    """Other files are ignored; capitals, stars, CR LF and a byte order mark are accepted, as other tools write them."""
    digest = "0123456789abcdef" * 4
    names = ["KvK.rmv", "README.md", "KQQQQvK.rmv", "KvKQ.rmv", "kqvk.rmv", "KQvK.exe", "KQvK.wgd", ".rmv"]
    lines = [f"{digest.upper()} *{name}\r\n" for name in names] + ["\n", f"{digest}  ./KRvK.rmd"]
    found = read_list(("\ufeff" + "".join(lines)).encode(), "x")
    assert found == dict.fromkeys(["KvK.rmv", "KQvK.wgd", "KRvK.rmd"], digest)


@pytest.mark.parametrize("line", ["../KvK.rmv", "/etc/KvK.rmv", "a\\KvK.rmv", ""])
def test_a_line_that_is_not_a_file_of_the_folder_is_named(line: str) -> None:
    with pytest.raises(DownloadError, match=r"x/SHA256SUMS: line 2: expected a checksum and a file, found"):
        read_list(f"\n{'0' * 64}  {line}\n".encode(), "x")


def test_damaged_tables_are_not_listed(published: Path) -> None:
    (published / "KvK.rmv").write_bytes(b"no table")
    with pytest.raises(TablebaseError, match=r"KvK\.rmv: not a table"):
        checksums(str(published))


# ---- what is fetched ----


@pytest.mark.parametrize("by_web", [False, True], ids=["folder", "server"])
def test_a_class_comes_with_all_that_it_needs(server: Server, published: Path, tmp_path: Path, by_web: bool) -> None:
    source, folder = server.address if by_web else str(published), tmp_path / "new"
    assert fetched(folder, source, "kbvk") == BISHOP
    assert same(published, folder, BISHOP) and sorted(BISHOP) == sorted(path.name for path in folder.iterdir())
    assert TableStore(str(folder)).is_complete("KBvK")
    server.asked.clear()
    assert fetched(folder, source, "KBvK") == []
    assert server.asked == [(LIST, 0)] * by_web


def test_without_classes_all_that_are_published_come(published: Path, tmp_path: Path) -> None:
    names = sorted(path.name for path in published.iterdir() if path.name != LIST)
    assert sorted(fetched(tmp_path / "all", str(published))) == names
    assert sorted(fetched(tmp_path / "two", str(published), most_men=2)) == ["KvK.rmd", "KvK.rmv"]


def test_plies_can_come_later(published: Path, tmp_path: Path) -> None:
    assert fetched(tmp_path / "new", str(published), "KBvK", plies=False) == BISHOP[::2]
    assert fetched(tmp_path / "new", str(published), "KBvK") == BISHOP[1::2]


def test_tables_from_other_folders_are_not_fetched(published: Path, tmp_path: Path) -> None:
    store = TableStore(str(tmp_path / "new"), more=[str(published)])
    assert fetch(store, str(published)) == [] and not (tmp_path / "new").exists()


def test_a_damaged_table_is_fetched_again(published: Path, tmp_path: Path) -> None:
    fetched(tmp_path / "new", str(published), "KvK")
    (tmp_path / "new/KvK.rmv").write_bytes(b"damaged")
    assert fetched(tmp_path / "new", str(published), "KvK") == ["KvK.rmv", "KvK.rmd"]
    assert same(published, tmp_path / "new", BISHOP[:2])


def test_a_class_that_is_not_published_is_named(published: Path, tmp_path: Path) -> None:
    with pytest.raises(DownloadError, match=r"expected KQQvK\.rmv in the list SHA256SUMS"):
        fetched(tmp_path / "new", str(published), "KQQvK")
    with pytest.raises(DownloadError, match=r"expected a folder with the list SHA256SUMS, found"):
        fetched(tmp_path / "new", str(tmp_path / "nowhere"))
    assert not (tmp_path / "new").exists()


# ---- servers ----


@pytest.mark.parametrize("knows_ranges", [True, False])
def test_an_answer_that_breaks_off_is_continued(server: Server, tmp_path: Path, knows_ranges: bool) -> None:
    server.cuts, server.knows_ranges = 2, knows_ranges
    fetched(tmp_path / "new", server.address, "KBvK")
    assert same(server.folder, tmp_path / "new", BISHOP) and left(tmp_path / "new") == []
    assert ("KBvK.rmv", CUT) in server.asked


def interrupted(server: Server, folder: Path) -> None:
    """Fetch until the server is gone for good, 1,000 bytes into the outcomes of KBvK."""
    server.cuts = 1
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(downloads, "_ATTEMPTS", 1)
        true = Handler.do_GET

        def once(handler: Handler) -> None:
            if ("KBvK.rmv", 0) in server.asked:
                handler.send_error(503)
            else:
                true(handler)

        patch.setattr(Handler, "do_GET", once)
        with pytest.raises(DownloadError, match=r"KBvK\.rmv: answer 503"):
            fetched(folder, server.address, "KBvK")
    server.asked.clear()


def test_a_later_run_continues_where_an_earlier_one_stopped(server: Server, tmp_path: Path) -> None:
    interrupted(server, tmp_path / "new")
    (part,) = left(tmp_path / "new")
    assert (tmp_path / "new" / part).stat().st_size == CUT
    assert fetched(tmp_path / "new", server.address, "KBvK") == BISHOP[2:]
    assert server.asked[1] == ("KBvK.rmv", CUT)
    assert same(server.folder, tmp_path / "new", BISHOP) and left(tmp_path / "new") == []


def _damage(part: Path, size: int) -> None:
    part.write_bytes(bytes(range(256)) * 8)


def _lengthen(part: Path, size: int) -> None:
    part.write_bytes(bytes(size + 10))


def _complete(part: Path, size: int) -> None:
    part.write_bytes((Path(SUPPLIED) / "KBvK.rmv").read_bytes())


@pytest.mark.parametrize("change", [_damage, _lengthen, _complete])
@pytest.mark.parametrize("knows_ranges", [True, False])
def test_whatever_is_left_the_file_becomes_whole(
    server: Server, tmp_path: Path, change: Callable[[Path, int], None], knows_ranges: bool
) -> None:
    interrupted(server, tmp_path / "new")
    change(tmp_path / "new" / left(tmp_path / "new")[0], (server.folder / "KBvK.rmv").stat().st_size)
    server.knows_ranges = knows_ranges
    fetched(tmp_path / "new", server.address, "KBvK")
    assert same(server.folder, tmp_path / "new", BISHOP) and left(tmp_path / "new") == []


def test_a_busy_server_is_asked_again(server: Server, tmp_path: Path) -> None:
    server.busy = downloads._ATTEMPTS - 1
    assert fetched(tmp_path / "new", server.address, "KvK") == BISHOP[:2]
    server.busy = downloads._ATTEMPTS
    with pytest.raises(DownloadError, match=r"KRvK\.rmv: answer 503"):
        fetched(tmp_path / "new", server.address, "KRvK")


def test_a_file_that_differs_from_the_list_is_not_kept(server: Server, tmp_path: Path) -> None:
    data = bytearray((server.folder / "KvK.rmd").read_bytes())
    data[-1] ^= 1
    (server.folder / "KvK.rmd").write_bytes(data)
    with pytest.raises(DownloadError, match=r"KvK\.rmd: its checksum is not that of the list"):
        fetched(tmp_path / "new", server.address)
    assert not (tmp_path / "new/KvK.rmd").exists()
    assert [(tmp_path / "new" / part).stat().st_size for part in left(tmp_path / "new")] == [0]


def test_a_listed_file_must_be_the_table_of_its_name(server: Server, tmp_path: Path) -> None:
    for content, message in ((b"no table", "not a table"), (None, "the table in it is of KQvK")):
        data = content or (server.folder / "KQvK.rmv").read_bytes()
        (server.folder / "KvK.rmv").write_bytes(data)
        (server.folder / LIST).write_text(f"{hashlib.sha256(data).hexdigest()}  KvK.rmv\n", encoding="ascii")
        with pytest.raises(TablebaseError, match=rf"/tables/KvK\.rmv: {message}"):
            fetched(tmp_path / "new", server.address)
        assert list((tmp_path / "new").iterdir()) == []


def test_an_answer_from_elsewhere_in_the_file_is_refused(server: Server, tmp_path: Path) -> None:
    interrupted(server, tmp_path / "new")
    server.begins_late = 1
    with pytest.raises(DownloadError, match=rf"KBvK\.rmv: expected byte {CUT} and what follows it"):
        fetched(tmp_path / "new", server.address, "KBvK")


def test_an_endless_list_is_refused(server: Server, tmp_path: Path) -> None:
    (server.folder / LIST).write_bytes(b"\n" * (downloads._MOST_LIST + 1))
    with pytest.raises(DownloadError, match="expected at most 1 MB"):
        fetched(tmp_path / "new", server.address)


def test_a_full_disk_is_named_before_the_download(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads, "is_full", lambda folder, size: size > 500)
    with pytest.raises(DownloadError, match=r"the disk has no space for the 1,793 bytes of KQvK\.rmv"):
        fetched(tmp_path / "new", server.address, "KQvK")


def test_two_processes_do_not_write_one_file(server: Server, tmp_path: Path) -> None:
    from standstill.engine.system.locks import lock

    (tmp_path / "new").mkdir()
    digest = read_list((server.folder / LIST).read_bytes(), "x")["KvK.rmv"]
    with open(tmp_path / "new" / f".KvK.rmv.{digest[:16]}.part", "wb") as held:
        lock(held.fileno())
        with pytest.raises(DownloadError, match=r"another process is fetching KvK\.rmv"):
            fetched(tmp_path / "new", server.address)


@pytest.mark.parametrize("address", ["ftp://example.org/", "http://", "https://a:b@example.org/", "http://x/\x01"])
def test_addresses_that_cannot_be_used_are_refused(tmp_path: Path, address: str) -> None:
    with pytest.raises(StandstillError, match="expected an address"):
        fetched(tmp_path / "new", address)


# ---- the commands ----


@pytest.mark.slow
def test_the_commands_publish_and_fetch(tables: Run, published: Path, tmp_path: Path) -> None:
    done = tables(published, "checksums")
    assert (done.returncode, done.stdout) == (0, f"12 files listed in {published / LIST}\n")
    assert tables(published, "checksums", "-o", "-").stdout == (published / LIST).read_text(encoding="ascii")
    done = tables(tmp_path / "new", "fetch", str(published), "KBvK")
    assert done.returncode == 0 and done.stdout.splitlines()[-1].endswith("; 4 of 4")
    done = tables(tmp_path / "new", "fetch", str(published), "KBvK")
    assert done.stdout == f"nothing to fetch: all these tables are in {tmp_path / 'new'}\n"
    done = tables(tmp_path / "new", "fetch", str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
