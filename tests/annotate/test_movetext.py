"""Games as text: nothing is lost, and python-chess reads back what is written."""

from __future__ import annotations

import io

import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st

from standstill.engine.annotate.movetext import Editor, Movetext, Notes
from standstill.engine.annotate.source import SourceGame

HEAD = '[Event "Test"]\n[Result "*"]\n\n'
RICH = (
    HEAD
    + """{before} 1. e4! $14 {good} e5 $146 (1... c5 2. Nf3 {open} (2. c3 $2)) 2.Nf3 $1 Nc6 {a [%clk 0:01:00] b}
3. Bb5?! { [%eval 0.20] } 3... a6 ; to the end of the line
% escaped
4. Ba4 Nf6!? $18 {one} {two} 5. O-O *

"""
)
BLACK_FIRST = (
    '[Event "Test"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 3 17"]\n[SetUp "1"]\n\n'
    "17... Kd7 18. e4 Kd6 19. e5+ Kxe5 1/2-1/2\n"
)


def parsed(text: str) -> Movetext:
    return SourceGame(1, text.encode("latin-1")).movetext


def edited(text: str, strip: bool = False, **notes) -> str:
    """The game with these notes; the keyword ``m3`` refers to the move at index 3."""
    game = parsed(text)
    editor = Editor(game, strip=strip)
    editor.lead({})
    for index in range(len(game.plies)):
        editor.note(index, notes.get(f"m{index}", Notes()))
    return editor.text()


def note(move_nag: int = 0, position_nag: int = 0, variation: str = "", **commands: str) -> Notes:
    made = Notes()
    made.move_nag, made.position_nag, made.variation = move_nag, position_nag, variation
    made.commands = {f"%{name}": text for name, text in commands.items()}
    return made


def read(text: str) -> list[chess.pgn.ChildNode]:
    game = chess.pgn.read_game(io.StringIO(text))
    assert not game.errors
    return list(game.mainline())


# ---- reading ----


def test_main_line() -> None:
    assert [ply.san for ply in parsed(RICH).plies] == ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O"]


@pytest.mark.parametrize(
    ("san", "english"),
    [
        ("0-0-0", "0-0-0"),
        ("bxa8=Q+", "bxa8=Q+"),
        ("b8Q+", "b8Q+"),
        ("Ra1xa8+", "Ra1xa8+"),
        ("b7b8q", "b7b8q"),
        ("T:a8+", "Rxa8+"),
        ("\xe2\x99\x96\xc3\x97a8+", "Rxa8+"),  # a figurine and a sign
    ],
)
def test_ways_to_write_a_move(san: str, english: str) -> None:
    text = f'[FEN "r3k3/1P6/8/8/8/8/8/R3K3 w Qq - 0 1"]\n\n1. {san}!? $5 Kf7 *\n'
    game = parsed(text)
    first = game.plies[0]
    assert [ply.san.replace(":", "x") for ply in game.plies] == [english, "Kf7"]
    assert game.text[first.start : first.end] == san and [nag for *_, nag in first.nags] == [5, 5]
    assert edited(text, m0=note(3, 16)) == text.replace("!? $5", " $3 $16")


def test_comments() -> None:
    game = parsed(RICH)
    assert (game.comment(-1), game.comment(0), game.comment(7)) == ("before", "good", "one two")


def test_numbers_follow_the_fen() -> None:
    game = parsed(BLACK_FIRST)
    assert [game.white_moves(at) for at in range(3)] == [False, True, False]
    assert [game.number(at) for at in range(3)] == [17, 18, 18]


def test_result_in_a_variation_is_not_the_end() -> None:
    game = parsed("1. e4 (1. d4 1-0) e5 0-1")
    assert len(game.plies) == 2 and game.result == "0-1"


@pytest.mark.parametrize("body", ["1. e4 {open", "1. e4 (1. d4", "1. e4 ) x *", "1. e4 e5 \x00x *", "1. e4 <script> *"])
def test_half_a_game_is_an_error_that_says_where(body: str) -> None:
    game = SourceGame(1, (HEAD + body).encode("latin-1"))
    assert game.fault is not None
    assert game.fault_ply in {1, 2, 3}


def test_comments_to_the_end_of_the_line_are_read_but_those_of_the_file_are_not() -> None:
    game = parsed("1. e4 ; good {so\n% {no\n{yes} e5 *\n")
    assert game.comment(0) == " good {so yes"


@given(st.text(st.characters(max_codepoint=255)))
def test_noise_is_refused_or_comes_out_as_it_went_in(noise: str) -> None:
    if SourceGame(1, noise.encode("latin-1")).fault is None:
        assert edited(noise) == noise


# ---- writing ----


@pytest.mark.parametrize("text", [RICH, BLACK_FIRST, HEAD, "*", "1. e4 *", RICH.replace("\n", "\r\n")])
def test_without_notes_nothing_changes(text: str) -> None:
    assert edited(text) == text


def test_symbols_come_in_their_order_and_replace_their_own_kind() -> None:
    """The move's symbols come before those of the position; $146 is neither kind of symbol and stays."""
    nodes = read(edited(RICH, m0=note(3, 16), m1=note(6, 10), m2=note(0, 14), m7=note(4)))
    assert [nodes[at].nags for at in (0, 1, 2, 7)] == [{3, 16}, {6, 10, 146}, {1, 14}, {4, 18}]
    assert "1. e4 $3 $16 {good} e5 $6 $10 $146 (" in edited(RICH, m0=note(3, 16), m1=note(6, 10))


def test_comments_and_variations_are_kept() -> None:
    game = chess.pgn.read_game(io.StringIO(edited(RICH, **{f"m{at}": note(1, 14, x=f"[%x {at}]") for at in range(9)})))
    assert game.next().comment == "good [%x 0]"
    assert [node.san() for node in game.next().variations] == ["e5", "c5"]
    assert game.next().variations[1].next().comment == "open"


def test_commands_join_the_comment_that_is_there() -> None:
    text = " ".join(edited(RICH, m3=note(eval="[%eval 0.30,9]"), m4=note(eval="[%eval 0.25]")).split())
    assert "{a [%clk 0:01:00] b [%eval 0.30,9] }" in text and "{ [%eval 0.25] }" in text and "0.20" not in text


def test_commands_before_the_first_move() -> None:
    for text in (RICH, BLACK_FIRST, "1. e4 *"):
        editor = Editor(parsed(text))
        editor.lead({"%eval": "[%eval 0.20]"})
        game = chess.pgn.read_game(io.StringIO(editor.text()))
        assert game.eval().white().score() == 20 and not game.errors


TAGS = '[Event "Test"]\n[Result "{}"]\n\n'


@pytest.mark.parametrize(
    ("text", "result"),
    [
        *((f"{TAGS.format(result)}{result}\n\n", result) for result in ("1-0", "0-1", "1/2-1/2", "*")),
        (TAGS.format("1-0"), "1-0"),
        (TAGS.format("1-0") + "{forfeit 2012}\n\n", "1-0"),
        (TAGS.format("1-0") + "{forfeit} 1-0\n\n", "1-0"),
        ('[Result "1-0"]\r\r1-0\r', "1-0"),
    ],
)
def test_commands_in_a_game_that_was_not_played(text: str, result: str) -> None:
    """Earlier versions wrote the commands into the result, or into the next game."""
    editor = Editor(parsed(text))
    editor.lead({"%eval": "[%eval 0.20]"})
    stream = io.StringIO(editor.text().replace("\r", "\n") + f"{HEAD}1. e4 *")
    first, second = chess.pgn.read_game(stream), chess.pgn.read_game(stream)
    assert not first.errors and first.headers["Result"] == result and "[%eval 0.20]" in first.comment
    assert second.variations[0].san() == "e4" and not second.comment


def test_numbers_in_comments_are_no_numbers_of_moves() -> None:
    text = HEAD + "; game from 2012\ne4 ; 1990\ne5\n% note 7\nNf3 *\n"
    game = parsed(text)
    editor = Editor(game)
    editor.lead({"%eval": "[%eval 0.20]"})
    for index in range(3):
        editor.note(index, note(eval="[%eval 0.30]"))
    written = editor.text()
    assert "; game from 2012\n{ [%eval 0.20] } e4" in written and "\n% note 7\nNf3 { [%eval 0.30] }" in written
    assert [node.eval().white().score() for node in read(written)] == [30, 30, 30]


def test_variation_stands_behind_the_move_it_improves() -> None:
    nodes = read(edited(RICH, m4=note(6, variation="3. Bc4 Bc5 4. c3")))
    assert [node.san() for node in nodes[3].variations] == ["Bb5", "Bc4"]


def test_black_s_move_behind_a_comment_has_its_number() -> None:
    text = edited("1. e4 e5 2. Nf3 Nc6 *", m0=note(eval="[%eval 0.30]"), m1=note(eval="[%eval 0.20]"))
    assert text == "1. e4 { [%eval 0.30] } 1... e5 { [%eval 0.20] } 2. Nf3 Nc6 *"


def test_lines_stay_within_79_columns() -> None:
    moves = " ".join(f"{n}. Nf3 Nf6 {n + 1}. Ng1 Ng8" for n in range(1, 40, 2))
    lines = edited(f"{moves} *", **{f"m{at}": note(1, 14, eval=f"[%eval {at}.00]") for at in range(80)}).splitlines()
    assert max(map(len, lines)) <= 79


def test_moves_behind_what_was_added_are_wrapped_too() -> None:
    moves = " ".join(f"{n}. Nf3 Nf6 {n + 1}. Ng1 Ng8" for n in range(1, 40, 2))
    lines = edited(f"{moves} *", m0=note(1, 14, eval="[%eval 0.10]")).splitlines()
    assert max(map(len, lines)) <= 79 and len(lines) > 5


def test_comments_are_not_wrapped() -> None:
    long = f"1. e4 {{{'word ' * 40}}} e5 *"
    assert "word " * 40 in edited(long, m0=note(1, 14))
    long = f"1. e4 {{prose [%eval 0.10] {'word ' * 20}\nmore}} e5 *"
    assert f"0.20] {'word ' * 20}\nmore}}" in edited(long, m0=note(eval="[%eval 0.20]"))


@pytest.mark.parametrize("newline", ["\r", "\n", "\r\n"])
def test_lines_end_as_they_did(newline: str) -> None:
    moves = newline.join(f"{n}. Nf3 Nf6 {n + 1}. Ng1 Ng8" for n in range(1, 40, 2))
    written = edited(f"{moves} *", **{f"m{at}": note(1, 14, eval=f"[%eval {at}.00]") for at in range(80)})
    assert max(map(len, written.split(newline))) <= 79
    assert not set(written.replace(newline, "")) & set("\r\n")


def test_strip_leaves_the_moves() -> None:
    nodes = read(edited(RICH, strip=True, m2=note(2)))
    assert "to the end" not in edited(RICH, strip=True)
    assert [node.san() for node in nodes] == [ply.san for ply in parsed(RICH).plies]
    assert [node.nags for node in nodes if node.nags] == [{2}]
    assert not any(node.comment for node in nodes[:5]) and not any(len(node.variations) > 1 for node in nodes)


SYMBOLS = st.builds(
    note,
    st.sampled_from([0, 1, 2, 3, 4, 5, 6]),
    st.sampled_from([0, 10, 14, 21]),
    st.just(""),
    eval=st.sampled_from(["[%eval 0.17]", "[%eval #-3,20]"]),
)


@given(st.dictionaries(st.integers(0, 8).map("m{}".format), SYMBOLS))
def test_writing_twice_is_writing_once(notes) -> None:
    once = edited(RICH, **notes)
    assert edited(once, **notes).split() == once.split()
    assert [node.san() for node in read(once)] == [ply.san for ply in parsed(RICH).plies]
