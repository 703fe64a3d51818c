"""Absences and timetables compared with an hour-by-hour model of the clock; reminders to a small mail server."""

from __future__ import annotations

import json
import random
import socketserver
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from standstill.engine.clock.instants import find_zone, instant_text, now_ms, parse_instant
from standstill.engine.clock.units import DAY_MS, HOUR_MS
from standstill.engine.correspondence.listing import Entry
from standstill.engine.correspondence.planning.absence import MARGIN_MS, MOVE, REFILL, RISK, Absence, required_actions
from standstill.engine.correspondence.planning.timetable import timetable
from standstill.engine.correspondence.planning.words import read_absence
from tests.clock.naive import NaiveGame
from tests.posix import WINDOWS, needs_zones

DAY = 24


def entry(clock: int, bank: int, *, own_turn: bool = True) -> Entry:
    """A game at instant 0 with these hours on the clock and in the bank."""
    return Entry(
        name="g", white="a", black="b", own_side=0, control="50/75/1", status="running", to_move=0 if own_turn else 1,
        move=1, left_ms=clock * HOUR_MS, bank_ms=bank * HOUR_MS, deadline_ms=clock * HOUR_MS, last_move="", result="*",
        no_engines=False, own_clock_ms=clock * HOUR_MS, own_bank_ms=bank * HOUR_MS, uid="u",
    )  # fmt: skip


def naive(clock: int, bank: int) -> NaiveGame:
    return NaiveGame(clock, bank, DAY, False, True)


def lost_by(game: NaiveGame, hours: int) -> bool:
    game.wait(hours)
    return game.lost


@pytest.mark.sampled(60)
@pytest.mark.parametrize("seed", range(300))
def test_an_absence_needs_what_the_hours_say(seed: int) -> None:
    source = random.Random(seed)
    clock, bank = source.randint(2, 50 * DAY), source.choice((0, source.randint(1, 100 * DAY)))
    first = source.randint(1, 60 * DAY)
    last = first + source.randint(1, 70 * DAY)
    found = required_actions([entry(clock, bank)], [Absence(first * HOUR_MS, last * HOUR_MS)], 0)
    margin = MARGIN_MS // HOUR_MS
    assert bool(found) == lost_by(naive(clock, bank), last + margin - 1)
    if not found:
        return
    (action,) = found
    by = action.by_ms // HOUR_MS
    assert by == min(first, clock)
    # Refill at the last possible instant, by the least and by the most suggested amount.
    latest = max(0, by - 1)
    for amount in (action.least_ms // HOUR_MS, action.most_ms // HOUR_MS):
        game = naive(clock, bank)
        game.wait(latest)
        game.refill(amount if action.kind == REFILL else 50 * DAY)
        room = amount == action.most_ms // HOUR_MS
        game.wait(last - latest - 1 - (1 if room else 0))
        if action.kind == REFILL and by < clock:
            assert not game.lost
    if action.kind == MOVE:
        game = naive(clock, bank)
        game.wait(by if by < clock else by - 1)
        game.refill(50 * DAY)
        assert lost_by(game, last + margin - by)


def test_a_game_of_the_opponent_is_a_risk_if_the_absence_is_longer_than_the_clock() -> None:
    short = required_actions([entry(30 * DAY, 0, own_turn=False)], [Absence(0, 29 * DAY_MS)], 0)
    assert short == []
    (risk,) = required_actions([entry(30 * DAY, 0, own_turn=False)], [Absence(DAY_MS, 40 * DAY_MS)], 0)
    assert (risk.kind, risk.flag_ms) == (RISK, 31 * DAY_MS)


def test_a_second_absence_starts_with_the_refill_of_the_first() -> None:
    absences = [Absence(5 * DAY_MS, 30 * DAY_MS), Absence(40 * DAY_MS, 70 * DAY_MS)]
    found = required_actions([entry(10 * DAY, 70 * DAY)], absences, 0)
    kept = [(action.kind, action.by_ms // DAY_MS, action.most_ms // DAY_MS) for action in found]
    assert kept == [(REFILL, 5, 45), (REFILL, 40, 25)]
    assert found[-1].until_ms == 80 * DAY_MS


@pytest.mark.parametrize("seed", range(50))
def test_the_timetable_uses_every_day_of_the_bank(seed: int) -> None:
    source = random.Random(seed)
    clock, bank = source.randint(1, 50 * DAY), source.randrange(200 * DAY)
    steps = timetable([entry(clock, bank)], -1)
    game = naive(clock, bank)
    at = 0
    for step in steps[:-1]:
        # Each refill comes an hour early, when the clock has room for one hour less, so the steps shift.
        instant = step.at_ms // HOUR_MS - step.number
        game.wait(instant - at)
        at = instant
        assert not game.lost and game.sides[0]["clock"] <= 1
        game.refill(50 * DAY)
    last = steps[-1].at_ms // HOUR_MS
    assert steps[-1].action == "move" and last == clock + bank
    assert game.sides[0]["clock"] + game.sides[0]["bank"] == last - at


def test_a_game_whose_time_has_run_out_has_no_steps() -> None:
    """A refill after the deadline does not save the game; if the clock is unknown, the bank may."""
    late = entry(3, 20 * DAY)
    assert timetable([late], 3 * HOUR_MS) == [] and len(timetable([late], 3 * HOUR_MS - 1)) == 2
    assert len(timetable([replace(late, clock_known=False)], 3 * HOUR_MS)) == 1


# ---- commands ----


def days_ago(days: float) -> str:
    return instant_text(now_ms() - round(days * DAY_MS))


@pytest.fixture
def three(games):
    """Games with 2, 6 and 40 days left. White is to move in each."""
    for name, left in (("soon", 2), ("week", 6), ("later", 40)):
        games("new", name, "50/75/1", "--side", "white", "--start", days_ago(50 - left))
    return games


def test_a_list_for_cron_has_an_exit_status(three) -> None:
    lines = three("list", "--due", "7d", status=1).stdout.splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["soon", "week"]
    assert three("list", "--due", "36h").stdout == "no games due within 1 d 12 h\n"
    assert len(json.loads(three("list", "--due", "3d", "--json", status=1).stdout)) == 1
    three("list", "--due", "soon", status=2)


def test_the_absence_of_a_holiday(three) -> None:
    today = now_ms()
    now, first, last = (instant_text(today + days * DAY_MS)[:10] for days in (0, 1, 20))
    found = json.loads(three("away", first, last, "--json", status=1).stdout)
    assert [(action["game"], action["action"]) for action in found] == [("soon", "refill"), ("week", "refill")]
    said = three("away", first, last, status=1).stdout.splitlines()
    assert said[0].startswith("soon: refill by ") and said[-1] == "1 game without anything to do"
    # The absence is today, because early in the day tomorrow's end plus an hour is later than the first deadline.
    assert three("away", now, now).stdout == three("away", now).stdout == "3 games without anything to do\n"
    year, month, day = last.split("-")
    for words in (
        [f"{first}..{last}"],
        [first, "-", f"{day}.{month}.{year}"],
        [first, "to", *f"{day}. {month}. {year}".split()],
    ):
        assert three("away", *words, status=1).stdout.splitlines() == said


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("instants", "reason"),
    [
        (["2026-12-20T10:00"], "expected pairs FROM TO, found 1 instant"),
        (["2026-12-20", "2026-12-10"], "ends after it begins"),
        (["2026-12-20", "2026-12-30", "2026-12-25", "2027-01-03"], "do not overlap"),
        (["2026-12-20", "soon"], "found 'soon'"),
    ],
)
def test_an_absence_that_makes_no_sense_is_refused(three, instants: list[str], reason: str) -> None:
    assert reason in three("away", *instants, status=2).stderr.replace("\n", " ")


def test_the_plan_of_all_games(three, tmp_path: Path) -> None:
    steps = json.loads(three("plan", "--json").stdout)
    first = [(step["game"], step["action"], step["amount"]) for step in steps][:2]
    assert first == [("soon", "refill", 50), ("week", "refill", 50)]
    assert [step["at"] for step in steps] == sorted(step["at"] for step in steps) and len(steps) == 9
    icalendar = pytest.importorskip("icalendar")
    three("plan", "--ical", "-o", tmp_path / "plan.ics")
    read = icalendar.Calendar.from_ical((tmp_path / "plan.ics").read_bytes())
    events = read.walk("VEVENT")
    assert len({str(event["UID"]) for event in events}) == 9
    assert sorted(str(event["SUMMARY"]).split(":")[0] for event in events) == sorted(step["game"] for step in steps)


def test_each_reminder_comes_once(three) -> None:
    assert [line.split(":")[0] for line in three("remind").stdout.splitlines()] == ["soon", "week"]
    assert three("remind").stdout == ""
    three("refill", "soon", "3d")  # a new deadline, again within 7 days
    assert three("remind").stdout.startswith("soon: move, or refill (72 d in the bank) by ")
    nearer = three("remind", "--days", "7,6,2").stdout.splitlines()
    assert [line.split(":")[0] for line in nearer] == ["soon", "week"] and three("remind").stdout == ""
    assert "7,3,1" in three("remind", "--days", "a", status=2).stderr


class MailServer(socketserver.ThreadingTCPServer):
    """Accepts mail, or refuses it."""

    allow_reuse_address = daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _MailHandler)
        self.mails: list[str] = []
        self.refuse = False
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()


class _MailHandler(socketserver.StreamRequestHandler):
    server: MailServer

    def handle(self) -> None:
        self.wfile.write(b"220 test\r\n")
        while line := self.rfile.readline():
            word = line.split()[0].upper() if line.split() else b""
            if word == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                lines = []
                while (text := self.rfile.readline()) not in (b".\r\n", b""):
                    lines.append(text.decode())
                self.server.mails.append("".join(lines))
            if word == b"MAIL" and self.server.refuse:
                self.wfile.write(b"550 not today\r\n")
                continue
            self.wfile.write(b"221 bye\r\n" if word == b"QUIT" else b"250 ok\r\n")


def test_a_mail_that_fails_is_sent_later(three) -> None:
    with MailServer() as server:
        env = {"STANDSTILL_SMTP": f"127.0.0.1:{server.server_address[1]}"}
        server.refuse = True
        assert "the mail cannot be sent" in three("remind", "--mail", "jan@example.org", env=env, status=2).stderr
        server.refuse = False
        assert three("remind", "--mail", "jan@example.org", env=env).stdout == ""
        three("remind", "--mail", "jan@example.org", env=env)
        server.shutdown()
    (mail,) = server.mails
    assert "To: jan@example.org" in mail and "soon: move" in mail
    assert "Subject: Standstill: 2 games with a deadline" in mail


def test_a_mail_needs_a_server(three) -> None:
    assert "STANDSTILL_SMTP" in three("remind", "--mail", "jan@example.org", status=2).stderr


@pytest.mark.skipif(WINDOWS, reason="a shell script cannot stand for the program on Windows")
def test_a_notification_on_the_desktop(three, tmp_path: Path) -> None:
    program = tmp_path / "notify-send"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {tmp_path}/said\n')
    program.chmod(0o755)
    three("remind", "--desktop", env={"PATH": f"{tmp_path}:/usr/bin:/bin"})
    said = (tmp_path / "said").read_text().splitlines()
    assert said[2] == "2 games with a deadline" and said[3].startswith("soon: move")
    three("refill", "soon", "2d")
    assert "notify-send on Linux" in three("remind", "--desktop", env={"PATH": "/nonexistent"}, status=2).stderr


@needs_zones
@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York"])
def test_an_absence_ends_with_its_last_day_though_the_clocks_change(monkeypatch, zone: str) -> None:
    """The last day counts in full in the system's zone and in a named one, although days have 25 or 23 hours."""
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        for day, after in (("2026-10-25", "2026-10-26"), ("2026-11-01", "2026-11-02"), ("2027-03-14", "2027-03-15")):
            for where in (None, find_zone(zone)):
                assert read_absence("2026-10-20", day, where).to_ms == parse_instant(after, find_zone(zone))
    finally:
        monkeypatch.undo()
        time.tzset()
