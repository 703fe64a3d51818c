"""Definition files: reading, printing, and error messages."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from standstill.engine.common.errors import DefinitionError
from standstill.engine.variants.definition import Definition, Piece, Ray, displacement, step_of
from standstill.engine.variants.fairymax import decoded, parse, read_file

DEBIAN = Path("/usr/share/games/fairymax/fmax.ini")

CHESS = """\
8x8
6 4 5 7 3 5 4 6
6 4 5 7 3 5 4 6
p:74 -16,24 -16,6 -15,5 -17,5
p:74 16,24 16,6 15,5 17,5
k:-1 1,34 -1,34 1,7 16,7 15,7 17,7 -1,7 -16,7 -15,7 -17,7
n:259 14,7 31,7 33,7 18,7 -14,7 -31,7 -33,7 -18,7
b:296 15,3 17,3 -15,3 -17,3
R:444 1,3 16,3 -1,3 -16,3
Q:851 1,3 16,3 15,3 17,3 -1,3 -16,3 -15,3 -17,3
"""
HEAD = "version 4.8(w)\n"


def game(block: str, title: str = "Game: test\n") -> Definition:
    return parse(HEAD + CHESS + "\n" + title + block).games[0]


def test_default_game_stands_before_the_first_title() -> None:
    file = parse(HEAD + CHESS)
    assert file.default.name == "" and file.games == ()
    assert file.default.start[:8] == bytes([6, 4, 5, 7, 3, 5, 4, 6])
    assert file.default.start[-16:-8] == bytes([18] * 8)
    assert file.default.promotions(0, 0) == (7, 4, 5, 6)


@pytest.mark.skipif(not DEBIAN.exists(), reason="Debian's fairymax is not installed")
def test_debian_file_loads_whole_and_prints_itself() -> None:
    file = read_file(str(DEBIAN))
    assert len(file.games) == 43
    assert parse(str(file)) == file
    names = [game.name for game in file.games]
    assert names[:3] == ["normal", "nocastle", "shatranj"] and names[-1] == "almost-wildebeest"
    spartan = file.games[names.index("spartan")]
    assert spartan.promotions(1, 4)[0] == 9 and 12 in spartan.promotions(1, 4)
    acedrex = file.games[names.index("grande-acedrex")]
    assert (acedrex.pawn_rank, acedrex.promotion_rank) == (3, 11)
    assert acedrex.promotions(0, 6) == (10,), "on the royal's file a pawn becomes the piece to the royal's left"
    assert acedrex.promotions(1, 6) == (10,)


@pytest.mark.parametrize(
    ("text", "step", "second", "displaced"),
    [
        ("1,3034", 1, 2, (1, 0)),
        ("-1,1034", -1, -2, (-1, 0)),
        ("1,34,2", 1, 2, (1, 0)),
        ("14,FFFF1043", 14, -1, (-2, -1)),
        ("17,3,16", 17, 16, (1, -1)),
        ("16,1F4B8", 16, 15, (0, -1)),
        ("-16,7", -16, -16, (0, 1)),
        ("-46,FFFF1207", -46, 35, (2, 3)),
    ],
)
def test_second_leg(text: str, step: int, second: int, displaced: tuple[int, int]) -> None:
    ray = game(CHESS.replace("n:259", f"n:259 {text}")).pieces[3].rays[0]
    assert (ray.step, ray.second, displacement(step)) == (step, second, displaced)


def test_second_step_and_mask_are_the_same_ray() -> None:
    mask, step = (game(CHESS.replace("n:259", f"n:259 {text}")).pieces[3].rays[0] for text in ("1,3034", "1,34,2"))
    assert mask == step


@pytest.mark.parametrize(
    ("size", "pawns", "promotion"),
    [("8x8", 1, 7), ("8x8=1", 1, 7), ("8x8=2", 1, 6), ("8x8=3", 2, 5), ("8x8=-2", 2, 7), ("8x8=-3", 3, 7)],
)
def test_zone_suffix(size: str, pawns: int, promotion: int) -> None:
    found = game(CHESS.replace("8x8", size))
    assert (found.pawn_rank, found.promotion_rank) == (pawns, promotion)


def test_title_description_and_client_lines() -> None:
    text = "// first\n// how it is played\nGame: test # PNBRQKpnbrqk # fairy\n"
    found = game(CHESS + "#\n# N& NA\n# K& KisO2\n", text)
    assert (found.description, found.table, found.parent) == ("how it is played", "PNBRQKpnbrqk", "fairy")
    assert found.betza == (("N&", "NA"), ("K&", "KisO2"))
    assert game(CHESS + "# N& NA\n").betza == (), "without the lone # they are comments"


def test_suffixes_are_hexadecimal() -> None:
    suffixes = [game(CHESS.replace("-18,7\n", f"-18,7 {s}\n")).pieces[3].suffix for s in ("0,3", "0,-4", "0,28")]
    assert suffixes == [3, -4, 40]


def test_arrays_may_run_over_lines() -> None:
    assert game(CHESS.replace("6 4 5 7 3", "6 4\n 5 7\n\n3", 1)) == game(CHESS)


def test_line_ends_and_byte_order_mark() -> None:
    file = parse(HEAD + CHESS + "Game: test\n" + CHESS)
    for end in ("\r\n", "\r"):
        assert parse(str(file).replace("\n", end)) == file
    assert parse("\xef\xbb\xbf" + str(file)) == file


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "latin-1"])
def test_a_file_may_be_in_any_of_these_encodings(tmp_path: Path, encoding: str) -> None:
    text = str(parse(HEAD + CHESS)) + "// für Anfänger\n"
    (tmp_path / "own.ini").write_bytes(text.encode(encoding))
    assert read_file(str(tmp_path / "own.ini")) == parse(text)
    assert decoded(text.encode(encoding)) == text


def test_damaged_utf_16_is_read_as_latin_1() -> None:
    assert decoded(b"\xff\xfea") == "\xff\xfea"


BAD = {
    "wrong version": ("version 4.8(x)\n" + CHESS, "1:1", "expected version 4.8(w), found 'version 4.8(x)'"),
    "no size": (HEAD + "Game: x\n", "2:1", "of the first game, which has no title, found 'Game: x'"),
    "no size behind a title": (
        HEAD + CHESS + "\nGame: x\n9",
        "14:1",
        "expected a board size such as 8x8 or 8x8=3, found '9'",
    ),
    "comment among the pieces": (HEAD + CHESS.replace("\nk:", "\n// king\nk:", 1), "3:1", "line 7 ends the pieces"),
    "bad size": (HEAD + CHESS.replace("8x8", "8by8"), "2:1", "expected a board size"),
    "huge board": (HEAD + CHESS.replace("8x8", "17x8"), "2:1", "expected 2 to 16 files"),
    "no room": (HEAD + CHESS.replace("8x8", "8x8=9"), "2:1", "expected a zone that leaves space"),
    "missing rank": (HEAD + CHESS.replace("6 4 5 7 3 5 4 6\n", "", 1), "4:1", "expected 8 piece numbers for Black's"),
    "short rank": (HEAD + CHESS.replace("5 4 6\n", "5 4\n", 1), "5:1", "for Black's back rank, found 7 and 'p:74'"),
    "long rank": (HEAD + CHESS.replace("5 4 6\n", "5 4 6 6\n"), "4:15", "expected the end of the line, found '6 6'"),
    "unknown number": (HEAD + CHESS.replace("6 4 5 7", "6 4 5 9", 1), "3:7", "expected a piece number up to 7"),
    "unknown letter": (HEAD + CHESS.replace("n:259", "?:259"), "8:1", "expected a letter a-z or A-Z, found '?'"),
    "no value": (HEAD + CHESS.replace("n:259", "n:"), "8:4", "expected a value in centipawns"),
    "sixteenth piece": (HEAD + CHESS + "q:1 1,3\n" * 9, "20:1", "expected at most 15 pieces"),
    "impossible step": (HEAD + CHESS.replace("14,7", "8000,7"), "8:7", "expected a step that stays on a board of 8x8"),
    "no step": (HEAD + CHESS.replace("14,7", "0,7,3"), "8:7", "expected a step that stays"),
    "no hexadecimal": (HEAD + CHESS.replace("14,7", "14,G"), "8:10", "expected up to 8 hexadecimal digits, found 'G'"),
    "two bends": (HEAD + CHESS.replace("14,7", "14,1003,2"), "8:10", "expected 3 digits before a second step"),
    "no royal": (HEAD + CHESS.replace("k:-1", "k:400"), "3:1", "expected a royal piece"),
    "royal pawn": (HEAD + CHESS.replace("p:74 16", "p:-1 16"), "6:1", "expected a pawn, found a royal piece"),
    "bad suffix": (HEAD + CHESS.replace("-18,7\n", "-18,7 0,2\n"), "8:53", "expected 3, -1, -4 or a bonus"),
    "ray behind suffix": (HEAD + CHESS.replace("-18,7\n", "0,3 -18,7\n"), "8:49", "expected no ray after a suffix"),
    "half a hopper": (HEAD + CHESS.replace("14,7", "14,0A"), "8:10", "expected a hopper with the 8 in both"),
    "many rays": (HEAD + CHESS.replace("14,7", "14,7 " * 30000), "8:647", "expected at most 128 rays"),
    "endless # block": (HEAD + CHESS + "#\n" + "# N N\n" * 100, "77:1", "expected at most 64 descriptions"),
    "empty # line": (HEAD + CHESS + "#\n#\n", "13:2", "expected # ID MOVES"),
    "no hands": (HEAD + CHESS + "Game: seirawan\n" + CHESS, "22:1", "expected pieces 9 and 10 for the hands"),
    "no name": (HEAD + CHESS + "Game:\n", "12:6", "expected a name after Game:"),
    "two words": (HEAD + CHESS + "Game: a B\n" + CHESS, "12:9", "a name of one word, found 'B'; did you mean a-B?"),
    "rule before size": (HEAD + "# goal 8 1\n" + CHESS, "2:1", "found '#'; rules stand directly below the pieces"),
    "value in pawns": (HEAD + CHESS.replace("n:259", "n:2.59"), "8:3", "found '2.59'; did you mean 259?"),
    "dash as a minus": (HEAD + CHESS.replace("k:-1", "k:\u22121"), "7:3", "did you mean -1?"),
    "neither colon nor value": (HEAD + CHESS.replace("n:259 ", "n "), "8:1", "; did you mean n:0 14,7"),
    "comment behind a piece": (HEAD + CHESS.replace("-18,7\n", "-18,7 // n\n"), "8:51", "needs a line of its own"),
    "pieces missing": (HEAD + "8x8\n1 1 1 1 1 1 1 1\n1 1 1 1 1 1 1 1\nnothing\n", "5:1", "expected the lines of both"),
    "end of file": (HEAD + "8x8\n1 2", "3:1", "found the end of the file"),
    "noise": ("\x00\xff" * (1 << 19), "1:1", "expected version 4.8(w)"),
    "much behind": (HEAD + CHESS + "x\n" * (1 << 20), "1048588:1", "expected a file of at most"),
}


@pytest.mark.parametrize("name", BAD)
def test_mistakes_are_named_with_their_place(name: str) -> None:
    text, place, message = BAD[name]
    with pytest.raises(DefinitionError) as error:
        parse(text, "mine.ini")
    said = str(error.value)
    assert said.startswith(f"mine.ini:{place}: ") and message in said
    assert "\n" not in said and len(said) < 300


@pytest.mark.parametrize(
    ("size", "refused"),
    [
        ("2x4", ""),
        ("16x16", ""),
        ("1x8", "2 to 16 files and 4 to 16 ranks"),
        ("17x8", "2 to 16 files and 4 to 16 ranks"),
        ("8x3", "2 to 16 files and 4 to 16 ranks"),
        ("8x17", "2 to 16 files and 4 to 16 ranks"),
        ("8x8=4", ""),  # the pawns face each other
        ("8x8=5", "a zone that leaves space"),
        ("8x8=-3", ""),
        ("8x8=-4", "a zone that leaves space"),
        ("8x7=-3", "a zone that leaves space"),
        ("8x5=2", ""),
        ("8x5=3", "a zone that leaves space"),
    ],
)
def test_the_smallest_and_largest_boards_and_zones(size: str, refused: str) -> None:
    """If the size is allowed, the next mistake is reported: the array is for another size."""
    with pytest.raises(DefinitionError) as error:
        parse(HEAD + CHESS.replace("8x8", size).replace("6 4 5 7 3 5 4 6", "6 4", 1), "mine.ini")
    assert str(error.value).startswith(f"mine.ini:2:1: expected {refused}") == bool(refused), error.value


def test_missing_file_is_named() -> None:
    with pytest.raises(DefinitionError, match=r"cannot read /nonexistent/fmax.ini: No such file"):
        read_file("/nonexistent/fmax.ini")


steps = st.builds(step_of, st.integers(-3, 3), st.integers(-3, 3)).filter(bool)
modes = (0x7, 0x3, 0x6, 0x5, 0x1, 0x43, 0x443, 0xF8, 0xBA, 0x70, 0x24, 0x34, 0xE4, 0x103, 0x207, 0xC24)
rights = st.sampled_from(modes)
rays = st.builds(lambda step, rights, second: Ray(step, rights, step ^ second), steps, rights, steps) | st.builds(
    Ray, steps, rights
)
suffixes = st.none() | st.sampled_from([3, -1, -4]) | st.integers(4, 9999)
pieces = st.builds(
    Piece,
    st.sampled_from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    st.integers(0, 2000),
    st.lists(rays, max_size=12).map(tuple),
    suffixes,
)


@st.composite
def games(draw: st.DrawFn) -> Definition:
    width, height = draw(st.integers(4, 16)), draw(st.integers(6, 16))
    men = [*draw(st.lists(pieces, min_size=2, max_size=14)), Piece("k", draw(st.integers(-500, -1)), ())]
    array = st.lists(st.integers(0, len(men)), min_size=width - 1, max_size=width - 1)
    words = st.text("PNBRQKpnbrqk./-", min_size=1, max_size=20)
    return Definition(
        name=draw(st.text("abcXYZ/-", min_size=1, max_size=9)),
        width=width,
        height=height,
        white=(*draw(array), len(men)),
        black=(len(men), *draw(array)),
        pieces=tuple(men),
        zone=draw(st.sampled_from([0, 1, 2, 3, -1, -2])),
        table=draw(words),
        parent=draw(words | st.just("")),
        betza=tuple(draw(st.lists(st.tuples(words, words), max_size=5))),
    )


@settings(max_examples=10)
@given(games())
def test_parse_print_parse(found: Definition) -> None:
    file = parse(f"{HEAD}{CHESS}\n{found}")
    assert file.games == (found,)
    assert str(parse(str(file))) == str(file)


@settings(max_examples=40)
@given(st.text(max_size=300) | st.text("0123456789,:-= x#pkq\nGame", max_size=400))
def test_noise_is_refused_or_read_but_never_crashes(noise: str) -> None:
    for text in (HEAD + noise, f"{HEAD}{CHESS}\nGame: x\n{noise}", f"{HEAD}8x8\n{noise}"):
        try:
            parse(text)
        except DefinitionError as error:
            assert len(str(error).splitlines()) == 1
