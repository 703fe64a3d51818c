"""`variants check` names slips in a file, as errors or warnings."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from standstill.engine.variants.catalog import OWN_FILE
from standstill.engine.variants.workshop.known_names import taken_for
from tests import forked
from tests.variants.files import BLACK_PAWN, END, KING, KNIGHT, block, text_of, written

DEBIAN = Path("/usr/share/games/fairymax")


def check(executable: Path, text: str) -> tuple[int, list[str]]:
    """Check a file with this text: (exit status, printed text)."""
    command = [str(executable), "variants", "check", "-"]
    done = forked.run(command, input=text, capture_output=True, text=True, check=False)
    assert bool(done.stderr) == (done.returncode != 0)
    return done.returncode, (done.stdout + done.stderr).splitlines()


WARNED = {
    "pawn not mirrored": (block("Game: mine", black_pawn=BLACK_PAWN.replace("15,5", "-15,5")), "not the mirror image"),
    "pawn in the other rights": (
        block("Game: mine", black_pawn=BLACK_PAWN.replace("24", "64")),
        "not the mirror image",
    ),
    "uneven array": (
        block("Game: mine", black="6 4 5 3 7 5 4 6"),
        "the start positions of the sides have the same pieces in a different order",
    ),
    "castling by two": (
        block("Game: mine", king=KING.replace("1,34", "2,34", 1)),
        "piece 3 (k): 2,34 is not a castling",
    ),
    "lines without #": (
        block("Game: mine", "# N& N", "# K& KisO2"),
        "'# N& N' is a comment: lines about pieces follow",
    ),
    "nonsense in Betza": (block("Game: mine", "#", "# N& nothing"), "'nothing' does not describe moves"),
    "an ID that no piece has": (block("Game: mine", "#", "# X& N"), "no piece has the letter of 'X&'"),
    "table without letters": (block("Game: mine # PBRQ..Kpnbrq.k # fairy"), "White's half of the table has no N"),
    "table of odd length": (block("Game: mine # PNBRQKpnbrq"), "the table PNBRQKpnbrq has 11 letters"),
    "small letter": (block("game: mine"), "'game: mine' is a comment: a title is written Game:"),
    "no colon": (block("Game mine"), "'Game mine' is a comment: a title is written Game:"),
    "blank before": (block(" Game: mine"), "'Game: mine' is a comment: a title is written Game:"),
    "taken by XBoard": (block("Game: grand-like"), "grand-like: clients mistake this name for grand"),
    "hidden in a name": (block("Game: super-atomic"), "super-atomic: clients mistake this name for atomic"),
    "comma in a name": (block("Game: mine,b"), "mine,b: XBoard cannot list a name with commas"),
    "quotation mark in a name": (block('Game: mine"'), "XBoard cannot list a name with commas, quotation marks"),
    "orthodox name": (
        block("Game: normal", array="6 5 4 7 3 4 5 6"),
        "normal: clients mistake this name for orthodox chess",
    ),
    "no name for a ray": (
        block("Game: mine", knight="n:300 31,7"),
        "piece 4 (n) has a ray that Betza's notation cannot express",
    ),
    "no name for a ray, with a table": (
        block("Game: mine # PNBRQKpnbrqk # fairy", knight="n:300 -16,70,-17"),
        "piece 4 (n) has a ray that Betza's notation cannot express",
    ),
    "one letter twice": (
        block("Game: mine", "n:300 1,7", array="6 4 5 7 3 5 8 6"),
        "White has two kinds of N, pieces 4 and 8",
    ),
    "rule misspelt": (block("Game: mine", "# check 3", END), "'# check 3' is a comment: the rule is written # checks"),
    "rule in capitals": (block("Game: mine", "# Capture", END), "the rule is written # capture"),
    "rule in the plural": (
        block("Game: mine", "# promotions 8", END),
        "'# promotions 8' is a comment: the rule is written # promotion",
    ),
    "words behind choice": (block("Game: mine", "# choice please", END), "'# choice please' is a comment: the rule is"),
    "choice misspelt": (block("Game: mine", "# choise", END), "'# choise' is a comment: the rule is written # choice"),
    "rule without its blank": (block("Game: mine", "#checks 3", END), "the rule is written # checks"),
    "rule behind a blank": (block("Game: mine", " # choice", END), "is written # choice, at the beginning of the line"),
    "rule behind a blank line": (
        block("Game: mine", "", "# checks 3", END),
        "'# checks 3' is a comment: rules stand directly below the pieces",
    ),
    "choice behind a blank line": (block("Game: mine", "", "# choice", END), "stand directly below the pieces"),
    "two games of one name": (
        "\n".join([block("Game: mine"), block("Game: mine"), END]),
        "mine is left out: the game of this name in line 13 takes precedence",
    ),
    "nothing behind the last game": (block("Game: mine"), "<stdin>:23: Fairy-Max needs a line of text after"),
    "only lines about pieces behind it": (block("Game: mine", "#", "# N& N"), "needs a line of text after"),
    "too wide for Fairy-Max": (
        block("Game: mine", array="6 4 5 7 3 5 4 6 0 0 0 0 0", board="13x8"),
        "Fairy-Max supports up to 12 files, and exits when it reads 13",
    ),
    "too rich for Fairy-Max": (
        block("Game: mine", *[f"{letter}:300{' 1,7' * 30}" for letter in "acdefgh"]),
        "Fairy-Max reads 256 pieces and rays of a game, and ignores the rest of 266",
    ),
}


@pytest.mark.sampled(7)
@pytest.mark.parametrize("slip", WARNED)
def test_warnings(executable: Path, slip: str) -> None:
    text, said = WARNED[slip]
    status, lines = check(executable, text_of(text))
    assert status == 0 and re.search(r"\b(1 warning|\d+ warnings)$", lines[-1])
    found = [line for line in lines if said in line]
    assert found and all(line.startswith("warning: ") for line in lines[:-1]), lines


# Text after the pieces of the last game in a file: does Fairy-Max read beyond it?
ENDS = {
    "": False,
    "x": False,
    "xy": True,
    "A line of text.": True,
    "# choice": True,
    "# choice\n# choice": True,
    "#\n# N& N": False,
    "#\n# N& N\nx": True,
    "#\n# N& N\n# end of file": False,
    "\n\n": False,
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("end", ENDS)
def test_ends_that_fairymax_finds(executable: Path, end: str) -> None:
    _, lines = check(executable, text_of(block("Game: mine", end)))
    assert any("needs a line of text" in line for line in lines) is not ENDS[end], lines


@pytest.mark.sampled(3)
@pytest.mark.parametrize("end", ENDS)
def test_fairymax_agrees(client_program, tmp_path: Path, end: str) -> None:
    """If Fairy-Max does not find the end of a game, it repeats the same piece line forever."""
    file = tmp_path / "mine.ini"
    file.write_text(text_of(block("Game: mine", end)), encoding="ascii")
    with subprocess.Popen(
        [client_program("fairymax"), "22", str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin and process.stdout
        process.stdin.write(b"xboard\nprotover 2\nvariant mine\nquit\n")
        process.stdin.flush()
        said = process.stdout.read(100_000)
        process.kill()
    assert (said.count(b"\npiece ") > 100) is not ENDS[end]


REFUSED = {
    "missing colon": (KNIGHT.replace("n:", "n ", 1), "expected a colon after the letter of a piece, found 'n 325"),
    "semicolon": (KNIGHT.replace("n:", "n;", 1), "expected a colon after the letter of a piece, found 'n;325"),
    "two letters": (KNIGHT.replace("n:", "nn:", 1), ":20:1: expected one letter before the colon, found 'nn'"),
    "a sign": (KNIGHT.replace("n:", " +n:", 1), ":20:2: expected one letter before the colon, found '+n'"),
    "two letters and names": ("ng:325 N", "expected one letter before the colon, found 'ng'"),
    "blank line": ("\n" + KNIGHT, "expected no blank line before piece 4"),
    "two blank lines": ("\n\n" + KNIGHT, "expected no blank line before piece 4"),
}


@pytest.mark.parametrize("slip", REFUSED)
def test_slips_in_the_list_of_pieces(executable: Path, slip: str) -> None:
    line, said = REFUSED[slip]
    status, lines = check(executable, text_of(block("Game: mine", knight=line)))
    assert status == 2 and said in lines[0] and "<stdin>:" in lines[0]


@pytest.mark.parametrize("character", ["\0", "\x1b", "\x7f", "\x9b", "\u202e"])
def test_characters_in_a_name_that_cannot_be_printed(executable: Path, character: str) -> None:
    status, lines = check(executable, text_of(block(f"Game: mi{character}ne")))
    assert (status, len(lines)) == (2, 1)
    assert lines[0].startswith("standstill: <stdin>:13:9: expected characters that can be printed, found '\\")


def test_every_mistake_is_named(executable: Path) -> None:
    """Earlier versions named only the first mistake of a file."""
    first = block("Game: one", "# checks 0", "# goal 8", knight="n:325 14,x", rook="R:500 1,3 144,3")
    status, lines = check(executable, text_of(first, block("Game: two", "# mate lose"), block("Game: three", END)))
    assert status == 2
    found = [re.search(r"<stdin>:(\d+:\d+: \w+)", line)[1] for line in lines]
    assert found == ["20:10: expected", "22:11: expected", "24:3: checks", "25:3: goal", "38:3: mate"], lines


def test_mistakes_of_every_part_of_one_game(executable: Path) -> None:
    """The size, two words of one piece, a missing colon, and two rules that name what the game does not have."""
    game = block("Game: one", "# drop z 2-9", END, board="8*8", king="k:-1 1.7 16,7 n", knight="n 325 14,7")
    status, lines = check(executable, text_of(game))
    assert status == 2 and [line.removeprefix("standstill: <stdin>:") for line in lines] == [
        "14:1: expected a board size such as 8x8 or 8x8=3, found '8*8'; did you mean 8x8?",
        "19:6: expected STEP,RIGHTS or STEP,RIGHTS,STEP2, found '1.7'; did you mean 1,7?",
        "19:15: expected moves in Betza's notation, found 'n'; did you mean N?",
        "20:1: expected a colon after the letter of a piece, found 'n 325 14,7'; did you mean n:325 14,7?",
    ]
    status, lines = check(executable, text_of(block("Game: one", "# hand turn", "# drop zp 2-9", "# leap y", END)))
    assert status == 2 and [line.removeprefix("standstill: <stdin>:") for line in lines] == [
        "25:8: drop: expected letters of pieces (bknpqr), found z",
        "25:13: drop: expected ranks up to 8, found 9",
        "26:8: leap: expected letters of pieces (bknpqr), found y",
    ]


SUGGESTED = {
    "board": (block("Game: one", END, board="8 x 8"), "14:1: ", "did you mean 8x8?"),
    "value and moves": (block("Game: one", END, knight="n:325N"), "20:3: ", "did you mean 325 N?"),
    "value left out": (block("Game: one", END, knight="n: N"), "20:4: ", "0 lets the engine compute it"),
    "rights": (block("Game: one", END, knight="n:325 14,O7"), "20:10: ", "did you mean 07?"),
    "direction of a king": (block("Game: one", END, knight="n:325 NfK"), "20:7: ", "found 'fK'; did you mean fWfF?"),
    "direction of a queen": (
        block("Game: one", END, knight="n:325 bQ2"),
        "20:7: ",
        "found 'bQ2'; did you mean bR2bB2?",
    ),
    "capital at the end": (block("Game: one", END, knight="n:325 Nq"), "20:7: ", "found 'q'; did you mean Q?"),
    "semicolon": (block("Game: one", END, knight="n:325 14;7"), "20:7: ", "did you mean 14,7?"),
    "a word of a rule": (block("Game: one", "# stalemate loose", END), "24:3: ", "did you mean lose?"),
    "a word after letters": (block("Game: one", "# hand trun", END), "24:3: ", "did you mean turn?"),
    "short back rank": (
        block("Game: one", END, array="6 4 5 7 3 5 4"),
        "17:1: ",
        "found 6 and 'p:100'; each back rank needs one number for each file",
    ),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("slip", SUGGESTED)
def test_suggestions(executable: Path, slip: str) -> None:
    text, place, said = SUGGESTED[slip]
    status, lines = check(executable, text_of(text))
    assert status == 2 and len(lines) == 1 and f"<stdin>:{place}" in lines[0] and lines[0].endswith(said), lines


def test_a_first_line_that_is_misspelt(executable: Path) -> None:
    status, lines = check(executable, text_of(block("Game: one", "# checks 0", END)).replace("4.8(w)", "4.8"))
    assert status == 2 and lines[0].endswith("found 'version 4.8'; did you mean version 4.8(w)?")
    assert len(lines) == 2 and "checks: expected" in lines[1]


def test_mistakes_in_several_rules(executable: Path) -> None:
    status, lines = check(executable, text_of(block("Game: one", "# checks 0", "# goal 8", END)))
    assert status == 2 and len(lines) == 2 and "checks: " in lines[1] + lines[0] and "goal: " in lines[1] + lines[0]


def test_a_piece_that_cannot_move(executable: Path) -> None:
    status, lines = check(executable, text_of(block("Game: mine", END, knight="n:325")))
    assert (status, lines[0]) == (0, "warning: mine: piece 4 (n) cannot move")


def test_show_tells_the_value_that_the_engine_computes(executable: Path, tmp_path: Path) -> None:
    file = written(tmp_path, block("Game: mine", knight=KNIGHT.replace("325", "0")))
    command = [str(executable), "variants", "show", "mine", "--file", str(file)]
    shown = forked.run(command, capture_output=True, text=True, check=True).stdout
    (value,) = re.findall(r"^ 4 n +(\d+)  N  ", shown, re.MULTILINE)
    assert 250 < int(value) < 450


def test_a_file_of_fairy_stockfish_is_recognised(executable: Path) -> None:
    status, lines = check(executable, "[mine:chess]\nknight = -\n")
    assert status == 2 and "this is a file of Fairy-Stockfish (variants.ini), " in lines[0]


# A comment that begins with the name of a rule but states no rule.
REMARK = "# captured pieces are gone"


@pytest.mark.parametrize("games", [[block("Game: mine")], [block("Game: mine", REMARK)], [block("Game: fairy/Mine")]])
def test_nothing_to_warn_of(executable: Path, games: list[str]) -> None:
    status, lines = check(executable, text_of(*games, END))
    assert (status, len(lines)) == (0, 1) and re.search(r"\b(1 game|\d+ games), no errors$", lines[0])


@pytest.mark.parametrize("file", [OWN_FILE, str(DEBIAN / "fmax.ini")])
def test_files_that_people_play_with_are_right(executable: Path, file: str) -> None:
    if not Path(file).exists():
        pytest.skip("Debian's fairymax is not installed")
    done = forked.run([str(executable), "variants", "check", file], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("games, no errors\n") and len(done.stdout.splitlines()) == 1


@pytest.mark.skipif(not DEBIAN.exists(), reason="Debian's fairymax is not installed")
@pytest.mark.parametrize("command", ["variants check FILE", "variants list --file FILE", "FILE"])
def test_a_file_of_maxqi_is_refused_by_name(executable: Path, command: str) -> None:
    words = [str(executable), *command.replace("FILE", str(DEBIAN / "qmax.ini")).split()]
    done = forked.run(words, input="", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "standstill: qmax.ini:7:6: expected a file of Fairy-Max, found one of MaxQi (qmax.ini)\n"


@pytest.mark.parametrize(
    ("name", "other"),
    [
        *(("grand", ""), ("grand-like", "grand"), ("grandchess", ""), ("tall-capablanca", ""), ("great2", "great")),
        *(("my-suicide-game", "suicide"), ("lionheart", ""), ("lion-heart", "lion"), ("w23", "a numbered game")),
        *(("chess960b", "fischerandom"), ("Normal", "orthodox chess"), ("kingofthehill", ""), ("woody-rook", "")),
    ],
)  # fmt: skip
def test_names_as_xboard_reads_them(name: str, other: str) -> None:
    assert taken_for(name).startswith(other) and bool(taken_for(name)) is bool(other)


def test_a_file_without_a_titled_game_is_named(executable: Path) -> None:
    """Such a game is there for Fairy-Max; no command can choose it."""
    untitled = text_of("The end.")
    for text, warned in ((untitled, True), (text_of(block("Game: mine", "", "The end.")), False)):
        command = [str(executable), "variants", "check", "-"]
        done = forked.run(command, input=text, capture_output=True, text=True, check=True)
        assert ("cannot be chosen: a game to play begins with a line Game: NAME" in done.stdout) == warned, done.stdout
