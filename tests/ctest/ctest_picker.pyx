"""The order in which the search tries moves; python-chess finds captures and checks."""

import random

import chess

from standstill.cext.base.board cimport Board
from standstill.cext.base.types cimport *
from standstill.cext.evaluation.chess_eval cimport ChessEvaluator
from standstill.cext.memory.history cimport butterfly_entry
from standstill.cext.memory.tt cimport Table
from standstill.cext.search.movepick cimport init_noisy_picker, init_picker, next_move
from standstill.cext.search.parameters cimport TUNED
from standstill.cext.search.worker cimport Picker, Shared, Worker, frame

from standstill.engine.variants.boards import new_board
from standstill.engine.variants.notation import move_text, parse_move
from standstill.engine.rmobility import objectives


cdef class Picking(Worker):
    """One worker at a position, without a search."""

    cdef Shared alone

    def __init__(self, Board board):
        self.table = Table(1)
        self.evaluator = ChessEvaluator()
        self.objective = objectives.classic()
        self.objective.prepare(board)
        self.board = board.clone()
        self.objective.enter(self.board)
        self.shared = &self.alone
        self.prepare(None)

    def picked(self, Move tt_move=0):
        """Every move of the main search, as text."""
        cdef Picker p
        init_picker(self, frame(self, 0), &p, tt_move)
        return self.rest(&p)

    def picked_quiescent(self, int margin, bint checks):
        cdef Picker p
        init_noisy_picker(self, frame(self, 0), &p, 0, margin, checks)
        return self.rest(&p)

    cdef list rest(self, Picker* p):
        cdef Move move = next_move(self, frame(self, 0), p)
        found = []
        while move:
            found.append(move_text(self.board, move))
            move = next_move(self, frame(self, 0), p)
        return found

    def gains(self, text, int margin):
        return bool(self.board.see_ge(parse_move(self.board, text), margin))

    def threat(self, text):
        return self.board.threat(parse_move(self.board, text))

    def learn(self, text, int value):
        """Give a quiet move a history."""
        cdef Move move = parse_move(self.board, text)
        cdef int16_t* entry = butterfly_entry(
            self.history, self.board.head[self.board.top].stm, frame(self, 0).danger, move)
        entry[0] = value


def some_positions(int seed, int count):
    chance = random.Random(seed)
    found = []
    while len(found) < count:
        board = chess.Board()
        for _ in range(chance.randrange(10, 90)):
            if board.is_game_over():
                break
            moves = list(board.legal_moves)
            checks = [move for move in moves if board.gives_check(move)]
            board.push(chance.choice(checks if checks and chance.random() < 0.3 else moves))
        if any(board.legal_moves):
            found.append(board)
    return found


def is_noisy(board, move):
    return board.is_capture(move) or move.promotion is not None


def kind_of(worker, board, text):
    """The stage of a move: 0 for a good capture or promotion, 1 for a quiet move, 2 for a bad capture."""
    if is_noisy(board, chess.Move.from_uci(text)):
        return 0 if worker.gains(text, 0) else 2
    return 1


def quiet_worth(worker, board, text):
    """Quiet moves without history are ordered by checks that lose little, and by threats of less valuable pieces."""
    worth = worker.threat(text) * TUNED.order_threat
    if board.gives_check(chess.Move.from_uci(text)) and worker.gains(text, -TUNED.order_check_see):
        worth += TUNED.order_check
    return worth


def test_moves_come_in_the_order_of_their_kinds(int positions=40):
    checks = threats = bad = 0
    for board in some_positions(1, positions):
        worker = Picking(new_board(board.fen()))
        found = worker.picked()
        assert sorted(found) == sorted(move.uci() for move in board.legal_moves)
        kinds = [kind_of(worker, board, text) for text in found]
        assert kinds == sorted(kinds), (board.fen(), found)
        worths = [quiet_worth(worker, board, text) for text, kind in zip(found, kinds, strict=True) if kind == 1]
        assert worths == sorted(worths, reverse=True), (board.fen(), found)
        checks += TUNED.order_check in worths and len(set(worths)) > 1
        threats += min(worths, default=0) < 0 < max(worths, default=0)
        bad += {1, 2} <= set(kinds)
    assert min(checks, threats, bad) > positions * 0.15         # each kind occurs in enough positions


def test_the_table_move_comes_first_and_once(int positions=20):
    for board in some_positions(2, positions):
        worker = Picking(new_board(board.fen()))
        for text in worker.picked()[-3:]:
            found = worker.picked(parse_move(new_board(board.fen()), text))
            assert found[0] == text
            assert sorted(found) == sorted(move.uci() for move in board.legal_moves)


def test_a_quiet_move_with_a_much_better_history_precedes_a_check():
    """Checks get a fixed bonus of history and are not a separate stage."""
    board = chess.Board("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    worker = Picking(new_board(board.fen()))
    assert worker.picked()[0] == "d1d8"
    worker.learn("g1f1", 16000)
    assert worker.picked()[:2] == ["g1f1", "d1d8"]


def test_quiescence_tries_captures_that_gain_and_then_safe_checks(int positions=30):
    seen = 0
    for board in some_positions(3, positions):
        worker = Picking(new_board(board.fen()))
        noisy = {move.uci() for move in board.legal_moves if is_noisy(board, move)}
        for margin in (0, 100):
            found = worker.picked_quiescent(margin, False)
            assert sorted(found) == sorted(text for text in noisy if worker.gains(text, margin))
        checks = {move.uci() for move in board.legal_moves if board.gives_check(move)} - noisy
        both = worker.picked_quiescent(0, True)
        captures = worker.picked_quiescent(0, False)
        assert both[:len(captures)] == captures
        assert sorted(both[len(captures):]) == sorted(text for text in checks if worker.gains(text, 0))
        seen += len(both) > len(captures) > 0
    assert seen > positions / 6


def slow_test_moves_of_more_positions():
    test_moves_come_in_the_order_of_their_kinds(100)
    test_the_table_move_comes_first_and_once(40)
    test_quiescence_tries_captures_that_gain_and_then_safe_checks(60)
