"""Edits of a game in Study: what they write, what they leave as it is, and how the file is saved."""

from __future__ import annotations

import io
import subprocess
from collections.abc import Callable
from pathlib import Path

import chess.pgn
import pytest

from standstill.engine.annotate.source import SourceGame
from standstill.engine.archive.pgn import read_games
from standstill.engine.common.errors import ArgumentError, EngineUseError, IllegalMoveError
from standstill.engine.web.study.editing import edited
from standstill.engine.web.study.library import Library
from standstill.engine.web.study.lines import main_line
from standstill.engine.web.study.tags import with_tags
from standstill.engine.web.study.tree import Tree
from tests.annotate.support import SCID_COPIES, games, nodes
from tests.uci.client import PATIENCE_S, clean_environment

HERE = Path(__file__).parent
HEAD = b'[Event "?"]\n[White "A"]\n[Result "1-0"]\n\n'
SPANISH = HEAD + b"1. e4 e5 2. Nf3 (2. f4 exf4 3. Nf3) Nc6 3. Bb5 {Ruy} a6!? 4. Ba4 1-0\n\n"
# The nodes: 1 e4, 2 e5, 3 Nf3, 4 Nc6, 5 Bb5, 6 a6, 7 Ba4, then 8 f4, 9 exf4, 10 Nf3 of the variation.


def moves_after(raw: bytes, **asked: object) -> str:
    """The movetext after an edit, which python-chess must read without a fault."""
    text, _ = edited(1, raw, asked)
    assert text.startswith(HEAD)
    game = chess.pgn.read_game(io.StringIO(text.decode()))
    assert game is not None and game.errors == []
    return text[len(HEAD) :].decode()


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"kind": "moves", "at": 7, "moves": ["g8f6", "e1g1"]}, "a6!? 4. Ba4 Nf6 5. O-O 1-0\n\n"),
        ({"kind": "moves", "at": 2, "moves": ["g1f3"]}, "Nc6 3. Bb5 {Ruy} a6!? 4. Ba4 1-0\n\n"),  # is there already
        ({"kind": "moves", "at": 1, "moves": ["c7c5"]}, "1. e4 e5 (1... c5) 2. Nf3 (2. f4 exf4 3. Nf3) Nc6 "),
        ({"kind": "moves", "at": 2, "moves": ["f2f4", "d7d5"]}, "(2. f4 exf4 (2... d5) 3. Nf3) Nc6 "),
        (
            {"kind": "moves", "at": 4, "moves": ["f1c4", "f8c5"], "sign": 10, "words": "quiet"},
            "Nc6 3. Bb5 {Ruy} (3. Bc4 Bc5 $10 {quiet}) 3... a6!? 4. Ba4",
        ),
        ({"kind": "promote", "at": 9}, "1. e4 e5 2. f4 (2. Nf3 Nc6 3. Bb5 {Ruy} a6!? 4. Ba4) 2... exf4 3. Nf3 1-0\n\n"),
        ({"kind": "delete", "at": 3}, "1. e4 e5 2. f4 exf4 3. Nf3 1-0\n\n"),  # the variation replaces the move
        ({"kind": "delete", "at": 8}, "1. e4 e5 2. Nf3 Nc6 3. Bb5"),
        ({"kind": "delete", "at": 9}, "2. Nf3 (2. f4) Nc6"),
        ({"kind": "delete", "at": 5}, "(2. f4 exf4 3. Nf3) Nc6 1-0\n\n"),
        ({"kind": "delete", "at": 1}, "1-0\n\n"),
        ({"kind": "comment", "at": 5, "words": "Spanish \u2014 old"}, "3. Bb5 {Spanish \u2014 old} a6!?"),
        ({"kind": "comment", "at": 5, "words": " "}, "3. Bb5 a6!? 4. Ba4"),
        ({"kind": "comment", "at": 3, "words": "why"}, "2. Nf3 {why} (2. f4 exf4 3. Nf3) 2... Nc6"),
        ({"kind": "comment", "at": 0, "words": "lead"}, "{lead} 1. e4 e5"),
        ({"kind": "mark", "at": 6, "mark": 3}, "{Ruy} a6 $3 4. Ba4"),
        ({"kind": "mark", "at": 6, "mark": 0}, "{Ruy} a6 4. Ba4"),
        ({"kind": "mark", "at": 6, "mark": 14, "of_move": False}, "a6!? $14 4. Ba4"),
    ],
)
def test_an_edit_changes_only_its_place(asked: dict, expected: str) -> None:
    found = moves_after(SPANISH, **asked)
    assert expected in found, found


def test_demoting_twice_gives_the_game_again() -> None:
    """The main line that a promotion has replaced can be promoted again."""
    text, path = edited(1, SPANISH, {"kind": "promote", "at": 8})
    tree = Tree(SourceGame(1, text))
    assert [tree.nodes[at].depth for at in (tree.find(path), tree.find(["e2e4", "e7e5", "g1f3"]))] == [0, 1]
    again, _ = edited(1, text, {"kind": "promote", "at": tree.find(["e2e4", "e7e5", "g1f3"])})
    assert again.replace(b") 2... Nc6", b") Nc6") == SPANISH


def test_commands_of_a_comment_stay() -> None:
    game = HEAD + b"1. e4 {[%eval 0.3,12] king's pawn [%cal Ge2e4]} e5 {+0.20/12 1.2s} 1-0\n"
    assert "{[%eval 0.3,12] best [%cal Ge2e4]} e5" in moves_after(game, kind="comment", at=1, words="best")
    assert "{[%eval 0.3,12] [%cal Ge2e4]} e5" in moves_after(game, kind="comment", at=1, words="")
    assert "e5 {+0.20/12 1.2s solid} 1-0" in moves_after(game, kind="comment", at=2, words="solid")


def test_a_game_without_moves_gets_some() -> None:
    assert moves_after(HEAD + b"1-0\n", kind="moves", at=0, moves=["e2e4", "e7e5"]) == "1. e4 e5 1-0\n"


def test_a_game_by_definition_has_variations_that_can_be_edited() -> None:
    game = b'[Variant "capablanca"]\n\n1. f4 f5 (1... g5 2. Nh3) 2. Nh3 *\n'
    tree = Tree(SourceGame(1, game))
    assert [(node.san, node.depth) for node in tree.nodes[4:]] == [("g5", 1), ("Nh3", 1)]
    assert edited(1, game, {"kind": "promote", "at": 4})[0].endswith(b"1. f4 g5 (1... f5 2. Nh3) 2. Nh3 *\n")


def test_letters_of_the_game_are_kept() -> None:
    game = HEAD + b"1. e4 e5 2. Sf3 Sc6 (2... Sf6 3. Sc3) 3. Lb5 1-0\n"
    found, _ = edited(1, game, {"kind": "moves", "at": 4, "moves": ["f1c4"]})
    assert found.endswith(b"3. Lb5 (3. Lc4) 1-0\n")
    assert [node.san for node in Tree(SourceGame(1, game)).nodes[6:]] == ["Nf6", "Nc3"]


def test_latin_1_stays_latin_1() -> None:
    game = HEAD.replace(b"A", b"M\xfcller") + b"1. e4 {sch\xf6n} 1-0\n"
    assert edited(1, game, {"kind": "comment", "at": 1, "words": "h\u00fcbsch"})[0].endswith(b"{h\xfcbsch} 1-0\n")
    with pytest.raises(ArgumentError, match="Latin-1"):
        edited(1, game, {"kind": "comment", "at": 1, "words": "\u265e"})


def test_moves_of_a_variation_that_are_not_legal_stay_readable() -> None:
    game = HEAD + b"1. e4 e5 (1... c5 2. Qh8 d6) 2. Nf3 1-0\n"
    tree = Tree(SourceGame(1, game))
    assert tree.nodes[-1].san == "c5" and "2. Qh8 d6" in tree.nodes[-1].comment
    assert edited(1, game, {"kind": "moves", "at": 3, "moves": ["b8c6"]})[0] == game.replace(b" 1-0\n", b" Nc6 1-0\n")


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ({"kind": "moves", "at": 0, "moves": ["e2e5"]}, IllegalMoveError),
        ({"kind": "moves", "at": 99, "moves": []}, ArgumentError),
        ({"kind": "promote", "at": 3}, ArgumentError),
        ({"kind": "delete", "at": 0}, ArgumentError),
        ({"kind": "comment", "at": 1, "words": "a } b"}, ArgumentError),
        ({"kind": "mark", "at": 1, "mark": 14}, ArgumentError),
        ({"kind": "burn", "at": 1}, ArgumentError),
    ],
)
def test_faulty_edits_are_refused(asked: dict, error: type) -> None:
    with pytest.raises(error):
        edited(1, SPANISH, asked)


def test_lines_give_every_game_again() -> None:
    """Every byte of the games of the tests is in the lines."""
    count = 0
    for file in sorted(HERE.parent.rglob("*.pgn")):
        with file.open("rb") as stream:
            for number, raw in enumerate(read_games(stream), 1):
                source = SourceGame(number, raw)
                if source.fault is None:
                    movetext, line = source.movetext, main_line(source.movetext)
                    assert movetext.text[: movetext.body] + line.written() == movetext.text, (file, number)
                    assert len(line.steps) == len(movetext.plies), (file, number)
                    count += 1
    assert count > 3


def test_saving_replaces_one_game_and_keeps_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "games.pgn"
    old = (HERE / "games.pgn").read_bytes()
    file.write_bytes(old)
    library = Library(str(file))
    library.refresh()
    fourth = library.game(4)
    changed, _ = edited(4, fourth, {"kind": "comment", "at": 1, "words": "new"})
    library.save(4, changed, library.digest)
    assert file.read_bytes() == old.replace(fourth, changed)
    assert (tmp_path / "games.pgn~").read_bytes() == old
    assert library.game(4) == changed and sorted(each.name for each in tmp_path.iterdir()) == [
        "games.pgn",
        "games.pgn~",
    ]


def test_scid_reads_what_is_saved(client_program: Callable[[str], str], tmp_path: Path) -> None:
    """Moves, variations, comments, marks and arrows of a saved file survive Scid's import and export."""
    file = tmp_path / "games.pgn"
    shapes = b"[%csl Gd5][%cal Ge2e4,Rb1c3]"
    file.write_bytes(SPANISH.replace(b"{Ruy}", b"{Ruy " + shapes + b"}") + SPANISH)
    library = Library(str(file))
    library.refresh()
    edits: list[dict[str, object]] = [
        {"kind": "moves", "at": 7, "moves": ["g8f6", "e1g1", "f8e7"]},
        {"kind": "moves", "at": 4, "moves": ["f1c4", "f8c5"], "sign": 10, "words": "quiet, Standstill"},
        {"kind": "moves", "at": 2, "moves": ["f2f4", "d7d5"]},  # within a variation
        {"kind": "comment", "at": 5, "words": "the Spanish \u2014 old"},
        {"kind": "comment", "at": 0, "words": "a lead"},
        *({"kind": "mark", "at": at + 1, "mark": mark} for at, mark in enumerate((1, 2, 3, 4, 5, 6))),
        *({"kind": "mark", "at": 1, "mark": mark, "of_move": False} for mark in (14, 21)),
        {"kind": "mark", "at": 2, "mark": 15, "of_move": False},
    ]
    text = library.game(1)
    for edit in edits:
        text, _ = edited(1, text, edit)
    library.save(1, text, library.digest)
    (tmp_path / "copy.tcl").write_text(SCID_COPIES)
    command = [client_program("tkscid"), "copy.tcl", "base", "games.pgn", "copy.pgn"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE_S, env=clean_environment(), check=False
    )
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, ["2", "{}"], "")
    saved = list(games(file.read_text("utf-8")))
    for ours, theirs in zip(saved, games((tmp_path / "copy.pgn").read_text("utf-8")), strict=True):
        assert list(nodes(ours)) == list(nodes(theirs))
    first = list(nodes(saved[0]))
    assert {nag for _, nags, _, _ in first for nag in nags} == {1, 2, 3, 4, 5, 6, 10, 15, 21}
    assert any({"[%csl", "old"} <= set(words) for _, _, words, _ in first)
    assert sum(len(children) > 1 for _, _, _, children in first) == 3


def test_a_file_that_has_changed_is_not_overwritten(tmp_path: Path) -> None:
    """Two tabs, or another program: the second save is refused, and the file stays."""
    file = tmp_path / "games.pgn"
    file.write_bytes(SPANISH)
    library = Library(str(file))
    library.refresh()
    digest = library.digest
    library.save(1, SPANISH.replace(b"Ruy", b"first"), digest)
    with pytest.raises(EngineUseError, match=r"not saved: .*games\.pgn has changed"):
        library.save(1, SPANISH.replace(b"Ruy", b"second"), digest)
    file.write_bytes(SPANISH + SPANISH)
    with pytest.raises(EngineUseError, match="has changed"):
        library.save(1, SPANISH, library.digest)
    assert file.read_bytes() == SPANISH + SPANISH


def test_a_compressed_file_stays_compressed(tmp_path: Path) -> None:
    import gzip

    file = tmp_path / "games.pgn.gz"
    file.write_bytes(gzip.compress(SPANISH))
    library = Library(str(file))
    library.refresh()
    library.save(1, SPANISH.replace(b"Ruy", b"Lopez"), library.digest)
    assert gzip.decompress(file.read_bytes()) == SPANISH.replace(b"Ruy", b"Lopez")
    assert gzip.decompress((tmp_path / "games.pgn.gz~").read_bytes()) == SPANISH


def tagged(raw: bytes, **asked: object) -> bytes:
    return with_tags(SourceGame(1, raw), asked)


def test_names_and_result_are_edited_and_all_else_stays() -> None:
    asked = {"white": 'Ann "A" B', "black": "", "event": " Club  open ", "date": "2026.11.29"}
    text = tagged(SPANISH, **asked, result="1/2-1/2")
    moves = SPANISH[len(HEAD) :].replace(b"1-0", b"1/2-1/2")
    assert text.endswith(moves) and text.count(b"[") == 4
    game = chess.pgn.read_game(io.StringIO(text.decode()))
    names = ("Event", "White", "Black", "Date", "Result")
    tags = {name: game.headers[name].replace("\\", "") for name in names}  # python-chess keeps the backslashes
    assert SourceGame(1, text).movetext.tags["White"] == 'Ann "A" B'
    assert tags == {
        "Event": "Club open",
        "White": 'Ann "A" B',
        "Black": "?",
        "Date": "2026.11.29",
        "Result": "1/2-1/2",
    }
    bare = tagged(b"1. e4 e5", white="Ann", result="1-0")
    assert bare == b'[White "Ann"]\n[Result "1-0"]\n\n1. e4 e5 1-0'
    empty = tagged(b'[Event "Analysis"]\n\n*\n', black="Bob", event="Analysis")
    assert empty == b'[Event "Analysis"]\n[Black "Bob"]\n[Result "*"]\n\n*\n'
    with pytest.raises(ArgumentError, match="Date: expected year"):
        tagged(SPANISH, date="yesterday")
