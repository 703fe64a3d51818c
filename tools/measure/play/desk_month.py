"""Plays a month of games in the browser: `python tools/measure/play/desk_month.py FOLDER [DAYS] [GAMES]`.

Each day (of 30) the opponents of 60 games on a server of the tests may move, refill and offer draws. Then a user opens
the desk, fetches, goes through the games in which it is his move, and sends moves with the mouse; now and then he
offers or accepts a draw, writes a message or a note, plans a reply, refills his clock, claims, resigns, or looks at
what an absence needs. Every day the page has to show each game with the server's clock and a bank that contains the
server's, and `games check` has to find nothing. FOLDER gets the store, and pictures of all views in several widths. The
clocks of the program and of the browser are set to the day.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "build/tree")]

import chess
from playwright.sync_api import Page, TimeoutError, sync_playwright

from standstill.engine.correspondence.desk import Desk, When
from standstill.engine.correspondence.store import Store
from tests.correspondence import xfcc_server
from tests.correspondence.played_server import CAP, DAY, FIRST, Manner, Moment, PlayedGame, PlayedServer
from tests.correspondence.xfcc_server import PASSWORD, USER
from tools.measure.pictures.web import serving

EVENTS = ("WC45/ct/3", "World Cup 27, preliminary section 114", "Jubileusz 100-lecia PZSzach", "EU/MN/58")
PLAYERS = (
    "Müller, Jürgen", "Smith & Sons", "Ngô Văn Thành", "Ólafsson-Þorsteinsdóttir, Guðrún", "van der Heijden, Harold",
    "García Márquez de la Fuente, José María", "Li, Wei", "Łącki, Zbigniew", "O'Brien, Seán", "Rossi, Giulia",
)  # fmt: skip
OWN = "Nowak, Jan"
VIEWS = ("today", "game", "analysis", "away", "team", "event", "event=" + EVENTS[0])
WIDTHS = (390, 768, 1024, 1280)
PICTURED = 10  # pictures of each view and width on the first day, and every so many days
DARK = (390, 1280)  # widths that are pictured in dark colours, too
ABSENCES = 7  # an absence is planned every so many days
BEFORE = 60  # the games have begun up to so many days before the month
ACTS = 0.4  # share of the games to move in which the user acts on a day
PACES = (0.5, 2, 6, 15)  # usual days for a move
SHOWN_S = 120  # clocks are shown to the minute
PROGRAM = """
import sys, time
sys.path.insert(0, {tree!r})
def now():
    with open({clock!r}) as file:
        return int(file.read()) * 10**9
time.time_ns, time.time = now, lambda: now() / 1e9
from standstill.protocol.main import main
sys.exit(main())
"""


class LiveGame(PlayedGame):
    """A game whose own moves come from the user."""

    event, wanted = "", None
    planned: chess.Move | None = None  # the opponent's move to which the user has planned a reply
    reply = ""  # that reply
    asked = False  # has the user offered a draw?

    def __post_init__(self) -> None:
        bank = self.manner.bank * DAY
        self.moments.append(Moment(self.start, 0, [CAP, CAP], [bank, bank]))

    def chosen(self) -> chess.Move:
        if self.wanted is None and self.planned in self.board.legal_moves and self.source.random() < 0.7:
            return self.planned
        return self.wanted or super().chosen()

    def play_until(self, at: int, both: bool = False) -> None:
        """Let the opponent, or both players, make their moves until an instant."""
        if self.asked and self.now.running is not None and self.source.random() < 0.3:
            self.add(at, "end", running=None, result="Draw")
        self.asked = False
        while self.now.running is not None:
            side = self.now.running
            usual = self.manner.pace[side] * DAY
            think = int(self.source.expovariate(1 / usual)) + 60 if both or side != self.manner.own_side else 10**9
            if not self.wait_until(side, min(at, self.now.at + think)) or self.now.at >= at:
                return  # the rest of a long thought is drawn again: its distribution has no memory
            self.wanted = None
            self.move(side)

    def answered(self, at: int, move: chess.Move) -> None:
        if self.wait_until(self.manner.own_side, at):
            self.wanted = move
            self.move(self.manner.own_side)

    def shown(self, instant: int) -> dict[str, str]:
        self.instants = [moment.at for moment in self.moments]
        values = super().shown(instant) | {"event": self.event}
        moves = [moment for moment in self.moments if moment.action == "move"]
        offered = bool(moves) and moves[-1].offered and self.now.running == self.manner.own_side
        return values | {"drawOffered": str(offered).lower()}


class LiveServer(PlayedServer):
    """Shows the games as they are now, and takes the user's moves."""

    played: list[LiveGame]

    def _move(self, values: dict[str, str]) -> str:
        game = self.played[int(values["gameId"]) - 1]
        own = game.manner.own_side
        if values["resign"] == "true":
            game.add(self.now, "end", running=None, result=("BlackWins", "WhiteWins")[own])
        elif values["acceptDraw"] == "true":
            game.add(self.now, "end", running=None, result="Draw")
        elif game.now.running != own:
            return "NotYourTurn"
        else:
            game.answered(self.now, game.board.parse_san(values["myMove"]))
            game.asked = values["offerDraw"] == "true"
        return "Success"


@dataclass
class Month:
    """The user, the calendar, and what went wrong."""

    folder: Path
    games: int
    today: int = FIRST
    tried: str = ""  # the last move that was made with the mouse

    def __post_init__(self) -> None:
        self.source, self.counts, self.faults = random.Random(2026), Counter(), []
        self.seconds: list[float] = []
        self.claims: list[str] = []  # games that wait for a decision
        self.clock, self.store = self.folder / "now", self.folder / "games.sqlite"
        self.server = LiveServer([self.game(number) for number in range(self.games)])
        self.go_to(self.today)
        # The server's clock is right.
        right = lambda *_: format_datetime(datetime.fromtimestamp(self.today, UTC), usegmt=True)  # noqa: E731
        setattr(xfcc_server._Handler, "date_time_string", right)  # noqa: B010

    def game(self, number: int) -> LiveGame:
        source = random.Random(number)
        paces, event = (source.choice(PACES), source.choice(PACES)), number % len(EVENTS)
        manner = Manner((50, 75)[event % 2], 1 + event // 2, False, paces, 0, "none", False, number % 2, 500)
        game = LiveGame(manner, source, start=self.today - source.randrange(1, BEFORE) * DAY)
        names = [OWN, PLAYERS[number % len(PLAYERS)]][:: 1 - 2 * manner.own_side]
        game.moments[0].names, game.event = (names[0], names[1]), EVENTS[event]
        game.play_until(self.today, both=True)
        return game

    def go_to(self, at: int) -> None:
        self.today = self.server.now = at
        beside = self.clock.with_suffix(".new")
        beside.write_text(str(at))
        beside.replace(self.clock)

    def command(self, *words: object) -> list[str]:
        program = PROGRAM.format(tree=str(ROOT / "build/tree"), clock=str(self.clock))
        return [sys.executable, "-c", program, *map(str, words)]

    def terminal(self, *words: object) -> str:
        command = self.command("games", "--store", self.store, *words)
        done = subprocess.run(command, capture_output=True, text=True, env=environment(), check=False)
        if done.returncode or done.stderr:
            self.faults.append(f"{' '.join(map(str, words))}: {done.returncode} {done.stderr.strip()}")
        return done.stdout

    # ---- a day ----

    def day(self, page: Page, number: int) -> None:
        for game in self.server.played:
            game.play_until(self.today)
        for name in self.claims:
            game = self.server.played[int(name.rpartition("_")[2]) - 1]
            if self.source.random() < 0.5:
                game.add(self.today, "rejected", running=game.manner.own_side, pending=False)
            else:
                game.add(self.today, "end", running=None, pending=False, result="Draw")
        page.clock.set_fixed_time(datetime.fromtimestamp(self.today, UTC))
        page.evaluate("location.hash = 'today'")
        page.reload()
        self.fetch(page)
        if not number:
            self.correct()
        self.decide(page)
        self.compare(page)
        if number % ABSENCES == ABSENCES - 1:
            self.leave(page)
        mine = [row for row in self.listed(page) if row["mine"]]
        for row in mine if number else mine[: len(mine) // 2]:
            if self.source.random() < ACTS:
                try:
                    self.turn(page, row["name"])
                except TimeoutError as error:
                    self.faults.append(f"day {number}: {row['name']}: {self.tried}: {str(error).splitlines()[0]}")
                    page.screenshot(path=self.folder / f"fault-{len(self.faults)}.png")
                    page.reload()
        told = self.terminal("check")
        self.faults += [f"day {number}: check: {told}"] if " 0 problems" not in told else []

    def fetch(self, page: Page) -> None:
        began = time.monotonic()
        page.click("#fetch")
        page.wait_for_selector("#news:not([hidden])")  # the page was loaded again, so it was hidden
        page.wait_for_selector("#fetch:not([disabled])")
        self.seconds.append(time.monotonic() - began)
        self.counts["problems"] += page.locator("#news .problem").count()
        self.faults += page.locator("#news .problem").all_inner_texts()

    def correct(self) -> None:
        """Enter the user's banks as the server's page shows them, once for all games."""
        with Store(self.store) as store:
            desk = Desk(store)
            for name in desk.names():
                game = self.server.played[int(name.rpartition("_")[2]) - 1]
                side, now = game.manner.own_side, game.now.later(self.today)
                values = {"clock_ms": now.clocks[side] * 1000, "bank_ms": now.banks[side] * 1000}
                if not desk.load(name).over:
                    desk.correct(name, side, values, When(self.today * 1000))

    def listed(self, page: Page) -> list[dict]:
        read = """[...document.querySelectorAll('#rows li')].map((row) => ({
            name: row.querySelector('.who .dim').textContent.split(' · ')[0], mine: 'mine' in row.dataset }))"""
        return page.evaluate(read)

    def compare(self, page: Page) -> None:
        """Compare what the page shows with the true clocks and banks."""
        page.wait_for_timeout(300)  # the page draws the rows after the report of the fetch
        shown = {row["name"]: row for row in self.listed(page)}
        listed = json.loads(self.terminal("list", "--json"))
        running = [game for game in self.server.played if game.now.result == "Ongoing"]
        if len(shown) != len(running):
            self.faults.append(f"{len(shown)} rows, {len(running)} running games")
        for entry in listed:
            game = self.server.played[int(entry["name"].rpartition("_")[2]) - 1]
            truth = game.now.later(self.today)
            side = truth.running
            if side is None:  # a claim waits for its decision
                self.faults += [f"{entry['name']}: its clock is stopped on the server"] * (entry["status"] != "claimed")
                continue
            bank, left = truth.banks[side], truth.clocks[side]
            self.counts["values"] += 1
            self.counts["known"] += entry["bank_known"]
            if shown[entry["name"]]["mine"] != (side == game.manner.own_side):
                self.faults.append(f"{entry['name']}: whose move?")
            if abs(entry["left"] * DAY - left) > SHOWN_S or entry["left"] * DAY > left + 1:
                self.faults.append(f"{entry['name']}: clock {entry['left'] * DAY:.0f} s, truly {left}")
            if entry["bank_known"] and abs(entry["bank"] * DAY - bank) > 3600 + SHOWN_S:
                self.faults.append(f"{entry['name']}: bank {entry['bank'] * DAY:.0f} s, truly {bank}")

    def turn(self, page: Page, name: str) -> None:
        """Open a game from the list, and act in it."""
        game = self.server.played[int(name.rpartition("_")[2]) - 1]
        page.evaluate("location.hash = 'today'")
        page.click(f"#rows a[href='#game={quote(name, safe='')}']")
        page.wait_for_selector(f"#game-about:has-text({name + ' ·'!r})")
        chance = self.source.random()
        own = game.manner.own_side
        if game.planned is not None:
            self.answer_plan(page, game, name)
        elif page.locator("[data-action=accept]").count() and chance < 0.2:
            page.click("[data-action=accept]")
            self.confirm(page, "draws accepted")
        elif chance < 0.005:
            page.click("[data-action=resign]")
            self.confirm(page, "resignations")
        elif chance < 0.02 and game.wait_until(own, self.today):
            page.click("[data-action=claim]")
            self.enter(page, "claims")
            game.add(self.today, "claim", running=None, pending=True)
            self.claims.append(name)
        else:
            if chance < 0.05 and page.locator("[data-action=refill]").count():
                self.refill(page, game)
            if chance > 0.9:
                page.click("#add-note")
                page.fill("#ask [name=text]", "Compare with the game of 1937.")
                self.enter(page, "notes")
            self.drag(page, self.source.choice([move for move in game.board.legal_moves if not move.promotion]))
            if 0.5 < chance < 0.6:
                page.check("#ask [name=draw]")
                page.fill("#ask [name=message]", "Dziękuję: remis?")
                self.counts["draws offered"] += 1
            self.confirm(page, "moves")
            if 0.6 < chance < 0.75 and game.now.running == 1 - own:
                self.plan(page, game)

    def plan(self, page: Page, game: LiveGame) -> None:
        """Plan a reply to a move of the opponent."""
        board = game.board.copy()
        expected = self.source.choice(list(board.legal_moves))
        san = board.san(expected)
        board.push(expected)
        replies = [move for move in board.legal_moves if not move.promotion]
        if not replies or board.can_claim_draw():
            return
        game.planned, game.reply = expected, board.san(self.source.choice(replies))
        page.click("#add-line")
        page.fill("#ask [name=moves]", f"{san} {game.reply}")
        page.select_option("#ask [name=kind]", "plan")
        self.enter(page, "replies planned")

    def answer_plan(self, page: Page, game: LiveGame, name: str) -> None:
        """Play the planned reply if the opponent has played into it. The page has to show it then, and only then."""
        has_met = game.board.move_stack[-1] == game.planned
        hinted = page.locator("#hints li:has-text('You have planned')").all_inner_texts()
        if bool(hinted) != has_met or (has_met and not hinted[0].endswith(f"{game.reply}.")):
            self.faults.append(f"{name}: planned {game.reply}, the page says {hinted}")
        move = game.board.parse_san(game.reply) if has_met else next(iter(game.board.legal_moves))
        game.planned = None
        if not move.promotion:
            self.drag(page, move)
            self.confirm(page, "planned replies" if has_met else "moves")

    def enter(self, page: Page, what: str) -> None:
        page.click("#ask-yes")
        page.wait_for_selector("#ask", state="hidden")
        self.counts[what] += 1

    def decide(self, page: Page) -> None:
        """Enter the rejections of claims. The fetch shows those that were accepted."""
        for name in self.claims:
            game = self.server.played[int(name.rpartition("_")[2]) - 1]
            if game.now.result == "Ongoing":
                page.evaluate("(name) => { location.hash = `game=${encodeURIComponent(name)}`; }", name)
                page.click("[data-action=rejected]")
                self.enter(page, "claims rejected")
        self.claims = []
        page.evaluate("location.hash = 'today'")
        page.wait_for_selector("#view-today:not([hidden])")

    def leave(self, page: Page) -> None:
        """Plan an absence of three weeks by its days. The page has to name the games that the terminal names."""
        days = [datetime.fromtimestamp(self.today + after * DAY, UTC).date() for after in (3, 24)]
        page.evaluate("location.hash = 'away'")
        page.fill("#away-form [name=from]", str(days[0]))
        page.fill("#away-form [name=to]", str(days[1]))
        page.click("#away-form button")
        page.wait_for_selector("#away-answer h2:has-text('days away')")
        page.wait_for_timeout(300)
        command = self.command("games", "--store", self.store, "away", *days)
        done = subprocess.run(command, capture_output=True, text=True, env=environment(), check=False)
        told = {line.split(": ")[0] for line in done.stdout.splitlines() if ": " in line}
        seen = set(page.locator("#away-answer li a").all_inner_texts())
        if done.returncode > 1 or told != seen:
            self.faults.append(f"away: the terminal names {sorted(told - seen)}, the page {sorted(seen - told)}")
        page.click("#away-list button")
        self.counts["absences"] += 1
        page.evaluate("location.hash = 'today'")
        page.wait_for_selector("#view-today:not([hidden])")

    def refill(self, page: Page, game: LiveGame) -> None:
        """Refill a day on the server's page, and enter it here."""
        game.wait_until(game.manner.own_side, self.today)
        amount = min(DAY, CAP - game.now.clocks[game.manner.own_side], game.now.banks[game.manner.own_side])
        if amount < DAY:
            return
        game.take(game.manner.own_side, amount, "refill")
        page.click("[data-action=refill]")
        page.fill("#ask [name=amount]", "1d")
        self.enter(page, "refills")

    def drag(self, page: Page, move: chess.Move) -> None:
        self.tried = move.uci()
        page.locator("#board").scroll_into_view_if_needed()
        box, flipped = page.locator("#board .board").bounding_box(), page.locator("#board.flipped").count()
        assert box is not None
        size = box["width"] / 8
        isblack = page.evaluate("document.querySelector('#game-title').textContent").startswith(OWN) is False
        for square, act in ((move.from_square, page.mouse.down), (move.to_square, page.mouse.up)):
            file, rank = chess.square_file(square), chess.square_rank(square)
            if isblack or flipped:
                file, rank = 7 - file, 7 - rank
            page.mouse.move(box["x"] + (file + 0.5) * size, box["y"] + (7.5 - rank) * size, steps=3)
            act()
        page.wait_for_selector("#ask[open]")

    def confirm(self, page: Page, what: str) -> None:
        page.click("#ask-yes")
        page.wait_for_selector("#ask-preview:not([hidden])")
        page.click("#ask-yes:not([disabled])")
        page.wait_for_selector("#ask", state="hidden")
        self.counts[what] += 1

    def photograph(self, page: Page, number: int) -> None:
        game = next(row["name"] for row in self.listed(page))
        for width, colours in [(width, "light") for width in WIDTHS] + [(width, "dark") for width in DARK]:
            page.emulate_media(color_scheme=colours)
            page.set_viewport_size({"width": width, "height": 844 if width < 500 else 800})
            for view in VIEWS:
                page.evaluate("(view) => { location.hash = view; }", f"game={game}" if view == "game" else view)
                page.wait_for_timeout(400)
                page.evaluate("scrollTo(0, 0)")
                wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                if wide > 0:
                    self.faults.append(f"{view} at {width}: {wide} px too wide")
                name = f"{number:02}-{'events' if view == 'event' else view.partition('=')[0]}-{width}-{colours}.png"
                page.screenshot(path=self.folder / name)
        page.emulate_media(color_scheme="light")
        page.set_viewport_size({"width": 1280, "height": 800})


def environment() -> dict[str, str]:
    return os.environ | {"STANDSTILL_XFCC_PASSWORD": PASSWORD, "TZ": "UTC", "SSL_CERT_DIR": str(ROOT / "tests")}


def main(folder: str, days: int = 30, games: int = 60) -> int:
    Path(folder).mkdir(parents=True, exist_ok=True)
    month = Month(Path(folder), games)
    month.terminal("account", "add", month.server.url, USER, "--refills-entered")
    command = month.command("web", "desk", "--store", month.store, "--no-open")
    with serving(command, environment()) as address, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
        page.on("pageerror", lambda error: month.faults.append(str(error)))
        page.goto(address)
        page.evaluate("localStorage.setItem('standstill.seen-intro', '1')")
        for number in range(days):
            month.go_to(month.today + DAY + month.source.randrange(-6 * 3600, 6 * 3600))
            month.day(page, number)
            if number % PICTURED == PICTURED - 1 or number in {0, days - 1}:
                month.photograph(page, number + 1)
            print(f"day {number + 1}: {dict(month.counts)}, {len(month.faults)} faults", flush=True)
        browser.close()
    month.server.shutdown()
    print(f"{days} days, {games} games; fetches took {max(month.seconds):.1f} s at most")
    print("\n".join(month.faults))
    return bool(month.faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:4])))
