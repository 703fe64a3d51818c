"""Lines and boards in XBoard's protocol, without an engine."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from standstill.cext.base.constants import BLACK, WHITE
from standstill.engine.common.errors import StandstillError
from standstill.engine.common.info import EXACT, LOWER, MATE, SCORE_CP, UPPER, SearchInfo
from standstill.engine.variants.catalog import Catalog, xboard_can_know
from standstill.engine.variants.game_over import COUNTED, game_end
from standstill.protocol.xboard.edit import edited_fen, is_edit
from standstill.protocol.xboard.game import XboardGame, looks_like_move
from standstill.protocol.xboard.lines import one_line, quotable, score_number, status_line, thinking_line
from standstill.protocol.xboard.setup import setup_lines


def info(**changes: object) -> SearchInfo:
    values = {
        "depth": 9, "seldepth": 14, "multipv": 1, "score": -35 * SCORE_CP, "bound": EXACT, "nodes": 123_456,
        "time_ns": 2_345_678_901, "hashfull": 7, "pv": ["e2e4", "e7e5"], "tbhits": 11,
    }  # fmt: skip
    return SearchInfo(**values | changes)


def test_a_thinking_line_has_depth_score_hundredths_and_nodes() -> None:
    assert thinking_line(info(), ["e2e4", "e7e5"], False) == "9 -35 234 123456\te2e4 e7e5"
    assert thinking_line(info(), ["e2e4"], True) == "9 -35 234 123456 14 52 11\te2e4"


@pytest.mark.parametrize(("bound", "mark"), [(EXACT, ""), (LOWER, " !"), (UPPER, " ?")])
def test_a_bound_is_marked(bound: int, mark: str) -> None:
    assert thinking_line(info(bound=bound), ["e2e4"], False).endswith("\te2e4" + mark)


@pytest.mark.parametrize(
    ("score", "number"),
    [(MATE - 1, 100_001), (MATE - 5, 100_003), (2 - MATE, -100_001), (-MATE, -100_000), (40 * SCORE_CP, 40)],
)
def test_a_mate_is_a_hundred_thousand_and_its_moves(score: int, number: int) -> None:
    assert score_number(score) == number


def test_the_status_line_counts_the_moves_left() -> None:
    line = status_line(centiseconds=12, nodes=34, ply=5, left=6, total=20, move="e2e4")
    assert line == "stat01: 12 34 5 6 20 e2e4"


@pytest.mark.parametrize(("text", "line"), [("a\tb\n\u00e9", "a b ?"), ("x" * 300, "x" * 200), ("", "")])
def test_foreign_text_becomes_one_line(text: str, line: str) -> None:
    assert one_line(text.replace("\t", " ").replace("\n", " ")) == line


def test_no_quote_ends_a_quoted_string() -> None:
    assert quotable("a\"b'c\\d") == "abcd"


@pytest.mark.parametrize(
    "text", ["e2e4", "e2-e4", "e7e8q", "e7e8=Q", "Nf3", "Nbd2", "R1xe4+", "e8=n", "O-O", "0-0-0", "@@@@"]
)
def test_this_looks_like_a_move(text: str) -> None:
    assert looks_like_move(text)


@pytest.mark.parametrize("text", ["e2", "easy", "hint", "draw", "i9e4", "e2e9", "edit", "O-O-O-O", ""])
def test_this_is_a_word(text: str) -> None:
    assert looks_like_move(text) == (text == "e2")


def play(*moves: str, fen: str | None = None) -> XboardGame:
    game = XboardGame(fen)
    for move in moves:
        game.play(game.read_move(move))
    return game


def test_the_side_is_turned_by_a_pass_and_back() -> None:
    game = play("e2e4")
    game.turn_to(BLACK)
    assert game.moves == ["e2e4"]
    game.turn_to(WHITE)
    assert (game.stm, game.moves) == (WHITE, ["e2e4", "0000"])
    game.turn_to(BLACK)
    assert (game.stm, game.moves) == (BLACK, ["e2e4"])


def test_moves_are_taken_back_as_far_as_there_are_any() -> None:
    game = play("e2e4", "e7e5", "Nf3")
    game.take_back(2)
    assert (game.moves, game.stm) == (["e2e4"], BLACK)
    game.take_back(9)
    assert (game.moves, game.board.plies) == ([], 0)


def test_no_pass_in_check() -> None:
    with pytest.raises(StandstillError):
        play("f2f3", "e7e5", "g2g4", "d8h4", "@@@@")


ROUND = ("g1f3", "g8f6", "f3g1", "f6g8")


def test_a_repetition_is_claimed_if_the_first_position_is_not_needed() -> None:
    over = ("1/2-1/2", "threefold repetition")
    assert play(*ROUND * 2).claim(over) is None
    assert play(*ROUND * 2, "g1f3").claim(over) == "1/2-1/2 {Repetition}"
    assert play("e2e4", "e7e5", *ROUND * 2).claim(over) is None
    assert play("e2e4", "e7e5", *ROUND * 2, "g1f3").claim(over) == "1/2-1/2 {Repetition}"


def test_a_win_by_mate_is_claimed_with_its_reason() -> None:
    assert play().claim(("0-1", "Black mates"), moved=True) == "0-1 {Black mates}"
    assert play().claim(None) is None


ADVERTISED = [game for game in Catalog() if xboard_can_know(game)]


@pytest.mark.parametrize("game", ADVERTISED, ids=lambda game: game.name)
def test_a_draw_is_claimed_outside_of_chess_only_without_a_move(game) -> None:
    """Cute Chess and XBoard count repetitions, moves and material as in chess, or not at all.

    Tries every reason for a draw at every position of random games by definition.
    """
    chance, played = random.Random(game.name), XboardGame(game=game)
    reasons = ("threefold repetition", "fifty-move rule", "insufficient material", "bare king", "stalemate", COUNTED)
    for _ in range(60):
        moves = played.legal_moves()
        if not moves:
            break
        for reason in reasons:
            assert played.claim(("1/2-1/2", reason), moved=chance.random() < 0.5) is None
        played.play(chance.choice(moves))
    assert played.moves


def test_a_draw_is_claimed_where_the_claim_is_believed() -> None:
    """In games against a person XBoard does not check claims."""
    game = XboardGame(game=Catalog().find("capablanca"))
    assert game.claim(("1/2-1/2", "fifty-move rule"), believed=True) == "1/2-1/2 {Fifty moves}"


def test_a_stalemate_that_wins_is_claimed_as_a_win() -> None:
    """White's king and pawn cannot move, and in Shatranj that loses."""
    game = XboardGame("1r5k/8/8/8/8/p7/P7/K7 w - - 0 1", game=Catalog().find("shatranj"))
    over = game_end(game.board)
    assert over is not None and over[1] == "stalemate" and not game.legal_moves()
    assert game.claim(over, moved=True) == "0-1 {stalemate}"


def test_an_edit_puts_men_of_both_colours_down() -> None:
    game = play()
    lines = ["#", "Ke1", "Ra1", "c", "Ke8", "pA7", "Ph7", "xh7"]
    assert all(is_edit(line, game.board) for line in lines)
    assert edited_fen(game.board, lines) == "4k3/p7/8/8/8/8/8/R3K3 w Q - 0 1"
    assert edited_fen(game.board, ["Nh1", "c", "Qa8"]).split()[2] == "Qk"  # h1 has a knight and not a rook, a8 a queen
    game.turn_to(BLACK)
    assert edited_fen(game.board, ["xd8"]).endswith("RNBQKBNR b KQkq - 0 1")
    assert not is_edit("Ki9", game.board) and not is_edit("force", game.board)


MATED = "R3k2r/R7/8/8/8/8/8/4K3 b {} - 0 1"


def test_a_mate_is_claimed_where_the_client_sees_no_move() -> None:
    """XBoard, which judges claims, sees a castling whose rule we told, and no check where captures explode.

    There the side that has mated leaves the end to the mated side. A client that does not judge gets every claim.
    """
    seen: Counter[str] = Counter()
    for game in (None, *Catalog()):
        for rights in ("k", "-"):
            try:
                played = XboardGame(MATED.format(rights), **({} if game is None else {"game": game}))
            except StandstillError:
                continue  # another board, other pieces or no castling
            over = game_end(played.board)
            if played.legal_moves() or over != ("1-0", "White mates"):
                continue
            told = [] if game is None else [line.split() for line in setup_lines(game, game.name)]
            castles = any(words[0] == "piece" and "O" in words[-1] for words in told)
            fen_rights = played.board.notation.fen(played.board).split()[2]
            left = "castling" if castles and fen_rights != "-" else ""
            left = "explosion" if game is not None and game.extra.explosion else left
            line = "1-0 {White mates}"
            assert played.claim(over, moved=True, judged=True) == (None if left else line), (game, rights)
            for moved, judged in ((True, False), (False, True), (False, False)):
                assert played.claim(over, moved=moved, judged=judged) == line
            assert "no legal move (White mates)" in played.claim(over, unheard=True)
            seen[left] += 1
    assert seen["castling"] and seen["explosion"] and seen[""] > 5, seen
