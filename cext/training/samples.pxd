# The base class for readers of training games. Python bindings.

from ..base.board cimport Board
from ..base.types cimport Move, uint8_t, uint32_t, uint64_t
from ..chess.position cimport Position
from ..chess.legal_count cimport Scan
from .sample cimport GameHead, Sample

cdef enum:                            # indices of COUNTED
    GAMES
    PLIES
    OPENING
    UNSCORED
    CHECKS
    NOISY_BEST
    DECIDED
    SKIPPED
    KEPT
    COUNTS

cdef enum:
    MOST_COUNTED = 256                # pieces

cdef struct Filter:
    int skip                          # plies left out at the beginning of each game
    int most_cp                       # scores at least this large are left out; 0: none
    bint quiet                        # leave out positions in check, and those whose best move is noisy

cdef class GameReader:
    cdef Filter filter
    cdef size_t n                     # number of samples
    cdef uint64_t[COUNTS] tally
    cdef uint64_t[MOST_COUNTED + 1] by_pieces  # number of kept positions by number of pieces
    cdef uint64_t[3] results          # number of games by result, White's view
    cdef uint64_t[16] reasons
    cdef uint64_t* keys               # keys of all scored positions, if requested
    cdef size_t n_keys, key_room
    cdef bint with_keys

    cdef int make_key_room(self, size_t more) except -1
    cdef int read_game(self, const uint8_t* text, size_t size, size_t* at, uint32_t number) except? -2
    cdef void count_game(self, const GameHead* head) noexcept nogil
    cdef void note_key(self, uint64_t key) noexcept nogil
    cdef bint passes(self, int cp, bint in_check, bint noisy, int ply) noexcept nogil
    cdef void count_kept(self, int n_pieces) noexcept nogil

cdef class SampleReader(GameReader):
    cdef Sample* samples
    cdef size_t room
    cdef int strays                   # each position is replaced by the positions after this many random moves
    cdef uint64_t state

    # Plays the moves and keeps the wanted positions; returns 0, or the ply of an illegal move. p: room for two
    # positions.
    cdef int replay(self, Position* p, const GameHead* head, const uint8_t* text, uint32_t number) noexcept nogil
    # Keeps the position, or counts the reason for leaving it out.
    cdef void consider(self, const Position* p, const Scan* s, Move move, int cp, int ply, const GameHead* head,
                       uint32_t number) noexcept nogil
    cdef void keep(self, const Position* p, int cp, int result, int ply, uint32_t number) noexcept nogil
    cdef void stray(self, const Position* p, const Scan* s, uint32_t number) noexcept nogil

cdef class GameRecord:
    cdef readonly Board board
    cdef readonly list moves, scores
    cdef readonly int opening, result, reason
