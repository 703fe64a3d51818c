"""`standstill study --pdf`: the games of a file as a book."""

from __future__ import annotations

import random
import re
from pathlib import Path
from xml.etree import ElementTree

import chess
import pytest

from standstill.engine.web.study import book as books
from standstill.engine.web.study.score import study
from tests import forked

GAMES = Path(__file__).parent / "games.pgn"
GAME = """[Event "Open <b>"]
[White "Muster, <i>Max"]
[Black "Other, Ann"]
[Date "1999.??.??"]
[Round "3"]
[Result "1/2-1/2"]

{Before & after} 1. e4 {[%eval 0.3] </style><script>alert(1)</script>} (1. d4 d5 (1... f5) 2. c4 {good} e6)
1... e5 $14 {[%eval 0.2]} 2. Nf3 $1 {[%eval 0.2]} Qh4 {[%eval 4.0]} (2... Nc6 3. Bb5 $15)
3. Nxh4 {[%eval 4.1]} Nf6 $146 {[%eval 4.2]} 1/2-1/2
"""


def text_of(document: str) -> str:
    """The words of the document as a reader sees them."""
    body = document[document.index("<body>") :]
    words = re.sub(r"<svg.*?</svg>", "@", body, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]*>", "", words).replace("\u202f", " ").replace("\u00a0", " ").split())


def test_the_book_has_moves_variations_comments_and_diagrams() -> None:
    document = books.book("Games", [study(1, GAME.encode())])
    told = text_of(document)
    for expected in (
        "Games 1 game Source of the evaluations: evaluations in the comments, x05 0.62",
        "Muster, &lt;i&gt;Max \u2013 Other, Ann \u00bd\u2013\u00bd",
        "Open &lt;b&gt;, 1999, round 3",
        "Before &amp; after 1. e4 &lt;/style&gt;&lt;script&gt;",
        "(1. d4 d5 (1... f5) 2. c4 good 2... e6) 1... e5 @ 2. Nf3!",  # the symbol of a slight advantage is drawn
        "@2...Qh4??, 60 % to 99 %, @ to +\u2212\u2212; better Nc6 2... Qh4??",
        "(2... Nc6 3. Bb5 @) 3. Nxh4 Nf6 \u00bd\u2013\u00bd",
    ):
        assert expected in told, told
    assert document.count("<figure>") == 1 and "<script" not in document
    assert '<i class="own">??</i>' in document and "$146" not in document
    assert re.findall(r'<li>(.*?) <a( class="white")? href="#game1">', document) == [
        ("Muster, &lt;i&gt;Max", ' class="white"'),
        ("Other, Ann", ""),
    ]


def test_the_index_has_each_page_once_for_each_colour() -> None:
    games = ["Muster - Other", "Muster - Other", "Other - Muster", "Muster - Other"]
    sides = [game.split(" - ") for game in games]
    text = "".join(f'[White "{white}"]\n[Black "{black}"]\n\n1. e4 *\n\n' for white, black in sides)
    parts = [f"{part}*\n" for part in text.split("*\n")[:-1]]
    document = books.book("Games", [study(number, part.encode()) for number, part in enumerate(parts, 1)])
    shorter = books.short_index(document, {"game1": 0, "game2": 0, "game3": 0, "game4": 1})
    entries = dict(re.findall(r"<li>(\w+) (.*?)</li>", shorter))
    links = {name: re.findall(r'<a( class="white")? href="#game(\d)">', entry) for name, entry in entries.items()}
    bold = ' class="white"'
    assert links == {"Muster": [(bold, "1"), ("", "3"), (bold, "4")], "Other": [("", "1"), (bold, "3"), ("", "4")]}
    assert shorter.count("<article") == 4 and document.count('href="#game') == 8


def test_a_game_without_evaluations_ends_with_its_last_position() -> None:
    document = books.book("Games", [study(1, b"1. e4 e5 2. Nf3 *")])
    assert document.count("<figure>") == 1 and "Final position" in document and "Players" not in document


@pytest.mark.parametrize("turn", ["white", "black"])
def test_a_diagram_has_each_man_at_its_place(turn: str) -> None:
    """The squares of the drawings, from the upper left corner, are those of python-chess."""
    board = chess.Board("r3k2r/1pp2p2/8/3Q4/4n3/8/PP4P1/R3K2R w KQkq - 0 1")
    game = study(1, b"1. e4 *")["game"]
    drawn = ElementTree.fromstring(books.diagram(game, board.fen(), turn))
    places = [re.findall(r"\d+", each.get("transform", "")) for each in drawn.iter() if each.tag.endswith("g")]
    found = {chess.square(int(place[0]) // 45, 7 - int(place[1]) // 45) for place in places if len(place) == 2}
    assert found == set(board.piece_map())


def test_men_that_chess_does_not_have_are_letters() -> None:
    game = {"width": 10, "height": 8, "pictures": {"C": "", "k": "black-king"}}
    drawn = books.diagram(game, "9k/10/10/10/10/10/10/C9 w - - 0 1", "white")
    assert drawn.count("<circle") == 1 and ">C</text>" in drawn


def test_deep_variations_do_not_stop_the_book() -> None:
    deep = "1. e4 " + "(1. d4 " * 200 + ")" * 200 + " *"
    assert books.book("Games", [study(1, deep.encode())]).count("1.\u202fd4") == books.DEEPEST


@pytest.mark.slow
@pytest.mark.parametrize("paper", books.PAPERS)
def test_the_pages_have_their_size_and_load_nothing(paper: str) -> None:
    pytest.importorskip("weasyprint")
    import weasyprint

    document = books.book("Games", [study(number, GAME.encode()) for number in (1, 2, 3)], paper)
    pages = weasyprint.HTML(string=document, url_fetcher=books._refuse).render().pages
    width, height = {"a4": (794, 1123), "a5": (559, 794), "letter": (816, 1056)}[paper]
    assert (round(pages[0].width), round(pages[0].height)) == (width, height) and len(pages) >= 2
    assert {name for page in pages for name in page.anchors} >= {"game1", "game2", "game3"}
    with pytest.raises(ValueError, match="loads nothing"):
        books._refuse("https://example.org/x.png")


@pytest.mark.slow
@pytest.mark.parametrize("plies", [1, 2, 4, 8, 20])
@pytest.mark.parametrize("evaluation", ["", "{[%eval -3.0]} "], ids=["plain", "evaluated"])
def test_a_short_game_fills_both_columns(plies: int, evaluation: str) -> None:
    pytest.importorskip("weasyprint")
    import weasyprint

    moves = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7", "Re1", "b5", "Bb3", "d6", "c3", "O-O"]
    text = " ".join([*[*moves, "h3", "h6", "a3", "a5"][: plies - 1], evaluation, "g4" if plies % 2 else "g5"])
    document = books.book("Games", [study(1, f"{text} *".encode())])
    assert document.count("<figure") == 1
    page = weasyprint.HTML(string=document).render().pages[0]
    boxes = [box for box in page._page_box.descendants() if type(box).__name__ == "BlockBox" and box.width < 400]
    columns = {box.position_x > page.width / 2 for box in boxes if box.element_tag in ("div", "figure")}
    assert columns == {False, True}, [(box.element_tag, box.position_x) for box in boxes]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_the_last_diagram_is_never_alone_on_a_page(seed: int) -> None:
    """Games end at many heights of the pages."""
    pytest.importorskip("weasyprint")
    import weasyprint

    rng = random.Random(seed)
    lengths = [rng.choice([rng.randrange(4, 60), rng.randrange(60, 300)]) for _ in range(20)]
    games = [study(number, f"{'Nf3 Nf6 Ng1 Ng8 ' * (plies // 4)}*".encode()) for number, plies in enumerate(lengths, 1)]
    pages: dict[str, dict[str, set[int]]] = {}  # of the moves and the diagram of each game
    for number, page in enumerate(weasyprint.HTML(string=books.book("Games", games, "a5")).render().pages):
        game = ""
        for box in page._page_box.descendants():
            element = box.element
            if element is not None and element.tag == "article":
                game = element.get("id")
            if game and box.element_tag in {"figure", "span"}:  # a span is a move
                pages.setdefault(game, {}).setdefault(box.element_tag, set()).add(number)
    assert len(pages) == 20
    assert [game for game, found in pages.items() if not found["figure"] <= found["span"]] == []


@pytest.mark.slow
def test_the_command_writes_a_pdf_and_leaves_out_what_cannot_be_read(executable: Path, tmp_path: Path) -> None:
    pytest.importorskip("weasyprint")
    out = tmp_path / "games.pdf"
    done = forked.run([executable, "study", GAMES, "--pdf", out, "--title", "A\u202eB"])
    assert (done.returncode, done.stdout) == (0, b"") and out.read_bytes().startswith(b"%PDF-")
    assert re.fullmatch(rb"standstill: left out: game 2 cannot be read: [^\n]*\n", done.stderr)
    assert [path.name for path in tmp_path.iterdir()] == ["games.pdf"]


def test_without_weasyprint_the_command_tells_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "weasyprint", None)
    with pytest.raises(books.ConfigError, match=r"PDF needs WeasyPrint: .*weasyprint|standstill-chess\[pdf\]"):
        books.as_pdf("<p>")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--title", "x"], "expected --pdf with --title"),
        (["--pdf", "x.pdf", "--paper", "a9"], "a9"),
        (["--pdf", "games.pgn"], "games.pgn"),
        (["--pdf", "nowhere/x.pdf"], "nowhere"),
    ],
)
def test_mistakes_are_told_in_a_line(executable: Path, tmp_path: Path, arguments: list[str], expected: str) -> None:
    (tmp_path / "games.pgn").write_text(GAME)
    done = forked.run([executable, "study", "games.pgn", *arguments], cwd=tmp_path)
    assert done.returncode == 2 and expected.encode() in done.stderr and b"Traceback" not in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["games.pgn"]
