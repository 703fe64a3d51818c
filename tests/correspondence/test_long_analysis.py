"""Overnight analyses: minimax by two methods, how time is divided, other engines, kills, the report."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from math import inf
from pathlib import Path

import chess
import pytest

from standstill.cext.base.constants import SCORE_DECIDED
from standstill.engine.clock.instants import now_ms
from standstill.engine.clock.units import DAY_MS, HOUR_MS
from standstill.engine.common.errors import GameError
from standstill.engine.common.info import MATE, SCORE_CP
from standstill.engine.correspondence.analysis import Place, make_node, white_score_text
from standstill.engine.correspondence.desk import Desk, When, check
from standstill.engine.correspondence.game import Head
from standstill.engine.correspondence.long_analysis import sitting as sitting_module
from standstill.engine.correspondence.long_analysis.report import report, running, wish
from standstill.engine.correspondence.long_analysis.sitting import BEAT_MS, PAUSE, STOP, Sitting, last_hour, weight
from standstill.engine.correspondence.long_analysis.tree import Line, Node, Tree, tree_of
from standstill.engine.correspondence.remarks.kept import keep
from standstill.engine.correspondence.remarks.kept import line as kept_line
from standstill.engine.correspondence.store import Store
from standstill.engine.settings.options import Settings
from tests.uci.client import clean_environment


@pytest.fixture
def desk(tmp_path: Path):
    with Store(tmp_path / "games.sqlite", create=True) as store:
        desk = Desk(store)
        for name, days in (("near", 48), ("far", 2)):
            desk.add(Head(name, "50/0/1", "White", "Black", own_side=0), now_ms() - days * DAY_MS)
        yield desk


def found(desk: Desk, name: str, moves: tuple[str, ...], lines: list[Line], minutes: float = 1, at_ms: int = 0) -> None:
    """Store what a search of a position has found."""
    game = desk.load(name)
    node = make_node(desk, game, Place(len(game.moves), moves))
    at_ms = at_ms or now_ms()
    with desk.store.transaction():
        run = desk.store.write(
            "INSERT INTO runs (node_id, started_ms, engine, threads, hash_mb) VALUES (?, ?, 'test', 1, 1)",
            node.id, at_ms - round(minutes * 60_000),
        )  # fmt: skip
        for line in lines:
            desk.store.write(
                "INSERT INTO findings (run_id, depth, rank, at_ms, score, nodes, time_ms, pv) VALUES (?,?,?,?,?,0,?,?)",
                run, line.depth, line.rank, at_ms, line.score, round(minutes * 60_000), " ".join(line.pv),
            )  # fmt: skip


def slow_value(board: chess.Board, known: dict[tuple[str, ...], dict[str, int]], path: tuple[str, ...]) -> int:
    """The value of a position by the definition, without any stored value of an inner node."""
    return max(
        -slow_value(board, known, (*path, move)) if (*path, move) in known else score
        for move, score in known[path].items()
    )


def test_leaves_are_backed_up_by_minimax(desk: Desk) -> None:
    source = random.Random(7)
    for trial in range(8):
        name = f"t{trial}"
        desk.add(Head(name, "50/75/1", own_side=0), now_ms() - DAY_MS)
        known: dict[tuple[str, ...], dict[str, int]] = {}
        for _ in range(25):
            path: tuple[str, ...] = ()
            board = chess.Board()
            while path in known:
                move = source.choice([*known[path]])
                board.push_uci(move)
                path = (*path, move)
            legal = [move.uci() for move in board.legal_moves]
            if not legal:
                continue
            moves = source.sample(legal, min(3, len(legal)))
            scores = sorted((source.randint(-300, 300) * SCORE_CP for _ in moves), reverse=True)
            known[path] = dict(zip(moves, scores, strict=True))
            lines = [Line(rank, 10, score, (move,)) for rank, (move, score) in enumerate(known[path].items(), 1)]
            found(desk, name, path, lines)
        tree = tree_of(desk, desk.load(name))
        assert tree.root.value == slow_value(chess.Board(), known, ())
        assert len([*tree.nodes()]) == len(known)
        value, line = tree.root.value, tree.line()
        assert line[0] == tree.root.best
        for number in range(1, len(line)):
            if line[:number] in known:
                value = -value
                assert slow_value(chess.Board(), known, line[:number]) == value


def test_the_tree_follows_the_game(desk: Desk) -> None:
    found(desk, "far", (), [Line(1, 9, 10 * SCORE_CP, ("e2e4",)), Line(2, 9, 5 * SCORE_CP, ("d2d4",))])
    found(desk, "far", ("e2e4",), [Line(1, 9, -20 * SCORE_CP, ("e7e5",))])
    found(desk, "far", ("e2e4", "e7e5"), [Line(1, 9, 33 * SCORE_CP, ("g1f3",))])
    assert tree_of(desk, desk.load("far")).root.value == 33 * SCORE_CP
    desk.move("far", "e4", When())
    assert tree_of(desk, desk.load("far")).root.best == "e7e5"
    desk.move("far", "c5", When())
    assert tree_of(desk, desk.load("far")).is_empty


def node(moves: tuple[str, ...], *scores: int, minutes: float = 1) -> Node:
    lines = [Line(rank, 9, score * SCORE_CP, (f"m{rank}",)) for rank, score in enumerate(scores, 1)]
    return Node(moves, lines, time_ms=round(60_000 * minutes))


def test_time_goes_where_it_can_change_most() -> None:
    assert Tree(Node(())).next().gain == inf
    # The best line deserves most time, then a rival with a close score, then one with a distant score.
    assert Tree(node((), 30, 25, -200)).next().moves == ("m1",)
    root = node((), 30, 25, -200)
    root.children["m1"] = node(("m1",), -30, 400, minutes=600)
    root.children["m1"].lines = [Line(1, 30, -30 * SCORE_CP, ("m1",)), Line(2, 30, -900 * SCORE_CP, ("m2",))]
    assert Tree(root).next().moves == ("m2",)  # ten hours of analysis have settled the best line, but not its rival
    hopeless = node((), 30, -400)
    hopeless.children["m1"] = node(("m1",), -30)
    assert Tree(hopeless).next().moves[0] == "m1"
    decided = node((), 0, 0)
    decided.lines[1].score = -SCORE_DECIDED
    assert Tree(decided).next().moves == ("m1",)


class Fixed:
    """An engine that finds the first legal moves, with random scores."""

    name, threads, hash_mb = "fixed", 1, 1

    def __init__(self) -> None:
        self.source = random.Random(3)
        self.searched: list[tuple[str, tuple[str, ...]]] = []

    def search(self, game, moves, seconds, tell, go_on) -> list[Line]:
        self.searched.append((game.head.name, tuple(moves)))
        board = chess.Board()
        for move in (*game.moves, *moves):
            board.push_uci(move)
        time.sleep(0.01)
        scores = sorted((self.source.randint(-50, 50) * SCORE_CP for _ in range(3)), reverse=True)
        legal = [move.uci() for move in board.legal_moves][:3]
        return [Line(rank, 9, score, (move,)) for rank, (move, score) in enumerate(zip(legal, scores, strict=False), 1)]

    def close(self) -> None:
        """Nothing runs."""


@pytest.mark.slow
def test_the_queue_is_fair_by_deadline(desk: Desk) -> None:
    desk.add(Head("forbidden", "50/75/1", own_side=0, no_engines=True), now_ms())
    engine = Fixed()
    sitting = Sitting(desk, engine, Settings(), 600, 0.01)
    sitting.choose()
    for _ in range(60):
        assert sitting.step() is not None
    times = {name: sum(each == name for each, _ in engine.searched) for name in ("near", "far", "forbidden")}
    assert times["forbidden"] == 0 and times["near"] > 2 * times["far"] > 10
    assert len(set(engine.searched)) == 60  # no position twice
    assert "positions so far" in running(desk)
    sitting.end()
    assert running(desk) == "" and check(desk) == []
    near, far = sorted(sitting.queue, key=lambda queued: queued.entry.name, reverse=True)
    assert weight(near.entry, 5) > weight(near.entry, 0) > weight(far.entry, 0) > 0


class Patient(Fixed):
    """An engine that searches until it is told to stop."""

    def search(self, game, moves, seconds, tell, go_on) -> list[Line]:
        while go_on():
            time.sleep(0.01)
        return super().search(game, moves, seconds, tell, go_on)


@pytest.mark.slow
def test_a_sitting_pauses_and_stops_as_another_process_wishes(desk: Desk) -> None:
    sitting = Sitting(desk, Patient(), Settings(), 600, 60)
    sitting.choose()

    def wish_later() -> None:
        with Store(desk.store.path) as store:
            other = Desk(store)
            time.sleep(0.3)
            wish(other, PAUSE)
            time.sleep(1.2)
            seen.append(running(other))
            wish(other, STOP)

    seen: list[str] = []
    thread = threading.Thread(target=wish_later)
    thread.start()
    assert sitting.step() is None  # returns after a search, a pause and the stop
    thread.join()
    assert "paused; 0 positions so far, 0 h 9 m left" in seen[0] and 598 < sitting.left_s <= 600
    assert desk.store.rows("SELECT id FROM runs") == []
    sitting.end()
    with pytest.raises(GameError, match="no analysis"):
        wish(desk, STOP)


def test_a_search_without_news_gives_signs_of_life(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """An iteration may take longer than the time after which a silent sitting counts as ended."""
    monkeypatch.setattr(sitting_module, "_BEAT_S", 0)
    monkeypatch.setattr(sitting_module, "_LOOK_S", 0)

    class Deep(Fixed):
        def search(self, game, moves, seconds, tell, go_on) -> list[Line]:
            desk.store.write("UPDATE sittings SET beat_ms = ?", now_ms() - 2 * BEAT_MS)
            assert running(desk) == "" and go_on()
            assert running(desk).startswith(f"fixed: {game.head.name}")
            return super().search(game, moves, seconds, tell, go_on)

    sitting = Sitting(desk, Deep(), Settings(), 600, 1)
    sitting.choose()
    assert sitting.step() is not None


def test_a_game_that_is_removed_during_its_search_leaves_the_queue(desk: Desk) -> None:
    class Removing(Fixed):
        def search(self, game, moves, seconds, tell, go_on) -> list[Line]:
            if not self.searched:
                desk.remove(game.head.name)
            return super().search(game, moves, seconds, tell, go_on)

    engine = Removing()
    sitting = Sitting(desk, engine, Settings(), 600, 1)
    sitting.choose()
    assert all(sitting.step() is not None for _ in range(4))
    assert [queued.entry.name for queued in sitting.queue] == desk.names()
    assert {name for name, _ in engine.searched[1:]} == set(desk.names())


def test_a_killed_sitting_ends_with_its_last_sign_of_life(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The report of the killed sitting leaves out later analyses, and another sitting that still runs can be
    controlled."""
    monkeypatch.setattr(sitting_module, "_LOOK_S", 0)
    other, killed = (Sitting(desk, Fixed(), Settings(), 600, 0.01) for _ in range(2))
    for sitting in (other, killed):
        sitting.choose()
        assert sitting.step() is not None
    desk.store.write("UPDATE sittings SET beat_ms = ? WHERE id = ?", now_ms() - BEAT_MS - 1, killed.id)
    found(desk, "far", (), [Line(1, 20, 35 * SCORE_CP, ("e2e4",))], minutes=0)
    assert report(desk, killed.id) == []
    wish(desk, STOP)
    assert (other.step(), desk.store.row("SELECT wish FROM sittings WHERE id = ?", killed.id)["wish"]) == (None, "")


def test_a_game_that_changed_in_its_last_hour_gets_more_time(desk: Desk) -> None:
    now = now_ms()
    found(desk, "far", (), [Line(1, 9, 0, ("e2e4",))], 30, now - 3 * HOUR_MS)
    found(desk, "far", (), [Line(1, 12, 40 * SCORE_CP, ("e2e4",))], 61, now)
    game = desk.load("far")
    assert last_hour(desk, game, tree_of(desk, game)) == 40


def test_the_report_names_new_best_moves_and_novelties(desk: Desk) -> None:
    old = now_ms() - HOUR_MS
    found(desk, "far", (), [Line(1, 9, 10 * SCORE_CP, ("d2d4", "d7d5"))], at_ms=old)
    game = desk.load("far")
    keep(desk, game.head.id, [kept_line(game, 0, "e4 e5 Nf3 Nc6", "mine")])
    sitting = Sitting(desk, Fixed(), Settings(), 600, 0.01)
    sitting.choose()
    found(desk, "far", (), [Line(1, 20, 35 * SCORE_CP, ("e2e4", "e7e5", "b1c3", "b8c6"))], minutes=0)
    sitting.end()
    (change,) = report(desk)
    assert change.text() == (
        "far: +0.10 -> +0.35; new best move e4, formerly d4; not in your notes: e4 e5 Nc3; e4 e5 Nc3 Nc6 (1 position)"
    )


def test_a_proven_result_is_called_proven() -> None:
    assert [white_score_text(score, 0) for score in (14990 * SCORE_CP, -14990 * SCORE_CP, 35 * SCORE_CP)] == [
        "proven 1-0", "proven 0-1", "+0.35",
    ]  # fmt: skip
    assert white_score_text(14990 * SCORE_CP, 1) == "proven 0-1"
    assert white_score_text(MATE - 3, 0) == "#2"


def new_games(games, *names: str) -> None:
    for name in names:
        games("new", name, "50/75/1", "--side", "white")


def test_all_games_are_analysed_and_reported(games) -> None:
    new_games(games, "a", "b")
    games("note", "a", "--tag", "sharp")
    told = games("analyse", "--all", "--time", "4s", "--slice", "0.1s").stdout
    assert "a now: depth" in told and "b now: depth" in told
    report_ = games("analyse", "--report").stdout
    assert told.endswith(report_) and {line[:3] for line in report_.splitlines()} == {"a: ", "b: "}
    told = games("analyse", "--tag", "sharp", "--time", "2s", "--slice", "0.1s", "--json").stdout
    assert [change["game"] for change in json.loads(told)] == ["a"]
    assert "1.e4" in games("show", "a").stdout or "depth" in games("show", "a").stdout
    assert "no running game" in games("analyse", "--tag", "none", status=2).stderr
    for words in (("a", "--all"), ("a", "--engine", "x"), ("--all", "--option", "Hash=1"), ()):
        games("analyse", *words, status=2)
    assert "cannot start the engine" in games("analyse", "--all", "--engine", "/none", status=2).stderr
    games("check")


@pytest.mark.slow
def test_any_uci_engine_analyses(games, client_program) -> None:
    new_games(games, "a")
    command = client_program("stockfish")
    told = games("analyse", "--all", "--time", "6s", "--slice", "6s", "--engine", command).stdout  # longer than a beat
    assert "a now: depth" in told
    games("analyse", "--all", "--time", "1s", "--slice", "0.2s", "--engine", command, "--option", "Hash=16")
    with Store(games.store, reading=True) as store:
        rows = store.rows("SELECT DISTINCT engine FROM runs")
        assert next(row["engine"] for row in rows).startswith("Stockfish")
        tree = tree_of(Desk(store), Desk(store).load("a"))
        assert tree.root.best is not None and len(tree.root.lines) == 3
        depths = {line.depth for each in tree.nodes() for line in each.lines}
        assert min(depths) > 3


@pytest.mark.slow
def test_a_kill_costs_the_position_in_hand_at_most(games, executable: Path) -> None:
    new_games(games, "a", "b", "c")
    source, before = random.Random(5), 0
    times = 500 if os.environ.get("STANDSTILL_LONG") else 8
    command = [executable, "games", "--store", games.store, "analyse", "--all", "--slice", "0.05s"]
    for _ in range(times):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=clean_environment())
        told = 0
        for _ in range(source.randint(1, 5)):
            told += bool(process.stdout.readline())
        time.sleep(source.random() / 20)
        process.send_signal(signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)
        told += len(process.stdout.read().splitlines())
        process.wait()
        with Store(games.store, reading=True) as store:
            assert check(Desk(store)) == []
            now = store.row("SELECT COUNT(*) AS count FROM runs")["count"]
            empty = store.row("SELECT COUNT(*) AS count FROM runs WHERE id NOT IN (SELECT run_id FROM findings)")
        assert now - before >= told and empty["count"] == 0  # the store has every position that the report names
        before = now
