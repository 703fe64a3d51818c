"""Other games over XBoard's protocol: announcements, and moves and positions as XBoard writes them."""

from __future__ import annotations

import pytest

from tests.variants.files import block, written
from tests.xboard.support import features, own_move, pong


def test_games_are_announced(xboard) -> None:
    announced = features(xboard)["variants"].split(",")
    assert {"normal", "fischerandom", "capablanca", "spartan", "losalamos", "fairy"} <= set(announced)
    assert len(announced) == len(set(announced))
    assert not any(name.startswith("fairy/") for name in announced)


def test_xboard_finds_each_game_where_its_name_first_stands(xboard) -> None:
    """XBoard's dialogue compares only prefixes: `grand` was disabled after `grande-acedrex`."""
    announced = features(xboard)["variants"]
    for name in announced.split(","):
        at = announced.index(name)
        assert f",{announced},"[at : at + len(name) + 2] == f",{name},", name


def test_a_known_game_is_played(xboard) -> None:
    xboard.send("new", "variant capablanca", "sd 3")
    assert pong(xboard) == []
    move = own_move(xboard, "usermove e2e4")
    assert move[0] in "abcdefghij" and move[2] in "abcdefghij"


def test_an_unknown_one_is_told_first(xboard) -> None:
    xboard.send("new", "variant losalamos")
    setup, *pieces = pong(xboard)
    assert pieces == ["piece P& fmWfcF", "piece R& R", "piece N& N", "piece Q& Q", "piece K& K"]
    assert setup == "setup (PN.RQKpn.rqk) 6x6+0_fairy rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 0 1"
    xboard.send("new", "variant commoner")
    assert pong(xboard)[1:] == ["piece M& K"]


def test_a_known_game_may_need_its_pieces(xboard) -> None:
    """XBoard calls every step of a Berolina pawn illegal until the engine has described the moves."""
    xboard.send("new", "variant berolina")
    assert pong(xboard) == ["piece P& fmFfceWifmnA"]
    xboard.send("new", "variant cylinder")
    assert pong(xboard)[-1] == "piece K& oK"


def test_ten_ranks_count_from_zero(xboard) -> None:
    xboard.send("new", "variant tall-capablanca", "force")
    pong(xboard)
    xboard.send("usermove e2e4", "usermove e9e5")
    assert pong(xboard) == ["Illegal move: e9e5"]
    xboard.send("usermove e7e5")
    assert pong(xboard) == []


def test_the_option_chooses_what_fairy_is(xboard) -> None:
    xboard.send("option FairyVariant=FIDE-Nutters", "new", "variant fairy", "force")
    assert " 8x8+0_fairy thuckuht/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" in pong(xboard)[0]
    xboard.send("usermove e2e4", "usermove c8d6", "usermove g1f3", "usermove d6c8")  # the charging knight has not moved
    assert pong(xboard) == ["Illegal move: d6c8"]


def test_edit_and_setboard(xboard) -> None:
    xboard.send("new", "variant makruk", "force", "setboard 4k3/8/8/4P3/8/8/8/3K4 w - - 0 1", "usermove e5e6m")
    assert pong(xboard) == []
    xboard.send("new", "variant makruk", "force", "edit", "#", "Kd1", "Sa5", "c", "Ke8", ".")
    xboard.send("usermove a5a6", "usermove e8e7")
    assert pong(xboard) == []
    xboard.send("usermove a6a5")
    assert pong(xboard) == ["Illegal move: a6a5"]


@pytest.mark.parametrize("letter", "PH")
def test_edit_makes_the_own_pawn(xboard, letter: str) -> None:
    """In Spartan chess the sides have different pawns, in letter and moves; each side has only its own."""
    xboard.send("new", "variant spartan", "force", "edit", "#", "Ke1", f"{letter}a2", "c", "Ke8", f"{letter}h7", ".")
    xboard.send("usermove a2a4", "usermove h7f5", "usermove a4a5", "usermove f5e4")
    assert pong(xboard) == []


def test_new_returns_to_chess(xboard) -> None:
    xboard.send("new", "variant janus", "new", "force", "usermove e2e4", "usermove e7e5", "usermove g1f3")
    assert pong(xboard) == []


def test_a_bad_file_changes_nothing(xboard, tmp_path) -> None:
    bad = tmp_path / "bad.ini"
    bad.write_text("nonsense", encoding="utf-8")
    xboard.send("new", "variant knightmate", "force", f"option VariantFile={bad}")
    shown, error = pong(xboard)
    assert error.startswith("Error (bad.ini:1:1: expected version 4.8(w), found 'nonsense')")
    assert shown == "tellusererror bad.ini:1:1: expected version 4.8(w), found 'nonsense'"
    xboard.send("usermove e1f3", "usermove e2e4")  # the king moves as a knight; then it is Black's turn
    assert pong(xboard) == ["Illegal move: e2e4"]


@pytest.mark.parametrize(
    ("variant", "fen", "best", "refused"),
    [
        ("fairy", "4k3/8/8/8/8/8/p3K3/8 b - - 0 1", "a2a1a", "a2a1q"),
    ],
)
def test_pawns_join_their_own_army(xboard, variant: str, fen: str, best: str, refused: str) -> None:
    """XBoard forfeits the game for a promotion to an enemy piece; the engine still accepts it from the opponent."""
    setup = "new", f"variant {variant}", "force", f"setboard {fen}"
    xboard.send(*setup, "sd 3", "go")
    assert xboard.read_until("move")[-1] == f"move {best}"
    xboard.send(*setup, f"usermove {refused}")
    assert not [line for line in pong(xboard) if line.startswith("Illegal")]


def test_en_passant_out_of_check_is_left_to_others(xboard) -> None:
    """XBoard calls the capture illegal if the captured pawn is not beside ours; otherwise it is played."""
    checked, free = "4k3/8/8/1pP5/1K6/8/8/8 w - c6 0 1", "4k3/8/8/1pP5/8/8/1K6/8 w - c6 0 1"
    setup = "new", "variant berolina", "force"
    xboard.send(*setup, f"setboard {checked}", "usermove c5c6")
    assert not [line for line in pong(xboard) if line.startswith("Illegal")]
    xboard.send(*setup, f"setboard {checked}", "sd 6", "go")
    assert xboard.read_until("move")[-1] != "move c5c6"
    xboard.send(*setup, f"setboard {free}", "sd 6", "go")
    assert xboard.read_until("move")[-1] == "move c5c6"


def test_every_other_promotion_is_open(xboard) -> None:
    """A piece table that the engine makes itself has all pieces."""
    xboard.send("new", "variant commoner", "force", "setboard 8/5P1k/5K2/8/8/8/8/8 w - - 0 1", "sd 3", "go")
    assert xboard.read_until("move")[-1] == "move f7f8r"


def test_baring_is_claimed_after_the_reply(xboard) -> None:
    """XBoard lets the bared side reply by baring the other king, and forfeits the game for an earlier claim."""
    xboard.send("new", "variant shatranj", "force", "setboard 4k3/8/8/8/4n3/4R3/8/4K3 w - - 0 1", "sd 2", "go")
    assert xboard.read_until("move")[-1] == "move e3e4"
    assert pong(xboard) == []
    xboard.send("usermove e8d7")
    assert pong(xboard) == ["1-0 {bare king}"]


GUEST = block("Game: guest", "# gate a", archbishop="a:825 BN")
BARED = block("Game: bared", "# bare lose reply", "# stalemate lose", king="k:-1 K")


def test_gating_in_a_game_of_the_user(xboard, tmp_path) -> None:
    """The parent is seirawan, with six kinds of pieces beside the board; XBoard writes the files in its own order."""
    xboard.send(f"option VariantFile={written(tmp_path, GUEST)}")
    (announced,) = [line for line in pong(xboard) if line.startswith("feature variants=")]
    assert "guest" in announced.split('"')[1].split(",")
    xboard.send("new", "variant guest", "force")
    setup, *pieces = pong(xboard)
    table, placement = setup.removeprefix("setup (").split(") ")
    half = table[: len(table) // 2]
    assert half[-1] == "K" and sorted(half.replace(".", "")) == sorted("PNBRQAK") and table == half + half.lower()
    assert placement == "8x8+6_seirawan rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Aa] w KQBCDFGkqbcdfg - 0 1"
    assert {"piece A& BN", "piece K& K"} <= set(pieces)  # XBoard castles by itself
    xboard.send("usermove b1c3a", "usermove g8f6", "usermove d2d3", "usermove h8g8a", "usermove c1f4a")
    assert pong(xboard) == ["Illegal move: c1f4a"]  # the archbishop is on the board already
    xboard.send("setboard rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Aa] w KGFDCBQkgfdcbq - 0 1", "usermove g1f3")
    xboard.send("usermove e7e5", "usermove e2e4", "usermove f8e7", "usermove f1e2", "usermove g8f6", "usermove e1g1a")
    xboard.send("usermove e8g8", "usermove b1c3", "usermove b8c6a", "usermove a2a3", "usermove d8e8a")
    assert pong(xboard) == ["Illegal move: d8e8a"]


def test_baring_in_a_game_of_the_user(xboard, tmp_path) -> None:
    xboard.send(f"option VariantFile={written(tmp_path, BARED)}", "new", "variant bared", "force")
    (setup,) = [line for line in pong(xboard) if line.startswith("setup ")]
    assert setup.endswith(" 8x8+0_shatranj rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1")
    xboard.send("setboard 4k3/8/8/8/4n3/4R3/8/4K3 w 0 1", "sd 2", "go")  # as XBoard writes it
    assert xboard.read_until("move")[-1] == "move e3e4"
    assert pong(xboard) == []
    xboard.send("usermove e8d7")
    assert pong(xboard) == ["1-0 {bare king}"]


SHUFFLE = ("b1d2", "b8d7", "d2b1", "d7b8")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("variant", ["makruk", "ai-wok", "cambodian", "asean", "capablanca"])
def test_a_repetition_is_played_on(xboard, variant: str) -> None:
    """cutechess knows no repetition in the Makruk family, and forfeits the game for the claim."""
    knights = ("b1c3", "b8c6", "c3b1", "c6b8") if variant == "capablanca" else SHUFFLE
    xboard.send("new", f"variant {variant}", "force", *(f"usermove {move}" for move in knights * 3), "sd 3", "go")
    said = [line for line in xboard.read_until("move") if line.startswith(("1", "0-1", "move"))]
    assert [line.split()[0] for line in said] == ["move"]


@pytest.mark.parametrize(("accepted", "computer", "claims"), [
    ((), (), False), (("exclude",), (), True), (("exclude",), ("computer",), False),
])  # fmt: skip
def test_xboard_is_told_of_a_draw_that_a_person_plays(xboard, accepted, computer, claims: bool) -> None:
    """XBoard adjudicates only between two programs; without our claim such a game would never end."""
    knights = ("b1c3", "b8c6", "c3b1", "c6b8") * 3
    xboard.send(*(f"accepted {name}" for name in accepted), "new", "variant capablanca", *computer, "force")
    xboard.send(*(f"usermove {move}" for move in knights), "sd 2", "go")
    assert ("1/2-1/2 {Repetition}" in pong(xboard)) == claims


def test_the_hill_is_conceded_not_claimed(xboard) -> None:
    """XBoard knows no hill and forfeits the game for the claim; it accepts the claim of a side that has lost."""
    xboard.send("new", "variant kingofthehill", "force", "setboard 7k/8/8/8/8/4K3/8/8 w - - 0 1", "sd 4", "go")
    assert xboard.read_until("move")[-1] in {"move e3d4", "move e3e4"}
    assert pong(xboard) == []
    xboard.send("usermove h8g8")
    assert pong(xboard) == ["Illegal move: h8g8"]
    xboard.send("new", "variant kingofthehill", "force", "setboard 7k/8/8/8/4K3/8/8/8 b - - 0 1", "go")
    assert pong(xboard)[-1] == "1-0 {king on the hill}"


def test_the_game_is_not_changed_by_an_option(xboard) -> None:
    """If an option changed the game, the boards of the client and the search would differ."""
    xboard.send("option UCI_Variant=shatranj", "option UCI_Chess960=1")
    said = pong(xboard)
    assert len(said) == 2 and all(line.startswith("Error (expected the command variant") for line in said)
