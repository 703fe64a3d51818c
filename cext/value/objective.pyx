"""Scores of outcomes, and the record of the lowest goal, computed lazily on the board's stack."""

from ..base.board cimport Board, Head, Record
from .evaluator cimport Evaluator, Solution
from .oracle cimport Forecast
from ..base.types cimport *
from ..base.zobrist cimport RECORD_KEYS

cimport cython

cdef enum:
    FRESH = 0                         # index in RECORD_KEYS: White's code 0, a mate, which is never a standing record
    # Plies since the last reset after which a record counts half. In 1274 games of strong engines the
    # record was broken in 12 % of plies 4 to 7 of a phase, in 6 % of plies 8 to 15, in 3 % later.
    BELIEF_HALF = 12
    CLOCKS = 101
    # A record of the whole game survives captures, so it counts as after this many plies without a reset.
    BELIEF_WHOLE_GAME = 12
    LASTING_PIECES = 8                # a record counts in full with this many pieces fewer than MANY_PIECES
    FORESEEN_TOP = 160                # bonus in centipawns, at an even evaluation, for certainly owning the last record
    DRAWISH = 200                     # an evaluation of this many centipawns halves that bonus
    CONFINED_TOP = 200                # centipawns: more confinement than this has no further effect
    PROMISE_PLIES = 40                # assumed distance of a promised record, where neither side is confined
    # Score of a mate that is certain but beyond the horizon: between the best record and the mates in sight.
    SURE_MATE = SCORE_SURE + 100 * CP
    SURE_PLIES = 20                   # the 50-move rule must leave this many plies for the mate
    SURE_SHARE = 64                   # 1/64 of the evaluation is added, because a higher one is nearer to the mate


ANY_RECORD = 0x9D39247E33776D41ULL
BANDS_KEY = 0x2AF7398005AAA5C7ULL
BLACK_KEY = 0x7FB2D5C66DE70B8DULL

cdef int BELIEF[CLOCKS]               # weight of a record, CP for 1, by plies since the last reset


cdef void fill_beliefs() noexcept nogil:
    cdef int clock
    for clock in range(CLOCKS):
        BELIEF[clock] = clock * CP // (clock + BELIEF_HALF)


fill_beliefs()


cdef inline int distance_to(Board board, int place) noexcept nogil:
    """Plies from the root to this stack index; 0 for places before the root."""
    cdef int plies = place - board.root
    if plies < 0:
        return 0
    return plies if plies < FAR else FAR


cdef inline int distance_in(Score size) noexcept nogil:
    """Plies to the record, from the fraction of a score; FAR if unknown or without a record."""
    cdef int rest = FINE_TOP - (size & (CP - 1))
    return rest & (FINE_STEP - 1) if 0 <= rest < FINE_STEP * FINE_LAST else FAR


cdef inline Score nearer_zero(Score score, int units) noexcept nogil:
    return score - units if score > 0 else score + units


cdef inline bint is_start(Objective objective, Board board, int place) noexcept nogil:
    """Return whether a phase begins here, so that positions lower on the stack do not matter."""
    cdef Head* head = &board.head[place]
    return place == 0 or (head.phase == 0 and not head.is_null and not objective.whole_game)


cdef inline void next_record(Objective objective, Board board, int place) noexcept nogil:
    """The record after one more ply: the old one, unless this position's goal is strictly lower."""
    cdef Head* head = &board.head[place]
    cdef Head* before = head - 1
    cdef int below, code
    head.record = before.record
    if before.clock >= board.clock_limit and not objective.keep_trigger:
        objective.count_passed_over(board, place)
    if head.is_null:
        return
    below = head.record.code if head.record.code <= objective.limit else objective.limit + 1
    if below > 2 and not objective.keep_trigger and head.clock >= board.clock_limit:
        below = 2                     # where the 50-move rule ends the game, only mate and stalemate count
    code = board.goal_code(place, below)
    if code < below:
        head.record.code = <int16_t> code
        head.record.index = place
        head.record.owner = <int8_t> (head.stm ^ 1)


cdef class Objective:
    """The values of endings. A new objective is classical chess: mate wins, all other endings are equal draws."""

    def __cinit__(self):
        self.outcome[WHITE][0] = self.predicted[WHITE][0] = SCORE_MATE
        self.outcome[BLACK][0] = self.predicted[BLACK][0] = -SCORE_MATE
        self.limit = CODES - 1
        self.shares_from = NEVER

    # ---- the record ----

    @cython.final
    cdef void clear_records(self, Board board) noexcept nogil:
        """Clear the records above the bottom. The record at the bottom does not depend on the objective and may be
        preset.
        """
        cdef int place
        for place in range(1, board.top + 1):
            board.head[place].record.code = UNKNOWN

    @cython.final
    cdef void prepare(self, Board board) noexcept nogil:
        # If the root is dead material, the search uses the outcomes themselves, else estimates of them.
        cdef Head* head = &board.head[board.top]
        self.in_bands = head.dead and self.has_bands
        self.scale = 0
        if self.in_bands:
            self.scale = BANDS_KEY
        elif self.has_bands and head.stm == BLACK:
            self.scale = BLACK_KEY
        if not self.counts and not self.record_zeroes_clock:
            return
        self.clear_records(board)
        self.record(board)

    @cython.final
    cdef void find_record(self, Board board) noexcept nogil:
        """Compute the record of the current position, and missing ones below it."""
        cdef int place = board.top
        while board.head[place].record.code < 0 and not is_start(self, board, place):
            place -= 1
        if board.head[place].record.code < 0:
            self.first_record(board, place)
        while place < board.top:
            place += 1
            next_record(self, board, place)

    @cython.final
    cdef void first_record(self, Board board, int place) noexcept nogil:
        """The first position of a phase sets its first record. At the bottom the goal is counted in full."""
        cdef Head* head = &board.head[place]
        cdef int limit = CODES - 1 if place == 0 or self.limit >= CODES - 1 else self.limit + 1
        cdef int code = board.goal_code(place, limit)
        head.record.code = <int16_t> (code if code < CODES - 1 else CODES - 1)
        head.record.index = place
        head.record.owner = <int8_t> (head.stm ^ 1)

    @cython.final
    cdef void count_passed_over(self, Board board, int place) noexcept nogil:
        """Count the goal of the previous position, because the game went on where the 50-move rule could have ended it.
        """
        cdef Record* record = &board.head[place].record
        cdef Head* before = &board.head[place - 1]
        cdef int below = record.code if record.code <= self.limit else self.limit + 1
        cdef int code
        if before.is_null or place == 1:
            return
        code = board.goal_code(place - 1, below)
        if code < below:
            record.code = <int16_t> code
            record.index = place - 1
            record.owner = <int8_t> (before.stm ^ 1)

    @cython.final
    cdef void fold_record(self, Board board) noexcept nogil:
        cdef int top = board.top
        cdef Head* head = &board.head[top]
        cdef const Record* record = &head.record
        cdef bint starts = is_start(self, board, top)
        # At the start of a phase the record follows from the position: the key can omit it, which saves counting legal
        # moves after captures in quiescence.
        if starts and self.folds_all[head.dead] and top > 0:
            head.node_key = head.key ^ RECORD_KEYS[FRESH] ^ self.scale
            return
        if self.folds_some and not head.dead and top > 0 and self.stays_weak(board, starts):
            head.record.code = WEAK
            head.node_key = head.key ^ self.scale
            return
        if starts or (head - 1).record.code < 0:
            record = self.record(board)
        elif record.code < 0:
            next_record(self, board, top)
        if self.folds[head.dead]:
            head.node_key = head.key ^ self.number_of(board, head, record)
        # The record at the bottom does not improve an earlier one, so the clock of the FEN stays.
        if self.record_zeroes_clock and record.index > 0 and board.top - record.index < head.clock:
            head.clock = <int16_t> (board.top - record.index)

    @cython.final
    cdef bint stays_weak(self, Board board, bint starts) noexcept nogil:
        """Return whether the record here is certainly weaker than all records with a number of their own.

        That takes a count of a few moves at most, while the record itself may remain unknown.
        """
        cdef Head* head = &board.head[board.top]
        cdef Head* before = head - 1
        if not starts:
            if before.record.code == UNKNOWN or 0 <= before.record.code <= self.weakest:
                return False
            if before.clock >= board.clock_limit or head.clock >= board.clock_limit:
                return False          # here goals count by other rules
            if head.is_null:
                return True
        return board.goal_code(board.top, self.weakest + 1) > self.weakest

    @cython.final
    cdef uint64_t number_of(self, Board board, const Head* head, const Record* record) noexcept nogil:
        """Number that tells states of this position apart by record. A record set by the position itself is fresh."""
        if self.folds_all[head.dead] and record.index >= 0 and board.head[record.index].key == head.key:
            return RECORD_KEYS[FRESH] ^ self.scale
        return self.fold[head.dead][record.owner][record.code] ^ self.scale

    # ---- scores ----

    @cython.final
    cdef Score outcome_score(self, Board board, const Record* record) noexcept nogil:
        """Score for the side to move of a game that ends now with this record. Whole centipawns carry no distance."""
        cdef Score white = self.outcome[record.owner][record.code]
        cdef bint searched = board.top > board.root
        if searched and not self.in_bands and (white < 0) == (board.head[board.root].stm == WHITE):
            white = self.predicted[record.owner][record.code]
        if white & (CP - 1):
            white = nearer_zero(white, distance_to(board, record.index))
        return white if board.head[board.top].stm == WHITE else -white

    @cython.final
    cdef Score settle(self, Board board, Ending ending) noexcept nogil:
        cdef Record stalemate
        cdef Score mate = SCORE_MATE - (board.top - board.root)
        if ending == CHECKMATE or ending == RULE_LOSS:
            return -mate
        if ending == RULE_WIN:
            return mate
        if not self.counts or ending == ONGOING:
            return 0
        if ending == STALEMATE:
            stalemate.code = 1
            stalemate.owner = <int8_t> (board.head[board.top].stm ^ 1)
            stalemate.index = board.top
            return self.outcome_score(board, &stalemate)
        return self.outcome_score(board, self.record(board))

    @cython.final
    cdef bint may_probe(self, Board board) noexcept nogil:
        return self.counts and not board.material_ends and not board.head[board.top].is_null

    @cython.final
    cdef Score probed_score(self, Board board, const Forecast* forecast) noexcept nogil:
        cdef int plies = board.top - board.root + forecast.plies
        cdef const Record* record
        cdef Score white
        if forecast.stands:
            record = self.record(board)
            white = self.final_score(record.owner, record.code, distance_to(board, record.index))
        elif forecast.code == 0:
            white = nearer_zero(self.outcome[forecast.owner][0], plies)
        else:
            white = self.final_score(forecast.owner, forecast.code, min(FAR, plies))  # 0 beyond the limit
        return white if board.head[board.top].stm == WHITE else -white

    cdef Score weighed_score(self, Board board, Evaluator evaluator, int cp) noexcept nogil:
        return cp * CP

    @cython.final
    cdef bint is_solved(self, Board board, Evaluator evaluator, Solution* solution) noexcept nogil:
        """Return whether the ending is solved and its outcome is reached before the 50-move rule."""
        cdef Head* head = &board.head[board.top]
        return (head.dead and self.counts and evaluator.solve(board, solution)
                and (solution.code == 0 or head.clock + solution.plies + 2 < board.clock_limit))

    # ---- the transposition table ----
    #
    # A score with the fraction fine(k, d) means a record of code k, reached d plies from the root. In the table d
    # counts from the node, and is 0 for a record that stood before the node. Distances of FAR are not exact and stay
    # unchanged.

    @cython.final
    cdef Score relative_to_node(self, Board board, Score score) noexcept nogil:
        cdef Head* head = &board.head[board.top]
        cdef int ply = board.top - board.root
        cdef Score size = score if score >= 0 else -score
        cdef int distance
        if size > SCORE_MATE:
            return score
        if size >= SCORE_MATE - CP:
            size = size + ply if size + ply < SCORE_MATE else SCORE_MATE
            return size if score > 0 else -size
        if not self.counts or size >= SCORE_SURE:
            return score
        if self.omits_record(head):   # the score depends on a record that the key does not contain
            return SCORE_NONE
        if size <= FINE_TOP and head.node_key == head.key:
            return 0
        distance = distance_in(size)
        if distance == FAR:
            return score
        return nearer_zero(score, -min(distance, ply))

    @cython.final
    cdef Score relative_to_root(self, Board board, Score score) noexcept nogil:
        cdef Head* head = &board.head[board.top]
        cdef int ply = board.top - board.root
        cdef Score size = score if score >= 0 else -score
        cdef int distance
        if size > SCORE_MATE:
            return score
        if size >= SCORE_MATE - CP:
            return nearer_zero(score, ply)
        if not self.counts or size >= SCORE_SURE:
            return score
        distance = distance_in(size)
        if distance == FAR:
            return score
        if distance == 0 and head.node_key != head.key:
            return nearer_zero(score, distance_to(board, self.record(board).index))
        return nearer_zero(score, min(ply, FAR - distance))

    # ---- Python methods ----

    def fill(self, outcome, fold, bint whole_game=False, bint keep_trigger=False, bint record_zeroes_clock=False,
             int limit=CODES - 1):
        """Replace the tables; not during a search.

        outcome[owner][code]: scores, White's view. fold[dead][owner][code]: 0 where records share the entries of the
        bare position, else a number from 1 to 1024; records with equal numbers share entries.
        limit: the weakest code that is a record; all weaker codes must be worth the same.
        Raises ValueError if a table has the wrong shape or a number is out of range.
        """
        cdef int dead, owner, code, group
        cdef long long score
        if len(outcome) != 2 or len(fold) != 2 or not all(len(half) == 2 for half in fold):
            raise ValueError("expected outcome[owner][code] and fold[dead][owner][code]")
        if not all(len(row) == CODES for row in [*outcome, *fold[0], *fold[1]]):
            raise ValueError(f"expected {CODES} codes in every table")
        if not 0 < limit < CODES:
            raise ValueError(f"expected a limit from 1 to {CODES - 1}, found {limit}")
        for row in outcome:
            for score in row:
                if not -SCORE_MATE <= score <= SCORE_MATE:
                    raise ValueError(f"expected no outcome beyond mate, found {score}")
        for row in [*fold[0], *fold[1]]:
            for group in row:
                if not 0 <= group <= 2 * CODES:
                    raise ValueError(f"expected a group from 0 to {2 * CODES}, found {group}")
        self.counts = False
        for owner in range(2):
            for code in range(CODES):
                self.outcome[owner][code] = self.predicted[owner][code] = outcome[owner][code]
                self.counts |= code > 0 and self.outcome[owner][code] != 0
        self.has_bands = self.outcome[WHITE][1] >= SCORE_DECIDED
        self.weakest = 0
        for dead in range(2):
            self.folds[dead] = False
            self.folds_all[dead] = True
            for owner in range(2):
                for code in range(CODES):
                    group = fold[dead][owner][code]
                    self.fold[dead][owner][code] = RECORD_KEYS[group - 1] if group else 0
                    self.folds[dead] |= group != 0
                    if group and not dead:
                        self.weakest = max(self.weakest, code)
                    self.folds_all[dead] &= group != 0 or not 0 < code <= limit
            self.asks[dead] = self.folds[dead] or record_zeroes_clock
        self.folds_some = self.folds[0] and self.weakest < limit and not record_zeroes_clock
        self.whole_game = whole_game
        self.keep_trigger = keep_trigger
        self.record_zeroes_clock = record_zeroes_clock
        self.shares_from = MANY_PIECES if self.has_bands and not whole_game and not record_zeroes_clock else NEVER
        self.limit = limit

    def record_of(self, Board board not None):
        """(code, owner, ply) of the current record of this board, None without a record within the limit.

        ply: moves played on this board when it was reached, 0 for a record given from outside.
        """
        self.clear_records(board)
        cdef const Record* record = self.record(board)
        if record.code > self.limit:
            return None
        if record.code == CODES - 1 and board.goal_code(max(0, record.index), EVERY_MOVE) == NO_GOAL:
            return None               # the phase begins with a position that a rule of the game decides
        return record.code, record.owner, max(0, record.index)

    def worth_of(self, int code, int owner) -> int:
        """Score of a game that ends with this record, White's view, without a distance."""
        if not 0 <= code < CODES or not 0 <= owner < 2:
            raise IndexError("no such record")
        return self.outcome[owner][code]

    def goals_behind(self, Score white) -> list:
        """(code, owner, promised) of every goal that a score from White's view, with its distance, may mean.

        A promise lies a step below its goal. Where whole centipawns cannot distinguish it from the next goal, the list
        has both. The list is empty for an estimate.
        """
        cdef Score size = white if white >= 0 else -white, target
        cdef int owner, code, below
        found = []
        if size & (CP - 1) == 0:
            return found
        for owner in range(2):
            for code in range(1, min(self.limit, CODES - 1) + 1):
                target = self.outcome[owner][code] if white >= 0 else -self.outcome[owner][code]
                if target <= 0 or target // CP != size // CP:
                    continue
                below = <int> (target - size)
                if 0 <= below < 2 * FINE_STEP:
                    found.append((code, owner, below >= FINE_STEP))
        return found

    def settled(self, Board board not None, Ending ending) -> int:
        """Score of a game that ends this way on this board (``Ending`` of base/types.pxd), side to move's view."""
        self.clear_records(board)
        return self.settle(board, ending)

    def node_key_of(self, Board board not None) -> int:
        """Key by which a search with this objective stores the position."""
        cdef Head* head = &board.head[board.top]
        if not self.folds[head.dead]:
            return head.key
        self.clear_records(board)
        return head.key ^ self.number_of(board, head, self.record(board))


cdef inline int standing_bonus(RMobilityObjective objective, Board board, Evaluator evaluator, int cp,
                               int lasting) noexcept nogil:
    """Bonus of the record on top of the evaluation `cp` while the game goes on: centipawns, White's view.

    lasting: how many more pieces on the board would make the bonus 0; positive.
    """
    cdef const Record* record
    cdef int clock, bonus
    if objective.owner_wins and evaluator.predicts_owner:
        record = objective.record(board)
        bonus = evaluator.last_owner(board, record.owner, record.code) * FORESEEN_TOP / CP
        # The larger the advantage, the less likely the draw.
        bonus = bonus * DRAWISH / (DRAWISH + (cp if cp >= 0 else -cp))
    else:
        clock = BELIEF_WHOLE_GAME if objective.whole_game else board.head[board.top].clock
        # The fresh record counts 0. Otherwise the search would capture only to erase a bad record, and avoid
        # captures to keep a good one.
        if clock == 0:
            return 0
        record = objective.record(board)
        bonus = objective.hold[record.owner][record.code] * BELIEF[clock if clock < CLOCKS else CLOCKS - 1] // CP
    return bonus * min(lasting, LASTING_PIECES) / LASTING_PIECES


cdef inline Score living_score(RMobilityObjective objective, Board board, Evaluator evaluator, int cp) noexcept nogil:
    cdef Head* head = &board.head[board.top]
    cdef int bonus, side, lasting
    # Near the 50-move rule, only a mate that the search has found is certain.
    if objective.has_bands and head.clock + SURE_PLIES < board.clock_limit:
        side = evaluator.sure_winner(board)
        if side:                      # a mate beyond the horizon scores above every record
            return (side if head.stm == WHITE else -side) * SURE_MATE + cp * (CP / SURE_SHARE)
    if objective.holds:
        # With many pieces on the board captures and pawn moves are still to come, and they erase any record.
        lasting = LASTING_PIECES if objective.whole_game else MANY_PIECES - head.pieces
        if lasting > 0:
            bonus = standing_bonus(objective, board, evaluator, cp, lasting)
            cp = max(-EVAL_LIMIT_CP, min(EVAL_LIMIT_CP, cp + (bonus if head.stm == WHITE else -bonus)))
    return cp * CP


cdef class RMobilityObjective(Objective):
    """An objective whose static score counts the record while the game goes on; docs/objective.md has the numbers."""

    def __cinit__(self):
        self.weighs[0] = self.weighs[1] = True

    cdef Score weighed_score(self, Board board, Evaluator evaluator, int cp) noexcept nogil:
        if board.head[board.top].dead:
            return self.dead_score(board, evaluator)
        return living_score(self, board, evaluator, cp)

    @cython.final
    cdef Score dead_score(self, Board board, Evaluator evaluator) noexcept nogil:
        """Static score when neither side can mate: from the record, or from the goal promised by the material.

        If both sides have pieces, no goal is promised, because a wrong guess costs more than a right one gains.
        Confinement decides between positions that are otherwise equal.
        """
        cdef Head* head = &board.head[board.top]
        cdef const Record* record = self.record(board)
        cdef int forecast = evaluator.forecast(board)
        cdef int owner = WHITE if forecast > 0 else BLACK
        cdef int code = abs(forecast), cp, plies
        cdef Solution solution
        cdef Score white
        if self.is_solved(board, evaluator, &solution):
            if not solution.code or solution.code >= record.code:
                white = self.final_score(record.owner, record.code, distance_to(board, record.index))
            else:
                plies = solution.plies + board.top - board.root
                white = self.final_score(solution.owner, solution.code, min(FAR, plies))
            return white if head.stm == WHITE else -white
        cp = evaluator.confinement(board)
        if head.stm == BLACK:         # White's view from here on
            cp = -cp
        if forecast and code < record.code and code <= self.limit:
            white = self.target_score(board, owner, code, cp)
        elif forecast:                # no better goal is expected against a bare king
            white = self.final_score(record.owner, record.code, distance_to(board, record.index))
        elif self.in_bands:           # the fight goes on, so it scores a step less than at the end
            white = self.target_score(board, record.owner, record.code, cp)
        else:
            white = self.standing_score(record.owner, record.code, distance_to(board, record.index), cp)
        return white if head.stm == WHITE else -white

    @cython.final
    cdef Score target_score(self, Board board, int owner, int code, int cp) noexcept nogil:
        """Score of a promised goal: one that is likely to be reached. cp: confinement, White's view; more means sooner.

        A promised goal scores one step less than the goal once reached; otherwise the search would never reach it. The
        estimated number of missing plies takes the place of the distance, and the transposition table treats it as one.
        Promises have the same scale as certain outcomes, so a better outcome never scores less.
        """
        cdef int reach = cp if owner == WHITE else -cp
        cdef int missing = (CONFINED_TOP - reach) * PROMISE_PLIES // (2 * CONFINED_TOP)
        return self.final_score(owner, code, FINE_STEP + min(FAR - 1, missing + board.top - board.root))

    @cython.final
    cdef Score standing_score(self, int owner, int code, int distance, int cp) noexcept nogil:
        """Score of the current record; where it is an estimate in whole centipawns, confinement is added."""
        cdef Score white = self.final_score(owner, code, distance)
        if self.is_estimated(owner, code):
            white += abs(self.gap(owner, code)) * cp // (8 * CONFINED_TOP) * CP
        return white

    @cython.final
    cdef bint is_estimated(self, int owner, int code) noexcept nogil:
        """Return whether the search uses an estimate in centipawns for an outcome that has a band above evaluations."""
        return not self.in_bands and not -SCORE_DECIDED < self.outcome[owner][code] < SCORE_DECIDED

    @cython.final
    cdef int gap(self, int owner, int code) noexcept nogil:
        """Centipawns in `hold` between this record and the next, White's view; at most a quarter of its own value.

        The limit matters where the komi makes a large step between two codes.
        """
        cdef int here = self.hold[owner][code]
        cdef int step = here - self.hold[owner][code + 1 if code < CODES - 1 else code]
        return step if abs(step) <= abs(here) // 4 else here // 4

    def fill_hold(self, hold):
        """hold[owner][code]: centipawns, White's view, that a standing record adds to the evaluation if it lasts.

        If the root is not dead material, predicted outcomes above all evaluations get the same bonus: an opponent who
        plays for mate may ignore records, and avoiding them at any price loses more games by mate. Call ``fill``
        before. Raises ValueError if the table has the wrong shape or a number is out of range.
        """
        cdef int owner, code, sign
        if len(hold) != 2 or not all(len(row) == CODES for row in hold):
            raise ValueError(f"expected hold[owner][code] of {CODES} codes")
        if not all(-EVAL_LIMIT_CP <= cp <= EVAL_LIMIT_CP for row in hold for cp in row):
            raise ValueError(f"expected at most {EVAL_LIMIT_CP} centipawns")
        self.holds = False
        self.owner_wins = not self.whole_game
        for owner in range(2):
            sign = 1 if owner == WHITE else -1
            for code in range(CODES):
                self.hold[owner][code] = hold[owner][code]
                self.holds |= self.hold[owner][code] != 0
                self.predicted[owner][code] = self.predicted_score(owner, code)
                self.owner_wins &= code == 0 or self.outcome[owner][code] * sign >= SCORE_DECIDED
        self.weighs[0] = self.has_bands or self.holds

    def weighs_last_owner(self, Board board not None) -> bool:
        """Return whether a search of this board uses the evaluator's prediction of the last record's owner."""
        return self.owner_wins and not board.head[board.top].dead and board.head[board.top].pieces < MANY_PIECES

    cdef Score predicted_score(self, int owner, int code) noexcept nogil:
        """The entry of ``predicted`` for a record: mates and outcomes that look like evaluations count in full."""
        cdef Score white = self.outcome[owner][code], held = self.hold[owner][code] * CP
        if code == 0 or -SCORE_DECIDED < white < SCORE_DECIDED:
            return white
        return held + (white & (CP - 1)) if white > 0 else held - (-white & (CP - 1))


def preset_record(Board board not None, code, owner):
    """Give the first position of the board a record that was set earlier: a goal code and its owner.

    If the position's own goal is lower, that counts instead. ``code`` None: there is no earlier record.
    Raises ValueError if no record has this code and owner.
    """
    cdef Record given
    board.head[0].record.code = UNKNOWN
    if code is None:
        return
    if not 0 <= code or not 0 <= owner < 2:
        raise ValueError(f"expected a goal code and its owner, found {code} of {owner}")
    given.code = <int16_t> min(code, CODES - 1)
    given.owner = owner
    given.index = -1                  # below the bottom: reached before this position
    Objective().first_record(board, 0)
    if given.code <= board.head[0].record.code:
        board.head[0].record = given
