"""The option EvalFile in both protocols and on the command line: a rejected file is named, and play continues."""

from __future__ import annotations

import os
import struct
import subprocess
import tempfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from standstill.engine.common.text import shown
from standstill.engine.network import shipped
from standstill.engine.network.file import packed, write_network
from standstill.engine.network.shipped import DEFAULT
from standstill.engine.variants.boards import named_game
from standstill.engine.variants.definition import Definition
from tests import forked
from tests.network.nets import ABOUT, random_network
from tests.network.test_fairy_network import random_network as fairy_network
from tests.uci.client import Client, clean_environment
from tests.xboard.support import options, pong

HAS_PIPES = hasattr(os, "mkfifo")  # on Windows pipes are not files


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """Good and bad files, in a folder with a short name because messages are truncated."""
    with tempfile.TemporaryDirectory(prefix="my nets ") as name:
        fill(path := Path(name))
        yield path


def fill(path: Path) -> None:
    write_network(str(path / "good.nn"), random_network())
    write_network(str(path / "other.nn"), random_network(64, seed=2)._replace(about={**ABOUT, "name": "n\u00e9w\none"}))
    data = packed(random_network())
    (path / "empty").touch()
    (path / "text").write_text("Lorem ipsum dolor sit amet, consectetur adipiscing elit.\n" * 5, encoding="utf-8")
    (path / "stockfish.nnue").write_bytes(bytes.fromhex("202f1ff1 4a5b7c63") + bytes(5000))
    (path / "cut").write_bytes(data[:-1000])
    (path / "damaged").write_bytes(data[:3000] + bytes([data[3000] ^ 4]) + data[3001:])
    newer = data[:8] + b"\x02" + data[9:-4]
    (path / "newer").write_bytes(newer + struct.pack("<I", zlib.crc32(newer)))
    heavy = bytearray(data[:-4])
    heavy[128 + 2 * 5 : 128 + 2 * 6] = struct.pack("<h", 2000)  # a feature weight, after a text of less than 64 bytes
    (path / "heavy").write_bytes(bytes(heavy) + struct.pack("<I", zlib.crc32(heavy)))
    with (path / "huge").open("wb") as file:
        file.truncate(1 << 40)  # a sparse file takes no disk space
    if HAS_PIPES:
        os.mkfifo(path / "pipe")
    (path / "folder").mkdir()


REFUSED = (
    ("nothing", "No such file or directory"),
    ("folder", "is a folder"),
    *([("pipe", "not a regular file")] if HAS_PIPES else []),
    ("empty", "not a network of this engine"),
    ("text", "not a network of this engine"),
    ("stockfish.nnue", "not a network of this engine"),
    ("cut", "damaged: "),
    ("damaged", "damaged: the checksum is wrong"),
    ("newer", "version 2 of the format, but this engine reads version 1"),
    ("heavy", "expected feature weights to at most 991 in size, found 2000"),
    ("huge", "1099511627776 bytes"),
)


def told(engine: Client, value: object) -> list[str]:
    """The lines that the engine prints when the option is set."""
    engine.send(f"setoption name EvalFile value {value}")
    return engine.synchronise()


def evaluation(engine: Client) -> str:
    """The first term of the evaluation in the start position."""
    engine.send("eval")
    return engine.synchronise()[1].split()[0]


def test_network_is_told_and_evaluates(engine: Client, folder: Path) -> None:
    assert told(engine, folder / "good.nn") == ["info string evaluation by network 'noise', width 32"]
    assert engine.synchronise() == []
    assert evaluation(engine) == "network"
    assert engine.search("go nodes 2000", "startpos")[-1].startswith("bestmove ")
    assert told(engine, "none") == []
    assert evaluation(engine) == "material"


def test_name_of_a_network_is_shown_in_one_line(engine: Client, folder: Path) -> None:
    assert told(engine, folder / "other.nn") == [r"info string evaluation by network 'néw\none', width 64"]


@pytest.mark.parametrize("value", ["", "<empty>", DEFAULT])
def test_empty_value_is_the_default(engine: Client, folder: Path, value: str) -> None:
    told(engine, folder / "good.nn")
    told(engine, value)
    assert (evaluation(engine) == "material") is (DEFAULT == "none")


def test_what_is_refused_is_named_and_the_old_one_stays(engine: Client, folder: Path) -> None:
    for kept in ("none", str(folder / "good.nn")):
        told(engine, kept)
        before = evaluation(engine)
        for name, reason in REFUSED:
            lines = told(engine, folder / name)
            assert len(lines) == 1, name
            assert lines[0].startswith(f"info string EvalFile {shown(str(folder / name))}: "), name
            assert reason in lines[0] and lines[0].endswith(f"; keeping {shown(kept)}"), name
            assert engine.synchronise() == []
        assert evaluation(engine) == before
        assert engine.search("go depth 3", "startpos")[-1].startswith("bestmove ")


def test_path_in_quotes_and_beside_engine_ini(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from standstill.engine.play.session import Session

    monkeypatch.setattr("standstill.engine.settings.config.locate", lambda: str(folder / "engine.ini"))
    monkeypatch.chdir("/")
    for text in (f'"{folder / "good.nn"}"', "good.nn", "'good.nn'"):
        session, notices = Session(), []
        session.on_notice(notices.append)
        session.set_option("EvalFile", text)
        session.is_ready()
        assert notices == ["evaluation by network 'noise', width 32"]


def test_another_network_searches_otherwise(engine: Client, folder: Path) -> None:
    """Hash entries of one network are not used with another."""
    found = {}
    for _ in range(2):
        for value in ("none", folder / "good.nn", folder / "other.nn"):
            told(engine, value)
            lines = engine.search("go depth 6", "startpos")
            scores = [line.split(" time ")[0] for line in lines if " pv " in line]
            nodes = [line.split(" nodes ")[1].split()[0] for line in lines if " nodes " in line]
            assert found.setdefault(value, (scores[-1].split(" nps ")[0], nodes[-1])) == (
                scores[-1].split(" nps ")[0],
                nodes[-1],
            )
    assert len(set(found.values())) == 3


def test_change_during_a_search_waits_for_the_next_one(engine: Client, folder: Path) -> None:
    engine.send("position startpos", "go infinite", f"setoption name EvalFile value {folder / 'good.nn'}")
    assert not any("network" in line for line in engine.synchronise())
    engine.ask("stop", "bestmove")
    assert any("network 'noise'" in line for line in engine.search("go depth 1", "startpos"))
    engine.send("go infinite", f"setoption name EvalFile value {folder / 'cut'}", "stop")
    engine.read_until("bestmove")
    assert any("damaged" in line for line in engine.search("go depth 1", "startpos"))


@pytest.mark.parametrize("game", ["makruk", "capablanca"])
def test_other_games_keep_their_evaluation(engine: Client, folder: Path, game: str) -> None:
    engine.send(f"setoption name UCI_Variant value {game}")
    assert told(engine, folder / "good.nn") == []
    assert engine.search("go depth 4", "startpos")[-1].startswith("bestmove ")
    engine.send("setoption name UCI_Variant value chess")
    assert engine.synchronise() == ["info string evaluation by network 'noise', width 32"]


def terms(engine: Client) -> list[str]:
    """The terms of the position's evaluation, with their values."""
    engine.synchronise()
    engine.send("eval")
    return [" ".join(line.split()) for line in engine.synchronise()[1:]]


@pytest.fixture
def variant_net(tmp_path: Path) -> Path:
    game = named_game("capablanca")
    assert isinstance(game, Definition)
    write_network(str(tmp_path / "capa.nn"), fairy_network(game))
    return tmp_path / "capa.nn"


def set_variant_net(engine: Client, value: object) -> list[str]:
    engine.send(f"setoption name VariantEvalFile value {value}")
    return engine.synchronise()


def test_network_of_another_game_evaluates_that_game_only(engine: Client, variant_net: Path) -> None:
    engine.send("setoption name UCI_Variant value capablanca", "setoption name VariantEvalFile value none")
    alone = terms(engine)
    assert not any(line.startswith("network") for line in alone)
    assert set_variant_net(engine, variant_net) == ["info string evaluation by network 'noise', width 32"]
    assert any(line.startswith("network") for line in terms(engine))
    assert engine.search("go nodes 2000", "startpos")[-1].startswith("bestmove ")
    # A network of another game is reported and not used, but the option keeps it for that game.
    engine.send("setoption name UCI_Variant value janus")
    (line,) = engine.synchronise()
    assert "a network of 'capablanca', not of 'janus'; using the hand-crafted evaluation" in line
    assert not any(line.startswith("network") for line in terms(engine))
    engine.send("setoption name UCI_Variant value chess")
    assert engine.synchronise() == []
    engine.send("setoption name UCI_Variant value capablanca")
    assert engine.synchronise() == ["info string evaluation by network 'noise', width 32"]
    assert set_variant_net(engine, "none") == []
    assert terms(engine) == alone


def test_bad_network_of_another_game_is_named(engine: Client, folder: Path, variant_net: Path) -> None:
    engine.send("setoption name UCI_Variant value capablanca")
    for kept in ("auto", str(variant_net)):
        set_variant_net(engine, kept)
        before = terms(engine)
        for name, reason in REFUSED:
            if name == "heavy":
                continue  # a chess network, which is reported as such first
            (line,) = set_variant_net(engine, folder / name)
            assert line.startswith(f"info string VariantEvalFile {shown(str(folder / name))}: "), name
            assert reason in line and "; keeping " in line, name  # messages are truncated, and tmp_path is long
        assert terms(engine) == before
    (line,) = set_variant_net(engine, folder / "good.nn")
    assert "a network of 'chess', not of 'capablanca'" in line
    (line,) = told(engine, variant_net)
    assert "a network of 'capablanca', not of 'chess' (VariantEvalFile is for variants); keeping" in line
    engine.send("setoption name UCI_Variant value chess")
    assert engine.synchronise() == []


@pytest.mark.parametrize(
    ("game", "option", "usual"),
    [("capablanca", "EvalFile", DEFAULT), ("chess", "VariantEvalFile", "auto"), ("chess", "RMobilityEvalFile", "auto")],
    ids=["EvalFile", "VariantEvalFile", "RMobilityEvalFile"],
)
@pytest.mark.parametrize("game_first", [True, False], ids=["game-first", "option-first"])
def test_bad_file_is_named_where_it_would_not_evaluate(
    engine: Client, folder: Path, game: str, option: str, usual: str, game_first: bool
) -> None:
    """Each time the option is set, before or after the game, and only once."""
    start = f"setoption name UCI_Variant value {game}"
    bad = [name for name, _ in REFUSED if name != "heavy" or option != "VariantEvalFile"]
    for name in [*bad, "cut", "cut"]:
        setting = f"setoption name {option} value {folder / name}"
        engine.send(*((start, setting) if game_first else (setting, start)))
        (line,) = engine.synchronise()
        assert line.startswith(f"info string {option} {shown(str(folder / name))}: "), name
        assert line.endswith(f"; keeping {shown(usual)}"), name
        assert engine.synchronise() == []
        assert engine.search("go depth 2", "startpos")[-1].startswith("bestmove ")
    for empty in ("", "<empty>", usual, "none"):
        engine.send(start, f"setoption name {option} value {empty}")
        assert engine.synchronise() == []


def test_file_for_the_next_game_is_silent(engine: Client, folder: Path, variant_net: Path) -> None:
    assert set_variant_net(engine, variant_net) == []
    engine.send("setoption name UCI_Variant value capablanca")
    assert engine.synchronise() == ["info string evaluation by network 'noise', width 32"]
    assert told(engine, folder / "good.nn") == []
    engine.send("setoption name UCI_Variant value chess")
    assert engine.synchronise() == ["info string evaluation by network 'noise', width 32"]
    assert told(engine, folder / "cut")[0].endswith(f"; keeping {shown(str(folder / 'good.nn'))}")


def test_level_plays_without_the_network_of_another_game(engine: Client, variant_net: Path) -> None:
    engine.send("setoption name UCI_Variant value capablanca")
    set_variant_net(engine, variant_net)
    engine.send("setoption name UCI_LimitStrength value true")
    assert not any(line.startswith("network") for line in terms(engine))
    engine.send("setoption name UCI_LimitStrength value false")
    assert any(line.startswith("network") for line in terms(engine))


def test_own_game_by_the_name_of_ours_keeps_the_hand_crafted_evaluation(
    start: Callable[..., Client], tmp_path: Path
) -> None:
    """The game keeps the hand-crafted evaluation if its rules differ; piece values do not matter."""
    text = str(named_game("capablanca")).partition("\n")[2]  # without the comment above it
    for name, old, new, by_network in (("same", "A:825", "A:700", True), ("other", "A:825", "A:825 1,7", False)):
        assert old in text
        path = tmp_path / f"{name}.ini"
        changed = text.replace(old, new)
        # A file begins with a game without a title.
        path.write_text(f"version 4.8(w)\n{changed.partition(chr(10))[2]}\n{changed}\n", encoding="ascii")
        engine = start()
        engine.send("uci")
        engine.read_until("uciok")
        engine.send(f"setoption name VariantFile value {path}", "setoption name UCI_Variant value capablanca")
        assert engine.synchronise() == []
        shipped_one = (Path(shipped.__file__).parent / "data" / "capablanca.nn").exists()
        assert any(line.startswith("network") for line in terms(engine)) is (by_network and shipped_one)


def test_chess960_and_threads(engine: Client, folder: Path) -> None:
    told(engine, folder / "good.nn")
    engine.send("setoption name UCI_Chess960 value true", "setoption name Threads value 3")
    lines = engine.search("go nodes 30000", "fen bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w FDfd - 0 1")
    assert lines[-1].startswith("bestmove ")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("mode", ["Off", "Tiebreak", "Points", "Decisive"])
def test_record_counts_with_a_network(engine: Client, folder: Path, mode: str) -> None:
    told(engine, folder / "good.nn")
    engine.send(f"setoption name RMobility value {mode}")
    for fen in ("8/8/8/4k3/8/8/2B1K3/8 w - - 0 1", "8/8/4kr2/8/8/3K4/4NR2/8 w - - 0 1"):
        assert engine.search("go depth 6", f"fen {fen}")[-1].startswith("bestmove ")


def test_xboard_tells_the_same(start: Callable[..., Client], folder: Path) -> None:
    client = start()
    client.send("xboard", "protover 2", "accepted debug", "new", "st 0.05")
    pong(client)
    client.send(f"option EvalFile={folder / 'good.nn'}", "usermove e2e4")
    lines = client.read_until("move")
    assert sum("evaluation by network 'noise', width 32" in line for line in lines) == 1
    client.send("new", f"option EvalFile={folder / 'damaged'}", "usermove e2e4")
    lines = client.read_until("move")
    assert sum("damaged': damaged: the checksum is wrong; keeping " in line for line in lines) == 1
    client.send("variant crazyhouse", f"option EvalFile={folder / 'cut'}", "usermove e2e4")
    (line,) = [line for line in client.read_until("move") if "EvalFile" in line]
    assert line.startswith("tellusererror EvalFile ") and "damaged: " in line and "; keeping " in line


def test_xboard_offers_a_file(start: Callable[..., Client]) -> None:
    client = start()
    client.send("xboard")
    assert f"EvalFile -file {DEFAULT}" in options(client)


def test_damaged_copy_after_start_is_another_file(engine: Client, tmp_path: Path) -> None:
    """Training may overwrite the file in use; a session keeps the old weights until the option is set again."""
    path = tmp_path / "net.nn"
    write_network(str(path), random_network())
    told(engine, path)
    path.write_bytes(b"nothing")
    assert engine.search("go depth 4", "startpos")[-1].startswith("bestmove ")
    assert len(told(engine, "none")) == 0
    assert "not a network of this engine" in told(engine, path)[0]
    write_network(str(path), random_network(64))
    assert told(engine, path) == ["info string evaluation by network 'noise', width 64"]


def test_networks_of_the_engine_go_by_their_names(engine: Client) -> None:
    """The starting position is about level, and an extra queen wins."""
    assert told(engine, "none") == []
    assert "width 256" in " ".join(told(engine, "n256p.nn"))
    queen_up = "fen 4k3/pppppppp/8/8/8/8/PPPPPPPP/3QK3 w - - 0 1"
    for position, least, most in (("startpos", -100, 100), (queen_up, 500, 12000)):
        engine.send(f"position {position}", "eval")
        (total,) = (int(line.split()[-1]) for line in engine.synchronise() if line.startswith("total"))
        assert least <= total <= most


def test_network_that_ships_is_found_in_the_package() -> None:
    inside = str(Path(shipped.__file__).parent / "data" / "n256p.nn")
    assert shipped.path_of("") == shipped.path_of("n256p.nn") == inside
    assert shipped.path_of("./n256p.nn") == "./n256p.nn"
    assert shipped.path_of("none") is None
    assert DEFAULT == "n256p.nn"
    assert shipped.path_of("b.nn") == "b.nn"


def test_levels_keep_the_hand_crafted_evaluation(engine: Client) -> None:
    """Levels were measured with the hand-crafted evaluation; `eval` shows a network as one term."""

    def terms() -> int:
        engine.synchronise()
        engine.send("position startpos moves e2e4", "eval")
        return len(engine.synchronise())

    by_network = terms()
    engine.send("setoption name UCI_LimitStrength value true")
    assert terms() > by_network
    engine.send("setoption name UCI_LimitStrength value false")
    assert terms() == by_network


def test_a_bad_file_leaves_the_network_that_was_there(engine: Client, folder: Path) -> None:
    """A bad file keeps the network in use (the default one before the first search), even after play at a level without
    one."""
    assert told(engine, folder / "cut")[0].endswith("; keeping 'n256p.nn'")
    assert evaluation(engine) == "network"
    told(engine, folder / "good.nn")
    engine.send("setoption name UCI_LimitStrength value true")
    assert evaluation(engine) != "network"
    engine.send(f"setoption name EvalFile value {folder / 'cut'}", "setoption name UCI_LimitStrength value false")
    assert "good.nn" in engine.synchronise()[0]
    assert evaluation(engine) == "network"


# ---- the command line ----


def bench(executable: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    command = [executable, "bench", "1", *arguments]
    return forked.run(command, capture_output=True, timeout=100, env=clean_environment(), check=False)


def test_bench_says_which_network(executable: Path, folder: Path) -> None:
    done = bench(executable, "--eval-file", str(folder / "good.nn"))
    assert done.returncode == 0
    assert b"network 'noise', width 32" in done.stdout
    assert b"network" not in bench(executable, "--eval-file", "none").stdout


def test_bench_refuses_a_bad_network(executable: Path, folder: Path) -> None:
    for name, reason in REFUSED:
        done = bench(executable, "--eval-file", str(folder / name))
        assert (done.returncode, done.stdout) == (2, b""), name
        assert len(done.stderr.splitlines()) == 1 and reason.encode() in done.stderr


def test_bench_of_the_protocol_has_the_sessions_network(engine: Client, folder: Path) -> None:
    told(engine, folder / "good.nn")
    engine.send("bench 1")
    assert any("network 'noise'" in line for line in engine.synchronise())
