"""Moves, sides, results, draws and resignation."""

from __future__ import annotations

import math
import re
import time

import chess
import chess.engine
import pytest

from standstill.engine.relevance.model import position_nag
from standstill.engine.relevance.nags import ascii_text
from standstill.engine.relevance.presets import OWN
from tests.board.support import KIWIPETE
from tests.xboard.support import THINKING, own_move, pong, thoughts

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
FOOLS_MATE = ["f2f3", "e7e5", "g2g4"]


def test_a_new_game_has_the_engine_play_black(xboard) -> None:
    """After `new` the engine plays Black, and answers White's move."""
    move = own_move(xboard, "usermove e2e4")
    board = chess.Board()
    board.push_uci("e2e4")
    assert chess.Move.from_uci(move) in board.legal_moves


def test_go_plays_the_side_to_move_and_goes_on_with_it(xboard) -> None:
    """`go` leaves force mode, and the engine plays the side to move."""
    board = chess.Board()
    board.push_uci(own_move(xboard, "go"))
    reply = next(iter(board.legal_moves))
    board.push(reply)
    move = own_move(xboard, f"usermove {reply.uci()}")
    assert chess.Move.from_uci(move) in board.legal_moves


def test_force_plays_nothing(xboard) -> None:
    """In force mode the engine accepts moves of both sides and plays none."""
    xboard.send("force", "usermove e2e4", "usermove e7e5", "usermove g1f3")
    assert pong(xboard) == []


def test_playother_waits_for_a_move_of_the_other_side(xboard) -> None:
    """`playother` leaves force mode, and the engine plays the side that is not to move."""
    xboard.send("force", "playother")
    assert pong(xboard) == []
    assert own_move(xboard, "usermove d2d4")


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "text", ["e2e4", "usermove e2e4", "e4", "usermove e4", "usermove e2-e4", "e2-e4", "usermove e4!"]
)
def test_a_move_is_read_in_every_form(xboard, text: str) -> None:
    """Moves come as coordinates, SAN, castling and null moves, with and without `usermove`."""
    move = own_move(xboard, text)
    assert move[1] in "678"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("text", ["e1g1", "O-O", "0-0", "o-o", "usermove O-O"])
def test_castling_is_read_in_every_form(xboard, text: str) -> None:
    xboard.send("force", "setboard r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", text, "usermove e8d7")
    assert pong(xboard) == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize("text", ["e7e8q", "e7e8=Q", "e8=Q", "e8q", "usermove e7e8n", "e8=N"])
def test_promotions_are_read_in_every_form(xboard, text: str) -> None:
    xboard.send("force", "setboard 8/4P3/8/8/8/8/k7/2K5 w - - 0 1", text)
    assert pong(xboard) == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize("text", ["e2e5", "usermove e2e5", "Nd5", "usermove hello", "e7e8q", "O-O", "usermove"])
def test_an_illegal_move_is_named_and_changes_nothing(xboard, text: str) -> None:
    """The answer to an illegal move is `Illegal move: M`, and nothing else."""
    xboard.send("force", text)
    assert pong(xboard) == [f"Illegal move: {text.removeprefix('usermove').strip()}"]
    xboard.send("usermove e2e4")
    assert pong(xboard) == []


def test_a_pass_is_a_move(xboard) -> None:
    xboard.send("force", "@@@@", "usermove e7e5", "usermove @@@@")
    assert pong(xboard) == []


def test_an_illegal_move_does_not_stop_the_thinking(xboard) -> None:
    xboard.send("st 0.5", "usermove e2e4", "usermove e2e4")
    lines = xboard.read_until("move")
    assert "Illegal move: e2e4" in lines


def test_move_now(xboard) -> None:
    """`?` makes the engine move at once."""
    xboard.send("st 1000", "go")
    assert own_move(xboard, "?")
    xboard.send("?")
    assert pong(xboard) == []


def test_a_ping_on_our_move_is_answered_after_it(xboard) -> None:
    """On the engine's move the `pong` comes after the move."""
    xboard.send("st 0.3", "go", "ping 1", "ping 2")
    lines = [line.split()[0] for line in xboard.read_until("move")]
    assert "pong" not in lines
    assert [xboard.read_line(), xboard.read_line()] == ["pong 1", "pong 2"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("command", ["force", "new", "result 1-0 {x}", "setboard 8/8/8/8/8/k7/8/K7 w - - 0 1"])
def test_an_aborted_search_gives_no_move_and_its_pings(xboard, command: str) -> None:
    """Commands that abort a search suppress its move, and pending pings are answered."""
    xboard.send("st 1000", "go", "ping 1", command, "ping 2")
    lines = xboard.read_until("pong")
    assert lines[-1] == "pong 1"
    assert xboard.read_until("pong")[-1] == "pong 2"
    assert not [line for line in xboard.heard if line.startswith("move")]


def test_an_illegal_position_is_refused_until_the_next(xboard) -> None:
    """After a refused position every move is illegal until the next set-up."""
    xboard.send("force", "setboard 8/8/8/8/8/8/8/8 w - - 0 1", "usermove e2e4")
    said = [line for line in pong(xboard) if not line.startswith("# ")]
    assert said[0].startswith("tellusererror Illegal position: ") and said[1:] == ["Illegal move: e2e4"]
    xboard.send("new", "force", "usermove e2e4")
    assert pong(xboard) == []


def test_setboard_keeps_the_side_that_the_engine_plays(xboard) -> None:
    xboard.send(f"setboard {KIWIPETE}")
    assert pong(xboard) == []
    assert own_move(xboard, "usermove e1g1")


def test_edit_sets_a_position_up(xboard) -> None:
    """`edit` clears, places and removes pieces of either colour."""
    xboard.send("force", "edit", "#", "Kg1", "Ra1", "c", "Kg8", "Pf7", "Pg7", "Ph7", ".", "go")
    assert xboard.read_until("1-0")[-2:] == ["move a1a8", "1-0 {White mates}"]


def test_edit_takes_men_away_and_castling_comes_from_the_home_squares(xboard) -> None:
    xboard.send("force", "edit", "xf1", "xg1", "xe2", ".", "usermove O-O")
    assert pong(xboard) == []


def test_an_edit_that_is_not_finished_changes_nothing(xboard) -> None:
    xboard.send("force", "edit", "#", "Kg1", "usermove e2e4")
    assert pong(xboard) == []


def test_obsolete_colour_commands(xboard) -> None:
    """XBoard's old sequence black/time/otim/white/go means "play White"."""
    xboard.send("new", "black", "time 100", "otim 100", "white")
    board = chess.Board()
    assert chess.Move.from_uci(own_move(xboard, "go")) in board.legal_moves


def test_undo_and_remove(xboard) -> None:
    """`undo` takes back one half-move, `remove` two."""
    xboard.send("force", "usermove e2e4", "undo", "usermove d2d4", "usermove d7d5", "remove", "usermove e2e4")
    assert pong(xboard) == []
    xboard.send("undo", "undo", "undo", "remove", "usermove e2e4")
    assert pong(xboard) == []


def test_remove_goes_on_with_the_same_side(xboard) -> None:
    own_move(xboard, "usermove e2e4")
    xboard.send("remove")
    assert pong(xboard) == []
    assert own_move(xboard, "usermove d2d4")


def test_a_mate_is_claimed_after_the_move_that_gives_it(xboard) -> None:
    """The result is claimed only when the position on the board ends the game."""
    xboard.send(f"setboard {MATE_IN_ONE}", "go")
    lines = xboard.read_until("1-0")
    assert lines[-2:] == ["move a1a8", "1-0 {White mates}"]


def test_a_finished_game_is_answered_by_its_result(xboard) -> None:
    """If the game is over, the answer to `go` is the result, without a move."""
    xboard.send("force", *(f"usermove {move}" for move in [*FOOLS_MATE, "d8h4"]), "go")
    assert pong(xboard) == ["0-1 {Black mates}"]
    xboard.send("setboard 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go")
    assert pong(xboard) == ["1/2-1/2 {Stalemate}"]
    xboard.send("setboard 8/8/8/8/8/8/8/KBk5 w - - 0 1", "go")
    assert pong(xboard) == ["1/2-1/2 {Insufficient material}"]
    xboard.send("setboard 4k3/8/8/8/8/8/8/R3K3 w Q - 100 80", "go")
    assert pong(xboard) == ["1/2-1/2 {Fifty moves}"]


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("8/8/8/8/8/8/8/KBk5 w - - 0 1", "Insufficient material"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 100 80", "Fifty moves"),
    ],
)
def test_cute_chess_gets_a_move_where_its_game_starts_drawn(start, fen: str, reason: str) -> None:
    """Cute Chess looks for the end of a game only after a move, and ignores a claim before the first: it would wait."""
    client = start()
    client.send("xboard", "protover 2", "rejected analyze", "accepted option", "force", f"setboard {fen}", "go")
    board = chess.Board(fen)
    board.push_uci(client.read_until("move")[-1].split()[1])
    assert pong(client) == [f"1/2-1/2 {{{reason}}}"]


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("variant", "fen", "reason"),
    [
        ("normal", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate"),
        ("normal", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "White mates"),
        ("antichess", "8/8/8/8/8/k7/P7/8 w - - 0 1", "stalemate"),
    ],
    ids=["stalemate", "mate", "won stalemate"],
)
def test_cute_chess_ends_a_game_that_starts_without_a_legal_move(start, variant: str, fen: str, reason: str) -> None:
    """Of all lines that an engine may send then, Cute Chess takes only an illegal move or this complaint as an end."""
    client = start()
    client.send("xboard", "protover 2", "rejected analyze", "accepted option", "new", f"variant {variant}", "force")
    pong(client)
    client.send(f"setboard {fen}", "go")
    assert pong(client) == [f"Illegal position to start from: no legal move ({reason})"]
    other = start()  # any other client gets the result
    other.send("xboard", "protover 2", "new", f"variant {variant}", "force")
    pong(other)
    other.send(f"setboard {fen}", "go")
    assert re.fullmatch(r"(1-0|0-1|1/2-1/2) \{.+\}", "\n".join(pong(other)))


def test_a_repetition_is_claimed_only_if_every_client_counts_it(xboard) -> None:
    """The position right after a pawn move does not count, because XBoard does not count it."""
    there_and_back = [f"usermove {move}" for move in ("g8f6", "g1f3", "f6g8", "f3g1")]
    xboard.send("force", "usermove e2e4", *(there_and_back * 2), "go")
    assert any(line.startswith("move ") for line in pong(xboard))
    xboard.send("new", "force", "usermove e2e4", *(there_and_back * 3), "go")
    assert pong(xboard) == ["1/2-1/2 {Repetition}"]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("line", ["result 1-0 {White mates}", "result * {Ended}", "result"])
def test_a_result_is_taken_without_a_word(xboard, line: str) -> None:
    """After `result` the engine stops, makes no more moves and prints nothing."""
    xboard.send(line, "usermove e2e4")
    assert pong(xboard) == []


def test_a_draw_is_accepted_from_a_worse_position_only(xboard) -> None:
    """A draw is accepted by offering one, never by a result."""
    xboard.send("setboard 4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1", "go")
    xboard.read_until("move")
    xboard.send("draw")
    assert pong(xboard) == []
    xboard.send("new", "setboard 4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1", "go", "draw")
    lines = xboard.read_until("move")
    assert lines[-2] == "offer draw"
    xboard.send("draw")
    assert pong(xboard) == ["offer draw"]


def test_draws_may_be_switched_off(xboard) -> None:
    xboard.send("option DrawOffers=off", "setboard 4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1", "go", "draw")
    assert "offer draw" not in xboard.read_until("move")


def test_resignation_takes_four_lost_moves_and_the_option(xboard) -> None:
    """`resign` comes in place of a move after four lost moves, and only if the option allows it."""
    board = chess.Board("4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQ - 0 1")
    xboard.send("option ResignScore=500", "st 0.02", f"setboard {board.fen()}", "go")
    for number in range(1, 5):
        while (line := xboard.read_line()).split()[0] not in ("move", "resign"):
            pass
        if number == 4:
            break
        assert line.startswith("move ")
        board.push_uci(line.split()[1])
        board.push_uci("b1c3" if number % 2 else "c3b1")
        xboard.send(f"usermove {board.peek().uci()}")
    assert line == "resign"
    xboard.send("usermove @@@@")
    assert not [said for said in pong(xboard) if said.startswith("move")]


def test_hint(xboard) -> None:
    """`hint` names the expected reply after our move, and prints nothing without one."""
    xboard.send("hint")
    assert pong(xboard) == []
    own_move(xboard, "st 0.2", "usermove e2e4")
    xboard.send("hint")
    said = pong(xboard)
    assert len(said) == 1 and said[0].startswith("Hint: ")


def test_bk_ends_with_an_empty_line(xboard) -> None:
    """The lines of `bk` begin with a blank, and an empty line ends them."""
    xboard.send("bk")
    lines = pong(xboard)
    assert lines[-1] == "" and all(line.startswith((" ", "\t")) for line in lines[:-1])


def test_thinking_is_shown_when_asked_for(xboard) -> None:
    """`post` and `nopost` switch lines of thinking on and off, in the form that XBoard reads."""
    xboard.send("nopost", "st 0.2", "go")
    assert thoughts(xboard) == []
    xboard.send("new", "post", "go")
    lines = thoughts(xboard)
    assert lines
    for line in lines:
        assert THINKING.fullmatch(line), line
        assert len(line.split("\t")[0].split()) == 7


PAWN_UP = "4k3/pppp4/8/8/8/8/PPPPP3/4K3 b - - 0 1"


@pytest.mark.parametrize(
    ("accepts", "form"),
    [
        # XBoard gets the symbol after the first move: its window cuts long lines, and the first word must be the move
        ("accepted exclude", r"(?P<numbers>[^\t]+)\t(?P<moves>[a-h]\S+) \{(?P<symbol>\S+)\}( [a-h].*)?"),
        # python-chess does not identify itself, and reads moves up to the first word that is not one
        ("", r"(?P<numbers>[^\t]+)\t(?P<moves>[a-h].*) \{(?P<symbol>\S+)\}"),
        # Cute Chess splits only at blanks and shows the rest as it is
        (
            "rejected analyze\naccepted option",
            r"(?P<numbers>\d+ -?\d+ \d+ \d+) (?P<symbol>\S+) (?P<moves>[a-h].*)",
        ),
    ],
)
def test_thinking_shows_the_symbol_where_each_client_has_it_in_view(start, accepts: str, form: str) -> None:
    client = start()
    client.send("xboard", "protover 2", accepts, "post", f"setboard {PAWN_UP}", "sd 8", "go")
    lines = [line for line in thoughts(client) if line[0].isdigit() and line[-1] not in "?!"]
    board = chess.Board(PAWN_UP)
    assert lines
    for line in lines:
        found = re.fullmatch(form, line)
        assert found, line
        white_cp = -int(found["numbers"].split()[1])
        pawns = math.copysign(math.inf, white_cp) if abs(white_cp) >= 100_000 else white_cp / 100
        assert found["symbol"] == ascii_text(position_nag(pawns, OWN.x05))
        if not accepts:
            read = chess.engine._parse_xboard_post(line, board)
            assert [move.uci() for move in read["pv"]] == found["moves"].split()


def test_the_symbol_in_thinking_can_be_switched_off(xboard) -> None:
    xboard.send("option Relevance_Position=off", "post", "sd 6", "go")
    assert not any("{" in line for line in thoughts(xboard))


@pytest.mark.parametrize(
    ("answers", "behind"),
    [
        pytest.param((), r"( [!?])?( \{\S+\})?( \(\S+( -> \S+)?\))?", id="analysis window"),
        # Any word other than a move makes Scid call the variation illegal.
        pytest.param(("accepted ping", "rejected analyze", "accepted memory"), "", id="engine window"),
        # PyChess would show the forecast without brackets and points.
        pytest.param(("accepted analyze", "rejected exclude", "accepted option"), "( [!?])?", id="PyChess"),
    ],
)
def test_scid_and_pychess_get_four_columns_and_then_the_moves(start, answers: tuple[str, ...], behind: str) -> None:
    """Scid 4.7.4 and PyChess 1.0.3 read everything after the nodes as the variation."""
    client = start()
    client.send("xboard", "protover 2", *answers, "option RMobility=Points", "post", "sd 12", "go")
    lines = [line for line in thoughts(client) if line[0].isdigit()]
    assert lines
    for line in lines:
        assert re.fullmatch(rf"\d+ -?\d+ \d+ \d+\t[a-h][1-8][a-h][1-8]( [a-h][1-8][a-h][1-8])*{behind}", line), line


def test_fewer_columns_on_demand(xboard) -> None:
    xboard.send("option MoreColumns=0", "post", "st 0.2", "go")
    for line in thoughts(xboard):
        assert THINKING.fullmatch(line), line
        assert len(line.split("\t")[0].split()) == 4


def test_mates_count_from_a_hundred_thousand(xboard) -> None:
    """Mate in N is 100000 + N; being mated in N is -100000 - N."""
    xboard.send("post", f"setboard {MATE_IN_ONE}", "go")
    scores = [int(line.split()[1]) for line in thoughts(xboard)]
    assert scores[-1] == 100001
    xboard.send("new", "setboard 7k/8/8/8/8/8/rr6/6K1 w - - 0 1", "go")
    assert int(thoughts(xboard)[-1].split()[1]) < -100000


def test_the_game_goes_on_with_the_clock_of_the_client(xboard) -> None:
    """`time` overrides the engine's own clock: with a second left no move takes a second."""
    xboard.send("level 40 5 0", "time 100", "otim 100", "post", "go")
    lines = thoughts(xboard)
    assert all(int(line.split()[2]) < 80 for line in lines)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "line", ["level", "level 40", "level x 5 0", "st", "st x", "sd", "time", "otim x", "nps", "level 0 5:xx 0"]
)
def test_a_clock_that_cannot_be_read_gets_one_line(xboard, line: str) -> None:
    xboard.send("force", "sd 3", line)
    said = pong(xboard)
    assert len(said) == 1 and said[0].startswith("Error (expected ")
    assert own_move(xboard, "go")


def test_depth_and_node_clocks(xboard) -> None:
    """`sd` limits the depth. With `nps N` a second is N nodes, so `st 1` searches N nodes."""
    xboard.send("st 100", "sd 3", "post", "go")
    assert [int(line.split()[0]) for line in thoughts(xboard)][-1] == 3
    xboard.send("new", "st 1", "nps 5000", "go")
    assert int(thoughts(xboard)[-1].split()[3]) == 5000


def test_variants(xboard) -> None:
    """An unknown variant is answered with an error."""
    xboard.send("variant flummox")
    error, comment = pong(xboard)
    assert error == "Error (unsupported variant): flummox"
    assert comment.startswith("# expected one of normal, ") and comment.endswith(", found 'flummox'")
    xboard.send("new", "variant fischerandom", "force", "setboard 4k3/8/8/8/8/8/8/RK5R w KQ - 0 1", "usermove O-O")
    assert pong(xboard) == []


def test_castling_in_chess960_is_sent_as_letters(xboard) -> None:
    """Castling in Chess960 is sent as O-O or O-O-O."""
    board = chess.Board("4k3/8/8/8/8/8/8/1RK4R w HB - 0 1", chess960=True)
    xboard.send("new", "variant fischerandom", f"setboard {board.fen()}")
    for move in board.legal_moves:
        if not board.is_castling(move):
            xboard.send(f"exclude {move.uci()}")
    move = own_move(xboard, "go")
    assert move in ("O-O", "O-O-O")
    assert board.is_castling(board.parse_san(move))


def test_words_may_be_divided_by_tabs(xboard) -> None:
    xboard.send("force", "setboard\t8/8/8/8/8/2k5/8/K6R\tw - -\t0 1", "level\t40\t5\t0", "usermove\tRh2", "ping\t3")
    assert xboard.read_until("pong") == ["pong 3"]
    xboard.send("usermove\th1h2")
    assert pong(xboard) == ["Illegal move: h1h2"]


def test_a_refused_position_is_explained(xboard) -> None:
    """XBoard shows the text of `tellusererror` in a separate window."""
    xboard.send("force", "setboard 4k3/8/8/8/8/8/8/8 w - - 0 1", "edit", "#", "Ka1", ".")
    said = pong(xboard)
    assert len(said) == 2 and all(line.startswith("tellusererror Illegal position: ") for line in said)
    assert "king" in said[0]


def status_nodes(xboard) -> int:
    xboard.send(".")
    return int(xboard.read_until("stat01:")[-1].split()[2])


def nodes_that_stay(xboard) -> int:
    """The node count of a paused search; fails if the count still rises."""
    before = -1
    for _ in range(100):
        now = status_nodes(xboard)
        if now == before:
            return now
        before = now
        time.sleep(0.05)
    raise AssertionError("the search goes on")


@pytest.mark.parametrize("cores", [1, 2])
def test_a_paused_search_stands_still_and_goes_on(xboard, cores: int) -> None:
    xboard.send("nopost", f"cores {cores}", "st 1000", "go", "pause")
    nodes = nodes_that_stay(xboard)
    time.sleep(0.1)
    assert status_nodes(xboard) == nodes
    xboard.send("resume")
    while status_nodes(xboard) == nodes:
        time.sleep(0.01)
    assert own_move(xboard, "?")


def test_the_time_of_a_pause_is_not_reported(xboard) -> None:
    """A pause does not count towards the limit: a search of half a second is not over after a pause of a second."""
    xboard.send("nopost", "st 0.5", "go", "pause")
    nodes_that_stay(xboard)
    xboard.send(".")
    before = int(xboard.read_until("stat01:")[-1].split()[1])
    time.sleep(1)
    xboard.send("resume", ".")
    after = xboard.read_until("stat01:")
    assert len(after) == 1, "the move came during the pause"
    assert int(after[0].split()[1]) < before + 100
    assert xboard.read_until("move")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("command", ["force", "new", "result * {x}", "undo", "quit"])
def test_a_pause_ends_with_its_search(start, command: str) -> None:
    client = start()
    client.send("xboard", "protover 2", "new", "st 1000", "go", "pause", command)
    if command == "quit":
        assert client.wait() == 0
        return
    pong(client)
    client.send("resume", "new", "sd 1")
    assert own_move(client, "go")


def test_a_move_that_was_found_waits_for_the_end_of_the_pause(xboard) -> None:
    xboard.send("st 1000", "go", "pause", "?", "ping 5")
    time.sleep(0.1)
    xboard.send("resume")
    assert [line.split()[0] for line in xboard.read_until("pong") if line[0] != "#" and "\t" not in line] == [
        "move", "pong",
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["@@@@", "usermove 0000"])
def test_a_pass_in_check_is_refused_with_the_reason(xboard, text: str) -> None:
    xboard.send("force", "setboard 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", text)
    assert pong(xboard) == [f"Illegal move (no passing in check): {text.removeprefix('usermove ')}"]


def test_taking_back_does_not_return_to_a_game_before_a_refused_position(xboard) -> None:
    xboard.send("force", "usermove e2e4", "setboard 8/8/8/8/8/8/8/8 w - - 0 1", "undo", "remove", "usermove d2d4")
    assert pong(xboard)[-1] == "Illegal move: d2d4"
    xboard.send("setboard 4k3/8/8/8/8/8/8/4K2R w - - 0 1", "usermove h1h2", "undo", "usermove h1h3")
    assert pong(xboard) == []
