# The interface of a board, for any game.
#
# A board is a stack of whole positions: the game since its last reset (and a little before), then the search path.
# `make` writes the place above the top, and `top -= 1` unmakes a move, so no unmake code is needed. Repetitions and
# records are found by reading the stack.

from .types cimport CLOCK_MAX, UNKNOWN, Ending, Move, int8_t, int16_t, int32_t, uint8_t, uint64_t

cdef struct Record:                   # the lowest goal since the last reset
    int32_t index                     # stack index of the position that reached this goal
    int16_t code                      # 2 * legal moves + [not in check]; UNKNOWN or WEAK until it is computed
    int8_t owner                      # the side whose move reached this goal

cdef struct Change:                   # one piece placed (from_sq NO_SQUARE), moved or taken (to_sq NO_SQUARE)
    uint8_t piece
    uint8_t from_sq
    uint8_t to_sq

cdef struct Head:                     # the part of a position that the whole core reads; one per stack index
    uint64_t key
    uint64_t pawn_key
    uint64_t material_key
    uint64_t node_key                 # key that includes the record; written by Objective.enter
    Record record                     # written by Objective.record
    int16_t clock                     # 50-move counter
    int16_t phase                     # plies since the last reset; differs from clock under some rules
    uint8_t stm
    uint8_t in_check
    uint8_t is_null                   # reached by a null move
    uint8_t dead                      # neither side could mate a bare king; no pawn, or a lone one that cannot win
    uint8_t pieces                    # number of pieces of both sides, including kings
    uint8_t n_changes
    Change changes[4]                 # the changes made by the last move, for accumulators
    Move move                         # the move that led here, 0 at the bottom

cdef class Board:                     # abstract; owns its stack
    cdef Head* head                   # head[top] is the current position
    cdef int top                      # the position on the board
    cdef int root                     # where the search began
    cdef int capacity                 # number of places of the stack
    cdef public int clock_limit       # in plies: 100, or unreachably high
    cdef public bint material_ends    # whether dead material ends the game
    cdef readonly bint ends_suddenly  # whether a quiet move can win at once without mate
    cdef public object notation       # how positions and moves are written, used only from Python
    cdef readonly int first_ply       # plies of the game before the bottom of the stack
    cdef readonly uint64_t goal_calls  # number of goals counted; 0 in a game without records
    cdef readonly int max_moves       # upper bound of legal moves, by which workers allocate memory
    cdef readonly int move_slots
    cdef int reserve(self, int capacity) except -1                   # makes room for this many positions
    cdef int generate(self, int stage, Move* out) noexcept nogil     # lists legal moves; returns their number
    cdef Move winning_quiet(self, Move* room) noexcept nogil         # a move that wins by a rule other than mate, or 0
    cdef bint is_legal(self, Move move) noexcept nogil               # accepts any 32 bits
    cdef bint gives_check(self, Move move) noexcept nogil            # the move must be legal
    cdef bint is_forcing(self, Move move) noexcept nogil             # gives check or ends the game by a rule
    # Writes a mark for each of these moves: twice its slot, plus 1 if the move is forcing.
    cdef void describe(self, const Move* moves, int count, int* marks) noexcept nogil
    # Writes a number for each of these moves: the weight of the piece if the move leaves an attack by a lesser piece,
    # minus that weight if the move enters such an attack. Minor pieces count 1, rooks 2, queens 4. Boards without
    # support write 0.
    cdef void weigh_threats(self, const Move* moves, int count, int* threats) noexcept nogil
    cdef bint is_noisy(self, Move move) noexcept nogil               # capture or promotion
    cdef bint see_ge(self, Move move, int cp) noexcept nogil         # true in doubtful cases (hoppers)
    cdef int slot(self, Move move) noexcept nogil                    # history index below move_slots
    cdef uint64_t danger(self) noexcept nogil                        # squares under attack; 0 if in check or unknown
    cdef uint64_t non_pawn_key(self, int colour) noexcept nogil      # key of a side's pieces other than pawns
    cdef int victim(self, Move move) noexcept nogil                  # 0: no capture, else 1 + captured type; below 8
    cdef int victim_cp(self, Move move) noexcept nogil               # most that a noisy move can win, in centipawns
    cdef bint has_pieces(self) noexcept nogil                        # whether the side can risk a null move
    cdef uint64_t key_after(self, Move move) noexcept nogil          # usually exact; used to prefetch the table
    cdef void make(self, Move move) noexcept nogil
    cdef void make_null(self) noexcept nogil                         # the position after it sets no record
    cdef int goal_code(self, int index, int limit) noexcept nogil    # exact below limit, else >= limit; see goal()
    cdef Ending ending(self) noexcept nogil                          # except mate and stalemate; reads node_key
    cdef Ending no_moves(self) noexcept nogil                        # the ending if there is no legal move
    cdef Board clone(self)                                           # called at `go` for each worker
    cdef Board copied(self, int first, int capacity)                 # the stack without the places below `first`
    cdef int check(self) except -1                                   # checks all invariants; for tests and debug builds

    # Common to all boards.
    cdef bint repeated(self) noexcept nogil                          # part of ending()
    cdef void copy_stack(self, Board other, int first)           # does not copy the data of subclasses

    # Fills head[top], except in_check, dead and pieces.
    cdef inline void fill_head(self, uint64_t key, uint64_t pawn_key, uint64_t material_key, int clock, int stm,
                               Move move) noexcept nogil:
        cdef Head* head = &self.head[self.top]
        head.key = key
        head.node_key = key
        head.pawn_key = pawn_key
        head.material_key = material_key
        head.record.code = UNKNOWN
        head.record.index = 0
        head.record.owner = 0
        head.clock = <int16_t> clock
        head.phase = 0
        if clock > 0 and self.top > 0:
            head.phase = <int16_t> min(self.head[self.top - 1].phase + 1, CLOCK_MAX)
        head.stm = <uint8_t> stm
        head.is_null = False
        head.n_changes = 0
        head.move = move

    # A position after a null move never counts as a repetition of one before that move.
    cdef inline void mark_null(self) noexcept nogil:
        self.head[self.top].is_null = True
        self.head[self.top].phase = 0
