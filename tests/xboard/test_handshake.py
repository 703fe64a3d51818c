"""Choosing the protocol, features, options."""

from __future__ import annotations

import shlex
import time
from pathlib import Path
from queue import SimpleQueue

import pytest

from standstill.engine.play.session import Session
from standstill.engine.settings.config import load
from standstill.engine.settings.table import OPTIONS
from standstill.protocol.xboard.protocol import Xboard
from tests.uci.client import Client
from tests.xboard.support import features, options, own_move, pong

pytestmark = pytest.mark.launcher


def test_nothing_is_said_before_protover(start) -> None:
    """The engine does not answer `xboard`."""
    client = start()
    client.send("xboard")
    assert pong(client, 1) == []


def test_protover_alone_selects_the_protocol(start) -> None:
    """`protover` selects the protocol even without `xboard`."""
    assert features(start())["done"] == "1"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("version", ["2", "3", "17", "", "x"])
def test_every_version_is_served(start, version: str) -> None:
    """Any version from 2 on is accepted."""
    client = start()
    client.send("xboard", f"protover {version}")
    assert client.read_line().startswith("feature ")


def test_the_features_are_those_of_the_checklist(start) -> None:
    found = features(start())
    wanted = "ping setboard playother usermove time draw sigterm reuse analyze name"
    wanted += " pause nps memory smp exclude debug done"
    assert found["egt"] == "syzygy,rmobility"
    assert {name for name, value in found.items() if value == "1"} == set(wanted.split())
    assert {name for name, value in found.items() if value == "0"} == {
        "san", "sigint", "colors", "ics", "setscore"
    }  # fmt: skip
    assert found["myname"].startswith("Standstill ")
    assert found["variants"].split(",")[:2] == ["normal", "fischerandom"]


def test_a_shell_can_split_every_feature_line(start) -> None:
    """python-chess splits a feature line like a shell, so no quotes may be inside the strings."""
    client = start()
    lines = client.ask("protover 2", "feature")
    while "done=1" not in lines[-1]:
        lines.append(client.read_line())
    for line in lines:
        assert all("=" in part for part in shlex.split(line)[1:])
        assert "'" not in line and "\\" not in line


def test_every_option_of_the_table_is_declared_without_blanks_in_its_name(start) -> None:
    """Clients split option names at blanks."""
    declared = {text.split(" -")[0]: text for text in options(start())}
    assert set(declared) == {spec.xboard_name for spec in OPTIONS if spec.in_xboard}
    for name, text in declared.items():
        assert " " not in name
        assert "," not in text


def test_options_in_every_form(xboard) -> None:
    """`option N` and `option N=V` are obeyed without an answer."""
    xboard.send(
        "option MultiPV=2", "option Multi PV=1", "option MoreColumns=1", "option ClearHash", "option Nonsense=1"
    )
    assert [line for line in pong(xboard) if not line.startswith("#")] == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize("text", ["MultiPV=x", "MoreColumns=2", "DrawOffers=perhaps", "MultiPV"])
def test_a_value_that_cannot_be_read_is_refused_and_its_user_told(xboard, text: str) -> None:
    """XBoard writes lines that begin with Error only into its log, and shows the other line in a window."""
    xboard.send(f"option {text}")
    shown, error = pong(xboard)
    assert shown.startswith("tellusererror expected ") and error.startswith("Error (expected ")


def test_memory_and_cores(xboard) -> None:
    """Absurd values are clamped, or refused in one comment."""
    for text in ("memory 1", "memory 16", "cores 2", "cores 1", "memory 0", "memory -5", "cores 0"):
        xboard.send(text)
    assert pong(xboard) == []
    assert own_move(xboard, "go")


def test_comments_come_only_where_they_are_accepted(start) -> None:
    """Lines with # are printed only after `accepted debug`."""
    client = start()
    client.send("xboard", "protover 2", "rejected debug", "new", "option Nonsense=1")
    said = pong(client)
    assert not [line for line in said if not line.startswith("feature ")]
    for _ in range(1000):  # the message goes to standard error, which another thread reads
        if client.complaints:
            break
        time.sleep(0.005)
    client.complaints.clear()


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("option", "found"),
    [
        ("EvalFile={folder}/none.nn", "EvalFile '{folder}/none.nn': No such file or directory; keeping "),
        ("EvalFile={folder}/text.bin", "EvalFile '{folder}/text.bin': not a network of this engine"),
        ("TripleBlock=rubbish", "TripleBlock: expected "),
        ("BookFile={folder}/none.bin", "expected a Polyglot book, but '{folder}/none.bin'"),
    ],
)
def test_what_cannot_be_used_is_shown_in_a_window(xboard: Client, tmp_path: Path, option: str, found: str) -> None:
    """The message comes once, at the latest with the first search; XBoard only logs lines with #."""
    (tmp_path / "text.bin").write_text("no network", encoding="ascii")
    xboard.send("new", "sd 1", f"option OwnBook={int('BookFile' in option)}")
    xboard.send(f"option {option.format(folder=tmp_path)}", "go")
    said = xboard.read_until("move")
    xboard.send("usermove a7a6", "usermove a7a5")
    said += xboard.read_until("move")
    shown = [line for line in said if line.startswith("tellusererror ")]
    assert len(shown) == 1 and found.format(folder=tmp_path) in shown[0]


def test_faults_of_engine_ini_are_shown_in_a_window(tmp_path: Path) -> None:
    """All complaints appear in one window, and only once."""
    file = tmp_path / "engine.ini"
    file.write_text("Hash = many\nMultiPV = 2\nNonsense = 1\n", encoding="ascii")
    settings, complaints = load(str(file))
    lines: list[str] = []

    class Writer:
        def write(self, text: str) -> None:
            lines.extend(text.splitlines())

    front_end = Xboard(Session(settings), Writer(), SimpleQueue(), complaints)
    for command in ("xboard", "protover 2", "accepted debug", "protover 2"):
        front_end.handle(command)
    (line,) = [line for line in lines if not line.startswith("feature ")]
    assert line.startswith("tellusererror engine.ini line 1: ") and "; engine.ini line 3: " in line
    assert lines.index(line) > next(at for at, text in enumerate(lines) if "done=1" in text)


def test_an_unknown_command_is_named(xboard) -> None:
    """The answer to an unknown command is an error that names it."""
    xboard.send("flummox 1 2", "")
    assert pong(xboard) == ["Error (unknown command): flummox"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "line", ["name Deep Thought", "rating 2000 1900", "computer", "ics -", "random", "hover e2", "accepted setboard"]
)
def test_what_needs_no_answer_gets_none(xboard, line: str) -> None:
    """Commands that change nothing for the engine get no answer."""
    xboard.send(line)
    assert [text for text in pong(xboard) if not text.startswith("Error (unknown command): hover")] == []


def test_declared_texts_have_room_for_those_that_xboard_writes_over_them(start) -> None:
    """With ``-firstOptions FairyVariant=...`` XBoard 4.9.1 crashed in one start of six."""
    client = start()
    client.send("xboard", "protover 2")
    heard = iter(client.read_line, "feature done=1")
    lines = [line for line in heard if " -string " in line]
    assert any("FairyVariant" in line for line in lines)
    for line in lines:
        declared, quote, room = line.removeprefix('feature option="').partition('"')
        assert quote and len(room) > 300 > len(declared)
