"""The user's own file: its games come first, and both protocols offer them, however the file is specified."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from standstill.engine.common.errors import DefinitionError
from standstill.engine.variants.catalog import FAIRY_MAX_NAMES, LEAST_PLAYED, Catalog
from tests import forked
from tests.uci.client import Client
from tests.variants.files import block, text_of, written
from tests.xboard.support import features, pong

# Kings that move as knights, so that a move tells which game is played.
LEAPING = "k:-1 14,7 31,7 33,7 18,7 -14,7 -31,7 -33,7 -18,7"
MINE = block("Game: Mine", king=LEAPING)


def played(xboard: Client, name: str, *moves: str) -> list[str]:
    xboard.send("new", f"variant {name}", "force", *(f"usermove {move}" for move in moves))
    return [line for line in pong(xboard) if not line.startswith(("setup", "piece"))]


def test_a_game_named_fairy_hides_ours(xboard, engine, tmp_path: Path) -> None:
    file = written(tmp_path, block("Game: fairy", king=LEAPING))
    xboard.send(f"option VariantFile={file}")
    pong(xboard)
    assert played(xboard, "fairy", "e1f3", "e8f6") == []
    engine.send(f"setoption name VariantFile value {file}", "setoption name UCI_Variant value fairy")
    engine.send("position startpos", "go perft 1")
    assert "e1f3: 1" in engine.read_until("Nodes")


def test_armies_of_the_user_come_before_ours(xboard, tmp_path: Path) -> None:
    file = written(tmp_path, block("Game: fairy/Leapers", king=LEAPING))
    xboard.send(f"option VariantFile={file}")
    pong(xboard)
    assert played(xboard, "fairy", "e1f3") == []
    xboard.send("option FairyVariant=FIDE-Nutters")
    assert played(xboard, "fairy", "e1f3") == ["Illegal move: e1f3"]
    xboard.send("option FairyVariant=Leapers")
    assert played(xboard, "fairy", "e1f3") == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["makruk", "kingofthehill", "losalamos", "capablanca", "normal"])
def test_any_name_of_ours_may_be_taken(executable: Path, tmp_path: Path, name: str) -> None:
    file = written(tmp_path, block(f"Game: {name}", king=LEAPING))
    command = [str(executable), "variants", "moves", name, "--file", str(file)]
    assert "e1f3" in forked.run(command, capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("old", "new"),
    [("king-of-the-hill", "kingofthehill"), ("los-alamos", "losalamos"), ("grand-like", "tall-capablanca")],
)
def test_older_names_are_understood(xboard, executable: Path, tmp_path: Path, old: str, new: str) -> None:
    commands = [[str(executable), "variants", "show", name] for name in (old, new)]
    first, second = (forked.run(command, capture_output=True, text=True, check=True).stdout for command in commands)
    assert first == second
    first_move = "a4" if new != "losalamos" else "a3"
    assert played(xboard, old) == played(xboard, new) == []
    file = tmp_path / "old.pgn"
    file.write_text(f'[Variant "{old}"]\n[Result "*"]\n\n1. {first_move} *\n', encoding="ascii")
    done = forked.run([str(executable), "tag", str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_names_of_clients_are_announced(xboard) -> None:
    """cutechess-cli refuses a game that is not in the list."""
    announced = features(xboard)["variants"].split(",")
    assert {"kingofthehill", "losalamos", "courier", "makruk", "shatranj"} <= set(announced)
    assert "grand-like" not in announced


def test_names_of_fairy_max_are_announced_behind_ours(xboard) -> None:
    """XBoard lets Fairy-Max play us only in games that both announce under the same name."""
    xboard.send("accepted exclude")
    (line,) = (line for line in pong(xboard) if "variants=" in line)
    announced = line.partition('variants="')[2].strip('"').split(",")
    first = min(map(announced.index, FAIRY_MAX_NAMES))
    assert {*announced[first:]} == {*FAIRY_MAX_NAMES, *LEAST_PLAYED} and len(announced) == len({*announced})


def test_xboard_gets_the_list_again(xboard, tmp_path: Path) -> None:
    file = written(tmp_path, block("Game: mine", king=LEAPING))
    xboard.send(f"option VariantFile={file}")
    (line,) = pong(xboard)
    assert line.startswith('feature variants="normal,fischerandom,mine,') and len(line) < 500
    xboard.send(f"option VariantFile={file}")
    assert pong(xboard) == [], "it is the same list"
    xboard.send("option VariantFile=")
    (line,) = pong(xboard)
    assert "mine" not in line


def test_a_name_that_no_list_has_room_for_takes_no_other_from_it(start, tmp_path: Path) -> None:
    client = start(str(written(tmp_path, block(f"Game: {'w' * 600}"), block("Game: short"))))
    client.send("xboard", "protover 2")
    (line,) = [line for line in iter(client.read_line, "feature done=1") if line.startswith("feature variants=")]
    assert line.startswith('feature variants="normal,fischerandom,short,nocastle,') and len(line) < 500


def test_a_long_list_is_cut_behind_the_games_of_the_user(start, tmp_path: Path) -> None:
    """XBoard's buffer has 512 bytes."""
    mine = [f"mine-number-{number}" for number in range(20)]
    engine = start(str(written(tmp_path, *(block(f"Game: {name}") for name in mine))))
    engine.send("xboard")
    found = features(engine)["variants"].split(",")
    assert found[2:22] == mine and found[22] == "nocastle" and "endings" not in found and all(found)


def choices(lines: list[str]) -> list[str]:
    line = next(line for line in reversed(lines) if line.startswith("option name UCI_Variant "))
    return line.split(" var ")[1:]


def test_uci_gets_the_list_again(engine, tmp_path: Path) -> None:
    before = choices(engine.ask("uci", "uciok"))
    file = written(tmp_path, MINE)
    engine.send(f"setoption name VariantFile value {file}", "isready")
    assert choices(engine.read_until("readyok")) == [*before, "Mine"]
    assert choices(engine.ask("uci", "uciok")) == [*before, "Mine"]
    engine.send("setoption name VariantFile value <empty>", "isready")
    assert choices(engine.read_until("readyok")) == before


def test_the_file_may_be_an_argument(start, tmp_path: Path) -> None:
    """As with Fairy-Max, the file can be an argument: xboard -fcp "standstill mine.ini"."""
    file = written(tmp_path, MINE, block("Game: mine"))
    engine = start(str(file))
    lines = engine.ask("uci", "uciok")
    assert "Mine" in choices(lines) and f"option name VariantFile type string default {file}" in lines
    engine.send("setoption name UCI_Variant value Mine", "position startpos", "go perft 1")
    assert "e1f3: 1" in engine.read_until("Nodes")


@pytest.mark.parametrize("words", [[""], ["mine.ini", ""]], ids=["alone", "behind a file"])
def test_an_empty_argument_is_none(executable: Path, tmp_path: Path, words: list[str]) -> None:
    """XBoard 4.9.1 adds an empty argument if the last word of -fcp is quoted."""
    written(tmp_path, MINE)
    command = [str(executable), *words]
    done = subprocess.run(command, cwd=tmp_path, input="uci\nquit\n", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert ("Mine" in choices(done.stdout.splitlines())) is (len(words) == 2)


def test_xboard_lists_the_games_of_an_argument(start, tmp_path: Path) -> None:
    engine = start(str(written(tmp_path, MINE, block("Game: mine", king=LEAPING))))
    engine.send("xboard")
    assert "mine" in features(engine)["variants"].split(","), "names with capitals are hidden, as in Fairy-Max"
    engine.send("new", "variant Mine", "force", "usermove e1f3")
    assert not [line for line in pong(engine) if line.startswith(("Error", "Illegal"))]


def test_engine_ini_names_the_file(tmp_path: Path) -> None:
    """The lists have the file's games from the start; with a bad file they are missing, but the engine starts."""
    from standstill.engine.play.session import Session
    from standstill.engine.settings.config import load
    from standstill.protocol.uci.protocol import Uci

    for text, offers in ((MINE, True), ("Game: Mine\n8x9\n", False)):
        settings = tmp_path / "engine.ini"
        settings.write_text(f"VariantFile = {written(tmp_path, text)}\n", encoding="utf-8")
        found, complaints = load(str(settings))
        lines: list[str] = []

        class Writer:
            def write(self, line: str) -> None:
                lines.extend(line.splitlines())  # noqa: B023

        Uci(Session(found), Writer(), complaints).handle("uci")
        assert ("Mine" in choices(lines)) is offers and lines[-1] == "uciok"
        assert any("mine.ini:" in line for line in lines if line.startswith("info string")) is not offers


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("missing.ini", "standstill: cannot read missing.ini: No such file or directory\n"),
        ("./missing", "standstill: cannot read ./missing: No such file or directory\n"),
        ("bad.ini", "standstill: bad.ini:1:1: expected version 4.8(w), found 'nonsense'\n"),
    ],
)
def test_a_bad_argument_is_one_line(executable: Path, tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "bad.ini").write_text("nonsense\n", encoding="utf-8")
    done = subprocess.run([str(executable), name], cwd=tmp_path, input="uci\nquit\n", capture_output=True, text=True,
                          check=False)  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_letters_beyond_ascii(executable: Path, tmp_path: Path, encoding: str) -> None:
    """Editors write UTF-8 today, and wrote Latin-1 when the format was designed."""
    file = tmp_path / "mine.ini"
    file.write_text(text_of(block("// Schach für Kinder\nGame: léger")), encoding=encoding)
    command = [str(executable), "variants", "list", "--json", "--file", str(file)]
    done = forked.run(command, capture_output=True, text=True, check=True)
    assert (done.stderr, json.loads(done.stdout)["games"][0]) == (
        "",
        {"name": "léger", "size": "8x8", "description": "Schach für Kinder"},
    )


def test_names_that_xboard_cannot_list(xboard, tmp_path: Path) -> None:
    """A comma would split a game's name in two, and a quotation mark would end the list."""
    file = written(tmp_path, *(block(f"Game: {name}") for name in ("a,b", 'c"d', "léger", "mine")))
    xboard.send(f"option VariantFile={file}")
    lists = [line for line in pong(xboard) if line.startswith('feature variants="')]
    assert lists and lists[0].split('"')[1].split(",")[:3] == ["normal", "fischerandom", "mine"]
    assert lists[0].count('"') == 2


def test_an_unknown_name_lists_some_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clients cut long lines, so the message has eight names, and the number of the others if there are any."""
    for count, more in ((7, ""), (8, ""), (9, " or 1 more (variants list)"), (20, " or 12 more (variants list)")):
        catalog = Catalog()
        names = list(catalog._games)[:count]
        monkeypatch.setattr(catalog, "_games", {name: catalog._games[name] for name in names})
        with pytest.raises(DefinitionError) as error:
            catalog.find("nothing")
        assert str(error.value) == f"expected one of {', '.join(names[:8])}{more}, found 'nothing'"
