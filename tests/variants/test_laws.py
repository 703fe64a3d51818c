"""Rules beyond Fairy-Max's format, compared with Fairy-Stockfish's library: moves, check, results, FEN in and out."""

from __future__ import annotations

import random
import re
from pathlib import Path

import chess.engine
import chess.variant
import pytest

from standstill.cext.base.constants import CHECKMATE, RULE_DRAW, RULE_LOSS, RULE_WIN, STALEMATE
from standstill.cext.bindings.perft import checked_perft, perft
from standstill.engine.common.errors import DefinitionError, NotationError
from standstill.engine.variants import extra_rules
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.catalog import Catalog, client_can_know, xboard_can_know
from standstill.engine.variants.extra_rules import NO_LAWS, with_law
from standstill.engine.variants.fairymax import parse, read_file
from standstill.engine.variants.game_over import game_end
from standstill.engine.variants.notation import fen, move_text, parse_move, set_epd, set_fen
from tests import forked
from tests.amounts import LONG
from tests.uci.client import Client
from tests.variants.files import block, text_of, written
from tests.xboard.support import features, pong, python_chess

CATALOG = Catalog()
GAMES = [game for game in CATALOG if game.extra]
NAMES = [game.name for game in GAMES]
# Fairy-Stockfish does not have `great`, and scores a mate by a pawn drop as a loss (test_shogi).
# A FEN of `janggi` does not tell whether the last move was a pass (test_janggi). It writes the pieces in hand of
# `seirawan` in another order, and ends `shatranj` a move later if a bared side cannot reply (test_gate_and_bare).
OTHERS = (
    "great",
    "shogi",
    "minishogi",
    "judkins",
    "euroshogi",
    "torishogi",
    "kyotoshogi",
    "micro",
    "gorogoro",
    "janggi",
    "seirawan",
    "shatranj",
)
SHARED = [name for name in NAMES if name not in OTHERS]
SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 4 if LONG else 2))]


class Library:
    """Fairy-Stockfish's library as the peer of ``compare``."""

    def __init__(self, variant: str) -> None:
        self.variant = variant

    def position(self, text: str, moves: list[str]) -> tuple[str, list[str], bool]:
        """After the moves from the position: (FEN, legal moves, whether the side to move is in check)."""
        asked = self.variant, text, moves
        return pyffish().get_fen(*asked), pyffish().legal_moves(*asked), pyffish().gives_check(*asked)

    def referee(self) -> Library:
        """The peer that must confirm a difference before it counts."""
        return self


def pyffish():
    return pytest.importorskip("pyffish")


def capturable(text: str, has_ep: bool) -> str:
    """The FEN without an en passant square on which no capture is legal; Fairy-Stockfish writes some of these.

    Comparing moves still finds legal captures that our board misses.
    """
    fields = text.split()
    if not has_ep and fields[3][0].isalpha():
        fields[3] = "-"
    return " ".join(fields)


def same_end(board, variant: str, theirs: str, playable: bool) -> bool:
    """Return whether the game is over in this position. Compares with pyffish whether and how it ends.

    playable: whether Fairy-Stockfish has a legal move. Fairy-Stockfish has none if the game has ended by a rule.
    """
    found = board.rule_result()
    over, result = (False, 0) if playable else pyffish().is_immediate_game_end(variant, theirs, [])
    if over:
        assert found == (RULE_DRAW if result == 0 else RULE_WIN if result > 0 else RULE_LOSS), theirs
        return True
    assert found not in (RULE_WIN, RULE_LOSS), theirs
    if not playable:
        result = pyffish().game_result(variant, theirs, [])
        expected = {STALEMATE} if result == 0 else {RULE_WIN} if result > 0 else {CHECKMATE, RULE_LOSS}
        assert board.ending_without_moves() in expected, theirs
        return True
    if found == RULE_DRAW:
        assert pyffish().is_optional_game_end(variant, theirs, []) == (True, 0), theirs
    return found == RULE_DRAW


def compare(name: str, start: str, plies: int, rng: random.Random, peer: Library | None = None) -> int:
    """Compare the positions of a random game; return their number."""
    game, peer = CATALOG.find(name), peer or Library(name)
    ours, read = new_board(start, game=game), new_board(game=game)
    before, played = start, []
    for ply in range(plies):
        moves = {move_text(ours, move): move for move in ours.legal_moves()}
        found = fen(ours), sorted(moves), bool(ours.checkers)
        theirs, expected, check = peer.position(before, played)
        if found != (capturable(theirs, bool(ours.ep)), sorted(expected), check):
            theirs, expected, check = peer.referee().position(before, played)
        assert found == (capturable(theirs, bool(ours.ep)), sorted(expected), check), (before, played)
        set_fen(read, theirs)
        assert fen(read) == fen(ours), theirs
        if same_end(ours, name, theirs, bool(expected)):
            return ply + 1
        assert ours.count_legal() == len(moves) and ours.goal() == 2 * len(moves) + (not ours.checkers), theirs
        ours.verify()
        noisy = [text for text in sorted(moves) if ours.noisy(moves[text])]
        checks = [text for text in sorted(moves) if ours.checks(moves[text])]
        choices = noisy if noisy and rng.random() < 0.35 else checks if checks and rng.random() < 0.3 else sorted(moves)
        text = rng.choice(choices)
        gave_check = ours.checks(moves[text])
        ours.push(moves[text])
        is_lost = game.extra.explosion and ours.rule_result() == RULE_LOSS  # removing the king counts as check, too
        assert gave_check == (bool(ours.checkers) or is_lost)
        before, played = theirs, [text]
    return plies


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", SHARED)
def test_positions_of_random_games(name: str, seed: int) -> None:
    rng = random.Random(seed)
    assert fen(new_board(game=CATALOG.find(name))) == pyffish().get_fen(name, pyffish().start_fen(name), [])
    compare(name, pyffish().start_fen(name), 120 if seed else 12, rng)


def test_start_positions_and_their_rights() -> None:
    for name in SHARED:
        assert fen(new_board(game=CATALOG.find(name))) == pyffish().get_fen(name, pyffish().start_fen(name), [])


def test_a_fen_keeps_the_rights_of_every_game() -> None:
    """A position that is written and read again has the same moves, including those that only unmoved pieces have."""
    rng = random.Random(1)
    for game in CATALOG:
        board = new_board(game=game)
        for _ in range(8):
            read = new_board(fen(board), game=game)
            moves = board.legal_moves()
            assert (fen(read), sorted(read.legal_moves())) == (fen(board), sorted(moves)), game.name
            board.push(rng.choice(moves))


# Positions near the end of a game, in which its own rules decide.
LATE = [
    ("3check", "4k3/8/8/8/8/8/4Q3/4K3 b - - 1+3 0 1"),
    ("5check", "4k3/8/8/8/8/8/3Q4/4K3 w - - 1+1 0 1"),
    ("antichess", "8/P7/8/8/8/8/p7/1N6 b - - 0 1"),
    ("suicide", "8/p7/P7/8/8/8/8/1K6 w - - 0 1"),
    ("losers", "4k3/8/8/8/8/8/r7/4KQ2 w - - 0 1"),
    ("racingkings", "8/1k4K1/8/8/8/8/8/R6r w - - 0 1"),
    ("racingkings", "6K1/1k6/8/8/8/8/8/R6r b - - 0 1"),
    ("racingkings", "8/1k2K3/8/2r5/8/8/8/8 w - - 0 1"),
    ("horde", "4k3/8/8/8/8/8/1p6/PPP5 w - - 0 1"),
    ("extinction", "4k3/8/8/8/8/8/pppq4/R3K2R w KQ - 0 1"),
    ("kinglet", "8/1P6/8/8/8/8/1p6/K6k w - - 0 1"),
    ("threekings", "k1k1k3/8/8/8/8/8/2R5/KK1K4 w - - 0 1"),
    ("grand", "4k5/P1P3P3/10/10/10/10/10/4pp4/10/5K4 w - - 0 1"),
    ("shako", "10/4k5/10/10/10/10/10/10/1R2CK2R1/10 w KQ - 0 1"),
    ("makruk", "8/8/4k3/8/3S4/3SK3/8/R7 b - 32 31 80"),
    ("makruk", "8/8/4k3/2p5/3S4/3SK3/8/R7 w - - 0 80"),
    ("asean", "8/8/4k3/8/3B4/3PK3/8/R7 w - - 0 80"),
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("name", "start"), LATE)
def test_late_positions(name: str, start: str) -> None:
    rng = random.Random(3)
    for _ in range(3):
        compare(name, start, 10, rng)


@pytest.mark.parametrize(("name", "letters"), [("makruk", "NSRM"), ("cambodian", "NSRM"), ("asean", "NBRQ")])
def test_the_count_begins_and_goes_on_as_in_fairy_stockfish(name: str, letters: str) -> None:
    """After the capture of the last man or pawn beside a king, with armies of one to five men."""
    game, rng, begun = CATALOG.find(name), random.Random(name), 0
    while begun < 12:
        men = [rng.choice(letters) for _ in range(rng.randint(0, 4))]
        rows = [list("1" * 8) for _ in range(8)]
        places = rng.sample([(rank, file) for rank in range(1, 5) for file in range(8)], 4 + len(men))
        for (rank, file), man in zip(places, ["K", "k", "R", rng.choice(["r", "n", "p"]), *men], strict=True):
            rows[rank][file] = man
        text = "/".join("".join(row) for row in rows) + " w - - 0 1"
        moves: list[str] = []
        try:
            board = new_board(text, game=game)
        except NotationError:
            continue
        text = fen(board)
        while len(moves) < 12 and (legal := board.legal_moves()):
            takes = [move for move in legal if board.noisy(move)]
            move = rng.choice(takes or legal)
            moves.append(move_text(board, move))
            board.push(move)
            assert fen(board).split()[4:] == pyffish().get_fen(name, text, moves).split()[4:], (text, moves)
            begun += len(moves) == 12 and fen(board).split()[3] != "-"


def test_an_en_passant_square_that_no_capture_may_use() -> None:
    """The double step gave check: Fairy-Stockfish names the square; our board names it only for legal captures."""
    game = CATALOG.find("3check")
    before = "r2qkbr1/3pp1p1/2p5/p4P1p/n4PbK/8/3N3P/R1B5 b q - 3+3 3 21"
    board, told = new_board(before, game=game), new_board(game=game)
    board.push(next(move for move in board.legal_moves() if move_text(board, move) == "e7e5"))
    set_fen(told, "r2qkbr1/3p2p1/2p5/p3pP1p/n4PbK/8/3N3P/R1B5 w q e6 3+2 0 22")
    assert fen(told) == fen(board) and told.key == board.key and told.legal_moves() == board.legal_moves()


@pytest.mark.parametrize("name", NAMES)
def test_counters_hold_everywhere(name: str) -> None:
    board = new_board(game=CATALOG.find(name))
    assert checked_perft(board, 2) == perft(board, 2)


def test_a_file_is_written_as_it_is_read() -> None:
    text = "\n".join(["version 4.8(w)", str(CATALOG.find("normal")).split("\n", 2)[2], *map(str, GAMES)])
    again = parse(text).games
    assert list(again) == GAMES


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("w KQkq - 0 1 +1+2", "w KQkq - 2+1 0 1"),  # Lichess counts checks given
        ("w KQkq - 2+1 0 1", "w KQkq - 2+1 0 1"),
        ("w KQkq - 0 1", "w KQkq - 3+3 0 1"),
        ("w KQkq -", "w KQkq - 3+3 0 1"),
    ],
)
def test_forms_of_the_counters_of_checks(given: str, written: str) -> None:
    placement = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
    for read in (lambda board, text: board.notation.set_fen(board, text), set_epd):
        board = new_board(game=CATALOG.find("3check"))
        read(board, f"{placement} {given}")
        assert fen(board) == f"{placement} {written}"


def test_checks_and_moves_are_counted_in_one_position() -> None:
    """Without pawns, makruk allows the stronger side 64 moves; the check counter does not change that."""
    game = parse(text_of(block("Game: mine", "# checks 3", "# counting makruk R B N"))).games[0]
    board = new_board("3k4/8/1K6/8/8/3n4/8/1R5R w - - 3+3 0 60", game=game)
    board.push(parse_move(board, "b1g1"))
    assert fen(board) == "3k4/8/1K6/8/8/3n4/8/6RR b - 128 3+3 0 60"
    for text in ("d8d7", "g1g7", "d7d8", "g7g8"):
        for read in (set_fen, set_epd):
            again = new_board(game=game)
            read(again, fen(board))
            assert (fen(again), again.counting) == (fen(board), board.counting)
            assert (again.key, again.checks_left) == (board.key, board.checks_left)
        board.push(parse_move(board, text))
    assert fen(board) == "3k2R1/8/1K6/8/8/3n4/8/7R b - 128 1+3 4 62"


def test_counted_checks_tell_positions_apart() -> None:
    """Positions that differ only in the counters are not repetitions, and have different hash entries."""
    game = CATALOG.find("3check")
    keys = {new_board(f"4k3/8/8/8/8/8/4Q3/4K3 b - - {n}+3 0 1", game=game).key for n in (1, 2, 3)}
    assert len(keys) == 3


@pytest.mark.parametrize(
    ("name", "text", "end"),
    [
        ("3check", "4k3/4Q3/8/8/8/8/8/4K3 b - - 0+3 0 1", ("1-0", "enough checks")),
        ("racingkings", "1k4K1/8/8/8/8/8/8/8 w - - 0 1", ("1/2-1/2", "king at the goal")),
        ("racingkings", "1k6/6K1/8/8/8/8/8/8 w - - 0 1", ("0-1", "king at the goal")),
        ("antichess", "8/8/8/8/8/8/8/1N6 b - - 0 1", ("0-1", "nothing left")),
        ("antichess", "8/8/8/8/8/p7/P7/8 w - - 0 1", ("1-0", "stalemate")),
        ("losers", "6k1/8/8/8/8/8/5PPP/r5K1 w - - 0 1", ("1-0", "mate")),
        ("horde", "4k3/8/8/8/8/8/8/8 w - - 0 1", ("0-1", "nothing left")),
        ("makruk", "8/8/4k3/8/8/4K3/8/R7 b - 32 33 80", ("1/2-1/2", "counting rule")),
    ],
)
def test_how_games_end(name: str, text: str, end: tuple[str, str]) -> None:
    assert game_end(new_board(text, game=CATALOG.find(name))) == end


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("# checks 0", "checks: expected a number of checks from 1 to 9, found '0'"),
        ("# goal 8", "goal: expected two ranks such as 8 1, found '8'"),
        ("# goal 8 9", ":24:10: goal: expected ranks up to 8, found 9"),
        ("# pawns 2-1", "pawns: expected ranks such as 1-2, found '2-1'"),
        ("# extinct lose z", ":24:16: extinct: expected letters of pieces (bknpqr), found z"),
        ("# extinct draw all", "extinct: expected win or lose"),
        ("# stalemate maybe", "stalemate: expected win, lose or fewer, found 'maybe'"),
        ("# leap", "leap: expected the letter of a piece, found nothing"),
        ("# leap z", ":24:8: leap: expected letters of pieces (bknpqr), found z"),
        ("# leap RS", "leap: expected the letter of a piece, found 'RS'"),
        ("# counting makruk R", "counting: expected makruk, cambodian or asean"),
        ("# capture always", "capture: expected the end of the line, found 'always'"),
        ("# start 8/8", "start: expected 8 ranks, found 2"),
        ("# start 8/8/8/8/8/8/8/4K3", "start: expected a royal piece of Black"),
        ("# castling rook", "castling: expected the letter of a piece"),
        ("# promotion last", "promotion: expected a rank, limited or own, found 'last'"),
        ("# promotion own own", "promotion: expected a rank, limited or own, found 'own own'"),
        ("# promotion own 8", "promotion: expected a rank, limited or own, found 'own 8'"),
        ("# mate lose", "mate: expected win, found 'lose'"),
        ("# checks 3\n# checks 4", "checks: expected one line checks, found two"),
        ("#\n# capture all", "expected # capture directly below the pieces"),
    ],
)
def test_mistakes_in_the_lines(line: str, message: str) -> None:
    with pytest.raises(DefinitionError, match=re.escape(message)):
        parse(text_of(block("Game: mine", line)))


LINES = {
    "start": ["8/8/8/8"],
    "pawns": ["1-2"],
    "castling": ["k free", "k", "free"],
    "promotion": ["7 limited own", "7", "limited"],
    "goal": ["8 1 reply", "8 1"],
    "checks": ["3"],
    "nocheck": [""],
    "capture": [""],
    "extinct": ["win k 1", "lose all"],
    "stalemate": ["lose"],
    "mate": ["win"],
    "leap": ["n"],
    "counting": ["makruk r s n"],
    "hand": ["keep"],
    "drop": ["p 2-7 single nomate", "p 2-7"],
    "gate": ["he"],
    "bare": ["lose", "lose reply", "draw"],
    "explosion": ["p", ""],
    "zone": ["k d1-f3 e5"],
    "within": ["p a5-h8 sW fD"],
    "flying": [""],
    "perpetual": ["check"],
    "mirror": ["gs"],
    "promote": ["3 r=d p=g"],
    "repetition": ["4 white", "4"],
    "endless": [""],
    "alias": ["h=n e=b"],
    "immune": ["c"],
    "barrier": ["c"],
    "pass": ["white", ""],
    "bikjang": [""],
    "points": ["1.5 r=13 p=2.5"],
}
OTHERS = {  # the shortened line is a valid line, too
    *("castling k", "castling free", "promotion 7", "promotion limited", "promotion own", "promotion limited own"),
    *("promotion 7 limited", "promotion 7 own", "goal 8 1", "extinct win k", "drop p 2-7 single", "drop p 2-7 nomate"),
    *("drop p 2-7", "explosion", "zone k d1-f3", "zone k e5", "within p a5-h8 sW", "within p a5-h8 fD"),
    *("promote 3 r=d", "promote 3 p=g", "repetition 4", "alias h=n", "alias e=b", "extinct win k 0"),
    *("bare lose", "zone k d1-f3 e5 e5", "pass", "points 1.5 r=13", "points 1.5 p=2.5", "points 0 r=13 p=2.5"),
}


@pytest.mark.parametrize("name", extra_rules._READERS)
def test_every_word_of_a_line_counts(name: str) -> None:
    """A line with a word missing, twice at the end, or replaced is refused, except other forms."""
    for line in LINES[name]:
        words = line.split()
        with_law(NO_LAWS, [name, *words])
        wrong = [[*words[:at], *words[at + 1 :]] for at in range(len(words))]
        if name not in ("start", "within"):  # placements and moves are read with the pieces
            wrong += [[*words, "?"], [*words, *words[-1:]]]
            wrong += [[*words[:at], sign, *words[at + 1 :]] for at in range(len(words)) for sign in ("?", "0", "A-")]
        for damaged in wrong:
            if damaged == words or " ".join([name, *damaged]) in OTHERS:
                with_law(NO_LAWS, [name, *damaged])
                continue
            with pytest.raises(ValueError, match="expected"):
                pytest.fail(f"{damaged}: {with_law(NO_LAWS, [name, *damaged])}")


def test_other_comments_are_no_rules() -> None:
    assert parse(text_of(block("Game: mine", "# Checks are counted nowhere"))).games[0].extra == NO_LAWS


@pytest.mark.parametrize(
    "text",
    [
        "8/8/8/8/8/8/k6R/K7 w - - 0 1",  # both kings are attacked
        "8/8/8/8/8/8/8/K7 w - - 0 1",
    ],
)
def test_positions_that_a_game_without_checks_cannot_have(text: str) -> None:
    with pytest.raises(NotationError):
        new_board(text, game=CATALOG.find("racingkings"))


def test_fairymax_reads_the_file(tmp_path: Path) -> None:
    """Fairy-Max reads these lines as comments, and finds the next game after them."""
    file = written(tmp_path, block("Game: mine", "# capture", "# checks 3"), block("Game: next"))
    assert [game.name for game in read_file(str(file)).games] == ["mine", "next"]


# ---- protocols ----


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", NAMES)
def test_uci_lists_and_plays_the_game(engine: Client, name: str) -> None:
    engine.send(f"setoption name UCI_Variant value {name}", "position startpos", "go nodes 300")
    best = engine.read_until("bestmove")[-1].split()[1]
    board = new_board(game=CATALOG.find(name))
    assert best in {move_text(board, move) for move in board.legal_moves()}


def test_xboard_is_not_told_what_it_cannot_know(xboard: Client) -> None:
    """Only XBoard accepts `exclude`. Other clients know more games by name."""
    announced = features(xboard)["variants"].split(",")
    for game in GAMES:
        assert (game.name in announced) == client_can_know(game), game.name
    xboard.send("new", "variant great", "variant horde", "variant nosuchgame")
    assert refused(xboard) == ["great", "nosuchgame"]
    xboard.send("accepted exclude")
    (line,) = [line for line in pong(xboard) if line.startswith("feature")]
    announced = line.removeprefix('feature variants="').removesuffix('"').split(",")
    for game in GAMES:
        assert (game.name in announced) == xboard_can_know(game), game.name
    xboard.send("new", "variant horde", "variant 3check")
    assert refused(xboard) == ["horde"]


def refused(xboard: Client) -> list[str]:
    return [line.split()[-1] for line in pong(xboard) if line.startswith("Error (unsupported variant): ")]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("board", [chess.variant.RacingKingsBoard, chess.variant.HordeBoard])
def test_python_chess_plays_by_xboards_protocol(executable: Path, board: type[chess.Board]) -> None:
    """python-chess knows these games by name, and checks moves by its own rules."""
    played = board()
    with python_chess([str(executable)]) as engine:
        for _ in range(6):
            best = engine.play(played, chess.engine.Limit(nodes=100), info=chess.engine.INFO_ALL)
            assert played.variation_san(best.info["pv"])
            played.push(best.move)


def test_show_and_moves_by_the_command(executable: Path) -> None:
    command = [str(executable), "variants", "show", "horde"]
    shown = forked.run(command, capture_output=True, text=True, check=True).stdout
    assert "# extinct lose all" in shown and "PPPPPPPP" in shown
    text = "8/8/8/8/8/1p6/P7/R7 w - - 0 1"
    command = [str(executable), "variants", "moves", "antichess", "--fen", text]
    assert forked.run(command, capture_output=True, text=True, check=True).stdout.split() == ["a2b3"]
