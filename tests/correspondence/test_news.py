"""What a fetch concludes from a game's state, what it reports, and what the store refuses to believe."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from standstill.engine.clock.instants import parse_instant
from standstill.engine.clock.parse import parse_control
from standstill.engine.clock.units import DAY_MS, HOUR_MS, MINUTE_MS, parse_duration, words_text
from standstill.engine.common.errors import GameError
from standstill.engine.correspondence import desk as desk_module
from standstill.engine.correspondence import transfer
from standstill.engine.correspondence.desk import Desk, When, check
from standstill.engine.correspondence.game import Head
from standstill.engine.correspondence.log_entries import entry_text, read_entries
from standstill.engine.correspondence.servers import bridge
from standstill.engine.correspondence.servers.bridge import Fetched, Wishes
from standstill.engine.correspondence.servers.terms import read_terms
from standstill.engine.correspondence.servers.xfcc import PENDING, XfccGame
from standstill.engine.correspondence.store import Store
from standstill.engine.correspondence.times import bank_text
from tests.correspondence.support import ENV, NAME, shown
from tests.correspondence.xfcc_server import XfccServer
from tests.posix import needs_zones
from tests.uci.client import PATIENCE_S, clean_environment

URL = "https://server.example/XfccBasic.asmx"
START = parse_instant("2026-09-01")


class Table:
    """A desk, its calendar, and one game of a server."""

    def __init__(self, desk: Desk, monkeypatch: pytest.MonkeyPatch):
        self.desk = desk
        self.now_ms = START
        for module in (bridge, transfer, desk_module):
            monkeypatch.setattr(module, "now_ms", lambda: self.now_ms)

    def sees(self, day: float, moves: str, own: str, other: str, wishes: Wishes | None = None, **more) -> Fetched:
        """Fetch the game on that day. own, other: the clocks as the server shows them."""
        self.now_ms = START + round(day * DAY_MS)
        found = XfccGame(
            id="7", white="Nowak, Jan", black="Smith, A", event="WS", site="ICCF", has_white=True, movetext=moves,
            clocks_ms=(parse_duration(own), parse_duration(other)), result=None, ending="Ongoing", date="2026.09.01",
            fen=None, chess960=False, no_engines=None, draw_offered=False, message="", time_control="50/75/1",
        )  # fmt: skip
        return bridge.fetch(self.desk, URL, replace(found, **more), wishes or Wishes())

    def times(self, side: int) -> tuple[str, str, bool]:
        """Clock and bank now, and whether the bank is known."""
        game = self.desk.load(self.name)
        left = game.clocks.shown(side, self.now_ms)
        return words_text(left.clock_ms), bank_text(game, side, left), left.bank_known

    @property
    def name(self) -> str:
        (name,) = self.desk.names()
        return name


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    with Store(tmp_path / "games.sqlite", create=True) as store:
        yield Table(Desk(store), monkeypatch)


# ---- refills on the server's page ----


def entered(table: Table) -> None:
    """1.e4 comes after ten hours, 1...e5 49 days later: White's clock runs from 50 d, with 75 d 14 h in the bank."""
    desk = table.desk
    table.now_ms = START + 60 * DAY_MS
    desk.add(Head("WS", "50/75/1", "Nowak, Jan", "Smith, A", own_side=0, tags={"Event": "WS"}), START)
    desk.move("WS", "e4", When(START + 10 * HOUR_MS))
    desk.move("WS", "e5", When(START + 10 * HOUR_MS + 49 * DAY_MS))


def test_a_refill_on_the_page_comes_out_of_the_bank(table: Table) -> None:
    entered(table)
    day = 10 / 24 + 49 + 38 + 10 / 24  # when 11 d 14 h are left
    assert not table.sees(day, "1. e4 e5", "11d14h", "50d", Wishes(name="WS")).done
    assert table.times(0) == ("11 d 14 h", "75 d 14 h", True)
    found = table.sees(day, "1. e4 e5", "47d14h", "50d")
    refilled = "your clock was refilled on the server by 36 d"
    assert found.notes[0] == f"{refilled}: clock 47 d 14 h, bank 39 d 13 h 59 m to 39 d 14 h"
    assert table.times(0) == ("47 d 14 h", "39 d 13 h 59 m to 39 d 14 h", True)
    game = table.desk.load("WS")
    assert read_entries(entry_text(game.log[-1])) == (game.log[-1],)
    last = game.clocks.last_deadline_ms
    assert last is not None and words_text(last - table.now_ms) == "87 d 3 h 59 m"  # rounded to the earlier deadline
    assert check(table.desk) == [] and not table.sees(day + 1, "1. e4 e5", "46d14h", "50d").done


@pytest.mark.parametrize("white", ["Nowak, Jan", "Kowal, Anna"])
def test_a_refill_that_came_before_the_stored_clock_ran_out(table: Table, white: str) -> None:
    """White refills on day 95; the store learns of the refill on day 102. Without the refill his time ended on day
    99."""
    entered(table)
    found = table.sees(10 / 24 + 49 + 53, "1. e4 e5", "33d", "50d", Wishes(name="WS"), white=white)
    assert "clock 33 d, bank 39 d 13 h 59 m to 39 d 14 h" in found.times[0]
    assert table.times(0) == ("33 d", "39 d 13 h 59 m to 39 d 14 h", True)
    game = table.desk.load("WS")
    assert game.players[0] == white and check(table.desk) == []


def test_the_amount_of_a_refill_is_that_in_whole_minutes(table: Table) -> None:
    """20 s into a minute the server shows 11 d 13 h 59 m and, after a refill of 36 days, 47 d 13 h 59 m."""
    entered(table)
    day = 10 / 24 + 49 + 38 + 10 / 24 + 20 / 86_400
    table.sees(day, "1. e4 e5", "11d13h59m", "50d", Wishes(name="WS"))
    assert (
        "by 36 d: clock 47 d 13 h 59 m, bank 39 d 13 h 59 m to 39 d 14 h"
        in (table.sees(day, "1. e4 e5", "47d13h59m", "50d").notes[0])
    )


def test_a_repetition_that_allows_no_claim_leaves_the_bank_known(table: Table) -> None:
    """Positions have occurred twice before a pawn move, so no claim can have stopped the clock."""
    words = ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8", "e4", "e5"]
    stamps = " ".join(f"{move} {{[%ccsnt 2026.09.02,00:00:01]}}" for move in words)
    table.sees(1.1, stamps, "49d21h36m", "50d")
    table.sees(5, stamps, "49d", "50d")
    assert table.times(0)[2]


def test_a_refill_by_the_opponent_comes_out_of_his_bank(table: Table) -> None:
    entered(table)
    table.desk.move("WS", "Nf3", When(START + 55 * DAY_MS))
    found = table.sees(65, "1. e4 e5 2. Nf3", "50d", "48d", Wishes(name="WS"))
    assert "Smith, A's clock was refilled on the server by 8 d: clock 48 d, bank 18 d 23 h 59 m to 19 d" in found.notes
    assert table.times(1) == ("48 d", "18 d 23 h 59 m to 19 d", True)


def test_a_refill_after_a_correction_leaves_the_bank_known(table: Table) -> None:
    table.sees(88, "1. e4 e5 2. Nf3 Nc6", "12d", "50d")
    table.desk.correct(table.name, 0, {"clock_ms": 12 * DAY_MS, "bank_ms": 60 * DAY_MS}, When())
    table.sees(88, "1. e4 e5 2. Nf3 Nc6", "48d", "50d")
    assert table.times(0) == ("48 d", "23 d 23 h 59 m to 24 d", True)


def begun(table: Table, wishes: Wishes) -> None:
    """White moves after a day, and the store knows when."""
    table.sees(0, "", "50d", "50d", wishes)
    table.now_ms = START + DAY_MS
    table.desk.move(table.name, "e4", When())
    table.sees(2, "1. e4", "50d", "49d", wishes)


def test_limits_contain_both_explanations(table: Table) -> None:
    """Black moved at some time within ten days, and White may have refilled afterwards."""
    begun(table, Wishes())
    assert table.times(0) == ("50 d", "75 d", True)
    table.sees(12, "1. e4 e5", "46d", "50d")
    bank = table.desk.load(table.name).clocks.shown(0, table.now_ms)
    # Either White did not refill and Black used six more days, or White refilled up to six days from the bank.
    assert not bank.bank_known and bank.bank_ms <= 69 * DAY_MS + HOUR_MS and bank.bank_ms + bank.slack_ms >= 75 * DAY_MS
    assert bank.bank_ms >= 68 * DAY_MS - MINUTE_MS  # the clock may hold up to a minute more than the server shows
    assert "enter it with `correct`" in table.sees(12, "1. e4 e5", "49d", "50d").notes[0]


def test_a_refill_that_the_user_always_enters_is_none(table: Table) -> None:
    wishes = Wishes(refills_entered=True)
    begun(table, wishes)
    table.sees(12, "1. e4 e5", "46d", "50d", wishes)
    assert table.times(0) == ("46 d", "75 d to 75 d 1 m", True)
    assert table.times(1) == ("50 d", "68 d 23 h 59 m to 69 d", True)  # the server's clock dates the move to the minute


@pytest.mark.parametrize("stamp", ["", " {[%ccsnt 2026.09.09,00:00:01]}"])
def test_a_captains_refill_is_in_no_players_log(table: Table, stamp: str) -> None:
    """Black moves on day 8. On day 12 White has a substitute, and his captain has refilled the four days."""
    wishes = Wishes(refills_entered=True)
    begun(table, wishes)
    found = table.sees(12, f"1. e4 e5{stamp}", "50d", "50d", wishes, white="Kowal, Anna")
    assert "do not fit" not in " ".join(found.notes)
    for side, bank_ms in ((0, 71 * DAY_MS), (1, 69 * DAY_MS)):
        shown = table.desk.load(table.name).clocks.shown(side, table.now_ms)
        assert shown.bank_ms - MINUTE_MS <= bank_ms <= shown.bank_ms + shown.slack_ms + MINUTE_MS
        assert shown.bank_known == bool(stamp)


@pytest.mark.parametrize(("left", "gone"), [("1. e4 e5 2. Nf3", "Nc6 was"), ("1. e4 e5", "Nf3 Nc6 were")])
def test_moves_that_the_arbiter_takes_back(table: Table, left: str, gone: str) -> None:
    table.sees(20, "1. e4 e5 2. Nf3 Nc6", "50d", "50d")
    found = table.sees(21, left, "50d", "50d")
    assert found.notes[0] == f"{gone} taken back on the server"
    assert len(table.desk.load(table.name).moves) == left.count(" ") + 1 - left.count(".") and check(table.desk) == []
    assert not table.sees(21.0001, left, "50d", "50d").done
    assert "2 new" in table.sees(22, f"{left} {'Nf6 Nc3' if 'Nf3' in left else 'Bc4 Nh6'}", "50d", "50d").done


def test_clocks_that_contradict_the_time_are_not_believed(table: Table) -> None:
    table.sees(2, "1. e4", "50d", "49d")
    found = table.sees(3, "1. e4", "50d", "44d")
    assert "do not fit the rules and the time that has passed" in " ".join(found.notes)
    assert not table.times(1)[2]


def test_a_claim_in_a_position_that_allows_one_leaves_limits(table: Table) -> None:
    """White's clock stood still for three days, or was refilled by three days."""
    moves = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8"
    stamps = " ".join(f"{move} {{[%ccsnt 2026.09.02,00:00:01]}}" for move in moves.split() if "." not in move)
    table.sees(1.1, stamps, "49d21h36m", "50d")
    table.sees(5, stamps, "49d", "50d")
    bank = table.desk.load(table.name).clocks.shown(0, table.now_ms)
    assert not bank.bank_known and bank.slack_ms >= 2 * DAY_MS


@pytest.mark.parametrize("offset", [1, 2, 5.5, 5.75, 14])
def test_a_server_east_of_utc_starts_its_games_earlier(table: Table, offset: float) -> None:
    """The event's date begins at local midnight, which White's clock reveals."""
    left = words_text(round((49.5 - offset / 24) * DAY_MS))
    table.sees(0.5, "", left, "50d")
    assert table.desk.load(table.name).log[0].at_ms == START - round(offset * HOUR_MS)
    assert table.times(0)[1:] == ("75 d", True) and table.times(1) == ("50 d", "75 d", True)


def test_a_clock_with_more_than_the_time_allows_says_nothing_of_the_zone(table: Table) -> None:
    """Either a refill of two hours or a later start explains the clock."""
    found = table.sees(0.5, "", "49d14h", "50d")
    assert table.desk.load(table.name).log[0].at_ms == START
    assert table.times(0) == ("49 d 14 h", "at least 74 d 21 h 59 m, at most 75 d 1 m", False)
    assert "the game may have started later than at 00:00, or a refill has followed" in found.notes[0]
    assert not table.sees(1.5, "", "48d14h", "50d").done  # nothing new
    assert table.times(0)[2] is False and table.times(1) == ("50 d", "75 d", True)
    table.sees(30, "1. e4", "50d", "22d")  # White has moved on day 2
    bank = table.desk.load(table.name).clocks.shown(0, table.now_ms)
    assert bank.bank_ms <= 74 * DAY_MS and bank.bank_ms + bank.slack_ms >= 74 * DAY_MS + 2 * HOUR_MS


def test_a_jump_of_more_than_a_day_is_a_refill(table: Table) -> None:
    table.sees(20, "", "40d", "50d")
    assert table.times(0) == ("40 d", "64 d 23 h 59 m to 65 d", True)


def test_a_game_that_starts_tomorrow_has_its_start(table: Table) -> None:
    table.sees(-1, "", "50d", "50d")
    assert table.desk.load(table.name).log[0].at_ms == START
    assert not table.sees(1, "", "49d", "50d").notes and table.times(0) == ("49 d", "75 d", True)


# ---- what the server says in words ----


@pytest.mark.parametrize(
    ("words", "control"),
    [
        ("10 moves/50 days", "10/50"),
        ("50 days/10 moves", "10/50"),
        ("10 moves in 50 days", "10/50"),
        ("50/75/1", "50/75/1"),
        ("50/75/1:p", "50/75/1:p"),
        ("Triple Block 50/50/5", "50/50/5"),
        ("TripleBlock (350 days)", "50/75/1"),
        ("700 days Triple Block", "50/50/5"),
        ("3 days per move", "3/move"),
        ("10 days + 3 days/move", "10+3"),
        ("10/4320000", "10/50"),
        ("", None),
        ("as usual", None),
        ("Triple Block", None),
        ("40/90", "40/90"),
    ],
)
def test_the_servers_time_control(words: str, control: str | None) -> None:
    found = read_terms(words)
    assert (None if found is None else found.text) == control


def test_the_server_decides_the_clock_of_a_new_game(table: Table) -> None:
    wishes = Wishes(parse_control("50/75/1"))
    found = table.sees(1, "", "49d", "50d", wishes, time_control="10 moves/50 days")
    assert found.notes[0] == "under 10/50, as the server says, not 50/75/1"
    assert table.desk.load(table.name).head.control == "10/50"
    later = table.sees(1, "", "49d", "50d", wishes, time_control="Triple Block 350 days")
    assert "the server plays under 50/75/1, the store under 10/50" in later.notes[-1]


def test_a_clock_that_is_not_understood_is_asked_for(table: Table) -> None:
    with pytest.raises(GameError, match="found 'as usual': give --control"):
        table.sees(1, "", "49d", "50d", time_control="as usual")
    found = table.sees(1, "", "49d", "50d", Wishes(parse_control("50/75/1")), time_control="as usual")
    assert "'as usual' is not understood" in found.notes[0]


def test_draw_offers_and_messages_are_kept(table: Table) -> None:
    words = {"draw_offered": True, "message": "Thank you;  all ] the [best} \u2013 A."}
    found = table.sees(3, "1. e4 e5", "49d", "50d", **words)
    assert {"a draw is offered", "message: Thank you; all ] the [best} \u2013 A."} <= set(found.notes)
    assert not table.sees(3, "1. e4 e5", "49d", "50d", **words).notes
    log = table.desk.load(table.name).log
    assert [(event.kind, event.data.get("text")) for event in log if event.kind in ("offer", "message")] == [
        ("offer", None), ("message", "Thank you; all ] the [best} \u2013 A.")
    ]  # fmt: skip
    again = table.sees(4, "1. e4 e5 2. Nf3 Nc6", "50d", "50d", **words)
    assert "a draw is offered" in again.notes  # an offer after another move is new


def test_a_claim_that_the_server_has_left_behind_is_named(table: Table) -> None:
    table.sees(3, "1. e4 e5", "49d", "50d")
    table.desk.claim(table.name, "draw", When())
    assert "the clock runs on the server" in " ".join(table.sees(5, "1. e4 e5", "47d", "50d").notes)
    with pytest.raises(GameError, match="the server has moved on by 1 half-move, but the store waits"):
        table.sees(6, "1. e4 e5 2. Nf3", "50d", "50d")


def test_a_game_that_waits_for_its_adjudication_is_named(table: Table) -> None:
    table.sees(3, "1. e4 e5", "49d", "50d")
    waiting = table.sees(5, "1. e4 e5", "49d", "50d", ending=PENDING)
    assert "waits for a decision on the server" in " ".join(waiting.notes)
    assert "waits" not in " ".join(table.sees(6, "1. e4 e5", "48d", "50d").notes)


# ---- what the store refuses ----


def test_an_impossible_correction_is_refused(table: Table) -> None:
    table.sees(3, "1. e4 e5", "49d", "50d")
    table.desk.move(table.name, "Nf3", When())
    for values, reason in (
        ({"clock_ms": 30 * DAY_MS, "bank_ms": 40 * DAY_MS}, "at rest, with 40 d in the bank"),
        ({"moves": 60}, "has made 2 moves in the game, but the clock counts 60 moves"),
        ({"bank_ms": 400 * DAY_MS}, "the rules give 127 d at most"),
    ):
        with pytest.raises(GameError, match=reason):
            table.desk.correct(table.name, 0, values, When())
    table.desk.correct(table.name, 0, {"clock_ms": 30 * DAY_MS, "bank_ms": 0}, When())
    assert check(table.desk) == []


def test_check_finds_corrections_of_older_versions(table: Table) -> None:
    table.sees(3, "1. e4 e5 2. Nf3", "50d", "50d")
    event = clocks_event(table, {"side": 0, "clock_ms": 30 * DAY_MS, "bank_ms": 40 * DAY_MS})
    table.desk.add_events(table.name, lambda game: [event])
    assert ["at rest, with 40 d in the bank" in text for text in check(table.desk)] == [True]


def clocks_event(table: Table, data: dict):
    from standstill.engine.clock.game_clocks import CORRECT, Event

    return Event(CORRECT, table.now_ms, data)


@pytest.mark.parametrize(
    ("fen", "move"), [("8/8/4k3/8/8/3Kq3/8/8 w - - 0 1", "Kxe3"), ("8/8/4k3/8/8/3Kq3/6N1/8 w - - 0 1", "Nxe3")]
)
def test_a_dead_position_is_drawn(table: Table, fen: str, move: str) -> None:
    table.desk.add(Head("g", "50/75/1", own_side=0, fen=fen), START)
    game = table.desk.move("g", move, When())
    assert (game.result, game.reason) == ("1/2-1/2", "dead position")
    assert table.desk.undo("g").result == "*" and not table.desk.load("g").moves


# ---- what the commands print ----


def test_games_without_news_take_one_line(games, server: XfccServer, fetch) -> None:
    server.add("17", "e4 e5")
    server.add("18", "d4 d5", black="Jones")
    fetch()
    assert fetch().stdout == "2 games: nothing new\n"
    server.boards["18"].push_san("c4")
    assert fetch().stdout.splitlines()[-1] == "1 game: nothing new"


def test_what_was_said_is_in_the_log_and_in_the_file(games, server: XfccServer, fetch, tmp_path: Path) -> None:
    server.add("17", "e4 e5", drawOffered="true", message="All the best")
    fetch()
    said = games("show", NAME).stdout
    assert "Black offers a draw" in said and "Black writes: All the best" in said
    games("send", NAME, "Nf3", "--draw", "--message", "No", "--yes", env=ENV)
    games("export", "-o", tmp_path / "g.pgn")
    games("remove", NAME, "--yes")
    games("import", tmp_path / "g.pgn")
    log = [(entry["kind"], entry.get("text")) for entry in shown(games)["log"]]
    assert ("message", "All the best") in log and ("message", "No") in log and log.count(("offer", None)) == 2


@needs_zones
def test_messages_name_instants_in_the_zone_of_the_answers(games) -> None:
    games("new", "g", "50/75/1", "--start", "2026-01-05T00:00Z", env={"TZ": "Europe/Warsaw"})
    warsaw = games("move", "g", "e4", "--any", status=2, env={"TZ": "Europe/Warsaw"}).stderr
    assert "2026-02-24T01:00+01:00" in warsaw
    assert "2026-02-23T19:00-05:00" in games("move", "g", "e4", "--any", "--tz", "America/New_York", status=2).stderr


def test_a_name_with_an_umlaut_is_printed_as_it_is(executable: Path, games) -> None:
    games("new", "M\u00fcller", "50/75/1", "--no-engines")
    said = subprocess.run(
        [executable], input="setoption name TripleBlockGame value M\u00fcller\nisready\nd\nquit\n", text=True,
        capture_output=True, timeout=PATIENCE_S, check=True, encoding="utf-8",
        env=clean_environment() | {"STANDSTILL_STORE": str(games.store)},
    ).stdout  # fmt: skip
    assert "the event of M\u00fcller forbids engines" in said


def test_limits_are_in_the_output_for_programs(games, server: XfccServer, fetch) -> None:
    server.add("17", "e4 e5 Nf3", daysPlayer="50", hoursPlayer="0", daysOpponent="31")
    fetch()
    assert shown(games)["white"]["bank_most"] == 77
    assert json.loads(games("show", NAME, "--json").stdout)["black"]["bank_known"] is False
