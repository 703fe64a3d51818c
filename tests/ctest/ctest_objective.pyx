"""The record on the board's stack, with its keys and scores, compared with a naive scorer over the list of moves."""

import itertools
import random

import chess

from standstill.cext.base.board cimport Board, Head, Record
from standstill.cext.chess.chess_board cimport ChessBoard
from standstill.cext.value.evaluator cimport Evaluator
from standstill.cext.value.objective cimport BANDS_KEY, BLACK_KEY, FAR, FINE_LAST, FINE_STEP, FINE_TOP, Objective
from standstill.cext.base.types cimport *
from standstill.cext.base.zobrist cimport RECORD_KEYS

from standstill.cext.evaluation.chess_eval import ChessEvaluator
from standstill.cext.value.objective import preset_record
from standstill.engine.common.info import LEAST_MATE
from standstill.engine.rmobility import objectives
from standstill.engine.rmobility.goals import Goals
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.catalog import Catalog
from standstill.engine.variants.variant import CHESS
from tests.board.support import KIWIPETE, core, encoded, playout, random_start, reference

STARTS = [
    KIWIPETE,
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",              # en passant and checks
    "rnbqkb1r/ppppp1pp/7n/4Pp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "8/8/8/4KBk1/8/8/8/8 b - - 94 80",                        # dead material, near the limit of the 50-move rule
    "3k4/8/8/8/8/8/4R3/4K3 w - - 97 90",
    "8/8/8/2K3k1/8/8/8/8 w - - 0 1",
    "7k/8/5KQ1/8/8/8/8/8 w - - 98 70",                        # mate and stalemate about clock 100
    "4k2r/8/8/8/8/8/8/4K2R w Kk - 30 40",
]

RULES = [
    {},
    {"whole_game": True},
    {"limit": 9},
    {"limit": 9, "whole_game": True},
    {"keep_trigger": True},
    {"fifty": "record"},
    {"fifty": "record", "limit": 15},
]


class Ply:
    """What the naive scorer knows about a position, all from python-chess."""

    def __init__(self, position, is_null=False):
        self.code = 2 * position.legal_moves.count() + (not position.is_check())
        self.owner = int(position.turn)
        self.stm = self.owner ^ 1
        self.clock = position.halfmove_clock
        self.is_null = is_null
        self.board_key = core(position).key

    def goal(self):
        return self.code


def naive(plies, given, rules):
    """(code, owner, place, clock) after these positions, computed from the first one to the last."""
    limit = rules.get("limit", CODES - 1)
    zeroes = rules.get("fifty") == "record"
    record = (plies[0].code, plies[0].owner, 0)
    if given is not None and given[1] <= record[0]:
        record = (given[1], given[0], -1)
    clock = plies[0].clock
    for place, ply in enumerate(plies[1:], 1):
        if ply.is_null:
            clock += 1
            continue
        reset = ply.clock == 0
        clock = 0 if reset else clock + 1
        if reset and not rules.get("whole_game"):
            record = (ply.code, ply.owner, place)
            continue
        ends = clock >= 100 and place == len(plies) - 1
        counts = ply.code < 2 or not ends or rules.get("keep_trigger") or zeroes
        if counts and ply.code <= limit and ply.code < record[0]:
            record = (ply.code, ply.owner, place)
            if zeroes:
                clock = 0
    return (*record, clock) if record[0] <= limit else (None, None, None, clock)


cdef class Walk:
    """A random tree of moves and null moves after a game; the record is computed at some nodes."""

    cdef ChessBoard board
    cdef Objective objective
    cdef object position, plies, given, rules, rng, group
    cdef double eagerness
    cdef int offset                   # number of positions of the game that the clone does not have
    cdef int nodes

    def __init__(self, fen, int played, given, rules, mode, double eagerness, seed):
        self.rng = random.Random(seed)
        self.rules = rules
        self.given = given
        self.eagerness = eagerness
        self.objective = mode(**rules)
        self.position = reference(fen)
        self.plies = [Ply(self.position)]
        self.board = core(fen)
        preset_record(self.board, *((given[1], given[0]) if given else (None, None)))
        for _ in range(played):
            move = self.any_move()
            if move is None:
                break
            self.board.push(encoded(self.position, move))
            self.position.push(move)
            self.plies.append(Ply(self.position))
        self.objective.prepare(self.board)
        game = self.board.top
        self.board = <ChessBoard> self.board.clone()
        self.offset = game - self.board.top
        self.objective.enter(self.board)

    def last(self):
        return self.plies[len(self.plies) - 1]

    def any_move(self):
        moves = list(self.position.legal_moves)
        return self.rng.choice(moves) if moves else None

    def verify(self):
        cdef Head* head = &self.board.head[self.board.top]
        cdef const Record* record = self.objective.record(self.board)
        code, owner, place, clock = naive(self.plies, self.given, self.rules)
        if code is None:
            assert record.code > self.objective.limit, (record.code, self.position.fen())
        else:
            found = (record.code, record.owner, max(-1, record.index + self.offset))
            assert found == (min(code, CODES - 1), owner, place), (found, code, owner, place, self.position.fen())
        key = self.last().board_key
        if self.objective.in_bands and self.objective.folds[head.dead]:
            key ^= BANDS_KEY
        elif self.objective.outcome[WHITE][1] >= SCORE_DECIDED and self.board.head[self.board.root].stm == BLACK:
            key ^= BLACK_KEY
        if self.is_early():
            assert self.objective.omits_record(head)
        elif self.objective.folds_all[head.dead] and self.is_fresh(place):
            key ^= RECORD_KEYS[0]
        elif self.objective.folds[head.dead] and code is not None:
            key ^= self.objective.fold[head.dead][owner][code]
            assert self.objective.fold[head.dead][owner][code] in (0, RECORD_KEYS[owner * CODES + code])
        if head.is_null:
            assert head.key == self.board.positions[self.board.top].key
        else:
            assert head.node_key == key, self.position.fen()
        if self.rules.get("fifty") == "record":
            assert head.clock == clock, (head.clock, clock, self.position.fen())

    def is_early(self):
        """Return whether the key omits the record, because a capture or pawn move will probably erase it."""
        return (self.objective.outcome[WHITE][1] >= SCORE_DECIDED and not self.rules.get("whole_game")
                and self.rules.get("fifty") != "record" and len(self.position.piece_map()) >= 18
                and self.last().clock < 16)

    def is_fresh(self, place):
        """Return whether this position set the record, now or at an earlier occurrence."""
        if place is None:             # if no goal is within the limit, the record of the first position stands
            place = len(self.plies) - 1
            while place and (self.plies[place].clock or self.plies[place].is_null or self.rules.get("whole_game")):
                place -= 1
            if place == 0 and self.given is not None and self.given[1] <= self.plies[0].code:
                return False
        return place >= self.offset and self.plies[place].board_key == self.last().board_key

    def below(self, int depth, int width):
        self.nodes += 1
        if self.rng.random() < self.eagerness:
            self.verify()
        if depth == 0:
            self.verify()
            return
        if not self.position.is_check() and not self.last().is_null and self.rng.random() < 0.3:
            self.board.make_null()
            self.objective.enter(self.board)
            self.position.push(chess.Move.null())
            self.plies.append(Ply(self.position, True))
            self.below(depth - 1, width)
            self.back()
        moves = list(self.position.legal_moves)
        if not moves:
            self.verify()
        for move in self.rng.sample(moves, min(width, len(moves))):
            self.board.make(encoded(self.position, move))
            self.objective.enter(self.board)
            self.position.push(move)
            self.plies.append(Ply(self.position))
            self.below(depth - 1, width)
            self.back()

    def back(self):
        self.board.top -= 1
        self.position.pop()
        self.plies.pop()


def starts(rng):
    yield from STARTS
    for _ in range(4):
        game = [position.fen(en_passant="fen") for position in playout(rng, random_start(rng), 60)]
        yield rng.choice(game)


def run_walks(mode, eagerness, seed, depth):
    rng = random.Random(seed)
    for fen in starts(rng):
        for rules in RULES:
            given = rng.choice([None, None, (0, 3), (1, 9), (1, 40)])
            walk = Walk(fen, rng.choice([0, 0, 1, 3, 7]), given, rules, mode, eagerness, rng.random())
            walk.below(depth, 2)


def test_record_at_every_node_is_that_of_the_move_list():
    run_walks(objectives.decisive, 1.0, 1, 5)


def test_record_does_not_depend_on_the_order_of_asking(int depth=4):
    run_walks(objectives.tiebreak, 0.3, 2, depth)


def test_record_can_be_asked_at_the_leaves_only(int depth=4):
    run_walks(objectives.tiebreak, 0.0, 3, depth)


def test_points_fold_what_is_worth_a_centipawn(int depth=4):
    run_walks(objectives.points, 0.5, 4, depth)


def slow_test_records_of_longer_walks():
    test_record_does_not_depend_on_the_order_of_asking(5)
    test_record_can_be_asked_at_the_leaves_only(5)
    test_points_fold_what_is_worth_a_centipawn(5)


def test_goals_of_a_played_game_are_those_of_the_stack():
    rng = random.Random(5)
    for fen in [*starts(rng), random_start(rng).fen()]:
        for rules in RULES:
            given = rng.choice([None, (0, 3), (1, 9)])
            position, board = reference(fen), core(fen)
            preset_record(board, *((given[1], given[0]) if given else (None, None)))
            goals = Goals(board, given, **rules)
            objective = objectives.decisive(**rules)
            for _ in range(60):
                record = goals.record
                assert objective.record_of(board) == (record and (record.code, record.owner, record.ply))
                if not list(position.legal_moves):
                    break
                if not position.is_check() and rng.random() < 0.1:
                    board.push_null()
                    goals.push_null()
                    position.push(chess.Move.null())
                    continue
                move = rng.choice(list(position.legal_moves))
                board.push(encoded(position, move))
                goals.push(board)
                position.push(move)


def test_a_goal_is_exact_below_its_limit():
    """Limits of a few moves end a count early, in positions with many moves and in those with hardly any."""
    cdef ChessBoard board
    rng = random.Random(8)
    fens = [random_start(rng).fen() for _ in range(150)]
    fens += [f"{kings} {side} - - 0 1" for side in "wb" for kings in (
        "7k/5Q2/8/8/8/8/8/K7", "k7/8/8/8/8/8/1q6/7K", "7k/8/5N1K/8/8/8/p6P/8", "k1K5/p7/8/1P6/8/8/8/8",
        "8/8/8/8/5k2/8/p1p1p2p/7K", "8/8/8/2k5/2p5/2P5/3PK2r/8", "K6r/1P6/8/8/8/8/6p1/k6R")]
    for fen in fens:
        position = reference(fen)
        if not position.is_valid():
            continue
        board = core(fen)
        goal = 2 * position.legal_moves.count() + (not position.is_check())
        for limit in [*range(1, 20), goal, goal + 1, CODES]:
            found = board.goal_code(board.top, limit)
            assert found == goal if goal < limit else found >= limit, (fen, goal, limit, found)


# ---- mode Off counts no moves ----


def test_classic_counts_no_goal():
    cdef ChessBoard board = core(KIWIPETE)
    cdef Objective objective = objectives.classic()
    board = <ChessBoard> board.clone()
    objective.prepare(board)
    for ending in (STALEMATE, REPETITION, FIFTY_MOVES, INSUFFICIENT_MATERIAL):
        assert objective.settle(board, ending) == 0
    objective.enter(board)
    board.make(board.legal_moves()[0])
    objective.enter(board)
    assert objective.settle(board, REPETITION) == 0
    assert objective.static_score(board, Evaluator(), -37) == -37 * CP
    assert objective.to_table(board, 0) == 0 == objective.from_table(board, 0)
    assert board.goal_calls == 0


# ---- scores ----


cdef class Line:
    """A board after a line from the root, with `enter` called after every move."""

    cdef ChessBoard board
    cdef Objective objective

    def __init__(self, fen, moves, objective, before=""):
        self.objective = objective
        position, self.board = reference(fen), core(fen)
        for san in before.split():
            move = position.parse_san(san)
            self.board.push(encoded(position, move))
            position.push(move)
        self.objective.prepare(self.board)
        self.board = <ChessBoard> self.board.clone()
        self.objective.enter(self.board)
        for san in moves.split():
            move = position.parse_san(san)
            self.board.make(encoded(position, move))
            self.objective.enter(self.board)
            position.push(move)

    def settle(self, Ending ending):
        return self.objective.settle(self.board, ending)

    def kept(self, Score score):
        return self.objective.to_table(self.board, score)

    def found(self, Score score):
        return self.objective.from_table(self.board, score)

    def static(self, int cp, Evaluator evaluator=None):
        return self.objective.static_score(self.board, evaluator or Evaluator(), cp)

    def counted(self):
        return self.board.goal_calls

    def key(self):
        return self.board.head[self.board.top].node_key

    def set_clock(self, int clock):
        self.board.head[self.board.top].clock = <int16_t> clock


def fine(code, distance):
    return FINE_TOP - FINE_STEP * min(code, FINE_LAST) - min(distance, FAR)


LONE_BISHOP = "6k1/8/5K2/5B2/8/8/8/8 b - - 0 1"
STALEMATED = "Kf8 Bd7 Kg8 Be6 Kh7 Bf7 Kh8 Kg6"


def test_decisive_keeps_no_outcome_where_the_key_omits_the_record():
    objective = objectives.decisive()
    early = Line(KIWIPETE, "Kf1 Kf8 Kg1", objective)
    outcome, held = objective.worth_of(24, WHITE), 30 * CP + fine(24, 3)
    for score in (outcome, -outcome, held, -held):
        assert early.kept(score) == SCORE_NONE
    for score in (0, 57 * CP, -57 * CP, SCORE_SURE + 3 * CP):
        assert early.kept(score) == score
    assert early.kept(SCORE_MATE - 9) == SCORE_MATE - 6        # counted from the node, three plies below the root
    late = Line(KIWIPETE.replace(" 0 1", " 13 20"), "Kf1 Kf8 Kg1", objective)
    assert late.counted() > early.counted() and late.key() != early.key()    # after sixteen plies without a reset
    assert late.kept(held) not in (held, SCORE_NONE)


def test_tiebreak_counts_living_material_only_for_draws():
    line = Line(KIWIPETE, "Kf1 Kf8 Kg1", objectives.tiebreak())
    assert line.static(11) == 11 * CP
    assert line.counted() == 0
    assert line.settle(REPETITION) != 0
    assert line.counted() == 3


def test_endings_are_worth_the_record_less_its_distance():
    line = Line(LONE_BISHOP, STALEMATED, objectives.tiebreak())
    assert line.settle(STALEMATE) == -fine(1, 8)
    line = Line(LONE_BISHOP, "Kf8 Bd7 Kg8 Be6", objectives.tiebreak())
    assert line.settle(REPETITION) == -fine(3, 2)      # Black to move; White's G1.5 came after two plies, Bd7
    line = Line(LONE_BISHOP, "Kg8 Be6", objectives.tiebreak(), before="Kf8 Bd7")
    assert line.settle(FIFTY_MOVES) == -fine(3, 0)           # a record that stands at the root has distance 0


def test_endings_with_a_band_take_the_distance_off_the_fraction():
    line = Line(LONE_BISHOP, STALEMATED, objectives.decisive())
    assert line.settle(STALEMATE) == -(14999 * CP + fine(1, 8))
    assert Line(LONE_BISHOP, STALEMATED, objectives.points()).settle(STALEMATE) == -(62 * CP + fine(1, 8))


def test_games_own_wins_are_like_mates():
    for mode in (objectives.classic(), objectives.tiebreak(), objectives.points(), objectives.decisive()):
        line = Line(LONE_BISHOP, "Kf8 Bd7", mode)
        assert line.settle(CHECKMATE) == -(SCORE_MATE - 2) == line.settle(RULE_LOSS)
        assert line.settle(RULE_WIN) == SCORE_MATE - 2


def test_table_scores_are_relative_to_the_node():
    line = Line(LONE_BISHOP, "Kf8 Bd7 Kg8 Be6", objectives.decisive())
    for sign in (1, -1):
        below = sign * (14999 * CP + fine(1, 8))       # four plies below the node
        assert line.kept(below) == sign * (14999 * CP + fine(1, 4))
        assert line.found(line.kept(below)) == below
        standing = sign * (14997 * CP + fine(3, 2))
        assert line.kept(standing) == sign * (14997 * CP + fine(3, 0))
        assert line.found(line.kept(standing)) == standing
        mate = sign * (SCORE_MATE - 9)
        assert line.kept(mate) == sign * (SCORE_MATE - 5)
        assert line.found(line.kept(mate)) == mate
        for plain in (0, 37 * CP, 12000 * CP, SCORE_INFINITE, SCORE_NONE, 14997 * CP + fine(3, FAR)):
            assert line.kept(sign * plain) == sign * plain == line.found(sign * plain)


def test_table_distances_end_at_the_farthest():
    """A distance too large for a score is stored as the largest one, and does not change the record's code."""
    line = Line(LONE_BISHOP, "Kf8 Bd7 Kg8 Be6", objectives.decisive())
    for sign in (1, -1):
        for distance in range(1, FAR + 5):
            assert line.found(sign * (14997 * CP + fine(3, distance))) == sign * (14997 * CP + fine(3, distance + 4))
            kept = distance if distance >= FAR else max(0, distance - 4)
            assert line.kept(sign * (14997 * CP + fine(3, distance))) == sign * (14997 * CP + fine(3, kept))


def test_table_gives_a_standing_record_its_own_distance():
    near = Line(LONE_BISHOP, "Kg8 Be6", objectives.decisive(), before="Kf8 Bd7")
    far = Line(LONE_BISHOP, "Kf8 Bd7 Kg8 Be6", objectives.decisive())
    assert near.key() == far.key()
    for sign in (1, -1):
        at_root, after_two = sign * (14997 * CP + fine(3, 0)), sign * (14997 * CP + fine(3, 2))
        assert near.found(far.kept(after_two)) == at_root
        assert far.found(near.kept(at_root)) == after_two


def test_mate_scores_are_relative_to_the_node_in_every_mode():
    for mode in (objectives.classic(), objectives.tiebreak(), objectives.points(), objectives.decisive("G3.75")):
        line = Line(KIWIPETE, "O-O b3 Kh1", mode)
        for plies in range(3, 60):
            for sign in (1, -1):
                assert line.kept(sign * (SCORE_MATE - plies)) == sign * (SCORE_MATE - plies + 3)
                assert line.found(sign * (SCORE_MATE - plies + 3)) == sign * (SCORE_MATE - plies)


def test_shared_entries_know_only_that_it_is_drawn():
    living = Line(KIWIPETE, "O-O", objectives.tiebreak())
    assert living.kept(fine(7, 3)) == 0 == living.kept(-fine(7, 3))
    dead = Line(LONE_BISHOP, "Kf8 Bd7", objectives.tiebreak())
    assert dead.kept(-fine(3, 5)) == -fine(3, 3)


def test_nodes_after_a_capture_are_not_counted_before_they_are_needed():
    line = Line("4k3/8/8/3p4/4B3/8/4P3/4K2R w - - 0 1", "Bxd5", objectives.decisive())
    line.static(100)
    assert line.counted() == 0
    assert line.settle(REPETITION) != 0
    assert line.counted() == 1


def test_static_score_of_dead_material_lies_inside_the_draw_band():
    line = Line(LONE_BISHOP, "Kf8 Bd7", objectives.tiebreak())
    assert -CP < 2 * line.static(300) < 0              # Black to move, White holds the record


def test_static_score_after_a_capture_ignores_the_fresh_code():
    line = Line("4k3/8/8/3p4/4B3/8/8/4K2R w - - 0 1", "Bxd5", objectives.decisive())
    assert line.static(-500) == -500 * CP
    line = Line("4k3/8/8/3p4/4B3/8/8/4K2R w - - 0 1", "Bf3 Kd7", objectives.decisive())
    assert line.static(500) != 500 * CP


def test_a_standing_record_counts_for_its_owner():
    """White has left Black's king five moves; Black has left White many."""
    for moves, sign in (("Bf3 Kd7", 1), ("Bf3 Kd7 Kd2", -1)):
        line = Line("4k3/8/8/8/4B3/8/8/4K2R w - - 0 1", moves, objectives.decisive())
        assert sign * line.static(0) > 0
        moves = moves.replace("Bf3", "Bf6").replace("Kd7", "K_").replace("Kd2", "Kd7").replace("K_", "Kd2")
        line = Line("4k2r/8/8/4b3/8/8/8/4K3 b - - 0 1", moves, objectives.decisive())
        assert sign * line.static(0) > 0


def test_a_draw_that_costs_the_record_is_an_estimate_where_mate_is_possible():
    """White (five moves) or Black (three) holds the record: a draw is a settled outcome only in the holder's search."""
    white = {"fen": "4k3/8/8/8/4B3/8/8/4K2R w - - 0 1", "moves": "Bf3 Kd7 Kd2", "code": 11, "sign": 1}
    black = {"fen": "4k2r/8/8/4b3/8/8/8/4K3 b - - 0 1", "moves": "Bf6 Kd2 Kd7", "code": 11, "sign": -1}
    for ours, before in itertools.product((white, black), (0, 1)):
        moves = ours["moves"].split()
        line = Line(ours["fen"], " ".join(moves[before:]), objectives.decisive(), before=" ".join(moves[:before]))
        last = 1 if (len(moves) % 2 == 0) == (ours["sign"] == 1) else -1     # the side to move at the end
        for ending in (REPETITION, FIFTY_MOVES):
            found = ours["sign"] * last * line.settle(ending)                # the holder's score
            if before == 0:
                assert found == (BAND_CP - ours["code"]) * CP + fine(ours["code"], 1)
            else:
                assert found == objectives.hold_cp(ours["code"]) * CP + fine(ours["code"], 0)
            assert line.found(line.kept(found)) == found
    dead = Line(LONE_BISHOP, "Kf8 Bd7", objectives.decisive())                # no mate is possible: Black loses
    assert dead.settle(REPETITION) < -SCORE_DECIDED
    over = Line("4k3/8/8/8/4B3/8/8/4K2R w - - 0 1", "", objectives.decisive(), before="Bf3")
    assert over.settle(REPETITION) < -SCORE_DECIDED                           # the game has ended at the root


def test_entries_of_a_search_for_white_are_not_read_by_one_for_black():
    moves = "Bf3 Kd7 Bc6 Kd8 Bf3 Kd7"
    fen = "4k3/8/8/8/4B3/8/8/4K2R w - - 0 1"
    for mode in (objectives.points(), objectives.decisive()):
        one = Line(fen, "Kd2", mode, before=moves)
        other = Line(fen, "Kd7 Kd2", mode, before=" ".join(moves.split()[:-1]))
        assert (one.key() == other.key()) == (mode.worth_of(1, WHITE) < SCORE_DECIDED)


def test_static_score_is_an_estimate_while_the_end_is_open():
    """The outcome is open while the evaluator knows neither a certain mate nor dead material."""
    rng = random.Random(6)
    for mode in (objectives.points(), objectives.decisive(), objectives.decisive("G3.75"), objectives.decisive("-G5")):
        for fen in starts(rng):
            men = chess.Board(fen).occupied_co
            if 1 in (men[chess.WHITE].bit_count(), men[chess.BLACK].bit_count()):
                continue
            line = Line(fen, "", mode)
            for cp in (-12000, 0, 12000):
                for clock in (0, 1, 20, 99):
                    line.set_clock(clock)
                    assert abs(line.static(cp)) <= EVAL_LIMIT_CP * CP


def test_certain_mates_are_above_all_records_and_below_mates():
    won = Line("3k4/8/8/8/8/8/4R3/4K3 w - - 0 1", "", objectives.decisive())
    far = Line("8/8/8/8/8/7k/P7/K7 w - - 0 1", "", objectives.decisive())
    knowing = ChessEvaluator()
    assert (BAND_CP - 1) * CP < far.static(300, knowing) <= won.static(900, knowing) < SCORE_MATE - CP
    assert won.static(900, knowing) < won.static(901, knowing)
    won.set_clock(90)
    assert won.static(900, knowing) < SCORE_DECIDED         # the 50-move rule may come first
    won.set_clock(0)
    assert won.static(EVAL_LIMIT_CP, knowing) < LEAST_MATE   # a higher score would be printed as a mate
    assert won.found(won.kept(won.static(901, knowing))) == won.static(901, knowing)
    assert Line("3k4/8/8/8/8/8/4R3/4K3 w - - 0 1", "", objectives.points()).static(900, knowing) == 900 * CP


def test_dead_material_has_one_scale_for_each_kind_of_root():
    """Bishop against bare king, expected or reached, and bare kings: a better outcome never scores less."""
    knowing, rules = ChessEvaluator(), objectives.decisive()
    promised = Line("8/8/8/4KBk1/8/8/8/8 b - - 0 1", "", rules).static(0, knowing)
    deed = Line("8/8/7k/5B2/6K1/8/8/8 b - - 0 1", "", rules).static(0, knowing)   # G1.5 on the board
    assert -(BAND_CP - 2) * CP < deed < promised < -(BAND_CP - 3) * CP
    # From a root with mating material these outcomes count as a record that may still be broken. Otherwise a game might
    # be lost by mate to avoid an outcome that the opponent may not even play for.
    taken = Line("8/8/8/3rKBk1/8/8/8/8 w - - 0 1", "Kxd5", rules).static(0, knowing)
    assert -200 * CP < taken < 0
    # Kxc1 loses the rook and leaves -G4.5; Kd3 keeps the bishop on the board, which is worth -G1.5.
    kings = Line("8/8/8/8/8/4R3/3K1k2/2b5 w - - 0 1", "Kxc1 Kxe3", rules).static(0, knowing)
    bishop = Line("8/8/8/8/8/4R3/3K1k2/2b5 w - - 0 1", "Kd3 Bxe3", rules).static(0, knowing)
    assert -200 * CP < bishop < kings < 0


def test_a_fight_of_both_sides_is_an_estimate_as_long_as_a_side_can_mate():
    knowing, rules = ChessEvaluator(), objectives.decisive()
    line = Line("8/8/8/3rKBk1/8/8/8/n7 w - - 0 1", "Kxd5", rules)
    assert abs(line.static(0, knowing)) < EVAL_LIMIT_CP * CP
    fight = Line("8/8/8/3BK3/5nk1/8/8/8 b - - 0 1", "", rules)
    assert SCORE_DECIDED < abs(fight.static(0, knowing)) < abs(fight.settle(REPETITION))


def random_cramped(rng):
    """A king with pawns, which have few moves, against a king with a few men."""
    while True:
        position = chess.Board(None)
        position.turn = rng.random() < 0.5
        squares = rng.sample(range(64), 2 + rng.randint(0, 3) + rng.randint(0, 4))
        own = rng.randint(0, min(3, len(squares) - 2))
        position.set_piece_at(squares[0], chess.Piece(chess.KING, position.turn))
        position.set_piece_at(squares[1], chess.Piece(chess.KING, not position.turn))
        for place, square in enumerate(squares[2:]):
            man = chess.PAWN if place < own else rng.choice([chess.PAWN, chess.KNIGHT, chess.ROOK, chess.QUEEN])
            position.set_piece_at(square, chess.Piece(man, position.turn if place < own else not position.turn))
        if position.is_valid():
            return position


def test_a_goal_code_is_exact_below_its_limit():
    """In chess and in its definition, where few moves are legal: both have shortcuts."""
    cdef Board board
    cdef int limit, code
    rng = random.Random(7)
    normal = Catalog().find("normal")
    few = 0
    for _ in range(1500):
        position = random_cramped(rng)
        exact = 2 * position.legal_moves.count() + (not position.is_check())
        few += exact <= 8
        for game in (CHESS, normal):
            board = new_board(position.fen(), game=game)
            for limit in range(14):
                code = board.goal_code(board.top, limit)
                assert code == exact if exact < limit else code >= limit, (position.fen(), limit, code)
    assert few > 300
