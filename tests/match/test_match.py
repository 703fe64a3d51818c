"""Matches: the referee, engines that fail, files that are continued."""

from __future__ import annotations

import contextlib
import fcntl
import shlex
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import BinaryIO

import chess.pgn
import pytest

from standstill.engine.archive.standings import DEFAULT_ORDER
from standstill.engine.archive.streams import open_output
from standstill.engine.common.errors import MatchError
from standstill.engine.match.openings import read_openings
from standstill.engine.match.referee import MatchRules
from standstill.engine.match.runner import Match, Plan, check_engines, run
from standstill.engine.match.setup import (
    Opening,
    Pairing,
    TimeControl,
    named_apart,
    parse_clock,
    parse_engine,
    schedule,
)
from standstill.engine.match.statistics import Sprt
from tests import forked
from tests.match.support import KINGS, fake, games_in
from tests.rmobility.naive import score

START = Opening(chess.STARTING_FEN)


def spec(kind: str, *more: str) -> str:
    return " ".join([fake(kind), *more])


def plan(*kinds: str, openings: tuple[Opening, ...] = (START,), rounds: int = 1, **more: object) -> Plan:
    engines = tuple(named_apart([parse_engine(spec(kind)) for kind in kinds]))
    rules = MatchRules(longest=40, patience_s=1.0, **more)
    return Plan(engines, TimeControl(nodes=1), openings, rounds, rules=rules)


def play(match: Match, concurrency: int = 2) -> list[chess.pgn.Game]:
    with match:
        run(match, concurrency, lambda record: None)
    return games_in(Path(match.path))


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "match.pgn")


def test_games_carry_the_results_of_a_naive_scorer(path: str) -> None:
    games = play(Match(plan("random", "random", openings=(Opening(KINGS), START), rounds=2), path))
    assert len(games) == 4
    for game in games:
        expected = score(game)
        assert not game.errors
        found = [game.headers[f"RMobility{name}"] for name in ("Result", "WG", "OTB", "Ply")]
        assert found == [expected.phase, expected.whole, expected.otb, str(expected.ply)]


@pytest.mark.slow
def test_bare_kings_play_on_by_default(path: str, tmp_path: Path) -> None:
    games = play(Match(plan("random", "random", openings=(Opening(KINGS),)), path))
    assert {game.headers["Termination"] for game in games} <= {"threefold repetition", "too many moves"}
    games = play(Match(plan("random", "random", openings=(Opening(KINGS),), plays_on=False), str(tmp_path / "b.pgn")))
    assert [game.headers["Termination"] for game in games] == ["insufficient material"] * 2


def test_each_opening_is_played_with_both_colours(path: str) -> None:
    openings = (Opening(KINGS), Opening(chess.STARTING_FEN, ("e2e4", "e7e5")))
    games = play(Match(plan("random", "random", openings=openings, rounds=2), path))
    seen = Counter((game.headers["White"], game.headers.get("OpeningPlies", "0")) for game in games)
    assert seen == {("random", "0"): 1, ("random 2", "0"): 1, ("random", "2"): 1, ("random 2", "2"): 1}
    for game in games:
        if "OpeningPlies" in game.headers:
            assert [move.uci() for move in game.mainline_moves()][:2] == ["e2e4", "e7e5"]


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("crash", "crashes"),
        ("illegal", "illegal"),
        ("hang", "hangs"),
        ("null", "gives no move"),
        ("none", "gives no move"),
    ],
)
def test_engine_that_fails_loses_and_the_rest_goes_on(path: str, kind: str, reason: str) -> None:
    match = Match(plan(kind, "random"), path)
    games = play(match)
    assert len(games) == 2
    for game in games:
        side = "White" if game.headers["White"] == kind else "Black"
        assert game.headers["Termination"].startswith(f"{side}'s engine")
        assert reason in game.headers["Termination"]
        assert game.headers["Result"] == ("0-1" if side == "White" else "1-0")
        assert game.headers["RMobilityResult"] == ("-G0.0" if side == "White" else "G0.0")
    assert match.faults == {kind: 2}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"cmd={shlex.quote(sys.executable)} arg=-c arg=pass", "crashes"),
        ("cmd=/nonexistent/engine", "No such file"),
        ("cmd='stockfish -x' name=SF", "No such file or directory: 'stockfish -x'"),  # the command includes an argument
        ("cmd=/", "denied"),
    ],
)
def test_engine_that_does_not_start_ends_the_match(path: str, text: str, reason: str) -> None:
    engines = (parse_engine(text), parse_engine(spec("random")))
    with pytest.raises(MatchError, match=f"does not start: .*{reason}"):
        check_engines(Plan(engines, TimeControl(nodes=1), (START,), 1))


@pytest.mark.slow
@pytest.mark.parametrize("part", [0.7, *(pytest.param(part, marks=pytest.mark.slow) for part in (0.71, 0.72, 0.73))])
def test_killed_run_continues_where_it_was(path: str, part: float) -> None:
    whole = plan("random", "random", openings=(Opening(KINGS), START), rounds=5)
    play(Match(whole, path))
    text = Path(path).read_bytes()
    # The file of a run that was killed while it wrote a game; one game is in the file twice.
    cut = text[: int(len(text) * part)]
    first_end = cut.index(b"\n\n[Event", 10) + 2
    Path(path).write_bytes(text[:first_end] + cut)
    match = Match(whole, path)
    assert 0 < len(match.left) < 10
    kept = {number: record.outcome for number, record in match.done.items()}
    games = play(match)
    assert sorted(int(game.headers["MatchGame"]) for game in games) == list(range(1, 11))
    assert all(match.done[number].outcome == outcome for number, outcome in kept.items())
    with Match(whole, path) as again:
        assert again.left == []


@pytest.mark.slow
def test_file_of_another_match_is_left_alone(path: str) -> None:
    play(Match(plan("random", "random"), path))
    before = Path(path).read_bytes()
    with pytest.raises(MatchError, match="another match"):
        Match(plan("random", "random", openings=(Opening(KINGS),)), path)
    assert Path(path).read_bytes() == before


def test_run_that_is_slower_than_another_names_it(path: str, monkeypatch) -> None:
    """Two runs find the file of a killed run; the second one locks the file right after the first has repaired it."""
    play(Match(plan("random", "random"), path))
    with open(path, "a", encoding="utf-8") as file:
        file.write('[Event "R-Mobility match"]\n')  # cut off
    with contextlib.ExitStack() as others:

        @contextlib.contextmanager
        def taken_at_once(name: str) -> Iterator[BinaryIO]:
            with open_output(name) as out:
                yield out
            fcntl.flock(others.enter_context(open(name, "rb")), fcntl.LOCK_EX)

        monkeypatch.setattr("standstill.engine.match.runner.open_output", taken_at_once)
        with pytest.raises(MatchError, match="another run is playing this match"):
            Match(plan("random", "random"), path)


@pytest.mark.slow
def test_table_and_pairs_add_up(path: str) -> None:
    match = Match(plan("random", "random", "random", openings=(Opening(KINGS),), rounds=2), path)
    play(match)
    table = match.standings(DEFAULT_ORDER)
    assert sum(player.points for player in table.players) == len(match.done) == 12
    for kind in ("classical", "points", "record"):
        one, other = match.pairs(0, 1, kind), match.pairs(1, 0, kind)
        assert len(one) == 2
        assert [a + b for a, b in zip(one, other, strict=True)] == pytest.approx([1, 1])


class SlowCluster(Executor):
    """Plays the first four games immediately; all others would take hours."""

    def __init__(self) -> None:
        self._under_way: list[Future] = []
        self._shut = False

    def submit(self, function, match_plan: Plan, pairing: Pairing, /) -> Future:
        if self._shut:
            raise RuntimeError
        future: Future = Future()
        self._under_way.append(future)
        if pairing.number <= 4:
            future.set_result(function(match_plan, pairing))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._shut = True
        for future in self._under_way:
            future.cancel()


@pytest.mark.slow
def test_a_verdict_waits_for_no_game_of_a_cluster(path: str) -> None:
    found: list[str | None] = []
    with Match(plan("random", "random", rounds=3), path) as match:
        soon = Sprt(-100, 500, 0.49, 0.49)  # any pair of games decides this test
        task = threading.Thread(
            target=lambda: found.append(run(match, 5, lambda record: None, soon, executor=SlowCluster())), daemon=True
        )
        task.start()
        task.join(60)
        assert not task.is_alive()
    assert found[0] is not None and len(games_in(Path(path))) < 6


# ---- schedules and texts ----


@pytest.mark.parametrize(("engines", "gauntlet", "pairs"), [(2, False, 1), (5, False, 10), (5, True, 4)])
def test_schedule_is_fair(engines: int, gauntlet: bool, pairs: int) -> None:
    games = schedule(engines, 3, 6, gauntlet)
    assert len(games) == 2 * 6 * pairs
    assert [game.number for game in games] == list(range(1, len(games) + 1))
    colours = Counter((game.white, game.black) for game in games)
    assert all(colours[white, black] == colours[black, white] == 6 for white, black in colours)
    for one, other in zip(games[::2], games[1::2], strict=True):
        assert (one.pair, one.opening, one.white, one.black) == (other.pair, other.opening, other.black, other.white)


def test_engines_are_read() -> None:
    found = parse_engine("cmd='/a b/c' arg=-x name='Big One' proto=xboard option.Hash=64 option.Style='a b' nodes=5")
    assert (found.name, found.command, found.protocol, found.nodes) == ("Big One", ("/a b/c", "-x"), "xboard", 5)
    assert found.options == {"Hash": "64", "Style": "a b"}
    assert parse_engine("stockfish --flag").command == ("stockfish", "--flag")


@pytest.mark.parametrize(
    "text",
    ["", "name=x", "cmd=x speed=3", "cmd=x proto=ics", "cmd='x", *(f"cmd=x nodes={n}" for n in ("0", "²", "9" * 5000))],
    ids=lambda text: text[:20],
)
def test_wrong_engines_are_named(text: str) -> None:
    with pytest.raises(MatchError):
        parse_engine(text)


@pytest.mark.parametrize(("text", "value"), [("2+0.02", (2, 0.02)), ("60", (60, 0)), ("0.5+0", (0.5, 0))])
def test_clocks(text: str, value: tuple[float, float]) -> None:
    assert parse_clock(text) == value


@pytest.mark.parametrize("text", ["", "x", "0+1", "-1", "2+x", "nan", "inf"])
def test_wrong_clocks_are_named(text: str) -> None:
    with pytest.raises(MatchError, match="expected a clock"):
        parse_clock(text)


def test_openings_from_lines_and_games(tmp_path: Path) -> None:
    lines = tmp_path / "a.epd"
    lines.write_text(f'# some\n{KINGS}\n8/8/8/2K3k1/8/8/8/8 b - - id "x";\n\n', encoding="utf-8")
    assert [opening.fen.split()[1] for opening in read_openings(str(lines))] == ["w", "b"]
    games = tmp_path / "a.pgn"
    games.write_text("1. e4 e5 *\n\n1. d4 *\n", encoding="utf-8")
    assert [opening.moves for opening in read_openings(str(games))] == [("e2e4", "e7e5"), ("d2d4",)]
    for bad in ("", "8/8/8/8/8/8/8/8 w - -", "rubbish"):
        lines.write_text(bad, encoding="utf-8")
        with pytest.raises(MatchError):
            read_openings(str(lines))


# ---- the command ----


@pytest.fixture
def command(executable: Path, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess]:
    return forked.command(executable, tmp_path, "match")


def test_command_plays_and_continues(command, tmp_path: Path) -> None:
    (tmp_path / "o.epd").write_text(KINGS, encoding="utf-8")
    arguments = ["--engine", spec("random"), "--engine", spec("random", "option.Level=3"), "-o", "m.pgn"]
    arguments += ["--openings", "o.epd", "--nodes", "1", "--sprt", "0,400"]
    done = command(*arguments, "--rounds", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "2/2: game" in done.stdout
    assert "1 pair: Elo" in done.stdout
    assert "SPRT on classical" in done.stdout
    done = command(*arguments, "--rounds", "2")
    assert done.stdout.startswith("2 games already played, 2 left")
    assert len(games_in(tmp_path / "m.pgn")) == 4


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "arguments",
    [
        ["--engine", spec("random")],
        ["--engine", spec("random"), "--engine", spec("random"), "--nodes", "1", "--depth", "2"],
        ["--engine", spec("random"), "--engine", spec("random", "option.Nonsense=1"), "--nodes", "1"],
        ["--engine", spec("random"), "--engine", "cmd=/nonexistent", "--nodes", "1"],
        ["--engine", spec("random"), "--engine", spec("random"), "--nodes", "1", "--sprt", "5,0"],
        ["--engine", spec("random"), "--engine", spec("random"), "--nodes", "1", "--openings", "none.epd"],
        ["--engine", spec("random"), "--engine", spec("random"), "--nodes", "1", "--order", "luck"],
        ["--engine", spec("random"), "--engine", spec("random"), "--nodes", "1", "--patience", "nan"],
    ],
)
def test_bad_input_is_answered_in_one_line(command, arguments: list[str]) -> None:
    done = command(*arguments, "-o", "m.pgn")
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("text", "more", "reason"),
    [
        ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "", "mate"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "", "stalemate"),
        (f"{KINGS[:-3]}100 80", "", "fifty-move rule"),
        (KINGS, "--dead-draw", "insufficient material"),
        ("1. f3 e5 2. g4 Qh4# 0-1", "", "mate"),
        ("1. f3 e5 2. g4 Qh4# 0-1", "--opening-plies 4", "mate"),
        ("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2", "", "threefold repetition"),
        ("4k3/8/8/8/3K4/8/8/8 b - - 0 1", "--variant kingofthehill", "king on the hill"),
    ],
)
def test_opening_in_which_the_game_is_over_is_refused(
    command, tmp_path: Path, text: str, more: str, reason: str
) -> None:
    """Such an opening would add drawn or won games that no engine has played."""
    name, first, where = "o.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n", "o.epd:2"
    if text.startswith("1."):
        name, first, where = "o.pgn", "1. e4 *\n\n", "o.pgn: game 2"
    (tmp_path / name).write_text(f"{first}{text}\n", encoding="utf-8")
    engines = ["--engine", spec("random"), "--engine", spec("random"), "--nodes", "1"]
    done = command(*engines, "--openings", name, "-o", "m.pgn", *more.split())
    expected = f"standstill: {where}: the game is over after the opening: {reason}\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", expected)


@pytest.mark.parametrize("name", ["o.epd", "o.pgn"])
def test_openings_may_have_the_dashes_of_a_web_page(tmp_path: Path, name: str) -> None:
    """PGN openings once ended in a traceback from python-chess."""
    fen = KINGS.replace("-", "\u2013")
    (tmp_path / name).write_text(f"{fen}\n" if name == "o.epd" else f'[FEN "{fen}"]\n\n1. Kd5 *\n', encoding="utf-8")
    (found,) = read_openings(str(tmp_path / name))
    assert (found.fen, found.moves) == (KINGS, () if name == "o.epd" else ("c5d5",))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["o.epd", "o.pgn"])
@pytest.mark.parametrize("fields", ["0 1 -G4.0", "0 1 \u2212G4.0", "-G4.0"])
def test_an_opening_may_have_a_record(command, tmp_path: Path, name: str, fields: str) -> None:
    """Other engines get the position without the record; PGN has it in a tag: readers refuse a seventh FEN field."""
    fen = f"{' '.join(KINGS.split()[:4])} {fields}"
    text = fen if name == "o.epd" else f'[FEN "{fen}"]\n\n1. Kd5 *'
    (tmp_path / name).write_text(f"{text}\n", encoding="utf-8")
    done = command(*["--engine", spec("random")] * 2, "--nodes", "1", "--openings", name, "-o", "m.pgn")
    assert (done.returncode, done.stderr) == (0, "")
    for game in games_in(tmp_path / "m.pgn"):
        assert not game.errors and game.headers["FEN"] == KINGS and game.headers["RMobilityRecord"] == "-G4.0"
        code = int(2 * float(game.headers["RMobilityResult"].lstrip("-G")))
        assert code < 8 or game.headers["RMobilityResult"] == "-G4.0", "no weaker record replaces it"


def test_operations_of_epd_are_no_record(tmp_path: Path) -> None:
    lines = tmp_path / "a.epd"
    lines.write_text(f'{" ".join(KINGS.split()[:4])} game "first"; id "G4.0";\n', encoding="utf-8")
    assert len(read_openings(str(lines))) == 1


def test_opening_in_which_the_rules_of_the_match_let_a_game_go_on_is_taken(tmp_path: Path) -> None:
    lines = tmp_path / "a.epd"
    lines.write_text(f"{KINGS}\n{KINGS[:-3]}100 80\n", encoding="utf-8")
    assert len(read_openings(str(lines), rules=MatchRules(fifty="off"))) == 2
    games = tmp_path / "a.pgn"
    games.write_text("1. f3 e5 2. g4 Qh4# 0-1\n", encoding="utf-8")
    assert [len(opening.moves) for opening in read_openings(str(games), plies=3)] == [3]
