"""The abstract board: the stack of heads, functions that need only the heads, and the Python methods of every board."""

from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from .bits cimport MOVE_ROOM
from .types cimport *

cimport cython

cdef enum:
    SEARCH_ROOM = MAX_PLY + 8         # places of a search path


cdef list listed_moves(Board board, int stage):
    cdef Move* moves = <Move*> malloc((board.max_moves + MOVE_ROOM) * sizeof(Move))
    cdef int n
    if moves == NULL:
        raise MemoryError
    try:
        n = board.generate(stage, moves)
        return [moves[i] for i in range(n)]
    finally:
        free(moves)


cdef class Board:
    """Base of all boards; subclasses keep their full positions in an array parallel to ``head``."""

    def __dealloc__(self):
        free(self.head)

    cdef int reserve(self, int capacity) except -1:
        raise NotImplementedError("an abstract board has no room")

    cdef int generate(self, int stage, Move* out) noexcept nogil:
        return 0

    cdef Move winning_quiet(self, Move* room) noexcept nogil:
        return 0

    cdef bint is_legal(self, Move move) noexcept nogil:
        return False

    cdef bint gives_check(self, Move move) noexcept nogil:
        return False

    cdef bint is_forcing(self, Move move) noexcept nogil:
        return False

    cdef void describe(self, const Move* moves, int count, int* marks) noexcept nogil:
        cdef int i
        for i in range(count):
            marks[i] = 2 * self.slot(moves[i]) + self.is_forcing(moves[i])

    cdef void weigh_threats(self, const Move* moves, int count, int* threats) noexcept nogil:
        memset(threats, 0, count * sizeof(int))

    cdef bint is_noisy(self, Move move) noexcept nogil:
        return False

    cdef uint64_t danger(self) noexcept nogil:
        return 0

    cdef uint64_t non_pawn_key(self, int colour) noexcept nogil:
        # Boards without this key use their material key, which counts the pieces but ignores their squares.
        return self.head[self.top].material_key * <uint64_t> 0x9e3779b97f4a7c15 >> 32

    cdef bint see_ge(self, Move move, int cp) noexcept nogil:
        return True

    cdef int slot(self, Move move) noexcept nogil:
        return 0

    cdef int victim(self, Move move) noexcept nogil:
        return 0

    cdef int victim_cp(self, Move move) noexcept nogil:
        return 0

    cdef bint has_pieces(self) noexcept nogil:
        return False

    cdef uint64_t key_after(self, Move move) noexcept nogil:
        return self.head[self.top].key

    cdef void make(self, Move move) noexcept nogil:
        pass

    cdef void make_null(self) noexcept nogil:
        pass

    cdef int goal_code(self, int index, int limit) noexcept nogil:
        return 0

    cdef Ending ending(self) noexcept nogil:
        return ONGOING

    cdef Ending no_moves(self) noexcept nogil:
        return CHECKMATE if self.head[self.top].in_check else STALEMATE

    cdef Board clone(self):
        """A copy with room for a search. The copy keeps the earlier positions that repetitions and records may need."""
        cdef int past = min(max(self.head[self.top].phase, self.head[self.top].clock) + 1, self.top)
        cdef Board other = self.copied(self.top - past, past + 1 + SEARCH_ROOM)
        other.root = other.top
        return other

    cdef Board copied(self, int first, int capacity):
        raise NotImplementedError("an abstract board has no copy")

    @cython.final
    cdef void copy_stack(self, Board other, int first):
        cdef int i
        memcpy(other.head, &self.head[first], (self.top + 1 - first) * sizeof(Head))
        other.top = self.top - first
        other.root = self.root - first
        for i in range(other.top + 1):    # indices count from the bottom of the stack
            other.head[i].record.index -= first
        other.clock_limit = self.clock_limit
        other.material_ends = self.material_ends
        other.first_ply = self.first_ply + first
        other.notation = self.notation

    cdef int check(self) except -1:
        raise NotImplementedError("an abstract board has no invariants")

    cdef bint repeated(self) noexcept nogil:
        """Return whether this state has occurred since the root, or its position (ignoring records) twice in the game.

        A repetition inside the search is scored at once: the side that wants progress never needs a repetition
        (docs/search.md). Positions before the root were played, so for them the third occurrence counts.
        """
        cdef Head* now = &self.head[self.top]
        cdef int lowest = self.top - now.phase, i = self.top - 4
        cdef int seen = 0
        while i >= lowest:
            if self.head[i].key == now.key:
                if i >= self.root and self.head[i].node_key == now.node_key:
                    return True
                seen += 1
                if seen == 2:
                    return True
            i -= 2
        return False

    # ---- for notation, tests and tools ----

    def copy(self):
        """An independent board with the same game."""
        return self.copied(0, self.capacity)

    def push(self, Move move):
        """Play a legal move. Raises ValueError if the move is illegal."""
        if not self.is_legal(move):
            raise ValueError(f"illegal move {move:#x}")
        self.reserve(self.top + 2 if self.top + 2 <= self.capacity else 2 * self.capacity)
        self.make(move)
        self.root = self.top

    def push_null(self):
        """Pass. Raises ValueError in check."""
        if self.head[self.top].in_check:
            raise ValueError("no passing in check")
        self.reserve(self.top + 2 if self.top + 2 <= self.capacity else 2 * self.capacity)
        self.make_null()
        self.root = self.top

    def pop(self):
        """Take the last move back. Raises IndexError at the start."""
        if self.top == 0:
            raise IndexError("no move to take back")
        self.top -= 1
        self.root = self.top

    def legal_moves(self) -> list[int]:
        """All legal moves."""
        return listed_moves(self, ALL_MOVES)

    def stage_moves(self, int stage) -> list[int]:
        """Legal moves of a stage: 1 captures and promotions, 2 all others, 3 quiet checks except some rare ones."""
        return listed_moves(self, stage)

    def legal(self, Move move) -> bool:
        """Return whether the move is legal; any 32 bits are accepted."""
        return self.is_legal(move)

    def checks(self, Move move) -> bool:
        """Return whether this legal move gives check."""
        return self.gives_check(move)

    def noisy(self, Move move) -> bool:
        """Return whether this legal move is a capture or a promotion."""
        return self.is_noisy(move)

    def exchange_gains(self, Move move, int cp) -> bool:
        """Return whether the exchange started by this legal move gains at least ``cp`` centipawns."""
        return self.see_ge(move, cp)

    def threat(self, Move move) -> int:
        """Positive if the piece leaves an attack by a lesser piece, negative if it enters such an attack
        (``weigh_threats``)."""
        cdef int threats[1]
        self.weigh_threats(&move, 1, threats)
        return threats[0]

    def goal(self) -> int:
        """Goal code of the position: twice the number of legal moves, plus one if not in check.

        If a rule of the game has ended it: 0 if the side to move has lost, otherwise NO_GOAL.
        """
        return self.goal_code(self.top, EVERY_MOVE)

    def count_legal(self, int limit = EVERY_MOVE) -> int:
        """Number of legal moves: exact below ``limit``, otherwise any number of at least ``limit``."""
        raise NotImplementedError("an abstract board has no moves")

    def verify(self):
        """Raise AssertionError if an invariant is broken: squares, keys, checks."""
        self.check()

    def repetitions(self) -> int:
        """How often the position occurred before in this game."""
        cdef int i, n = 0
        for i in range(self.top - 2, max(-1, self.top - 1 - self.head[self.top].phase), -2):
            n += self.head[i].key == self.head[self.top].key
        return n

    def move_at(self, int ply) -> int:
        """The move that led to place ``ply`` of the stack (1 is the first), 0 for a null move."""
        if not 0 < ply <= self.top:
            raise IndexError("no such ply")
        return self.head[ply].move

    @property
    def plies(self) -> int:
        """Moves played since ``set_up``."""
        return self.top

    @property
    def stm(self) -> int:
        return self.head[self.top].stm

    @property
    def clock(self) -> int:
        return self.head[self.top].clock

    @property
    def fullmove(self) -> int:
        return (self.first_ply + self.top) // 2 + 1

    @property
    def squares(self) -> bytes:
        """The piece on each square in the board's own numbers, 0 for an empty square; the lowest rank comes first."""
        raise NotImplementedError("an abstract board has no squares")

    @property
    def checkers(self) -> int:
        """Squares of the pieces that give check, as bits."""
        raise NotImplementedError("an abstract board has no pieces")

    @property
    def insufficient(self) -> bool:
        """Return whether no sequence of legal moves can lead to mate."""
        raise NotImplementedError("an abstract board has no pieces")

    @property
    def key(self) -> int:
        return self.head[self.top].key

    @property
    def pawn_key(self) -> int:
        return self.head[self.top].pawn_key

    @property
    def dead(self) -> bool:
        """Return whether neither side can mate a bare king and there is no pawn, except a lone one that cannot win."""
        return bool(self.head[self.top].dead)
