# The value of outcomes. Each mode fills tables; the code has no branches by mode. docs/objective.md explains the
# numbers.
#
# At `go`:      objective.prepare(board) on the game's own board, then board.clone() for each worker, and
#               objective.enter(clone) for the root.
# In a node:    objective.enter(board) after each make and make_null; settle() for every ending; static_score() for the
#               static evaluation; to_table() and from_table() around the transposition table.
#
# A table entry must not cut off a PV node. Where the key ignores records, a score inside the draw band means only
# "drawn" and is stored as 0.

from ..base.board cimport Board, Head, Record
from .evaluator cimport Evaluator, Solution
from .oracle cimport Forecast
from ..base.types cimport (
    CODES, CP, FINE_LAST, FINE_STEP, FINE_TOP, SCORE_DECIDED, Ending, Score, int8_t, int32_t, uint64_t
)

cdef enum:
    MANY_PIECES = 18                  # with this many pieces on the board a record adds nothing to the evaluation
    NEVER = 256                       # more pieces than any board has
    LONG_CLOCK = 16                   # after this many plies without a reset, records matter even with many pieces
    FAR = 63                          # this many plies or more; also the distance of every promised record

# Mixed into the keys of three kinds of table entries: those that hold for many records at once, those whose scores lie
# in bands, and those in which outcomes are estimates and Black is to move at the root.
cdef uint64_t ANY_RECORD
cdef uint64_t BANDS_KEY
cdef uint64_t BLACK_KEY

cdef class Objective:                 # immutable once filled, shared by all workers; only weighed_score is virtual
    cdef Score outcome[2][CODES]      # [owner][code], White's view: score of a game that ends with this record
    # Replaces `outcome` if the root is not dead material: for a record that will be final in a game that has not ended,
    # and for a game that has ended with a loss for the side to move at the root.
    cdef Score predicted[2][CODES]
    cdef uint64_t fold[2][2][CODES]   # [dead][owner][code]; records with equal numbers share table entries
    cdef bint folds[2]                # [dead]: whether any number is nonzero; otherwise records need not be counted
    cdef bint asks[2]                 # [dead]: whether enter has anything to do
    cdef bint folds_all[2]            # [dead]: whether every record has a number
    cdef bint folds_some              # whether in living material only records up to `weakest` have numbers
    cdef int weakest                  # the highest code that has a number in living material
    cdef bint weighs[2]               # [dead]: whether the static score may differ from the evaluation
    cdef bint counts                  # whether any draw has a score other than 0; otherwise records are never counted
    cdef bint whole_game              # whether records last for the whole game, without resets
    cdef bint keep_trigger            # whether the position that triggers the 50-move rule may set a record
    cdef bint record_zeroes_clock     # whether an improved record resets the 50-move counter
    # Living positions with this many pieces share entries, whatever the record, soon after a reset; else NEVER.
    cdef int shares_from
    cdef int limit                    # codes above this are too weak to be records
    cdef uint64_t scale               # set by `prepare`: a number mixed into keys if scores depend on the root
    cdef bint has_bands               # whether some outcomes lie above all evaluations
    cdef bint in_bands                # set by `prepare`: whether the search uses outcomes as they are, not estimates

    # Call once at `go`, on the game's board: clears records that another objective may have left, and recomputes
    # them.
    cdef void prepare(self, Board board) noexcept nogil
    # Score of an ending for the side to move, with the distance from the root.
    cdef Score settle(self, Board board, Ending ending) noexcept nogil
    # True if the current rules match those of the oracle and the record is complete here.
    cdef bint may_probe(self, Board board) noexcept nogil
    # Score for the side to move of a forecast for head[top].
    cdef Score probed_score(self, Board board, const Forecast* forecast) noexcept nogil
    # Static score for the side to move from the evaluation `cp`, if it may differ from it. The one virtual method.
    cdef Score weighed_score(self, Board board, Evaluator evaluator, int cp) noexcept nogil
    # True if the outcome is known and reached before the 50-move rule; then the static score is final.
    cdef bint is_solved(self, Board board, Evaluator evaluator, Solution* solution) noexcept nogil

    # Static score for the side to move from the evaluation `cp`.
    cdef inline Score static_score(self, Board board, Evaluator evaluator, int cp) noexcept nogil:
        cdef Head* head = &board.head[board.top]
        # With so many pieces no record counts, and in chess, which such an evaluator is for, no king is bare.
        if not self.weighs[head.dead] or (head.pieces >= self.shares_from and evaluator.predicts_owner
                                          and not head.dead):
            return cp * CP
        return self.weighed_score(board, evaluator, cp)

    # The record at head[top]. Missing records below it are computed as well.
    cdef inline const Record* record(self, Board board) noexcept nogil:
        cdef Record* record = &board.head[board.top].record
        if record.code < 0:           # UNKNOWN or WEAK
            self.find_record(board)
        return record

    # Call after every make and make_null: sets node_key, and the clock if an improved record zeroes it.
    cdef inline void enter(self, Board board) noexcept nogil:
        cdef Head* head = &board.head[board.top]
        if not self.asks[head.dead]:
            return
        # A capture or pawn move will probably erase the record soon, so the key omits it.
        if head.pieces >= self.shares_from and head.clock < LONG_CLOCK and not head.dead:
            head.node_key = head.key ^ self.scale
            return
        self.fold_record(board)

    # The table keeps decided scores relative to the node. Whole centipawns are estimates and stay unchanged.
    cdef inline Score to_table(self, Board board, Score score) noexcept nogil:
        if score & (CP - 1) == 0 and -SCORE_DECIDED < score < SCORE_DECIDED:
            return score
        return self.relative_to_node(board, score)

    cdef inline Score from_table(self, Board board, Score score) noexcept nogil:
        if score & (CP - 1) == 0 and -SCORE_DECIDED < score < SCORE_DECIDED:
            return score
        return self.relative_to_root(board, score)

    # True if the score means a better record than the current one. It then holds under every weaker record, too,
    # because the better code replaces all of them.
    cdef inline bint outlasts(self, Board board, Score score) noexcept nogil:
        cdef int rest = FINE_TOP - ((score if score >= 0 else -score) & (CP - 1))
        return (self.folds[1] and 0 <= rest < FINE_STEP * FINE_LAST
                and rest // FINE_STEP < self.record(board).code)

    # Key of an entry that holds for all records weaker than the one in its score.
    cdef inline uint64_t shared_key(self, const Head* head) noexcept nogil:
        return head.key ^ ANY_RECORD ^ self.scale

    # Score of a record that will be final, White's view, `distance` plies from the root. Outcomes above all evaluations
    # keep their size only if `in_bands`; otherwise the score is an estimate.
    cdef inline Score final_score(self, int owner, int code, int distance) noexcept nogil:
        cdef Score white = self.outcome[owner][code] if self.in_bands else self.predicted[owner][code]
        if white & (CP - 1) == 0:
            return white
        return white - distance if white > 0 else white + distance

    # True if all records of this position share entries although outcomes depend on them. Valid after `enter`.
    cdef inline bint omits_record(self, const Head* head) noexcept nogil:
        return self.shares_from < NEVER and not head.dead and head.node_key == head.key ^ self.scale

    # Parts of the methods above that run too rarely to be inlined.
    cdef void fold_record(self, Board board) noexcept nogil
    cdef bint stays_weak(self, Board board, bint starts) noexcept nogil
    cdef uint64_t number_of(self, Board board, const Head* head, const Record* record) noexcept nogil
    cdef Score relative_to_node(self, Board board, Score score) noexcept nogil
    cdef Score relative_to_root(self, Board board, Score score) noexcept nogil
    cdef Score outcome_score(self, Board board, const Record* record) noexcept nogil
    cdef void find_record(self, Board board) noexcept nogil
    cdef void first_record(self, Board board, int place) noexcept nogil
    cdef void count_passed_over(self, Board board, int place) noexcept nogil
    cdef void clear_records(self, Board board) noexcept nogil

cdef class RMobilityObjective(Objective):
    # [owner][code], White's view in centipawns: bonus of a standing record, if it lasts.
    cdef int hold[2][CODES]
    cdef bint holds                   # whether any number in `hold` is nonzero
    cdef bint owner_wins              # whether owning the last record wins; evaluators then predict its owner
    cdef Score dead_score(self, Board board, Evaluator evaluator) noexcept nogil
    cdef Score predicted_score(self, int owner, int code) noexcept nogil
    cdef Score target_score(self, Board board, int owner, int code, int cp) noexcept nogil
    cdef Score standing_score(self, int owner, int code, int distance, int cp) noexcept nogil
    cdef bint is_estimated(self, int owner, int code) noexcept nogil
    cdef int gap(self, int owner, int code) noexcept nogil
