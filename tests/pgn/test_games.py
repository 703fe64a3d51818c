"""Splitting streams into games: rule by rule, with random damage, and compared with python-chess."""

from __future__ import annotations

import io

import chess.pgn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from standstill.engine.archive.pgn import read_chunks, read_games, tags_of

TAGS = b'[Event "a"]\n[Result "*"]\n'


def split(text: bytes, size: int = 1 << 20) -> list[bytes]:
    return list(read_games(io.BytesIO(text), size))


@pytest.mark.parametrize(
    "games",
    [
        [b"1. e4 e5 1-0\n\n", b"1. d4 0-1\n"],  # without tags
        [TAGS + b"\n1. e4 *\n\n", TAGS + b"\n1. d4 *\n"],
        [TAGS + b"\n", TAGS + b"\n1. e4 *\n"],  # tags without moves are a game
        [TAGS + b"\n1. e4\n\n", TAGS + b"\n1. d4"],  # no result
        [TAGS + b"\n1. e4 1-0 {he resigned}\n\n", TAGS + b"\n1. d4 *"],  # a comment after the result
        [TAGS + b"\n1. e4 {\n[%clk 1:00]\n[Event} e5 *\n", TAGS + b"\n*\n"],  # brackets in a comment
        [TAGS + b'\n1. e4 ; [Event "x"]\n\n1... e5 *\n', TAGS],
        [TAGS + b'\n1. e4\n%[Event "x"]\ne5 *\n', TAGS],
        [TAGS + b"\n1. e4 (1. d4 1-0) e5 (1... c5 *\n) 0-1\n", TAGS],  # results in variations
        [TAGS.replace(b"\n", b"\r\n") + b"\r\n1. e4 *\r\n\r\n", TAGS],
        [b"\xef\xbb\xbf" + TAGS + b"\n1. e4 *\n", TAGS],
        [TAGS + b"\n1. e4 {never closed\n\n", TAGS + b"\n1. d4 *\n"],
        [TAGS + b"\n1. e4 {it is closed\n" + TAGS + b"{but not here} e5 *\n", TAGS],  # no empty line before the tag
        [TAGS + b"\n1. e4 {never closed\n" + TAGS + b"\n1. d4 *\n\n", TAGS + b"\n1. c4 *\n"],
        [TAGS + b"\n1. e4 (1. d4 never closed\n\n", TAGS + b"\n1. d4 *\n"],
        [b"1. e4 e5 % 1-0\n\n", b"1. d4 *\n"],  # % starts an escape only at the beginning of a line
        [b"; a file of games\n\n" + TAGS + b"\n1. e4 *\n"],
        [b"{a file of games}\n\n" + TAGS + b"\n1. e4 *\n"],
        [b'[Event "a"] {a comment\n[Site "b"]\n}\n[Result "*"] {c}{d}\n\n1. e4 *\n', TAGS],
        [b'[Event "a {"]\n{c} [Result "*"]\n\n1. e4 *\n', TAGS],
        [TAGS + b"\n{a bye}\n", TAGS + b"\n1. e4 *\n"],  # the empty line has ended the tags
        [b"\n\n \n"],
        [b"1. e4 1/2-1/2 1/2-1/2\n"],
    ],
)
@pytest.mark.parametrize("size", [1, 7, 1 << 20])
def test_games_end_where_they_should(games: list[bytes], size: int) -> None:
    assert split(b"".join(games), size) == games


def test_an_empty_text_has_no_game() -> None:
    assert split(b"") == []


PIECES = [TAGS, b"\n", b"\r\n", b"1. e4 e5 ", b"1-0", b"0-1\n", b"*"]
PIECES += [b"{", b"}", b"(", b")", b";", b"%", b"[", b"] ", b'"']


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=30), st.integers(1, 60))
def test_nothing_is_lost_whatever_comes(pieces: list[bytes], size: int) -> None:
    text = b"".join(pieces)
    games = split(text, size)
    assert b"".join(games) == text
    assert all(games)
    assert games == split(text)


def test_chunks_hold_whole_games() -> None:
    game = TAGS + b"\n1. e4 e5 *\n\n"
    for text, ends in read_chunks(io.BytesIO(game * 50), 200):
        assert text.startswith(game * len(ends))
        assert ends == [len(game) * (n + 1) for n in range(len(ends))]


@pytest.mark.parametrize("value", ["plain", "Zürich", "", "{[(;%"])
def test_tags_are_those_of_python_chess(value: str) -> None:
    game = f'[Event "{value}"]\n[Site "x"] [Round "1"]\n\n1. e4 {{[White "no"]}} *\n'
    expected = chess.pgn.read_headers(io.StringIO(game.replace("] [Round", "]\n[Round")))
    found = tags_of(game.encode())
    assert found == {"Event": expected["Event"], "Site": "x", "Round": "1"}


@pytest.mark.parametrize(
    "comment", ["{c}", ' {[Black "no"]}', '{a\n[White "no"]\n\n}', "{a} {b}", "\n{c}", " ; c", "\n% c"]
)
def test_comments_between_tags_are_no_tags(comment: str) -> None:
    tags = {"Event": "a {", "Site": 'b \\" ] {', "Result": "1-0"}
    lines = "\n".join(f'[{name} "{value}"]{comment}' for name, value in tags.items())
    game = f"{lines}\n\n{{first}} 1. e4 1-0\n\n".encode()
    for size in (1, 7, 1 << 20):
        assert split(b"{before}\n" + game * 2, size) == [b"{before}\n" + game, game]
    assert tags_of(game) == tags | {"Site": 'b " ] {'}


def test_tags_in_latin_1() -> None:
    assert tags_of('[White "Müller"]\n\n*'.encode("latin-1")) == {"White": "Müller"}


def test_tags_in_the_code_page_of_windows() -> None:
    """A player has the same name in cp1252 and UTF-8; bytes undefined in cp1252 are read as Latin-1."""
    name = "\u0160imek \u2013 \u017d\u00e1k"
    for encoding in ("cp1252", "utf-8"):
        assert tags_of(f'[White "{name}"]\n\n*'.encode(encoding)) == {"White": name}
    assert tags_of(b'[White "\x81\x8a"]') == {"White": "\x81\u0160"}


def test_escapes_in_tags_are_read() -> None:
    """The PGN standard defines escapes (section 7); python-chess leaves them unchanged."""
    assert tags_of(rb'[Event "a \"quoted\" word and a \\"]') == {"Event": 'a "quoted" word and a \\'}


@pytest.mark.parametrize("value", ["Stockfish /Level 6\\", "C:\\Games\\", "a \\\\"])
@pytest.mark.parametrize("behind", ["", " ", "\t \r"])
@pytest.mark.parametrize("size", [1, 7, 1 << 20])
def test_a_backslash_at_the_end_of_a_value_escapes_no_end_of_the_tag(value: str, behind: str, size: int) -> None:
    """Programs that escape nothing write names of servers and files like this; python-chess reads them unchanged."""
    game = f'[Event "x"]\n[White "{value}"]{behind}\n[Black "B"]\n\n1. e4 *\n\n'
    expected = chess.pgn.read_headers(io.StringIO(game))
    assert expected is not None
    assert split((game * 2).encode(), size) == [game.encode()] * 2
    found = tags_of(game.encode())
    assert (found["White"].removesuffix("\\"), found["Black"]) == (expected["White"].rstrip("\\"), "B")


def test_a_backslash_at_the_end_of_a_value_lets_the_next_tag_begin_on_its_line() -> None:
    assert tags_of(b'[White "a\\"] [Black "b"]\n\n1. e4 *\n') == {"White": "a\\", "Black": "b"}
    assert tags_of(b'[White "a \\"]\\" b"]\n[Black "b"]\n\n1. e4 *\n') == {"White": 'a "]" b', "Black": "b"}
