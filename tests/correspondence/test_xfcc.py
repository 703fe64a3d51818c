"""Xfcc with a small server on this machine: permissions, and the forms of answers."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
import time
import zlib
from email.utils import formatdate
from http import HTTPStatus
from pathlib import Path
from xml.sax.saxutils import escape

import httpx
import pytest

from standstill.engine.correspondence.desk import Desk
from standstill.engine.correspondence.pgn import read_movetext
from standstill.engine.correspondence.servers.bridge import Wishes
from standstill.engine.correspondence.servers.fetching import fetch_all
from standstill.engine.correspondence.servers.xfcc import Server, XfccError, XfccGame, XfccUncertain
from standstill.engine.correspondence.store import Store
from tests.correspondence.support import ENV, server_fetch, shown
from tests.correspondence.xfcc_server import NAMESPACE, PASSWORD, USER, XfccServer
from tests.uci.client import PATIENCE_S, clean_environment


def test_the_password_is_not_stored_or_shown(games, server: XfccServer, fetch, tmp_path: Path) -> None:
    server.add("17", "e4 e5")
    done = fetch()
    wrong = games(
        "fetch", server.url, "--control", "50/75/1", env=ENV | {"STANDSTILL_XFCC_PASSWORD": "wr0ng"}, status=2
    )
    assert "Authentication failed" in wrong.stderr
    said = done.stdout + done.stderr + wrong.stdout + wrong.stderr
    assert PASSWORD not in said and "wr0ng" not in said
    for path in tmp_path.iterdir():
        assert PASSWORD.encode() not in path.read_bytes() and b"wr0ng" not in path.read_bytes()


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "url",
    ["http://example.org/x", "ftp://127.0.0.1/x", "rubbish", "https://", "http://127.0.0.1:1/x", "http://[::1", ""],
)
def test_addresses_that_lead_nowhere(games, url: str) -> None:
    assert "Errno" not in games("fetch", url, "--control", "50/75/1", env=ENV, status=2).stderr


def test_an_address_with_a_password_in_it_is_refused_and_not_shown(games) -> None:
    done = games("fetch", "https://nowak:secret@example.org/x", "--control", "50/75/1", env=ENV, status=2)
    assert "secret" not in done.stdout + done.stderr


def test_without_a_password_nothing_is_sent(games, server: XfccServer, fetch, tmp_path: Path) -> None:
    """The system has no keyring: the backend refuses everything."""
    env = {"STANDSTILL_XFCC_USER": USER, "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"}
    done = games("fetch", server.url, "--control", "50/75/1", env=env, status=2)
    assert "keyring set standstill-xfcc:127.0.0.1 nowak" in done.stderr and server.calls == []
    games("fetch", server.url, "--control", "50/75/1", status=2)


# ---- answers ----


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b"rubbish", 200),
        (b"", 200),
        (b"<a/>", 503),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 200),
        (b"<a><XfccGame><id>1</id></XfccGame></a>", 200),
        (b"<html><body><form>Please log in</form></body></html>", 200),
        (b"<Envelope><Body><GetMyGamesResponse/></Body></Envelope>", 200),
    ],
)
def test_an_answer_that_means_nothing(server: XfccServer, raw: bytes, status: int) -> None:
    server.raw, server.status = raw, status
    with pytest.raises(XfccError):
        Server(server.url, USER, PASSWORD).games()


@pytest.mark.parametrize(
    ("status", "sure"), [(299, False), (300, True), (404, True), (499, True), (500, False), (599, False)]
)
def test_only_a_redirection_or_refusal_is_sure_to_change_nothing(server: XfccServer, status: int, sure: bool) -> None:
    """After a success status or a server error, the move may or may not have been played."""
    server.raw, server.status = b"", status
    with pytest.raises(XfccError) as raised:
        Server(server.url, USER, PASSWORD).games()
    assert isinstance(raised.value, XfccUncertain) != sure


def test_one_bad_value_spoils_only_itself(games, server: XfccServer, fetch) -> None:
    server.add("17", "e4 e5", daysPlayer="x")
    server.add("18", "d4", hasWhite=None)
    server.add("19", "c4", variant="atomic")
    server.add("20", "c4 e5 g3", daysOpponent="-3", black="Jones")
    server.add("21", "f4", black="Brown")
    done = server_fetch(games, server, status=2)
    assert "daysPlayer to be a number, found 'x'" in done.stderr and "which side is yours" in done.stderr
    assert "variant 'atomic'" in done.stderr and "found '-3'" in done.stderr
    assert len(json.loads(games("list", "--json").stdout)) == 3
    assert shown(games)["white"]["clock_known"] is False


@pytest.mark.slow
def test_a_large_answer_is_not_unpacked(executable: Path, server: XfccServer, tmp_path: Path) -> None:
    """300 MB of blanks compress to 300 kB; the process stays small."""
    pack = zlib.compressobj(1, wbits=31)
    server.raw = b"".join(pack.compress(b" " * 1_000_000) for _ in range(300)) + pack.flush()
    server.headers = {"Content-Encoding": "gzip"}
    control = ("--control", "50/75/1")
    watch = (
        "import resource, subprocess, sys; done = subprocess.run(sys.argv[1:]);"
        " print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(done.returncode)"
    )
    done = subprocess.run(
        [sys.executable, "-c", watch, executable, "games", "--store", tmp_path / "g", "fetch", server.url, *control],
        capture_output=True, text=True, timeout=PATIENCE_S, check=False, env=clean_environment() | ENV,
    )  # fmt: skip
    assert done.returncode == 2 and "more than 10000000 bytes" in done.stderr
    assert int(done.stdout) < 200_000  # peak memory in kB


def test_an_answer_packed_all_the_same_is_read(games, server: XfccServer, fetch) -> None:
    server.raw = gzip.compress(b"<a><GetMyGamesResult/></a>")
    server.headers = {"Content-Encoding": "gzip"}
    assert fetch().stdout == "no games\n"


PLAYERS = ("Müller, Jörg", "Łukasz")


def answer_with(players: tuple[str, str]) -> str:
    game = (
        f"<XfccGame><id>17</id><white>{players[0]}</white><black>{players[1]}</black><hasWhite>1</hasWhite></XfccGame>"
    )
    return f"<Envelope><Body><GetMyGamesResult>{game}</GetMyGamesResult></Body></Envelope>"


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("declared", "charset", "encoding"),
    [
        ("", "windows-1250", "cp1250"),  # only the header names the encoding
        ("", '"ISO-8859-2"', "iso8859_2"),
        ("", "", "utf-8"),
        ("", "", "utf-8-sig"),
        ("iso-8859-2", "", "iso8859_2"),
        ("utf-8", "iso-8859-1", "utf-8"),  # the server's default, not the document's encoding
        ("iso-8859-2", "utf-8", "iso8859_2"),
        ("utf-16", "utf-8", "utf-8"),  # a program that writes strings declares UTF-16
        ("", "iso-8859-1", "utf-16"),
        ("", "iso-8859-1", "utf-8-sig"),
        ("", "no-such-one", "utf-8"),
    ],
)
def test_names_are_read_in_the_encoding_of_the_answer(
    server: XfccServer, declared: str, charset: str, encoding: str
) -> None:
    says = f'<?xml version="1.0" encoding="{declared}"?>' if declared else ""
    server.raw = (says + answer_with(PLAYERS)).encode(encoding)
    server.headers = {"Content-Type": f"text/xml; charset={charset}" if charset else "text/xml"}
    (game,) = Server(server.url, USER, PASSWORD).games()
    assert (game.white, game.black) == PLAYERS


def test_blank_lines_before_an_answer(server: XfccServer) -> None:
    server.raw = f'\r\n\n<?xml version="1.0" encoding="utf-8"?>{answer_with(PLAYERS)}'.encode()
    (game,) = Server(server.url, USER, PASSWORD).games()
    assert game.white == PLAYERS[0]


def test_characters_that_xml_excludes_do_not_spoil_the_answer(server: XfccServer) -> None:
    """A player has pasted a message from a word processor; the server sends its line ends as they are."""
    text = answer_with(PLAYERS).replace(
        "</hasWhite>", "</hasWhite><message>a\x0bb\x07&#11;&#x1F;c&#10;&#322;</message>"
    )
    server.raw = text.encode()
    (game,) = Server(server.url, USER, PASSWORD).games()
    assert isinstance(game, XfccGame) and (game.white, game.message.split()) == (PLAYERS[0], ["a", "b", "c", "ł"])


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("System.Web.Services.Protocols.SoapException: Server was unable to process request. ---> System.Exception: "
         "Your account is suspended.\n   at Xfcc.Games()\n   at Xfcc.Call()", "Your account is suspended."),
        ("Authentication failed", "Authentication failed"),
        ("System.Exception: ", "System.Exception:"),
    ],
)  # fmt: skip
def test_a_fault_is_told_without_its_trace(server: XfccServer, fault: str, told: str) -> None:
    server.raw = f"<Envelope><Body><Fault><faultstring>{escape(fault)}</faultstring></Fault></Body></Envelope>".encode()
    server.status = 500
    with pytest.raises(XfccError, match=f"the server says '{re.escape(told)}'$"):
        Server(server.url, USER, PASSWORD).games()


def test_a_certificate_that_is_refused_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    words = "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: certificate has expired (_ssl.c:1006)"

    async def refuse(*_: object, **__: object) -> None:
        raise httpx.ConnectError(words)

    monkeypatch.setattr(httpx.AsyncClient, "send", refuse)
    with pytest.raises(XfccError, match=r"x: its certificate is not accepted \(certificate has expired\): check"):
        Server("https://server.example/x", USER, PASSWORD).games()


def test_an_answer_in_an_undeclared_encoding(server: XfccServer) -> None:
    server.raw = answer_with(PLAYERS).encode("cp1250")
    with pytest.raises(XfccError, match=r"expected an answer in XML, found an unreadable answer .*0xfc in position"):
        Server(server.url, USER, PASSWORD).games()


@pytest.mark.parametrize(
    "page",
    [
        "<!DOCTYPE html><html><head><title>\n Log in &amp; play </title></head><body><br>Please log in</body></html>",
        "<html><head><title>Log in &amp; play</title></head><body/></html>",
    ],
)
def test_a_page_for_people_is_named_by_its_title(server: XfccServer, page: str) -> None:
    server.raw, server.headers = page.encode(), {"Content-Type": "text/html"}
    with pytest.raises(XfccError, match=r"found the web page 'Log in & play'$"):
        Server(server.url, USER, PASSWORD).games()


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("status", "headers", "meaning"),
    [
        (301, {"Location": "https://www.example.org/x"}, "redirects to 'https://www.example.org/x': give that address"),
        (302, {"Location": "http://["}, "redirects to"),
        (304, {}, "found an empty one (HTTP status 304)"),
        (401, {}, "does not accept the user and password"),
        (403, {}, "denies access"),
        (404, {}, "no page at this address: check the address"),
        (429, {"Retry-After": "120"}, "received too many requests: try again after 120 s"),
        (429, {}, "received too many requests: try again later"),
        (500, {}, "the server has failed"),
        (503, {"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}, "try again after 'Wed, 21 Oct 2026 07:28:00 GMT'"),
        (599, {}, "found an empty one (HTTP status 599"),
    ],
)
def test_a_status_is_said_in_words(
    games, server: XfccServer, fetch, status: int, headers: dict[str, str], meaning: str
) -> None:
    server.raw = b"" if status == 304 else b"<html><title>Back soon</title></html>"
    server.status, server.headers = status, headers
    said = fetch(status=2).stderr
    assert meaning in said and f"(HTTP status {status}" in said
    assert ("with the web page 'Back soon'" in said) == (status != 304)
    assert not games.store.exists()


# The statuses that pass, by their names in RFC 9110.
PASSING = {
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.BAD_GATEWAY,
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.GATEWAY_TIMEOUT,
}


@pytest.mark.parametrize("status", [status for status in HTTPStatus if status >= 400], ids=lambda status: status.name)
def test_trying_again_is_advised_where_the_status_passes(server: XfccServer, status: HTTPStatus) -> None:
    server.raw, server.status = b"<html><title>Back soon</title></html>", status.value
    with pytest.raises(XfccError) as error:
        Server(server.url, USER, PASSWORD).games()
    assert ("try again later" in str(error.value)) == (status in PASSING)
    assert status not in PASSING or "expected" not in str(error.value), "it is the server, not what it sent"


def test_names_in_html_and_data_in_any_spelling_of_xml(server: XfccServer) -> None:
    """The answer has another prefix, CDATA, numbers of characters, and names that the server stores as HTML."""
    server.raw = (
        f'<?xml version="1.0"?><S:Envelope xmlns:S="http://schemas.xmlsoap.org/soap/envelope/"><S:Body>'
        f'<q:GetMyGamesResponse xmlns:q="{NAMESPACE}"><q:GetMyGamesResult><q:XfccGame><q:id>17</q:id>'
        "<q:white>M&amp;uuml;ller, J&#246;rg</q:white><q:black><![CDATA[Smith & Sons]]></q:black>"
        "<q:hasWhite>true</q:hasWhite><q:moves><![CDATA[1. e4 {[%ccsnt 2026.01.05,10:00]} e5]]></q:moves>"
        "</q:XfccGame></q:GetMyGamesResult></q:GetMyGamesResponse></S:Body></S:Envelope>"
    ).encode()
    (found,) = Server(server.url, USER, PASSWORD).games()
    assert isinstance(found, XfccGame) and (found.white, found.black) == ("Müller, Jörg", "Smith & Sons")
    assert [move.uci for move in read_movetext(found.movetext, None).moves] == ["e2e4", "e7e5"]


@pytest.mark.parametrize(("hours", "told"), [(3, "3 h ahead of"), (-50, "2 d 2 h behind")])
def test_a_server_whose_clock_is_wrong_is_named(server: XfccServer, tmp_path: Path, hours: int, told: str) -> None:
    class Handler(server.RequestHandlerClass):
        def date_time_string(self, timestamp=None) -> str:
            return formatdate(time.time() + hours * 3600, usegmt=True)

    server.RequestHandlerClass = Handler
    server.add("17", "e4 e5", timeControl="50/75/1")
    with Store(tmp_path / "games.sqlite", create=True) as store:
        lines = fetch_all(Desk(store), Server(server.url, USER, PASSWORD), Wishes()).lines()
    assert lines[-1] == f"the server's clock is {told} this machine's: deadlines and banks may be off by it"
