"""Steps of the search that its output does not show: use of the table, null moves, quiescence, repetition."""

from standstill.cext.base.board cimport Board, Record
from standstill.cext.chess.chess_board cimport ChessBoard
from standstill.cext.evaluation.chess_eval cimport ChessEvaluator
from standstill.cext.fairy.fairy_board cimport FairyBoard
from standstill.cext.search.shared_steps cimport probe
from standstill.cext.search.quiescence cimport qsearch
from standstill.cext.search.parameters cimport TT_CUT_CLOCK
from standstill.cext.search.search cimport negamax
from standstill.cext.memory.tt cimport Probe, Table
from standstill.cext.base.types cimport *
from standstill.cext.search.worker cimport Frame, Shared, Worker, frame
from standstill.cext.value.evaluator cimport Evaluator, Solution
from standstill.cext.value.objective cimport Objective

from standstill.engine.variants.boards import new_board
from standstill.engine.variants.catalog import Catalog
from standstill.engine.variants.notation import parse_san
from standstill.engine.rmobility import objectives


cdef class Alone(Worker):
    """One worker at a position, without a pool and without limits."""

    cdef Shared alone

    def __init__(self, ChessBoard board, objective=None):
        self.table = Table(1)
        self.evaluator = ChessEvaluator()
        self.objective = objective or objectives.classic()
        self.objective.prepare(board)
        self.board = board.clone()
        self.objective.enter(self.board)
        self.shared = &self.alone
        self.prepare(None)
        frame(self, 0).last_slot = 1      # as after a move other than the null move

    def full(self):
        """Quiescence with an open window."""
        return qsearch(self, 0, -SCORE_INFINITE, SCORE_INFINITE, 0)

    def below(self, Score alpha, int depth):
        """Search a cut node below the root, with a null window above alpha."""
        return negamax(self, 1, alpha, alpha + 1, depth, True)

    def wide(self, int depth, bint whole_pv):
        """(score, nodes) of a PV node with an open window."""
        self.whole_pv = whole_pv
        score = negamax(self, 1, -SCORE_INFINITE, SCORE_INFINITE, depth, False)
        return score, self.nodes

    def static(self):
        return self.evaluator.evaluate(self.board) * CP

    def keep(self, Move move, Score score, int depth, int bound):
        """Store an entry for the position, as if a search had found it."""
        cdef uint64_t key = self.board.head[self.board.top].node_key
        self.table.store(key, key, move, score, 0, depth, bound, False)

    def keep_behind_null(self, Score score, int depth, int bound):
        """Store an entry for the position with the other side to move."""
        self.board.make_null()
        self.keep(0, score, depth, bound)
        self.board.top -= 1

    def found(self):
        """(hit, move) of the table entry as the search uses it."""
        cdef Frame* f = frame(self, 0)
        probe(self, f)
        return bool(f.tt.hit), f.tt.move

    def bound_found(self):
        """(bound, score) of the table entry; the bound is 0 without an entry."""
        cdef Frame* f = frame(self, 0)
        probe(self, f)
        if not f.tt.hit:
            return 0, 0
        return f.tt.bound, f.tt.score

    def quiescence(self, Score alpha, Score beta):
        return qsearch(self, 1, alpha, beta, 0)

    def at_ply(self, int ply, Score alpha, Score beta, int depth):
        """(score, moves made) of a search this many plies below the root; depth 0 is quiescence."""
        cdef int above
        for above in range(ply):
            frame(self, above).static_score = SCORE_NONE
            frame(self, above).continuation = self.no_continuation
        self.nodes = 0
        return negamax(self, ply, alpha, beta, depth, False), self.nodes

    def pass_on(self):
        """Pass twice, so that mates are two plies farther from the root."""
        self.board.make_null()
        self.board.make_null()

    def deepest(self):
        return self.seldepth


def at(fen, clock=0):
    cdef ChessBoard board = new_board(fen)
    board.head[board.top].clock = clock
    board.positions[board.top].clock = clock
    return board


# ---- quiescence ----

def test_quiescence_in_check_tries_quiet_evasions():
    only_kh2 = "6k1/8/8/8/8/7P/5PP1/r5K1 w - - 0 1"
    mated = "6k1/8/8/8/8/8/5PPP/r5K1 w - - 0 1"
    assert -SCORE_DECIDED < Alone(at(only_kh2)).full() < 0
    assert Alone(at(mated)).full() == -SCORE_MATE
    # Qxe1 comes first and allows Rxe1 mate; Qf1 loses no more than the queen.
    assert -SCORE_DECIDED < Alone(at("4r2k/8/8/8/8/8/4QPPP/4q1K1 w - - 0 1")).full() < 0


def test_quiescence_sees_stalemate():
    assert Alone(at("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")).full() == 0
    assert Alone(at("7k/4Q3/6K1/8/8/8/8/8 b - - 0 1")).full() < -500 * CP
    worth = Alone(at("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), objectives.decisive()).full()
    assert worth < -14998 * CP            # here stalemate is a goal, and scored as one


def test_captures_are_not_forced():
    """Rook takes pawn would lose the rook: standing pat is better and gives the static score."""
    quiet = Alone(at("4k3/8/2p5/3p4/8/8/3R4/4K3 w - - 0 1"))
    assert quiet.full() == quiet.static()


# ---- the ends of a line ----

def test_the_last_ply_has_the_static_score():
    """One ply before the last possible ply, the search still tries moves. In check the search returns 0 here, because a
    position in check has no static score."""
    for depth in (0, 4):
        worker = Alone(at(BUSY))
        assert worker.at_ply(MAX_PLY - 1, -SCORE_INFINITE, SCORE_INFINITE, depth) == (worker.static(), 0)
        assert worker.deepest() == MAX_PLY - 1
        assert worker.at_ply(MAX_PLY - 2, -SCORE_INFINITE, SCORE_INFINITE, depth)[1] > 0
        worker = Alone(at("4k3/8/8/8/8/8/3P4/r3K3 w - - 0 1"))
        assert worker.at_ply(MAX_PLY - 1, -SCORE_INFINITE, SCORE_INFINITE, depth) == (0, 0)
        assert worker.at_ply(MAX_PLY - 2, -SCORE_INFINITE, SCORE_INFINITE, depth)[1] > 0


def test_no_longer_mate_is_searched_for():
    """If a mate is known, only a shorter one is searched for; at this ply the shortest is mate with the next move."""
    mates_in_1 = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"
    worker = Alone(at(mates_in_1))
    for ply in (2, 4):
        worker.pass_on()
        best = SCORE_MATE - ply - 1
        assert worker.at_ply(ply, best, best + 1, 3) == (best, 0)
        assert worker.at_ply(ply, best, SCORE_INFINITE, 3) == (best, 0)
        score, nodes = worker.at_ply(ply, best - 1, best, 3)
        assert score == best and nodes > 0
        # The side to move is not mated now, so a mate against it takes more plies.
        worst = -SCORE_MATE + ply
        assert worker.at_ply(ply, -SCORE_INFINITE, worst, 3) == (worst, 0)
        assert worker.at_ply(ply, worst - 1, worst, 3) == (worst, 0)
        assert worker.at_ply(ply, worst, worst + 1, 6)[1] > 0, "deeper than what the table holds"


# ---- the null move ----

ZUGZWANG = "8/8/8/3Kp3/4Pk2/8/8/8 w - - 0 1"       # the side to move loses its pawn and the game


def test_pawns_alone_make_no_null_move():
    worker = Alone(at(ZUGZWANG))
    alpha = worker.static() - 10 * CP
    assert worker.below(alpha, 8) <= alpha


def test_an_outcome_behind_a_null_move_is_not_believed():
    """A null move is not a legal move, so a mate or draw after it proves only a score of at least beta."""
    for score, beta, believed in ((SCORE_MATE - 5, 200, 200), (17, -100, -100), (300 * CP, 200, 300)):
        worker = Alone(at("6k1/5ppp/p7/8/8/8/P4PPP/3R2K1 w - - 0 1"))
        worker.keep_behind_null(-score, 30, BOUND_UPPER)
        assert worker.below(beta * CP - 1, 12) == believed * CP


def test_deep_null_moves_are_verified():
    """Ra1 mates whatever White plays. At great depth a null move that seems to save the knights is not trusted."""
    worker = Alone(at("5NNN/r7/8/8/8/7p/5k1P/7K w - - 0 1"))
    beta = 100 * CP
    assert worker.static() > beta
    worker.keep_behind_null(-2 * beta, 60, BOUND_UPPER)
    assert worker.below(beta - 1, 18) < beta


# ---- the transposition table in the search ----

BUSY = "r2q1rk1/pp1bppbp/2np1np1/8/2BNP3/2N1BP2/PPPQ2PP/2KR3R w - - 0 11"


def test_a_search_stores_what_it_has_proved():
    """Full search and quiescence store an upper bound below alpha, a lower bound at beta, and the score in between."""
    for search in ("below", "quiescence"):
        for alpha, bound in ((900 * CP, BOUND_UPPER), (-900 * CP, BOUND_LOWER)):
            worker = Alone(at(BUSY))
            score = worker.below(alpha, 4) if search == "below" else worker.quiescence(alpha, alpha + 1)
            assert (score > alpha) == (bound == BOUND_LOWER)
            found, _ = worker.bound_found()
            assert found in (bound, 0)
            assert found or search == "below" and bound == BOUND_LOWER, "a shortcut that is not stored"
    worker = Alone(at(BUSY))
    score, _ = worker.wide(3, False)
    assert worker.bound_found() == (BOUND_EXACT, score)


def test_quiescence_of_a_pv_node_takes_no_score_from_the_table():
    """A table hit would cut the variation short. With a null window no variation is shown, so the entry is used."""
    wrong = -777 * CP
    for bound in (BOUND_EXACT, BOUND_LOWER, BOUND_UPPER):
        worker = Alone(at(BUSY))
        worker.keep(0, wrong, 0, bound)
        assert worker.quiescence(-SCORE_INFINITE, SCORE_INFINITE) != wrong
        worker.keep(0, wrong, 0, bound)
        if bound & BOUND_LOWER:
            assert worker.quiescence(wrong - 2, wrong - 1) == wrong
        if bound & BOUND_UPPER:
            assert worker.quiescence(wrong, wrong + 1) == wrong


def test_training_searches_leave_no_move_of_a_pv_node_out():
    """At depth 1 every move is searched, in a position with more moves than a normal search tries."""
    board = at("r2q1rk1/pp1bppbp/2np1np1/8/2BNP3/2N1BP2/PPPQ2PP/2KR3R w - - 0 11")
    moves = len(board.legal_moves())
    assert Alone(board).wide(1, False)[1] < moves <= Alone(board).wide(1, True)[1]


def test_a_table_move_is_played_only_if_it_is_legal():
    """Another position with the same key, or a torn entry, may leave any move in the table."""
    for move in (pack_move(0, 63, 0, 0, NORMAL), pack_move(52, 36, 0, 0, DOUBLE_STEP), 0xFFFFFFFF):
        worker = Alone(at(None))
        worker.keep(move, 30 * CP, 9, BOUND_EXACT)
        assert worker.found() == (True, 0)
    worker = Alone(at(None))
    legal = parse_san(new_board(), "e4")
    worker.keep(legal, 30 * CP, 9, BOUND_EXACT)
    assert worker.found() == (True, legal)


def test_the_table_cuts_only_while_the_fifty_moves_are_far_away():
    """In check only the table can return the stored score; a search gives another one."""
    fen = "4k3/8/8/8/8/8/3P4/r3K3 w - - 0 1"
    for clock in (0, 50, 99 - TT_CUT_CLOCK, 100 - TT_CUT_CLOCK, 96):
        worker = Alone(at(fen, clock))
        worker.keep(0, -7777 * CP, 20, BOUND_UPPER)
        assert (worker.below(0, 3) == -7777 * CP) == (clock + TT_CUT_CLOCK < 100), clock


# ---- the transposition table itself ----

def hits(Table table, keys):
    """The keys of cluster 0 that are in the table."""
    cdef Probe found
    there = []
    for key in keys:
        table.probe(0, key, &found)
        if found.hit:
            there.append(key)
    return there


def put(Table table, uint64_t key, int depth, int bound=BOUND_EXACT, Move move=0, Score score=0):
    table.store(0, key, move, score, 0, depth, bound, False)


def test_entries_of_earlier_searches_give_way_first():
    """Older entries are replaced even if they are deeper: an age of one search counts as four plies."""
    table = Table(1)
    table.new_search()
    put(table, 1, 12)
    table.new_search()
    for key in (2, 3, 4):
        put(table, key, 10)
    put(table, 5, 1)
    assert hits(table, range(1, 6)) == [2, 3, 4, 5]


def test_the_age_of_an_entry_is_counted_around_the_cycle():
    table = Table(1)
    for _ in range(31):
        table.new_search()
    put(table, 1, 12)
    for _ in range(3):
        table.new_search()
    for key in (2, 3, 4):
        put(table, key, 3)
    put(table, 5, 1)
    assert hits(table, range(1, 6)) == [2, 3, 4, 5]


def test_of_one_search_the_shallowest_entry_gives_way():
    table = Table(1)
    for key, depth in ((1, 9), (2, 4), (3, 7), (4, 8)):
        put(table, key, depth)
    put(table, 5, 0)
    assert hits(table, range(1, 6)) == [1, 3, 4, 5]


def test_a_bound_does_not_replace_a_much_deeper_entry_of_its_search():
    cdef Probe found
    for deeper, bound, kept in ((5, BOUND_LOWER, True), (4, BOUND_LOWER, False), (9, BOUND_EXACT, False)):
        table = Table(1)
        put(table, 1, 3 + deeper, score=7)
        put(table, 1, 3, bound, score=8)
        (<Table> table).probe(0, 1, &found)
        assert (found.score, found.depth) == ((7, 3 + deeper) if kept else (8, 3))
    table = Table(1)
    put(table, 1, 20, score=7)
    (<Table> table).new_search()
    put(table, 1, 3, BOUND_UPPER, score=8)
    (<Table> table).probe(0, 1, &found)
    assert found.score == 8               # as stored by an earlier search


def test_an_entry_without_a_move_keeps_the_one_that_was_known():
    cdef Probe found
    table = Table(1)
    put(table, 1, 3, move=77)
    put(table, 1, 4)
    (<Table> table).probe(0, 1, &found)
    assert (found.move, found.depth) == (77, 4)
    put(table, 1, 5, move=78)
    (<Table> table).probe(0, 1, &found)
    assert found.move == 78


def test_what_is_stored_is_found():
    cdef Probe found
    cdef Table table = Table(1)
    for bound in (BOUND_UPPER, BOUND_LOWER, BOUND_EXACT):
        for depth, cp, pv in ((0, -12000, False), (245, 12000, True)):
            table.store(5, 9 + depth, 123456, -5 * CP, cp, depth, bound, pv)
            table.probe(5, 9 + depth, &found)
            assert (found.hit, found.move, found.score, found.raw_eval) == (True, 123456, -5 * CP, cp)
            assert (found.depth, found.bound, bool(found.pv)) == (depth, bound, pv)
            table.probe(5, 10 + depth, &found)
            assert (found.hit, found.move, found.score, found.depth) == (False, 0, SCORE_NONE, -1)


# ---- repetition ----

def ends(before, line):
    """The ending after the moves ``before`` are played in the game, and then those of ``line`` in the search."""
    cdef ChessBoard board = new_board()
    for san in before.split():
        board.push(parse_san(board, san))
    board = <ChessBoard> board.clone()
    for san in line.split():
        board.make(parse_san(board, san))
    return board.ending()


ROUND = "Nf3 Nf6 Ng1 Ng8 "


def test_a_position_that_was_there_once_before_the_root_is_no_draw_yet():
    assert ends(ROUND, "Nf3") == ONGOING
    assert ends(ROUND + "Nf3 Nf6", "Ng1") == ONGOING
    assert ends("Nf3 Nf6 Ng1", "Ng8") == ONGOING


def test_the_third_occurrence_is_a_draw():
    assert ends(ROUND + ROUND, "Nf3") == REPETITION
    assert ends(ROUND + "Nf3 Nf6 Ng1", "Ng8") == REPETITION
    assert ends(ROUND + "Nf3 Nf6 Ng1", "Rg8") == ONGOING


def test_a_repetition_below_the_root_is_a_draw_at_once():
    assert ends("e4 e5", ROUND) == REPETITION
    assert ends("e4 e5", "Nf3 Nf6 Ng1") == ONGOING
    assert ends("e4 e5", "Nc3 Nf6 Nb1 Ng8") == REPETITION


# ---- records ----

def test_solved_kings_do_not_forget_the_fifty_moves():
    cdef Solution solution
    cdef Objective objective = objectives.tiebreak()
    cdef Evaluator evaluator = ChessEvaluator()
    cdef ChessBoard board
    solved = 0
    # Kings that reach a better goal after 13, 11 and 4 plies, and kings that never do.
    for fen in ("8/8/8/8/4k3/8/1K6/8", "8/8/8/4k3/8/8/1K6/8", "8/8/8/8/4k3/8/2K5/8", "8/8/8/8/8/8/8/K1k5"):
        for clock in range(80, 100):
            board = at(f"{fen} w - - 0 1", clock)
            board.material_ends = False
            objective.prepare(board)
            assert evaluator.solve(board, &solution)
            near = clock + solution.plies + 2 < 100
            assert objective.is_solved(board, evaluator, &solution) == (near or solution.code == 0)
            solved += near and solution.code != 0
    assert solved == (98 - 13 - 80) + (98 - 11 - 80) + (98 - 4 - 80)


cdef tuple record_now(Objective objective, Board board):
    cdef const Record* record = objective.record(board)
    return record.code, record.owner, record.index


def test_another_move_in_a_game_by_definition_has_its_own_record():
    cdef FairyBoard board = new_board(game=Catalog().find("endings"))
    cdef Objective objective = objectives.decisive()
    objective.prepare(board)
    board = <FairyBoard> board.clone()
    found = {}
    for turn in range(2):
        for san in ("d3", "e4", "Nf3") if turn else ("Nf3", "e4", "d3"):
            board.make(parse_san(board, san))
            for reply in ("e6", "a6", "Nf6"):
                board.make(parse_san(board, reply))
                state = record_now(objective, board)
                assert found.setdefault((san, reply), state) == state
                board.top -= 1
            board.top -= 1
    assert len(set(found.values())) > 3


# ---- ends of a game ----

def test_mate_precedes_the_fifty_moves():
    mated = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
    for fen, ending in ((mated, ONGOING), ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", ONGOING), (ZUGZWANG, FIFTY_MOVES)):
        assert (<ChessBoard> at(fen, 100)).ending() == ending
        assert (<ChessBoard> at(fen, 99)).ending() == ONGOING
    assert (<ChessBoard> at(mated, 100)).no_moves() == CHECKMATE


def test_dead_material_ends_only_where_the_rules_say_so():
    cdef ChessBoard board = at("8/8/8/4KBk1/8/8/8/8 b - - 0 1")
    assert board.ending() == INSUFFICIENT_MATERIAL
    board.material_ends = False
    assert board.ending() == ONGOING
    assert (<ChessBoard> at(ZUGZWANG)).ending() == ONGOING


def test_entries_of_a_file_count_as_of_this_search():
    """Loaded entries are not the first to be replaced, and hashfull counts them."""
    cdef Probe found
    old = Table(1)
    put(old, 1, 12, move=77)
    cdef Table table = Table(1)
    for _ in range(5):
        table.new_search()
    table.load(old.dump(1))
    table.probe(0, 1, &found)
    assert (found.hit, found.move, found.depth) == (True, 77, 12)
    assert table.hashfull() == 1
    for key in (2, 3, 4):
        put(table, key, 10)
    put(table, 5, 1)
    assert 1 in hits(table, range(1, 6)) and 5 in hits(table, range(1, 6))
