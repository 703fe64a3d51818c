"""`standstill match --variant`: games by definition, each verified by pyffish or by the slow rules."""

from __future__ import annotations

import functools
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from standstill.engine.match.fairy_clients import ClientPosition
from standstill.engine.variants.catalog import Catalog
from standstill.engine.variants.notation import fen
from tests import forked
from tests.match.fairy_replay import Text, games_in, verify
from tests.match.support import ENGINE

FAKE = Path(__file__).with_name("fairy_engine.py")
# Replaying a whole game takes seconds.
slow = functools.partial(pytest.param, marks=pytest.mark.slow)
Run = Callable[..., subprocess.CompletedProcess]


def fake(kind: str, variant: str, *more: object, name: str | None = None, proto: str = "uci") -> str:
    pytest.importorskip("pyffish", reason="pyffish is not installed")
    arguments = " ".join(f"arg={argument}" for argument in (kind, variant, *more))
    program, script = shlex.quote(sys.executable), shlex.quote(str(FAKE))
    return f"cmd={program} arg={script} {arguments} name={name or kind} proto={proto}"


@pytest.fixture
def run(executable: Path, tmp_path: Path) -> Run:
    def call(variant: str, *engines: str, openings: str = "", more: str = "--nodes 30") -> subprocess.CompletedProcess:
        words = [str(executable), "match", "--variant", variant, "-o", "m.pgn", *more.split()]
        for engine in engines:
            words += ["--engine", engine]
        if openings:
            name = "o.pgn" if "1." in openings else "o.epd"
            (tmp_path / name).write_text(openings, encoding="utf-8")
            words += ["--openings", name]
        return forked.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)

    return call


@pytest.fixture
def played(tmp_path: Path) -> Callable[[], list[Text]]:
    """Verify each game, and return the games."""

    def read() -> list[Text]:
        games = games_in(tmp_path / "m.pgn")
        for game in games:
            verify(game)
        return games

    return read


def own_definitions(tmp_path: Path, rules: str = "") -> Path:
    """A file with a small custom game, `Mine`. rules: lines after the pieces of the game."""
    pawns = "p:100 -16,6 -15,5 -17,5\np:100 16,6 15,5 17,5\n"
    pieces = "k:-1 1,7 16,7 15,7 17,7 -1,7 -16,7 -15,7 -17,7\nR:500 1,3 16,3 -1,3 -16,3\n"
    game = f"5x6\n4 0 3 0 4\n4 0 3 0 4\n{pawns}{pieces}"
    file = tmp_path / "mine.ini"
    file.write_text(f"version 4.8(w)\n{game}\nGame: Mine\n{game}{rules}", encoding="utf-8")
    return file


# ---- ours ----


@pytest.mark.slow
@pytest.mark.parametrize(
    "variant",
    ["kingofthehill", *map(slow, ("seirawan", "capablanca", "makruk", "shatranj", "spartan"))],
)
def test_our_engine_by_both_protocols(run: Run, ours, played, tmp_path: Path, variant: str) -> None:
    done = run(variant, ours("U"), ours("X", "proto=xboard"), more="--nodes 30 --openings start")
    assert (done.returncode, done.stderr) == (0, "")
    games = played()
    assert [(game.tags["White"], game.tags["Variant"]) for game in games] == [("U", variant), ("X", variant)]
    scored = re.findall(r"\{[-+0][.\dM]+/\d+ ", (tmp_path / "m.pgn").read_text())
    assert len(scored) == sum(len(game.moves) for game in games)


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "told"), [("3check", "Three-check"), ("kingofthehill", "King of the Hill")])
def test_openings_with_the_names_that_lichess_writes(run: Run, ours, tmp_path: Path, variant: str, told: str) -> None:
    openings = f'[Variant "{told}"]\n[Result "*"]\n\n1. e4 e5 *\n'
    done = run(variant, ours("U"), ours("V"), openings=openings)
    assert (done.returncode, done.stderr) == (0, "")
    assert [game.moves[:2] for game in games_in(tmp_path / "m.pgn")] == [["e4", "e5"]] * 2
    other = run(variant, ours("U"), ours("V"), openings=openings.replace(told, "Atomic"))
    assert (other.returncode, other.stderr.count("\n")) == (2, 1)
    assert f"expected a game of {variant}, found 'Atomic'" in other.stderr


@pytest.mark.slow
@pytest.mark.parametrize("variant", [slow("tall-capablanca"), "fairy/FIDE-Rookies"])
def test_games_that_uci_has_no_name_for(run: Run, ours, played, variant: str) -> None:
    """XBoard numbers ten ranks from 0, and calls games with different armies `fairy`."""
    done = run(variant, ours("X", "proto=xboard"), ours("Y", "proto=xboard"))
    assert (done.returncode, done.stderr) == (0, "")
    assert [game.tags["Variant"] for game in played()] == [variant] * 2


@pytest.mark.slow
def test_games_of_the_users_own_file(run: Run, ours, executable: Path, tmp_path: Path) -> None:
    """The engines receive the game by their own option, and `tag` reads the file."""
    file = own_definitions(tmp_path)
    told = f"option.VariantFile={file}"
    done = run("Mine", ours("U", told), ours("X", "proto=xboard", told), more=f"--nodes 30 --file {file}")
    assert (done.returncode, done.stderr) == (0, "")
    tag = [executable, "tag", "m.pgn", "--quiet", "--file", file]
    tagged = forked.run(tag, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (tagged.returncode, tagged.stderr) == (0, "")
    assert tagged.stdout.count('[Variant "Mine"]') == tagged.stdout.count("[RMobilityResult ") == 2
    for engines in ([ours("U"), ours("V", told)], [ours("U", told), ours("V", "proto=xboard")]):
        done = run("Mine", *engines, more=f"--nodes 30 --file {file} -o other.pgn")
        assert done.returncode == 2
        assert done.stderr.endswith("it does not announce the game 'Mine'\n")


@pytest.mark.slow
def test_a_game_that_xboards_protocol_cannot_tell_is_not_begun(run: Run, ours, tmp_path: Path) -> None:
    """Our engine refuses this game in XBoard's protocol; if the match began, the engine would lose every game."""
    file = own_definitions(tmp_path, "# promotion 5\n")
    told = f"option.VariantFile={file}"
    done = run("Mine", ours("U", told), ours("X", "proto=xboard", told), more=f"--nodes 30 --file {file}")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "engine 'X' does not start: XBoard's protocol cannot express rules of 'Mine' (promotion)" in done.stderr


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("variant", "position", "result", "reason"),
    [
        ("kingofthehill", "8/8/8/8/8/4K3/8/k7 w - - 0 1", "1-0", "king on the hill"),
        ("shatranj", "k7/8/8/8/8/8/1r6/K1R5 w - - 0 1", "1-0", "bare king"),
        ("shatranj", "k7/p2K4/P7/8/8/8/8/8 w - - 0 1", "1-0", "stalemate"),
        ("nocastle", "8/8/8/2K3k1/8/8/8/8 w - - 99 80", "1/2-1/2", "fifty-move rule"),
        ("nocastle", "7k/8/5NqK/8/8/8/8/8 w - - 0 1", "1/2-1/2", "stalemate"),
    ],
)
def test_ends_that_are_rules_of_the_game(run: Run, ours, played, variant, position, result, reason) -> None:
    done = run(variant, ours("U"), ours("X", "proto=xboard"), openings=position, more="--nodes 3000")
    assert (done.returncode, done.stderr) == (0, "")
    games = played()
    assert [(game.result, game.tags["Termination"]) for game in games] == [(result, reason)] * 2
    assert {game.tags["FEN"] for game in games} == {position}
    if result == "1-0":
        assert {game.tags["RMobilityResult"] for game in games} == {"G0.0"}


@pytest.mark.slow
def test_dead_draws_on_demand(run: Run, ours, played) -> None:
    capture = "9k/8Q1/10/10/10/10/10/K9 b - - 0 1"  # the only move leaves bare kings
    engines = ours("U"), ours("X", "proto=xboard")
    run("capablanca", *engines, openings=capture, more="--nodes 30 --dead-draw")
    assert [game.tags["Termination"] for game in played()] == ["insufficient material"] * 2


@pytest.mark.slow
def test_tags_are_those_of_the_command_tag(run: Run, ours, executable: Path, tmp_path: Path) -> None:
    run("shatranj", ours("U"), ours("X"), more="--nodes 10")
    again = [executable, "tag", tmp_path / "m.pgn", "--tags", "all", "--quiet"]
    out = forked.run(again, capture_output=True, timeout=60, check=True).stdout
    assert out == (tmp_path / "m.pgn").read_bytes()


# ---- others ----


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["capablanca", "makruk"])
def test_fairy_stockfish(run: Run, ours, played, client_program, variant: str) -> None:
    done = run(variant, ours("X", "proto=xboard"), f"cmd={client_program('fairy-stockfish')} name=F")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(played()) == 2


@pytest.mark.slow
@pytest.mark.parametrize("variant", [slow("capablanca"), slow("spartan"), "fairy/FIDE-Rookies"])
def test_fairymax(run: Run, ours, played, client_program, variant: str) -> None:
    """Fairy-Max has no setboard, and no limit of nodes."""
    done = run(variant, ours("U", "proto=xboard"), f"cmd={client_program('fairymax')} proto=xboard", more="--depth 2")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(played()) == 2


@pytest.mark.slow
def test_fairymax_begins_with_the_array(run: Run, ours, played, client_program) -> None:
    engines = ours("U"), f"cmd={client_program('fairymax')} proto=xboard name=max"
    done = run("makruk", *engines, openings="1. d4 d5 2. Nd2 *", more="--depth 2")
    assert (done.returncode, done.stderr) == (0, "")
    assert [game.moves[:3] for game in played()] == [["d4", "d5", "Nd2"]] * 2
    done = run("knightmate", *engines, openings="8/8/8/2K3k1/8/8/8/8 w - - 0 1", more="--depth 2 -o k.pgn")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    expected = "engine 'max' does not start: it does not announce setboard, so it can play only from the start position"
    assert expected in done.stderr


# ---- engines that fail ----


ILLEGAL = "moves illegally: illegal move 'a1a8' in "


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "said", "proto"),
    [
        *(("crash", "crashes", "uci"), ("null", "gives no move", "uci"), ("illegal", ILLEGAL, "xboard")),
        *(slow("crash", "crashes", "xboard"), slow("null", "gives no move", "xboard"), slow("illegal", ILLEGAL, "uci")),
        *(slow("hang", "hangs", "uci"), slow("hang", "hangs", "xboard")),
    ],
)
def test_failing_engine_loses(run: Run, tmp_path: Path, proto: str, kind: str, said: str) -> None:
    engines = fake(kind, "makruk", proto=proto), fake("random", "makruk", proto=proto)
    done = run("makruk", *engines, more="--nodes 1 --patience 4s --jobs 2 --openings start")
    assert (done.returncode, done.stderr) == (1, f"standstill: {kind} failed in 2 games\n")
    for game in games_in(tmp_path / "m.pgn"):
        side, result = ("White", "0-1") if game.tags["White"] == kind else ("Black", "1-0")
        assert game.tags["Termination"].startswith(f"{side}'s engine fails: {said}")
        assert game.result == game.tags["Result"] == result
        assert game.tags["RMobilityResult"] == {"0-1": "-G0.0", "1-0": "G0.0"}[result]


@pytest.mark.slow
def test_claims_and_resignations(run: Run, tmp_path: Path) -> None:
    other = fake("random", "capablanca")
    done = run("capablanca", fake("claim", "capablanca", proto="xboard"), other, more="--nodes 1")
    assert done.returncode == 1
    assert "fails: claims '1/2-1/2 {I should think so}' instead of moving" in done.stdout
    done = run("capablanca", fake("resign", "capablanca", proto="xboard"), other, more="--nodes 1 -o r.pgn")
    assert (done.returncode, done.stderr) == (0, "")
    assert {game.tags["Termination"] for game in games_in(tmp_path / "r.pgn")} == {"White resigns", "Black resigns"}


def test_what_engines_are_told(run: Run, tmp_path: Path, played) -> None:
    names = ("uci", "xboard")
    engines = [fake("random", "kingofthehill", 3, tmp_path / proto, name=proto, proto=proto) for proto in names]
    position = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 94 60"
    run("kingofthehill", *engines, openings=f"{position} id x;", more="--nodes 1")
    first = played()[0]
    uci, xboard = ((tmp_path / proto).read_text(encoding="utf-8").splitlines() for proto in names)
    assert uci.index("setoption name UCI_Variant value kingofthehill") < uci.index("ucinewgame")
    assert f"position fen {position}" in uci
    at = xboard.index("variant kingofthehill")
    assert xboard[at - 1] == "new" and xboard[at + 1 : at + 3] == ["force", f"setboard {position}"]
    assert sum(line.startswith("usermove ") for line in xboard[at : xboard.index("new", at)]) >= len(first.moves) // 2


@pytest.mark.parametrize("text", ["f1i1", "O-O", "f1j1"])
def test_castling_is_understood_as_engines_write_it(text: str) -> None:
    position = ClientPosition(Catalog().find("capablanca"), "r4k3r/10/10/10/10/10/10/R4K3R w KQkq - 0 1")
    position.push_xboard(text)
    assert (position.texts, position.turn) == (["f1i1"], False)


def test_a_null_move_of_an_engine_only_passes_the_turn() -> None:
    position = ClientPosition(Catalog().find("capablanca"))
    before = fen(position.board)
    assert position.push_uci("0000") == 0
    assert (position.texts, position.turn) == (["0000"], False)
    assert fen(position.board).split()[:2] == [before.split()[0], "b"]
    position.pop()
    assert (position.texts, fen(position.board)) == ([], before)


# ---- bad input ----


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("variant", "kind", "proto", "said"),
    [
        ("makruk", "unannounced", "uci", "it does not announce the game 'makruk'"),
        ("makruk", "unannounced", "xboard", "it does not announce the game 'makruk'"),
        ("nonsense", "random", "uci", "expected one of normal, "),
    ],
)
def test_games_that_an_engine_does_not_know(run: Run, ours, variant, kind, proto, said) -> None:
    done = run(variant, ours("U"), fake(kind, "makruk", proto=proto))
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert said in done.stderr


def test_engine_of_orthodox_chess_is_refused(run: Run, ours) -> None:
    done = run("capablanca", ours("U"), shlex.join([f"cmd={sys.executable}", f"arg={ENGINE}", "arg=random", "name=o"]))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "standstill: engine 'o' does not start: it does not announce the game 'capablanca'\n"


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("openings", "said"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "o.epd:1: expected 10 squares on rank 8"),
        ("1. e9 *", "game 1: ply 1: illegal move 'e9'"),
        ('[Variant "makruk"]\n\n1. e4 *', "game 1: expected a game of capablanca, found 'makruk'"),
        ('[FEN "8/8 w"]\n\n1. e4 *', "game 1: expected 8 ranks, found 2"),
    ],
)
def test_openings_of_another_game(run: Run, ours, openings: str, said: str) -> None:
    done = run("capablanca", ours("U"), ours("X"), openings=openings)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert said in done.stderr


# ---- files that are continued ----


@pytest.mark.slow
@pytest.mark.parametrize("left_out", [0.5, slow(0)])
def test_match_is_continued(run: Run, tmp_path: Path, played, left_out: float) -> None:
    engines = fake("random", "makruk"), fake("random", "makruk", name="other", proto="xboard")
    openings = "8/8/8/2K3k1/8/8/8/7R w - - 90 60\n8/8/8/2K3k1/8/8/8/6RR b - - 90 60\n"
    run("makruk", *engines, openings=openings, more="--nodes 1 --rounds 2")
    path = tmp_path / "m.pgn"
    whole = path.read_bytes()
    path.write_bytes(whole[: -max(4, int(left_out * len(whole)))])
    done = run("makruk", *engines, openings=openings, more="--nodes 1 --rounds 2")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"\b(1 game|\d+ games) already played", done.stdout)
    assert sorted(int(game.tags["MatchGame"]) for game in played()) == [1, 2, 3, 4]
    done = run("nocastle", *engines, openings=openings, more="--nodes 1 --rounds 2")
    assert done.returncode == 2 and "has games of another match" in done.stderr
