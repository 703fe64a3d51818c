"""UCI: turns commands into calls of the session, and the session's reports into lines.

The specification is Meyer-Kahlen: UCI protocol, 2006. Where clients differ from the UCI specification, this module
follows the clients.
"""

from __future__ import annotations

from math import isnan

from standstill.engine import AUTHOR, NAME, VERSION
from standstill.engine.common.errors import MendableError, StandstillError
from standstill.engine.common.info import EXACT, LOWER, BestMove, SearchInfo, score_text
from standstill.engine.common.limits import Limits
from standstill.engine.common.text import shown
from standstill.engine.play.listener import Listener
from standstill.engine.play.session import Session
from standstill.engine.settings.options import find
from standstill.engine.settings.spec import OptionSpec
from standstill.engine.settings.table import OPTIONS
from standstill.engine.variants.boards import begun_fen
from standstill.engine.variants.notation import looks_like_move, mended, without_operations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from standstill.engine.play.bench import Bench, Speedtest
    from standstill.engine.rmobility.modes import Outlook
    from standstill.engine.settings.options import Settings

    from ..line_writer import LineWriter
    from .jobs import Jobs, Perft

    Setter = Callable[[Limits, int], None]

_GAME = next(spec for spec in OPTIONS if spec.name == "UCI_Variant")

# Clients read an `info string` line into a buffer and show it on one line.
_LONGEST_STRING = 190
# Larger numbers can only come from a faulty client.
_LARGEST = 2**53

HELP = """\
uci                        print name and options
setoption name N value V   change an option
ucinewgame                 forget the last game
isready                    answer when all commands before it are done
position startpos|fen F [moves M...]
go [depth N] [nodes N] [movetime MS] [mate N] [infinite] [ponder] [searchmoves M...]
   [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N]
go perft N                 count the leaves of the tree of legal moves
stop, ponderhit, quit
d                          show the position
eval                       show the static evaluation
flip                       exchange the colours
bench [DEPTH] [threads N] [hash MB]
                           search fixed positions
speedtest [SECONDS] [threads N] [hash MB]
                           search as in games, by default with all processors
compiler                   print what the engine was compiled by, and for what
debug on|off               print more info lines"""


class Uci(Listener):
    """One client that speaks UCI."""

    def __init__(self, session: Session, writer: LineWriter, complaints: Sequence[str] = ()):
        """complaints: lines to print after the first list of options."""
        self._session = session
        self._writer = writer
        self._complaints = list(complaints)
        self._debug = False
        self._jobs: Jobs | None = None
        self._told_to_stop = False  # a stopped search has yet to report its best move
        self._told_to_quit = False
        self._refused = False  # the last position was refused, so there is nothing to search
        session.on_notice(self._string)
        self._commands = {
            "uci": self._uci,
            "isready": self._isready,
            "setoption": self._setoption,
            "ucinewgame": self._ucinewgame,
            "position": self._position,
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._ponderhit,
            "debug": self._set_debug,
            "register": self._register,
            "d": self._show,
            "eval": self._eval,
            "flip": self._flip,
            "bench": self._bench,
            "speedtest": self._speedtest,
            "compiler": self._compiler,
            "help": self._help,
        }

    def handle(self, line: str) -> bool:
        """Obey one line; return False for `quit`. Words before the first known command are skipped."""
        words = line.split()
        at = next((at for at, word in enumerate(words) if word in self._commands or word == "quit"), None)
        if at is None:
            if words:
                self._string(f"unknown command {shown(line, 60)}: try help")
            return True
        if words[at] == "quit":
            self._told_to_quit = True
            return False
        if self._jobs is not None and self._jobs.keep(line, words[at] == "stop"):
            return True
        parts = line.split(None, at + 1)
        try:
            self._commands[words[at]](parts[at + 1] if at + 1 < len(parts) else "")
        except StandstillError as error:
            self._string(f"error: {error}")
        return True

    def answer(self, patience_s: float) -> None:
        """End when the client's input ends: report the best move if the search ends within this time.

        The engine waits after `stop`, and for a script whose last line is `go`. After `quit` the engine does not wait.
        """
        if self._told_to_stop or not self._told_to_quit:
            self._session.close(patience_s)

    def leave(self, patience_s: float) -> bool:
        """End the job that a user at a terminal has started. Returns whether it has ended, after at most this time."""
        return self._jobs is None or self._jobs.leave(patience_s)

    # ---- commands of the protocol ----

    def _uci(self, rest: str) -> None:
        lines = [f"id name {NAME} {VERSION}", f"id author {AUTHOR}"]
        lines += [self._option_line(spec) for spec in OPTIONS if spec.in_uci]
        lines += [string_line(text) for text in self._complaints]
        self._complaints = []
        self._writer.write("\n".join([*lines, "uciok"]))

    def _isready(self, rest: str) -> None:
        self._session.is_ready()
        self._writer.write("readyok")

    def _option_line(self, spec: OptionSpec) -> str:
        """The declaration of an option; UCI_Variant also lists the variants of the user's file if it can be read."""
        games: tuple[str, ...] | None = None
        if spec.name == "UCI_Variant":
            try:
                games = self._session.game_names()
            except StandstillError as error:
                self._complaints.append(str(error))
        return option_line(spec, self._session.settings, games)

    def _setoption(self, rest: str) -> None:
        name, value = split_option(rest)
        spec = find(name)
        games = self._option_line(_GAME) if spec is not None and spec.name == "VariantFile" else ""
        self._session.set_option(name, value)
        if games and games != (now := self._option_line(_GAME)):
            self._writer.write(now)  # the list of variants has changed

    def _ucinewgame(self, rest: str) -> None:
        self._refused = False
        self._session.new_game()

    def _position(self, rest: str) -> None:
        words = rest.split()
        at = words.index("moves") if "moves" in words else len(words)
        what = words[:at]
        self._refused = True
        if what[:1] == ["startpos"]:
            self._set_up(begun_fen(self._session.game), words[at + 1 :])
            if what[1:]:
                self._string(f"ignored: {shown(' '.join(what[1:]), 60)}; moves follow the word moves")
        elif what[:1] == ["fen"] and what[1:]:
            self._set_up(" ".join(what[1:]), words[at + 1 :])
        else:
            raise StandstillError(f"expected position startpos or position fen FEN, found {shown(rest)}")

    def _set_up(self, fen: str | None, moves: list[str]) -> None:
        """Set up the position. Faulty parts of a FEN that are not needed for play are ignored and reported."""
        played, wrong = self._session.played, []
        before = played.set_up_text
        if fen is not None:
            fen, operations = without_operations(fen)
            wrong += [operations] if operations else []
        try:
            while True:
                try:
                    self._session.position(fen, moves)
                    return
                except MendableError as error:
                    fen = mended(fen or "", error)
                    wrong.append(str(error))
        finally:
            self._refused = played.set_up_text != (fen or "")
            if not self._refused and before != played.set_up_text:
                for text in wrong:
                    self._string(f"ignored: {text}")

    def _go(self, rest: str) -> None:
        words = rest.split()
        if words[:1] == ["perft"]:
            self._perft(words[1:])
            return
        limits = parse_limits(words)
        if self._refused:
            self._string("error: no position to search: the last one was refused")
            self._session.running.answer_nothing(limits, self)
            return
        if limits.root_moves and not self._session.played.candidates(limits.root_moves):
            self._string(f"error: expected legal moves to search, found {shown(' '.join(limits.root_moves))}")
        self._session.go(limits, self)
        if self._debug:
            self._string(self._session.running.budget_text)

    def _stop(self, rest: str) -> None:
        self._told_to_stop = self._session.searching
        self._session.stop()

    def _ponderhit(self, rest: str) -> None:
        self._session.ponderhit()

    def _set_debug(self, rest: str) -> None:
        self._debug = rest.lower() != "off"

    def _register(self, rest: str) -> None:
        """Do nothing: the engine is free software and needs no registration."""

    # ---- for a user at a terminal ----

    def _show(self, rest: str) -> None:
        from standstill.engine.variants.position_report import position_report

        self._writer.write(position_report(self._session.board, self._session.played.standing_record))
        self._show_clock()

    def _eval(self, rest: str) -> None:
        from standstill.engine.variants.position_report import evaluation_report

        self._writer.write(evaluation_report(*self._session.evaluation(), self._session.last_owner()))
        self._show_clock()

    def _show_clock(self) -> None:
        for text in self._session.timing.report(self._session.board):
            self._string(text)

    def _flip(self, rest: str) -> None:
        self._session.played.flip()

    def _help(self, rest: str) -> None:
        self._writer.write(HELP)

    def _perft(self, words: list[str]) -> None:
        from standstill.engine.variants.perft import checked_depth

        from .jobs import Perft

        if self._refused:
            raise StandstillError("no position to count: the last one was refused")
        depth = integer(words[0]) if words else None
        if depth is None or depth < 1:
            raise StandstillError(f"expected go perft with a depth, found {shown(' '.join(words))}")
        self._start("perft", Perft(self._session.board, checked_depth(depth)))

    def _bench(self, rest: str) -> None:
        from standstill.engine.play.bench import DEPTH, HASH_MB, Bench

        from .jobs import numbers

        found = numbers(rest, "depth", "threads", "hash")
        depth, threads = found.get("depth", DEPTH), found.get("threads", 1)
        hash_mb, eval_file = found.get("hash", HASH_MB), self._session.settings["EvalFile"]
        self._start("bench", Bench(depth, threads=threads, hash_mb=hash_mb, eval_file=eval_file))

    def _speedtest(self, rest: str) -> None:
        from standstill.engine.play.bench import SPEEDTEST_S, Speedtest

        from .jobs import numbers

        found = numbers(rest, "seconds", "threads", "hash")
        seconds, eval_file = found.get("seconds", SPEEDTEST_S), self._session.settings["EvalFile"]
        test = Speedtest(seconds, threads=found.get("threads"), hash_mb=found.get("hash"), eval_file=eval_file)
        self._start("speedtest", test)

    def _compiler(self, rest: str) -> None:
        from standstill.engine.settings.about import build_report

        self._writer.write(build_report())

    def _start(self, name: str, job: Perft | Bench | Speedtest) -> None:
        from .jobs import Jobs

        self._refuse_during_search()
        if self._jobs is None:
            self._jobs = Jobs(self.handle, self._writer.write, self._string)
        self._jobs.start(name, job)

    def _refuse_during_search(self) -> None:
        if self._session.searching:
            raise StandstillError("not possible during a search: stop it first")

    # ---- reports of the search, on the search's thread ----

    def info(self, info: SearchInfo) -> None:
        settings = self._session.settings
        self._writer.write(info_line(info, settings["UCI_ShowWDL"]))

    def outlook(self, outlook: Outlook, is_news: bool) -> None:
        if is_news:
            self._string(f"rmobility {outlook}")

    def current_move(self, depth: int, move: str, number: int) -> None:
        self._writer.write(f"info depth {depth} currmove {move} currmovenumber {number}")

    def best_move(self, best: BestMove) -> None:
        self._told_to_stop = False
        reply = f" ponder {best.ponder}" if best.ponder else ""
        self._writer.write(f"bestmove {best.move or '(none)'}{reply}")

    def remark(self, text: str) -> None:
        self._string(text)

    def advice(self, text: str) -> None:
        self._string(text)

    def _string(self, text: str) -> None:
        self._writer.write(string_line(text))


# ---- formatting and parsing ----


def option_line(spec: OptionSpec, settings: Settings, choices: tuple[str, ...] | None = None) -> str:
    """The declaration of an option.

    The default in the declaration is the current value, which may come from engine.ini.

    choices: the choices of a combo if they differ from those in the table of options.
    """
    line = f"option name {spec.name} type {spec.kind}"
    if spec.kind == "button":
        return line
    value = settings.value(spec)
    if spec.kind == "check":
        return f"{line} default {'true' if value else 'false'}"
    if spec.kind == "spin":
        return f"{line} default {value} min {spec.minimum} max {spec.maximum}"
    if spec.kind == "combo":
        return f"{line} default {value} " + " ".join(f"var {choice}" for choice in choices or spec.choices)
    return f"{line} default {value or '<empty>'}"


def split_option(text: str) -> tuple[str, str]:
    """(name, value) of the text after `setoption`. The value is the rest of the line, unchanged, or empty."""
    words = text.split()
    if words[:1] != ["name"]:
        raise StandstillError(f"expected setoption name N value V, found {shown(text)}")
    at = words.index("value") if "value" in words else len(words)
    parts = text.split(None, at + 1)
    return " ".join(words[1:at]), parts[at + 1] if len(parts) > at + 1 else ""


def parse_limits(words: list[str]) -> Limits:
    """The limits after `go`, in any order. Unknown words and limits without a number are skipped."""
    limits = Limits()
    rest = list(reversed(words))
    while rest:
        word = rest.pop()
        if word == "infinite":
            limits.infinite = True
        elif word == "ponder":
            limits.ponder = True
        elif word == "searchmoves":
            moves = []
            while rest and looks_like_move(rest[-1]):
                moves.append(rest.pop())
            limits.root_moves = moves or None
        elif word in _NUMBERS and rest and (number := integer(rest[-1])) is not None:
            rest.pop()
            _NUMBERS[word](limits, number)
    return limits


def _set(name: str) -> Setter:
    return lambda limits, number: setattr(limits, name, number)


def _set_of_side(name: str, side: int) -> Setter:
    def put(limits: Limits, number: int) -> None:
        getattr(limits, name)[side] = number

    return put


_NUMBERS = {
    "wtime": _set_of_side("time_ms", 0),
    "btime": _set_of_side("time_ms", 1),
    "winc": _set_of_side("inc_ms", 0),
    "binc": _set_of_side("inc_ms", 1),
    "movestogo": _set("movestogo"),
    "movetime": _set("movetime_ms"),
    "depth": _set("depth"),
    "nodes": _set("nodes"),
    "mate": _set("mate"),
}


def integer(word: str) -> int | None:
    """The integer part of a number, limited to what a double holds exactly; None if the text is not a number."""
    try:
        value = float(word)
    except ValueError:
        return None
    if isnan(value):
        return None
    return int(max(-_LARGEST, min(value, _LARGEST)))


def info_line(info: SearchInfo, show_wdl: bool) -> str:
    """An `info` line."""
    parts = [f"info depth {info.depth} seldepth {info.seldepth} multipv {info.multipv} score {score_text(info.score)}"]
    if info.bound != EXACT:
        parts.append("lowerbound" if info.bound == LOWER else "upperbound")
    if show_wdl:
        parts.append("wdl {} {} {}".format(*info.chances))
    tbhits = "" if info.tbhits is None else f" tbhits {info.tbhits}"
    time_ms = info.time_ns // 1_000_000
    parts.append(f"nodes {info.nodes} nps {info.nps} hashfull {info.hashfull}{tbhits} time {time_ms}")
    if info.pv:
        parts.append("pv " + " ".join(info.pv))
    return " ".join(parts)


def string_line(text: str) -> str:
    return f"info string {' '.join(text.split())[:_LONGEST_STRING]}"
