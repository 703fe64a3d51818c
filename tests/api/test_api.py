"""The names that `import standstill` provides: examples, an engine in this process, errors for wrong arguments."""

from __future__ import annotations

import _thread
import copy
import io
import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import chess
import chess.pgn
import chess.variant
import pytest

import standstill
from standstill import clock, relevance, rmobility, variants
from standstill.engine.common.errors import (
    ArgumentError,
    ConfigError,
    EngineUseError,
    IllegalMoveError,
    NotationError,
)
from standstill.engine.tablebases import store
from standstill.engine.tablebases.table_file import open_table

ROOT = Path(__file__).resolve().parents[2]
GAME = '[White "A"]\n[Black "B"]\n[Result "1/2-1/2"]\n\n1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 1/2-1/2\n\n'
SMALL = {"Hash": 1}


def test_the_import_loads_nothing_else() -> None:
    program = "import sys, standstill; print(sum(name.startswith(('standstill', 'chess')) for name in sys.modules))"
    tree = f"import sys; sys.path.insert(0, {str(ROOT / 'build/tree')!r}); {program}"
    done = subprocess.run([sys.executable, "-P", "-c", tree], capture_output=True, text=True, check=True)
    assert int(done.stdout) == 2  # the modules standstill and standstill.engine


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
    assert len(set(opened)) == 1  # the supplied tables of three pieces
    once = len(opened)
    for file in Path(store.SUPPLIED).glob("KPvK.rm?"):
        shutil.copy(file, tmp_path)
    assert rmobility.probe(fen, [tmp_path]) == found[0]
    assert (len(opened), opened.count(tmp_path)) == (2 * once, 2)
    copied = tmp_path / "KPvK.rmv"
    copied.write_bytes(copied.read_bytes()[:-1])  # a damaged file is ignored
    assert rmobility.probe(fen, [tmp_path]) == found[0]
    assert opened.count(tmp_path) > 2
    before = len(opened)
    for folder in range(9):
        rmobility.probe(fen, [tmp_path / str(folder)])
    assert len(store._opened) == 4
    assert len(opened) == before + 9 * once


def test_proven_and_estimated_lines_differ() -> None:
    """In the table position five moves keep the record, so all three lines are proven."""
    with standstill.Engine({**SMALL, "RMobility": "Decisive"}) as engine:
        proven = engine.analyse("8/8/8/2K3k1/8/8/8/8 w - - 0 1", depth=3, lines=3).lines
        assert [(line.proven, line.chances) for line in proven] == [(True, (0, 0, 1000))] * 3
        assert [line.proven for line in engine.analyse(chess.Board(), depth=3, lines=3).lines] == [False] * 3


def test_a_game_that_its_last_move_ends_has_a_result() -> None:
    mated = '[White "A"]\n[Black "B "]\n[Result "*"]\n\n1. f3 e5 2. g4 Qh4# *'
    assert rmobility.score(mated).result == "0-1" and not rmobility.score(mated).provisional
    assert [(player.name, player.points) for player in rmobility.standings([mated])] == [("B", 1), ("A", 0)]
    assert rmobility.score("1. f3 e5 2. g4 *").result == "*"


def test_play_returns_a_legal_move_also_in_chess960() -> None:
    with standstill.Engine(SMALL) as engine:
        for board in (chess.Board(), chess.Board.from_chess960_pos(5)):
            for _ in range(6):
                result = engine.play(board, nodes=200)
                assert isinstance(result.move, chess.Move)
                assert board.san(result.move) == result.lines[0].san[0]
                assert result.lines[0].pv[0] == result.move
                board.push(result.move)  # type: ignore[arg-type]


def test_a_finished_game_has_no_move() -> None:
    with standstill.Engine(SMALL) as engine:
        board = chess.Board()
        for san in ("f3", "e5", "g4", "Qh4#"):
            board.push_san(san)
        assert engine.play(board, depth=2).move is None
        engine.position(board)
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
    """Make Ctrl-C raise KeyboardInterrupt. In a background job of a shell, SIGINT would be ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("wait", [standstill.Search.result, list], ids=["result", "lines"])
def test_an_interrupt_cancels_the_search(wait: Callable[[standstill.Search], object]) -> None:
    with standstill.Engine(SMALL) as engine:
        timer = threading.Timer(0.2, _thread.interrupt_main)
        search = engine.go()
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            wait(search)
        assert not search.running
        assert engine.play(depth=1).move


def test_a_search_that_a_fork_has_left_behind_has_no_result() -> None:
    """The search thread exists only in the parent. After a fork, a result without a move would claim that no move is
    legal."""
    with standstill.Engine(SMALL) as engine, engine.go() as search:
        child = os.fork()
        if not child:
            try:
                search.result()
            except EngineUseError:
                os._exit(0)
            finally:
                os._exit(1)
        assert os.waitpid(child, 0)[1] == 0
        search.stop()
        assert search.result().move


def test_no_moves_to_choose_from_are_not_a_position_without_moves() -> None:
    with standstill.Engine(SMALL) as engine, pytest.raises(ArgumentError, match="at least one move"):
        engine.analyse(depth=1, among=[])


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


@pytest.mark.parametrize("game", [chess.Board(), chess.pgn.Game({"White": "A"})], ids=["board", "game"])
def test_a_game_without_moves_comes_back_as_another_game(game: chess.Board | chess.pgn.Game) -> None:
    """The result is a copy: a change to the result does not change the argument."""
    found = standstill.annotate(game)
    assert isinstance(found, chess.pgn.Game) and found is not game
    assert found.end().ply() == 0
    assert isinstance(game, chess.Board) or found.headers["White"] == "A"


def test_bytes_that_are_no_utf8_survive_as_python_has_read_them() -> None:
    text = b'[White "M\xfcller"]\n\n1. e4 { [%eval 0.3] \xe4 } *\n'.decode("utf-8", "surrogateescape")
    assert b'[White "M\xfcller"]' in standstill.annotate(text).encode("utf-8", "surrogateescape")


def test_annotate_takes_an_engine_that_writes_castling_as_chess960_does() -> None:
    with standstill.Engine({**SMALL, "UCI_Chess960": True}) as engine:
        assert "e4 $" in standstill.annotate("1. e4 *", engine, depth=1)


CASTLING = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"


def test_castling_is_written_as_the_option_says_whatever_board_came_before() -> None:
    def castled(engine: standstill.Engine, position: str | chess.Board) -> str:
        return str(engine.analyse(position, depth=1, among=["e1g1"]).move)

    for option, written in ((False, "e1g1"), (True, "e1h1")):
        with standstill.Engine({**SMALL, "UCI_Chess960": option}) as engine:
            assert castled(engine, CASTLING) == written
            for chess960, expected in ((True, "e1h1"), (False, "e1g1")):
                assert castled(engine, chess.Board(CASTLING, chess960=chess960)) == expected
                assert castled(engine, CASTLING) == written


def test_options_that_are_refused_change_nothing() -> None:
    with standstill.Engine(SMALL) as engine:
        for name, value in (
            ("EvalFile", "/nowhere.nn"),
            ("VariantFile", "/nowhere.ini"),
            ("TripleBlock", "nonsense"),
            ("EvalFile", "\ud800"),
        ):
            with pytest.raises(standstill.StandstillError) as raised:
                engine.configure({"hash": 2, name: value})
            assert value[1:] in str(raised.value) or "ud800" in str(raised.value)
            assert (engine.options, engine._session.settings["Hash"]) == ({"Hash": "1"}, 1)
            assert engine.notices == ()
        assert engine.play(depth=1).move
    with pytest.raises(ConfigError):
        standstill.Engine({"VariantEvalFile": "/nowhere.nn"}, variant="3check")


def test_files_that_are_left_out_are_noticed() -> None:
    with standstill.Engine({**SMALL, "OwnBook": True, "BookFile": "/nowhere.bin", "SyzygyPath": "/nowhere"}) as engine:
        assert engine.play(depth=1).move
        assert [("nowhere.bin" in text, "/nowhere" in text) for text in engine.notices] == [(False, True), (True, True)]


def test_answers_of_tables_are_no_notices() -> None:
    with standstill.Engine({**SMALL, "RMobility": "Decisive"}) as engine:
        for _ in range(2):
            assert engine.play("8/8/8/2K3k1/8/8/8/8 w - - 0 1", depth=1).move
        assert not [text for text in engine.notices if "rmobility" in text]


@pytest.mark.parametrize("attempt", [pickle.dumps, copy.copy, copy.deepcopy])
def test_results_can_be_pickled_and_copied_engines_cannot(attempt: Callable[[object], object]) -> None:
    with standstill.Engine(SMALL) as engine, engine.go() as search:
        for held in (engine, search):
            with pytest.raises(EngineUseError):
                attempt(held)
        search.stop()
        assert pickle.loads(pickle.dumps(search.result())) == copy.deepcopy(search.result()) == search.result()


OURS = [board for board in chess.variant.VARIANTS if board.uci_variant in variants.names()]


@pytest.mark.parametrize("kind", OURS[1:], ids=[board.uci_variant for board in OURS[1:]])
def test_games_of_variants_are_scored_by_the_names_that_python_chess_writes(kind: type[chess.Board]) -> None:
    """Like Lichess, python-chess writes `King of the Hill` and `Three-check`; it also counts the mobility here."""
    board = kind()
    for _ in range(9):
        board.push(sorted(board.legal_moves, key=chess.Move.uci)[0])
    replayed = kind()
    goals = [2 * replayed.legal_moves.count() + 1]
    for move in board.move_stack:
        replayed.push(move)
        goals.append(2 * replayed.legal_moves.count() + (not replayed.is_check()))
    found = rmobility.score(board)
    assert found.whole is not None and found.plies == 9
    assert found.whole.code == min(goals) == goals[found.whole.ply]
    assert list(standstill.annotate(board).mainline_moves()) == board.move_stack
    with pytest.raises(standstill.StandstillError, match=kind.uci_variant):
        rmobility.probe(board)


def test_score_takes_text_game_and_board() -> None:
    game = chess.pgn.read_game(io.StringIO(GAME))
    assert game is not None
    scores = [rmobility.score(each) for each in (GAME, game, game.end().board())]
    assert len({(score.goal, score.whole, score.records) for score in scores}) == 1


def read(text: str) -> chess.pgn.Game:
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    return game


NO_VARIANT = read('[Variant "Bughouse"]\n\n1. e4 *')  # python-chess records the error in the game and continues
NO_POSITION = chess.pgn.Game({"FEN": "rubbish", "SetUp": "1"})
KINGS = "8/8/8/2K3k1/8/8/8/8 w - - 0 1"
MATE = chess.Move.from_uci("a1a8")
TWO_GAMES = "1. e4 e5 *\n\n1. d4 d5 *\n\n"
ATOMIC = chess.variant.AtomicBoard("8/8/8/8/8/5k2/5p2/5K2 w - - 0 1")
WRONG: list[tuple[Callable[..., object], tuple[object, ...], type[Exception]]] = [
    (standstill.Engine, (5,), ArgumentError),
    (standstill.annotate, (5,), ArgumentError),
    (standstill.annotate, (GAME, 5), ArgumentError),
    (standstill.annotate, ("1. e4 Ke4 *",), standstill.StandstillError),
    *((standstill.annotate, (game,), ArgumentError) for game in (NO_VARIANT, NO_POSITION, TWO_GAMES)),
    *((standstill.annotate, (GAME, [word]), ArgumentError) for word in ("a\0b", "\ud800")),
    *((rmobility.score, (game,), ArgumentError) for game in (NO_VARIANT, NO_POSITION, TWO_GAMES)),
    (rmobility.standings, ([TWO_GAMES],), ArgumentError),
    *((rmobility.probe, (position,), ArgumentError) for position in (NO_VARIANT, NO_POSITION, ATOMIC)),
    (rmobility.score, (5,), ArgumentError),
    (rmobility.score, ("1. e4 Ke4 *",), NotationError),
    (rmobility.standings, (5,), ArgumentError),
    *((rmobility.points, (code,), ArgumentError) for code in (-3, 20_000, 10**400)),
    *((rmobility.Goal, given, ArgumentError) for given in ((20_000, 0), (10**400, 0), (3, 2), (3, 0, -1))),
    (rmobility.probe, (chess.Board(),), standstill.StandstillError),
    *((partial(rmobility.probe, record=goal), (KINGS,), NotationError) for goal in ("G0.5", "-G0.0", "G1.3")),
    (relevance.preset, (5,), ArgumentError),
    (relevance.result, ("x", 1), standstill.StandstillError),
    (relevance.result, (10**400, 1), standstill.StandstillError),
    (relevance.result, (1, 10**5000), standstill.StandstillError),
    (clock.parse_control, (5,), ArgumentError),
    (clock.parse_control, ("x",), clock.ClockError),
    *(
        (function, given, ArgumentError)
        for control in map(clock.parse_control, ("50/75/1", "10/50", "10+3", "5/move"))
        for function, given in (
            (control.complete, (control.opening(), None)),
            (control.complete, (control.opening(), 1.5)),
            (control.complete, (5, 5)),
            (control.complete_unsure, (None, 5)),
            (control.complete_unsure, (control.opening(), "x")),
            (control.problems, (None,)),
        )
    ),
    *(
        (clock.parse_control(text).expected_credit, (None,), ArgumentError)
        for text in ("50/75/1", "50/75/1:p", "10/50", "10+3")
    ),
    *(
        (clock.ClockSide, given, ArgumentError)
        for given in (("x",), (1.5,), (True,), (5, None), (5, 5, "1"), (5, 5, 1, 0.0), (5, 5, 1, 0, "10"))
    ),
    (clock.TripleBlock, (5, 5, "x"), ArgumentError),
    *((control, (5, None), ArgumentError) for control in (clock.Fischer, clock.Sessions)),
    (clock.PerMove, (2.0,), ArgumentError),
    (clock.Fischer, (5, -1), clock.ClockError),
    (clock.Sessions, (0, 5), clock.ClockError),
    (clock.TripleBlock, (5, 5, -1), clock.ClockError),
    (clock.parse_control("50/75/1").refill, (None,), ArgumentError),
    (clock.parse_control("50/75/1").refill, (clock.ClockSide(5, 5), "x"), ArgumentError),
    (clock.parse_control("10/50").refill, (None,), clock.ClockError),
    (variants.after, ("chess", 5), ArgumentError),
    (variants.after, ("chess", ["e2e5"]), IllegalMoveError),
    (variants.legal_moves, ("nothing",), standstill.StandstillError),
    *(
        (function, given, ArgumentError)
        for path in ("a\0b", "\ud800", 5)
        for function, given in ((variants.names, (path,)), (variants.describe, ("wildebeest", path)))
    ),
    *((variants.start_fen, ("wildebeest", path), ArgumentError) for path in ("a\0b", "\ud800", 5)),
]


@pytest.mark.sampled(15)
@pytest.mark.parametrize(("function", "given", "kind"), WRONG)
def test_wrong_arguments(function: Callable[..., object], given: tuple[object, ...], kind: type[Exception]) -> None:
    with pytest.raises(kind) as raised:
        function(*given)
    assert isinstance(raised.value, standstill.StandstillError)


def test_limits_may_be_numbers_of_numpy() -> None:
    """Numbers as NumPy and pandas return them."""
    numpy = pytest.importorskip("numpy")
    with standstill.Engine(SMALL) as engine:
        assert engine.play(depth=numpy.int64(2)).lines[0].depth == 2
        assert engine.play(nodes=numpy.int32(50)).move is not None
        assert engine.play(seconds=numpy.float32(0.01)).move is not None
        assert len(engine.analyse(depth=1, lines=numpy.int64(2)).lines) == 2
        for wrong in (numpy.float64(2), numpy.int64(0), numpy.float64("nan")):
            with pytest.raises(ArgumentError):
                engine.play(depth=wrong)


def test_numbers_of_numpy_are_as_good_as_python_s() -> None:
    """Narrow integers would overflow, and 32-bit floats have half the digits."""
    numpy = pytest.importorskip("numpy")
    day_ms, control = numpy.int32(86_400_000), clock.parse_control("50/75/1")
    side = control.complete(control.opening(), 3 * day_ms)
    assert side == control.complete(control.opening(), 3 * 86_400_000)
    assert control.expected_credit(numpy.int8(40)) == control.expected_credit(40)
    for kind, given in (
        (clock.ClockSide, (20, 20, 3)),
        (clock.Fischer, (20, 20)),
        (clock.PerMove, (20,)),
        (clock.Sessions, (10, 20)),
        (clock.TripleBlock, (20, 20, 1)),
    ):
        made = kind(*(numpy.int32(each) * day_ms for each in given))
        assert made == kind(*(each * 86_400_000 for each in given))
        assert {type(getattr(made, name)) for name in made.__dataclass_fields__} <= {int, bool}
    assert rmobility.points(numpy.uint8(200)) == rmobility.points(200)
    assert rmobility.white_points(rmobility.Goal(numpy.int8(100), 0)) == rmobility.points(100)[0]
    third = numpy.float32(1) / 3
    for function, others in ((relevance.result_inverse, ()), (relevance.share, ()), (relevance.difference, (0.25,))):
        found = function(third, *others, third)
        assert (type(found), found) == (float, function(float(third), *others, float(third)))
    with standstill.Engine({"Hash": numpy.int64(4)}):
        pass


def test_wrong_searches() -> None:
    with standstill.Engine(SMALL) as engine:
        for named in (
            {},
            {"depth": "x"},
            {"depth": 2.5},
            {"nodes": 0},
            {"seconds": float("nan")},
            {"among": 5},
            {"nodes": 5, "lines": None},
        ):
            with pytest.raises(ArgumentError):
                engine.analyse(**named)  # type: ignore[arg-type]
        for position in (NO_VARIANT, NO_POSITION, ATOMIC):
            with pytest.raises(ArgumentError):
                engine.play(position, depth=1)
        with pytest.raises(NotationError):
            engine.play("8/8/8/8/8/8/8/K7 w - - 0 1", depth=2)
        with pytest.raises(IllegalMoveError):
            engine.analyse(depth=2, among=["e2e5"])
        with pytest.raises(IllegalMoveError):
            engine.position(None, ["e2e5"])
        mate_in_one = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"
        engine.position(mate_in_one)
        for position, moves in ((None, ["e2e4", "e2e4"]), (mate_in_one, ["a1a2", "g8g6"]), ("x", [])):
            with pytest.raises(standstill.StandstillError) as raised:
                engine.position(position, moves)
            assert "ignored" not in str(raised.value)
            assert engine.play(depth=3).move == MATE
        # A search with a position of its own does not change the position for searches without one.
        assert engine.play(chess.Board(), depth=2).move != MATE
        assert engine.play(depth=3).move == engine.play(None, depth=3).move == MATE
        engine.position(None)
        for options in ({"Hash": 10**9}, {"Nothing": 1}, {"Hash": None}, {"Hash": 1.5}, 5, "Hash"):
            with pytest.raises(standstill.StandstillError):
                engine.configure(options)  # type: ignore[arg-type]
        assert engine.play(depth=1).move
