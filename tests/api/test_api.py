"""What `import standstill` gives: its examples, an engine in this process, and the errors of wrong arguments."""

from __future__ import annotations

import _thread
import doctest
import io
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import chess
import chess.pgn
import pytest

import standstill
from standstill import clock, relevance, rmobility, variants
from standstill.engine.tables import store
from standstill.engine.tables.files import open_table
from standstill.engine.words.errors import ArgumentError, EngineUseError, IllegalMoveError, NotationError

ROOT = Path(__file__).resolve().parents[2]
GAME = '[White "A"]\n[Black "B"]\n[Result "1/2-1/2"]\n\n1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 1/2-1/2\n\n'
SMALL = {"Hash": 1}


@pytest.mark.parametrize("name", ["annotating", "clock", "playing", "relevance", "rmobility", "variants"])
def test_examples_in_docstrings(name: str) -> None:
    done = doctest.testmod(import_module(f"standstill.{name}"))
    assert done.attempted and not done.failed


def test_examples_on_the_page() -> None:
    text = (ROOT / "docs/api.md").read_text(encoding="utf-8").replace("```", "")
    examples = doctest.DocTestParser().get_doctest(text, {}, "api.md", "docs/api.md", 0)
    assert examples.examples
    assert not doctest.DocTestRunner().run(examples).failed


def test_every_public_name_is_on_the_page() -> None:
    page = (ROOT / "docs/api.md").read_text(encoding="utf-8")
    names = {*standstill.__all__, *clock.__all__, *relevance.__all__, *rmobility.__all__, *variants.__all__}
    assert {name for name in names if name not in page} == {"__version__", "ClockError", "RelevanceError"}


def test_the_import_loads_nothing_else() -> None:
    program = "import sys, standstill; print(sum(name.startswith(('standstill', 'chess')) for name in sys.modules))"
    tree = f"import sys; sys.path.insert(0, {str(ROOT / 'build/tree')!r}); {program}"
    done = subprocess.run([sys.executable, "-P", "-c", tree], capture_output=True, text=True, check=True)
    assert int(done.stdout) == 2  # standstill and standstill.engine


def test_tables_are_opened_once_until_they_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []

    def counted(path: str) -> object:
        opened.append(Path(path).parent)
        return open_table(path)

    monkeypatch.setattr(store, "open_table", counted)
    monkeypatch.setattr(store, "_opened", {})
    fen = "8/8/8/8/8/5k2/5p2/5K2 w - - 0 1"
    found = [rmobility.probe(fen, [tmp_path]) for _ in range(3)]
    assert len(set(found)) == 1
    assert len(set(opened)) == 1  # those of three men
    once = len(opened)
    for file in Path(store.SUPPLIED).glob("KPvK.rm?"):
        shutil.copy(file, tmp_path)
    assert rmobility.probe(fen, [tmp_path]) == found[0]
    assert (len(opened), opened.count(tmp_path)) == (2 * once, 2)
    copied = tmp_path / "KPvK.rmv"
    copied.write_bytes(copied.read_bytes()[:-1])  # a damaged file is left out
    assert rmobility.probe(fen, [tmp_path]) == found[0]
    assert opened.count(tmp_path) > 2
    before = len(opened)
    for folder in range(9):
        rmobility.probe(fen, [tmp_path / str(folder)])
    assert len(store._opened) == 4
    assert len(opened) == before + 9 * once


def test_play_returns_a_legal_move_also_in_chess960() -> None:
    with standstill.Engine(SMALL) as engine:
        for board in (chess.Board(), chess.Board.from_chess960_pos(5)):
            for _ in range(6):
                result = engine.play(board, nodes=200)
                assert result.move is not None
                move = board.parse_uci(result.move)
                assert board.san(move) == result.lines[0].san[0]
                board.push(move)


def test_a_finished_game_has_no_move() -> None:
    with standstill.Engine(SMALL) as engine:
        board = chess.Board()
        for san in ("f3", "e5", "g4", "Qh4#"):
            board.push_san(san)
        assert engine.play(board, depth=2).move is None
        assert engine.play(depth=2).move is None


def test_one_search_at_a_time_and_none_after_the_end() -> None:
    with standstill.Engine(SMALL) as engine:
        search = engine.go()
        with pytest.raises(EngineUseError):
            engine.play(depth=1)
        search.cancel()
        with pytest.raises(EngineUseError):
            search.result()
        assert engine.play(depth=1).move
        left = engine.go()
    assert not left.running
    for call in (engine.new_game, engine.go):
        with pytest.raises(EngineUseError):
            call()
    engine.close()


def test_other_threads_end_a_search_once() -> None:
    with standstill.Engine(SMALL) as engine:
        for ends in ("stop", "cancel"):
            search = engine.go()
            found: list[object] = []

            def wait(search: standstill.Search = search, found: list[object] = found) -> None:
                try:
                    found.append(search.result())
                except EngineUseError as error:
                    found.append(error)

            threads = [threading.Thread(target=wait) for _ in range(3)]
            threads += [threading.Thread(target=getattr(search, ends)) for _ in range(3)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert len(found) == 3
            assert ends == "cancel" or found[0] is found[1] is found[2]
            assert engine.play(depth=1).move


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt, which it does not in a shell's background job: there the signal is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_cancels_the_search() -> None:
    with standstill.Engine(SMALL) as engine:
        timer = threading.Timer(0.2, _thread.interrupt_main)
        search = engine.go()
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            search.result()
        assert not search.running
        assert engine.play(depth=1).move


def test_annotate_takes_and_returns_games() -> None:
    game = chess.pgn.read_game(io.StringIO(GAME))
    assert game is not None
    with standstill.Engine(SMALL) as engine:
        symbols = standstill.annotate(game, engine, nodes=500)
        text = standstill.annotate(GAME, engine, nodes=500)
    again = chess.pgn.read_game(io.StringIO(text))
    assert again is not None
    assert [node.nags for node in symbols.mainline()] == [node.nags for node in again.mainline()]
    assert any(node.nags for node in symbols.mainline())
    assert not any(node.nags for node in game.mainline())


def test_score_takes_text_game_and_board() -> None:
    game = chess.pgn.read_game(io.StringIO(GAME))
    assert game is not None
    scores = [rmobility.score(each) for each in (GAME, game, game.end().board())]
    assert len({(score.goal, score.whole, score.records) for score in scores}) == 1


WRONG: list[tuple[Callable[..., object], tuple[object, ...], type[Exception]]] = [
    (standstill.Engine, (5,), ArgumentError),
    (standstill.annotate, (5,), ArgumentError),
    (standstill.annotate, (GAME, 5), ArgumentError),
    (standstill.annotate, ("1. e4 Ke4 *",), standstill.StandstillError),
    (rmobility.score, (5,), ArgumentError),
    (rmobility.score, ("1. e4 Ke4 *",), NotationError),
    (rmobility.standings, (5,), ArgumentError),
    (rmobility.points, (-3,), ArgumentError),
    (rmobility.probe, (chess.Board(),), standstill.StandstillError),
    (relevance.preset, (5,), ArgumentError),
    (relevance.result, ("x", 1), standstill.StandstillError),
    (clock.parse_control, (5,), ArgumentError),
    (clock.parse_control, ("x",), clock.ClockError),
    (variants.after, ("chess", 5), ArgumentError),
    (variants.after, ("chess", ["e2e5"]), IllegalMoveError),
    (variants.legal_moves, ("nothing",), standstill.StandstillError),
]


@pytest.mark.parametrize(("function", "given", "kind"), WRONG)
def test_wrong_arguments(function: Callable[..., object], given: tuple[object, ...], kind: type[Exception]) -> None:
    with pytest.raises(kind) as raised:
        function(*given)
    assert isinstance(raised.value, standstill.StandstillError)


def test_wrong_searches() -> None:
    with standstill.Engine(SMALL) as engine:
        for named in ({}, {"depth": "x"}, {"depth": 2.5}, {"nodes": 0}, {"seconds": float("nan")}, {"among": 5}):
            with pytest.raises(ArgumentError):
                engine.analyse(**named)  # type: ignore[arg-type]
        with pytest.raises(NotationError):
            engine.play("8/8/8/8/8/8/8/K7 w - - 0 1", depth=2)
        with pytest.raises(IllegalMoveError):
            engine.analyse(depth=2, among=["e2e5"])
        with pytest.raises(IllegalMoveError):
            engine.position(None, ["e2e5"])
        for options in ({"Hash": 10**9}, {"Nothing": 1}, {"Hash": None}):
            with pytest.raises(standstill.StandstillError):
                engine.configure(options)  # type: ignore[arg-type]
        assert engine.play(depth=1).move
