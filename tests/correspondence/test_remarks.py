"""The user's comments, tags, lines and planned replies; and hints about the rules, compared with python-chess."""

from __future__ import annotations

import contextlib
import io
import json
import random
from collections.abc import Callable
from pathlib import Path

import chess
import chess.pgn
import pytest

from standstill.engine.clock.game_clocks import CLAIMED, Event
from standstill.engine.clock.instants import parse_instant
from standstill.engine.clock.units import DAY_MS, HOUR_MS
from standstill.engine.common.errors import StandstillError
from standstill.engine.correspondence.desk import Desk, When
from standstill.engine.correspondence.game import CorrespondenceGame, Head
from standstill.engine.correspondence.pgn import read_games, write_game
from standstill.engine.correspondence.remarks.hints import hints
from standstill.engine.correspondence.remarks.kept import keep, remarks_of
from standstill.engine.correspondence.remarks.written import COMMENT, LINE, PLAN, TAG, Remark, comment_text
from standstill.engine.correspondence.store import Store
from standstill.engine.correspondence.transfer import Importer, ImportOptions
from tests.amounts import LONG
from tests.correspondence.support import ENV, NAME
from tests.correspondence.xfcc_server import XfccServer

START = parse_instant("2020-01-01")
WORDS = ("good", "h\u00e9", "{brace}", "[%clk 1:00:00]", "1. e4", "(x)", "; semi", "$1", "\u2013", '"q"', "%")


@pytest.fixture
def desk(tmp_path: Path):
    with Store(tmp_path / "games.sqlite", create=True) as store:
        yield Desk(store)


def played(desk: Desk, source: random.Random, name: str) -> CorrespondenceGame:
    """A random game with random remarks, refills, claims, substitutes and corrections."""
    desk.add(Head(name, "50/75/1", f"White{name}", "Black", own_side=0, tags={"Event": "E"}), START)
    board, at_ms = chess.Board(), START
    remarks = [Remark(TAG, 0, word) for word in source.sample(("sharp", "b2", "caro"), source.randrange(3))]
    for ply in range(source.randint(1, 14)):
        remarks += random_remarks(source, board, ply)
        move = source.choice(list(board.legal_moves))
        if source.random() < 0.5:
            random_entries(desk, source, name, at_ms)
            at_ms += DAY_MS
        left_ms = desk.load(name).clocks.shown(ply % 2, at_ms).clock_ms
        if not left_ms:  # a correction left less than a day, which has run out
            break
        at_ms += source.randrange(left_ms // 2)
        desk.move(name, move.uci(), When(at_ms))
        board.push(move)
        if board.is_game_over():
            break
    remarks += random_remarks(source, board, len(board.move_stack))
    game = desk.load(name)
    keep(desk, game.head.id, remarks)
    return game


def random_entries(desk: Desk, source: random.Random, name: str, at_ms: int) -> None:
    """Up to one entry of each kind, an hour apart; those that the rules do not allow change nothing."""
    hour = iter(range(at_ms + HOUR_MS, at_ms + DAY_MS, HOUR_MS))
    side, own = source.randrange(2), desk.load(name).clocks.to_move
    values = {"clock_ms": source.randint(1, 1200) * HOUR_MS, "bank_ms": source.choice((0, 9, 800)) * HOUR_MS}
    acts: list[Callable[[], object]] = [
        lambda: desk.correct(name, side, values, When(next(hour))),
        lambda: desk.replace(name, own, f"Player {side}", source.choice((None, 0, DAY_MS)), When(next(hour))),
        lambda: desk.claim(name, "draw", When(next(hour))),
        lambda: desk.decide(name, False, None, When(next(hour))),
        lambda: desk.refill(name, source.choice((None, source.randint(1, 900) * HOUR_MS)), When(next(hour))),
    ]
    for act in acts:
        if (act is acts[3] and desk.load(name).clocks.status == CLAIMED) or source.random() < 0.25:
            with contextlib.suppress(StandstillError):
                act()


def random_remarks(source: random.Random, board: chess.Board, ply: int) -> list[Remark]:
    found = []
    if source.random() < 0.4:
        found.append(Remark(COMMENT, ply, comment_text(" ".join(source.choices(WORDS, k=source.randint(1, 30))))))
    for _ in range(source.choice((0, 0, 1, 2))):
        line = board.copy()
        moves = []
        while len(moves) < source.randint(1, 5) and any(line.legal_moves):
            moves.append(source.choice(list(line.legal_moves)))
            line.push(moves[-1])
        if moves:
            comment = comment_text(" ".join(source.choices(WORDS, k=source.randrange(4))))
            kind = source.choice((LINE, LINE, PLAN))
            found.append(Remark(kind, ply, " ".join(move.uci() for move in moves), comment))
    return found


def exported(desk: Desk, name: str) -> str:
    game = desk.load(name)
    return write_game(game, remarks=remarks_of(desk, game.head.id))


@pytest.mark.sampled(8)
@pytest.mark.parametrize("seed", range(1000 if LONG else 25))
def test_remarks_come_back_from_a_file(desk: Desk, tmp_path: Path, seed: int) -> None:
    """Export, import, export gives the same bytes, and the same remarks for each position."""
    source = random.Random(seed)
    game = played(desk, source, "g")
    text = exported(desk, "g")
    before = remarks_of(desk, game.head.id)
    desk.remove("g")
    (tmp_path / "g.pgn").write_text(text, encoding="utf-8")
    games = list(read_games(str(tmp_path / "g.pgn")))
    Importer(desk, games, ImportOptions()).add(games[0])
    assert exported(desk, "g") == text
    after = remarks_of(desk, desk.load("g").head.id)
    for kind in (TAG, LINE, PLAN):
        assert sorted((each.ply, each.text, each.comment) for each in after if each.kind == kind) == sorted(
            {(each.ply, each.text, each.comment) for each in before if each.kind == kind}
        )
    # Another program reads the file, and sees the lines as variations.
    read = chess.pgn.read_game(io.StringIO(text))
    assert read is not None and not read.errors
    inner = [each for each in before if each.kind == LINE and each.ply < len(game.moves)]
    assert sum(len(node.variations) - 1 for node in [read, *read.mainline()] if node.variations) == len(set(inner))


def test_comments_and_variations_of_other_programs_are_kept(games, tmp_path: Path) -> None:
    (tmp_path / "in.pgn").write_text(
        '[Event "WS"]\n[Date "2020.01.05"]\n[White "Nowak, A"]\n[Black "Smith, J"]\n[Result "*"]\n\n'
        "{Before} 1. Sf3 {[%ccsnt 2020.01.06,10:00] Best (by test)} (1. d4 d5 {solid} (1... Sf6 2. c4) 2. c4)"
        " e5 {[%ccsnt 2020.01.07,10:00]} *\n"
    )
    done = games("import", tmp_path / "in.pgn", "--control", "50/75/1", "--me", "Nowak")
    assert "2 half-moves, 4 new remarks" in done.stdout and done.stderr == ""
    (name,) = [game["name"] for game in json.loads(games("list", "--json").stdout)]
    found = [(each["ply"], each["text"], each["comment"]) for each in json.loads(games("note", name, "--json").stdout)]
    assert found == [
        (0, "Before", ""), (0, "d2d4 d7d5 c2c4", "solid"), (0, "d2d4 g8f6 c2c4", ""), (1, "Best (by test)", "")
    ]  # fmt: skip
    assert "nothing new" in games("import", tmp_path / "in.pgn", "--control", "50/75/1").stdout
    games("check")


def test_remarks_are_entered_shown_and_removed(game) -> None:
    game("note", "g", "Sharp", "--tag", "open", "--ply", "0")
    listed = game("note", "g", "--line", "c5 Nf3 d6", "Sicilian").stdout
    assert "after 1.e4: 1...c5 2.Nf3 d6 (Sicilian)" in listed
    assert "Sharp" in game("show", "g").stdout
    assert game("list", "--tag", "open").stdout.splitlines()[1].startswith("g ")
    assert "no running games" in game("list", "--tag", "closed").stdout
    (number,) = [each["id"] for each in json.loads(game("note", "g", "--json").stdout) if each["kind"] == "comment"]
    game("note", "g", "--untag", "open", "--remove", number)
    assert len(json.loads(game("note", "g", "--json").stdout)) == 1


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--line", "Ke3"], "illegal"),
        (["--line", "c5", "--reply", "c5 Nf3"], "expected one of"),
        (["--reply", "c5"], "a planned reply after a move"),
        (["--ply", "9", "x"], "from 0 to 1, found 9"),
        (["--tag", "two words"], "a tag of one word"),
        (["--untag", "none"], "has no tag"),
        (["--remove", "77"], "found 77"),
        ([" "], "expected the text"),
    ],
)
def test_remarks_that_make_no_sense_are_refused(game, arguments: list[str], reason: str) -> None:
    assert reason in game("note", "g", *arguments, status=2).stderr.replace("\n", " ")
    assert json.loads(game("note", "g", "--json").stdout) == []


def test_a_planned_reply_is_offered_and_not_entered(game) -> None:
    game("note", "g", "--reply", "c5 Nf3 d6 d4")
    assert "your turn" in game("note", "g", "--ply", "0", "--reply", "e4 e5", status=2).stderr
    said = game("opponent", "g", "c5", "--at", "2020-01-03T00:00Z").stdout
    assert "g: planned reply Nf3: `games move g Nf3`" in said
    assert json.loads(game("show", "g", "--json").stdout)["moves"] == ["e2e4", "c7c5"]
    game("move", "g", "Nf3", "--at", "2020-01-04T00:00Z")
    assert "planned reply d4" in game("opponent", "g", "d6", "--at", "2020-01-05T00:00Z").stdout
    game("correct", "g", "--undo")
    assert "planned" not in game("opponent", "g", "e6", "--at", "2020-01-05T00:00Z").stdout


def test_a_fetch_names_the_planned_reply(games, server: XfccServer, fetch) -> None:
    server.add("17", "e4 e5 Nf3", daysPlayer="50", hoursPlayer="0")
    fetch()
    games("note", NAME, "--reply", "Nc6 Bb5")
    server.boards["17"].push_san("Nc6")
    assert f"  planned reply Bb5: `games send {NAME} Bb5`\n" in fetch().stdout
    assert "planned reply" not in fetch().stdout
    games("send", NAME, "Bb5", "--yes", env=ENV)


# ---- hints ----


def after(fen: str | None, *moves: str) -> CorrespondenceGame:
    game = CorrespondenceGame(Head("g", "50/75/1", own_side=0, fen=fen), [Event("start", START)])
    for number, move in enumerate(moves, 1):
        game.add(game.move_event(move, START + number * HOUR_MS))
    return game


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(12))
def test_hints_of_repetitions_agree_with_python_chess(seed: int) -> None:
    """Random shuffling of knights and rooks."""
    source = random.Random(seed)
    board, moves = chess.Board("r3k1nr/8/8/8/8/8/8/R3K1NR w - - 0 1"), []
    for _ in range(30):
        quiet = [move for move in board.legal_moves if not board.is_capture(move)]
        back = [move for move in quiet if len(moves) > 1 and move.uci() == moves[-2][2:4] + moves[-2][:2]]
        move = source.choice(back if back and source.random() < 0.7 else quiet)
        moves.append(move.uci())
        board.push(move)
        found = " ".join(hints(after("r3k1nr/8/8/8/8/8/8/R3K1NR w - - 0 1", *moves)))
        assert ("occurred three times" in found) == board.is_repetition(3)
        if not board.is_repetition(3):
            assert ("occurred twice" in found) == board.is_repetition(2)
            assert ("for the third time" in found) == board.can_claim_threefold_repetition()


@pytest.mark.parametrize(
    ("fen", "hint"),
    [
        ("8/8/4k3/8/8/3K4/8/6N1 w - - 0 1", "dead position"),
        ("8/8/4k3/8/8/3KP3/8/8 w - - 0 1", "3 men: the result of endgame tables can be claimed"),
        ("r3k1nr/pppp4/8/8/8/8/PPPP4/R3K1NR w - - 72 90", "72 half-moves without a capture or pawn move; after 100"),
        ("r3k1nr/pppp4/8/8/8/8/PPPP4/R3K1NR w - - 101 99", "a draw can be claimed"),
    ],
)
def test_hints_of_a_position(fen: str, hint: str) -> None:
    assert hint in " ".join(hints(after(fen)))
    assert hints(after(None)) == []


def test_the_record_is_named_where_the_event_counts_it(games) -> None:
    """The expected goal follows from the rules: it is the number of legal replies, plus half a point without check."""
    games("new", "r", "50/75/1", "--side", "white", "--rmobility", "--fen", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    games("new", "s", "50/75/1", "--side", "white", "--fen", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    shown = games("show", "r").stdout
    board = chess.Board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    first = board.legal_moves.count()
    assert f"R-Mobility: the record is -G{first}.5, held by Black; beaten by Ra8# (G0.0)" in shown
    assert "R-Mobility" not in games("show", "s").stdout
    told = games("move", "r", "Kf2").stdout
    board.push_san("Kf2")
    assert f"  R-Mobility: the record is G{board.legal_moves.count()}.5, held by White; " in told
    assert "R-Mobility: - -> yes" in games("edit", "s", "--rmobility", "--yes").stdout
    assert "held by" in games("show", "s").stdout
    games("export", "-o", str(games.store) + ".pgn")
    assert '[RMobilityScoring "yes"]' in Path(f"{games.store}.pgn").read_text("utf-8")
