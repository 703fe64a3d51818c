"""How a node updates the histories, and how they order the moves: all entries compared with sums in Python.

The histories begin empty, so every entry that is not 0 afterwards has been changed by the call under test.
"""

import random

from standstill.cext.base.board cimport Board
from standstill.cext.base.types cimport *
from standstill.cext.evaluation.chess_eval cimport ChessEvaluator
from standstill.cext.memory.history cimport (CORRECTION_GRAIN, CORRECTION_WEIGHT, TABLES, Part, butterfly_entry,
                                             capture_entry, correction_entry, move_correction_entry,
                                             non_pawn_correction_entry, pawn_entry)
from standstill.cext.memory.tt cimport Table
from standstill.cext.search.history_updates cimport (learn_from_cut_off, learn_from_error, learn_from_research,
                                                     learn_from_static_score, reward_prior_move, reward_quiet)
from standstill.cext.search.movepick cimport init_picker, next_move
from standstill.cext.search.shared_steps cimport make_move
from standstill.cext.search.parameters cimport (EVAL_BONUS_MAX, MALUS_UNIT, PRIOR_MOVE_DEPTH, PRIOR_MOVE_DIVISOR,
                                                PRIOR_MOVE_LATE, QUIET_BONUS_DEPTH, TUNED, history_bonus)
from standstill.cext.search.worker cimport Frame, Picker, Shared, Worker, frame

from standstill.engine.variants.boards import new_board
from standstill.engine.variants.notation import parse_san
from standstill.engine.rmobility import objectives

BUSY = "r2q1rk1/pp1bppbp/2np1np1/8/2BNP3/2N1BP2/PPPQ2PP/2KR3R w - - 0 11"    # Black answers Kb1
QUIETS = ("a6", "Rc8", "Qa5", "Ne5", "h5")
CAPTURES = ("Nxd4", "Nxe4")


cdef class Learner(Worker):
    """One worker at ply 1, after a quiet move from ply 0; frames below the root have other slots."""

    cdef Shared alone
    cdef Frame* f

    def __init__(self, Board board, move):
        self.table = Table(1)
        self.evaluator = ChessEvaluator()
        self.objective = objectives.classic()
        self.objective.prepare(board)
        self.board = board.clone()
        self.objective.enter(self.board)
        self.shared = &self.alone
        self.prepare(None)
        make_move(self, frame(self, 0), self.read(move))
        frame(self, 0).is_quiet = True
        frame(self, 0).danger = 0xFF00
        self.f = frame(self, 1)
        self.f.ply = 1
        self.f.danger = 0xFFFF << 40
        for ply in (-1, -3, -5):
            self.came_by(ply, 100 - ply)

    def came_by(self, int ply, int slot):
        """The frame at this ply was left by a move with this slot; by a null move if it is -1."""
        frame(self, ply).last_slot = slot + 1
        frame(self, ply).continuation = &self.history.continuation[(slot + 1) * self.history.slots]

    def read(self, san):
        return parse_san(self.board, san)

    def slot_of(self, san):
        return self.board.slot(self.read(san))

    cdef place(self, const void* entry):
        """(number of the table, number of its byte)."""
        cdef Part[TABLES] parts
        cdef int i
        self.history.tables(parts)
        for i in range(TABLES):
            if parts[i].start <= <const char*> entry < parts[i].start + parts[i].size:
                return i, <const char*> entry - parts[i].start
        raise AssertionError("the entry is outside the tables")

    def learnt(self):
        """The value of every entry of two bytes that is not 0, except counter moves."""
        cdef Part[TABLES] parts
        cdef int i
        cdef size_t at
        cdef int16_t* values
        found = {}
        self.history.tables(parts)
        for i in range(TABLES):
            values = <int16_t*> parts[i].start
            if i == 3:
                continue
            for at in range(parts[i].size // sizeof(int16_t)):
                if values[at]:
                    found[i, at * sizeof(int16_t)] = values[at]
        return found

    def quiet(self, san, int bonus):
        """What a bonus for a quiet move of this node should change."""
        cdef Move move = self.read(san)
        cdef int slot = self.board.slot(move), ply
        cdef int stm = self.board.head[self.board.top].stm
        places = [
            self.place(butterfly_entry(self.history, stm, self.f.danger, move)),
            self.place(pawn_entry(self.history, self.board.head[self.board.top].pawn_key, slot)),
        ]
        for ply in (0, -1, -3, -5):
            if frame(self, ply).last_slot:
                places.append(self.place(&frame(self, ply).continuation[slot]))
        return dict.fromkeys(places, bonus)

    def capture(self, san, int bonus):
        cdef Move move = self.read(san)
        return {self.place(capture_entry(self.history, self.board.slot(move), self.board.victim(move))): bonus}

    def prior(self, int bonus):
        """What a bonus for the move that led here should change."""
        cdef Move move = frame(self, 0).move
        cdef int slot = frame(self, 0).last_slot - 1, stm = self.board.head[self.board.top - 1].stm, ply
        cdef uint64_t pawns = self.board.head[self.board.top - 1].pawn_key
        places = [
            self.place(butterfly_entry(self.history, stm, frame(self, 0).danger, move)),
            self.place(pawn_entry(self.history, pawns, slot)),
        ]
        for ply in (-1, -2, -4, -6):
            if frame(self, ply).last_slot:
                places.append(self.place(&frame(self, ply).continuation[slot]))
        return dict.fromkeys(places, bonus)

    def corrections(self):
        """The entries that correct the static score of this node."""
        cdef int stm = self.board.head[self.board.top].stm
        return {
            self.place(correction_entry(self.history, stm, self.board.head[self.board.top].pawn_key)),
            self.place(move_correction_entry(self.history, frame(self, -1).last_slot, frame(self, 0).last_slot)),
            self.place(non_pawn_correction_entry(self.history, stm, WHITE, self.f.non_pawn_keys[WHITE])),
            self.place(non_pawn_correction_entry(self.history, stm, BLACK, self.f.non_pawn_keys[BLACK])),
        }

    def tried(self, quiets=(), captures=()):
        for i, san in enumerate(quiets):
            self.f.quiets[i] = self.read(san)
        for i, san in enumerate(captures):
            self.f.noisy[i] = self.read(san)
        self.f.n_quiets, self.f.n_noisy = len(quiets), len(captures)

    def cut_off(self, san, int depth, Score margin=0):
        """Record a cutoff by the move, whose score exceeds beta by a margin; return the killers and the counter
        move."""
        self.f.depth, self.f.beta, self.f.best = depth, 20 * CP, 20 * CP + margin
        self.f.best_move = self.read(san)
        learn_from_cut_off(self, self.f)
        return self.f.killers[0], self.f.killers[1], self.history.counter[frame(self, 0).last_slot]

    def fill(self, chance):
        """Give every move of the position random histories; return its place in the order of quiet moves."""
        cdef int stm = self.board.head[self.board.top].stm, slot, ply, i
        cdef int16_t* entries[6]
        cdef Move move
        weights = (TUNED.order_butterfly, TUNED.order_pawns, TUNED.order_after_one, TUNED.order_after_two,
                   TUNED.order_after_four, TUNED.order_after_six)
        worths = {}
        for move in self.board.legal_moves():
            slot = self.board.slot(move)
            entries[0] = butterfly_entry(self.history, stm, self.f.danger, move)
            entries[1] = pawn_entry(self.history, self.board.head[self.board.top].pawn_key, slot)
            for i, ply in enumerate((0, -1, -3, -5)):
                entries[2 + i] = &frame(self, ply).continuation[slot]
            total = 0
            for i in range(6):
                entries[i][0] = chance.randrange(-9000, 9000)
                total += entries[i][0] * weights[i]
            total += self.board.threat(move) * TUNED.order_threat * 16
            if self.board.gives_check(move) and self.board.see_ge(move, -TUNED.order_check_see):
                total += TUNED.order_check * 16
            worths[move] = total
        return worths

    def teach_captures(self, chance):
        """Give every capture a random history; return its place in the order of captures."""
        cdef Move move
        cdef int16_t* entry
        worths = {}
        for move in self.board.legal_moves():
            if self.board.is_noisy(move):
                entry = capture_entry(self.history, self.board.slot(move), self.board.victim(move))
                entry[0] = chance.randrange(-150, 150) * 64
                total = entry[0] // 64 * TUNED.capture_history_share + self.board.victim_cp(move) * 16
                if self.board.gives_check(move):
                    total += TUNED.order_noisy_check * 16
                worths[move] = total
        return worths

    def picked(self):
        cdef Picker p
        cdef Move move
        found = []
        init_picker(self, self.f, &p, 0)
        move = next_move(self, self.f, &p)
        while move:
            found.append(move)
            move = next_move(self, self.f, &p)
        return found


def after(fen=BUSY, move="Kb1"):
    """The worker after a quiet move."""
    return Learner(new_board(fen), move)


# ---- quiet moves ----

def test_a_quiet_move_is_rewarded_in_all_its_histories():
    """After a null move there is no continuation."""
    cdef Learner worker
    for missing in ((), (0,), (-1,), (-3, -5), (0, -1, -3, -5)):
        for bonus in (500, -500):
            worker = after()
            for ply in missing:
                worker.came_by(ply, -1)
            reward_quiet(worker, worker.f, worker.read("a6"), bonus)
            assert worker.learnt() == worker.quiet("a6", bonus), (missing, bonus)
            assert len(worker.learnt()) == 6 - len(missing)


def test_a_move_that_makes_a_node_fail_low_is_rewarded_by_the_surprise():
    cdef Learner worker
    rewarded = set()
    for late, pv, cut, deep in [(a, b, c, d) for a in (0, 1) for b in (0, 1) for c in (0, 1) for d in (0, 1)]:
        worker = after()
        frame(worker, 0).move_count = PRIOR_MOVE_LATE + late
        worker.f.is_pv, worker.f.is_cut, worker.f.depth = pv, cut, PRIOR_MOVE_DEPTH + deep
        reward_prior_move(worker, worker.f)
        bonus = (1 + late + (pv or cut) + deep) * history_bonus(worker.f.depth) // PRIOR_MOVE_DIVISOR
        assert worker.learnt() == worker.prior(bonus), (late, pv, cut, deep)
        rewarded.add(bonus)
    assert len(rewarded) == 6 and min(rewarded) > 0
    for missing in (-1, -2, -4, -6):
        worker = after()
        for ply in (-1, -2, -4, -6):
            worker.came_by(ply, -1 if ply == missing else 120 - ply)
        worker.f.depth = 9
        reward_prior_move(worker, worker.f)
        assert len(worker.learnt()) == 5 and worker.learnt() == worker.prior(min(worker.learnt().values()))


def test_only_a_quiet_move_that_led_here_is_rewarded():
    cdef Learner worker
    for root, null, noisy in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
        worker = after()
        worker.f.depth, worker.f.is_root = 8, root
        frame(worker, 0).is_quiet = not noisy
        if null:
            frame(worker, 0).last_slot = 0
        reward_prior_move(worker, worker.f)
        assert not worker.learnt(), (root, null, noisy)


# ---- cut-offs ----

def test_a_quiet_cut_off_rewards_its_move_and_punishes_those_before():
    cdef Learner worker
    cdef int depth, bonus
    for depth in (QUIET_BONUS_DEPTH, QUIET_BONUS_DEPTH + 1, 7):
        for before in range(3):
            worker = after()
            worker.tried(QUIETS[:before], CAPTURES[:before])
            bonus = history_bonus(depth)
            expected = {}
            if depth > QUIET_BONUS_DEPTH or before:
                expected |= worker.quiet("h5", bonus)
            for san in QUIETS[:before]:
                expected |= worker.quiet(san, -bonus * TUNED.history_malus // MALUS_UNIT)
            for san in CAPTURES[:before]:
                expected |= worker.capture(san, -bonus)
            killer, _, counter = worker.cut_off("h5", depth)
            assert worker.learnt() == expected, (depth, before)
            assert killer == counter == worker.read("h5")


def test_killers_are_the_last_two_different_moves():
    cdef Learner worker
    worker = after()
    for san, second in (("a6", 0), ("a6", 0), ("h5", worker.read("a6")), ("h5", worker.read("a6")),
                        ("a6", worker.read("h5"))):
        killers = worker.cut_off(san, 7)[:2]
        assert killers == (worker.read(san), second)


def test_a_capture_that_cuts_off_teaches_nothing_about_quiet_moves():
    cdef Learner worker
    worker = after()
    worker.tried(QUIETS, CAPTURES[:1])
    assert worker.cut_off("Nxe4", 7) == (0, 0, 0)
    bonus = history_bonus(7)
    assert worker.learnt() == worker.capture("Nxe4", bonus) | worker.capture("Nxd4", -bonus)


def test_a_score_far_beyond_beta_counts_as_a_deeper_search():
    cdef Learner worker
    for margin, more in ((0, 0), (TUNED.surprise_margin * CP, 0), (TUNED.surprise_margin * CP + 1, 1)):
        worker = after()
        worker.cut_off("h5", 7, margin)
        assert worker.learnt() == worker.quiet("h5", history_bonus(7 + more)), margin


def test_a_second_search_tells_whether_a_reduced_move_was_good():
    cdef Learner worker
    cdef Score score
    for score, sign in ((-31, -1), (-30, -1), (-29, 0), (19, 0), (20, 1), (21, 1)):
        for quiet, stopped in ((1, 0), (0, 0), (1, 1)):
            worker = after()
            worker.f.alpha, worker.f.beta = -30, 20
            worker.f.is_quiet, worker.stopped = quiet, stopped
            worker.f.last_slot = 1 + worker.slot_of("a6")
            learn_from_research(worker, worker.f, 6, score)
            bonus = sign * history_bonus(6) if quiet and not stopped else 0
            expected = {place: value for place, value in worker.quiet("a6", bonus).items() if value and place[0] == 1}
            assert worker.learnt() == expected, (score, quiet, stopped)
            assert len(expected) == (4 if bonus else 0)


# ---- static scores ----

def corrected(Score best, Score static, int bound, int depth=9, san=None, bint in_check=False, bint dead=False):
    """A worker that has learnt from this result of a node."""
    cdef Learner worker = after()
    worker.f.non_pawn_keys[WHITE], worker.f.non_pawn_keys[BLACK] = 11, 22
    worker.f.best, worker.f.static_score, worker.f.depth = best, static, depth
    worker.f.best_move = worker.read(san) if san else 0
    worker.f.in_check = in_check
    worker.board.head[worker.board.top].dead = dead
    learn_from_error(worker, worker.f, bound)
    return worker


def test_corrections_move_towards_the_error_of_the_static_score():
    for best, static in ((90, 20), (20, 90), (-50, 30), (30, -50)):
        for depth in (1, 4, 40):
            worker = corrected(best * CP, static * CP, BOUND_EXACT, depth, "a6")
            weight = min(depth + 1, TUNED.correction_rate)
            step = (best - static) * CORRECTION_GRAIN * weight // CORRECTION_WEIGHT
            assert worker.learnt() == dict.fromkeys(worker.corrections(), step), (best, static, depth)
            assert len(worker.corrections()) == 4


def test_a_bound_corrects_only_in_its_direction():
    for best, bound, learns in (
        (90, BOUND_LOWER, True), (90, BOUND_UPPER, False), (-90, BOUND_UPPER, True), (-90, BOUND_LOWER, False),
        (0, BOUND_LOWER, False), (0, BOUND_UPPER, False),
    ):
        assert bool(corrected(best * CP, 0, bound).learnt()) == learns, (best, bound)


def test_nothing_is_learnt_where_the_score_does_not_measure_the_position():
    quiet = corrected(90 * CP, 0, BOUND_EXACT, san="a6")
    assert quiet.learnt()
    for worker in (
        corrected(90 * CP, 0, BOUND_EXACT, san="Nxd4"),
        corrected(90 * CP, 0, BOUND_EXACT, in_check=True),
        corrected(90 * CP, 0, BOUND_EXACT, dead=True),
        corrected(SCORE_DECIDED, 0, BOUND_EXACT),
        corrected(90 * CP, -SCORE_DECIDED, BOUND_EXACT),
    ):
        assert not worker.learnt()


def test_a_quiet_move_is_credited_with_what_it_gained():
    """Both static scores are from the side to move's view, so the gain is the negative of their sum."""
    cdef Learner worker
    cdef Score earlier, later
    for earlier, later in ((10, -30), (10, 30), (-40, 25), (0, 3000), (0, -3000)):
        worker = after()
        frame(worker, 0).static_score, worker.f.static_score = earlier * CP, later * CP
        learn_from_static_score(worker, worker.f)
        gain = -(earlier + later) * TUNED.eval_history_factor
        gain = max(-EVAL_BONUS_MAX, min(EVAL_BONUS_MAX, gain // 16 if gain >= 0 else -(-gain // 16)))
        butterfly = {place: value for place, value in worker.prior(gain).items() if place[0] == 0}
        [(place, value)] = worker.learnt().items()
        assert place in butterfly and abs(value - gain) <= 1, (earlier, later)


def test_nothing_is_credited_without_two_static_scores():
    cdef Learner worker
    for root, check, excluded, null, noisy, unknown in [
        tuple(int(i == j) for i in range(6)) for j in range(7)
    ]:
        worker = after()
        frame(worker, 0).static_score = SCORE_NONE if unknown else 30 * CP
        worker.f.static_score = 30 * CP
        worker.f.is_root, worker.f.in_check, worker.f.excluded = root, check, excluded
        frame(worker, 0).is_quiet = not noisy
        if null:
            frame(worker, 0).last_slot = 0
        learn_from_static_score(worker, worker.f)
        assert bool(worker.learnt()) == (not (root or check or excluded or null or noisy or unknown))


# ---- the order of moves ----

def test_quiet_moves_come_in_the_order_of_their_histories():
    """The sum of six histories, of a safe check and of a threat, each with its weight."""
    cdef Learner worker
    chance = random.Random(5)
    for fen, move in ((BUSY, "Kb1"), ("6k1/5ppp/8/3q4/8/2N5/5PPP/3R2K1 b - - 0 1", "Qc6"),
                      ("r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4", "O-O")):
        for _ in range(20):
            worker = after(fen, move)
            worths = worker.fill(chance)
            quiets = [each for each in worker.picked() if not (<Board> worker.board).is_noisy(each)]
            assert len(quiets) > 10
            assert quiets == sorted(quiets, key=worths.get, reverse=True)


def test_captures_come_in_the_order_of_victim_and_history():
    cdef Learner worker
    chance = random.Random(6)
    for _ in range(20):
        worker = after("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1", "Kf8")
        worths = worker.teach_captures(chance)
        found = [each for each in worker.picked() if each in worths]
        good = [each for each in found if (<Board> worker.board).see_ge(each, 0)]
        bad = [each for each in found if each not in good]
        assert found == good + bad and len(good) > 2 and len(bad) > 2
        for some in (good, bad):
            assert some == sorted(some, key=worths.get, reverse=True)
